"""Which implementation of each language step is used."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from agent.open_indexes import LINE_ITEMS
from agent.recommending import HomeOrder
from graphs.engine import Engine
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.answer.line_ranking import LineRanker
from graphs.local.check.checker import LocalChecker
from graphs.local.check.guard import ModelDraftGuard
from graphs.local.dialogue.clarifier import LocalClarifier
from graphs.local.dialogue.suggestions import LocalSuggester
from graphs.local.followup.condenser import LocalCondenser
from graphs.local.question.about_index import IndexGuide
from graphs.local.question.planner import LocalPlanner
from graphs.local.question.reader import LocalReader
from graphs.protocols import Order
from tools.calculate.questions import SumReader
from tools.ranking.cross_encoder import CrossEncoder
from tools.vector.embeddings import Embedder, LocalEmbeddings

if TYPE_CHECKING:
    from agent.settings import Settings
    from tools.model.types import ChatModel


def embedder_of(settings: Settings) -> Embedder | None:
    """The endpoint's embedding model where one is set; None: the one on this machine, loaded when needed."""
    if settings.embed_endpoint is None:
        return None
    from agent.endpoint.models import endpoint_embeddings

    return endpoint_embeddings(settings)


def engine_of(settings: Settings, model: ChatModel | None = None) -> Engine:
    """The engine that the settings name; nothing is sent before the first question. `model`: who is asked in place of
    the endpoint, a recording of it say. Raises SettingsError."""
    if settings.chat_endpoint is None:
        return local_engine(read_together=settings.rerank == "local", order=HomeOrder(settings.home))
    from agent.endpoint.models import chat_model

    given, taken = settings.price_input, settings.price_output
    return model_engine(
        model or chat_model(settings),
        max_tokens=settings.llm_max_tokens,
        rerank=settings.rerank,
        prices=None if given is None or taken is None else (given, taken),
        order=HomeOrder(settings.home),
    )


def switchable_engine(settings: Settings) -> Engine:
    """As `engine_of`, with the other engine behind it where an endpoint is set, for runs that choose."""
    engine = engine_of(settings)
    if settings.engine != "local":
        return engine
    other = engine_of(settings.model_copy(update={"engine": "auto"}))
    return engine if other.name == "local" else replace(engine, other=other)


def local_engine(*, read_together: bool = True, order: Order | None = None) -> Engine:
    """No key, no network. `read_together`: the learned fit has a cross-encoder read each line with the question.
    `order`: of next questions; None: rules alone name them."""
    embedder = LocalEmbeddings(threads=2)
    sums = SumReader()
    scorer = CrossEncoder(threads=2) if read_together else None
    ranker = LineRanker(scorer, embedder, LINE_ITEMS, CrossEncoder(threads=2, learnt={}))
    return Engine(
        guide=IndexGuide(embedder),
        ranker=ranker,
        name="local",
        condenser=lambda catalog, names: LocalCondenser(catalog, names, embedder, sums),
        reader=LocalReader(sums),
        planner=LocalPlanner(sums),
        answerer=LocalAnswerer(),
        checker=LocalChecker(),
        clarifier=LocalClarifier(),
        suggester=LocalSuggester(ranker, order),
    )


def model_engine(
    model: ChatModel,
    *,
    max_tokens: int = 1024,
    rerank: Literal["off", "local", "model"] = "local",
    prices: tuple[float, float] | None = None,
    order: Order | None = None,
) -> Engine:
    """Every step that a model does better asks `model` and has the local engine's step behind it. `max_tokens`: of a
    reply; `prices`: USD per million input and output tokens; `order`: as of `local_engine`."""
    from graphs.model.answerer import ModelAnswerer
    from graphs.model.checker import ModelChecker
    from graphs.model.company_judge import ModelCompanyJudge
    from graphs.model.condenser import ModelCondenser
    from graphs.model.planner import ModelPlanner
    from graphs.model.rerank import ModelReranker

    local, guard = local_engine(read_together=rerank == "local", order=order), ModelDraftGuard()
    return replace(
        local,
        name="model",
        condenser=lambda catalog, names: ModelCondenser(model, local.condenser(catalog, names)),
        planner=ModelPlanner(model, local.planner),
        answerer=ModelAnswerer(model, local.answerer, guard, max_tokens=max_tokens),
        checker=ModelChecker(model, local.checker, guard),
        judge=ModelCompanyJudge(model),
        reranker=ModelReranker(model) if rerank == "model" else None,
        window=lambda: model.context,
        prices=prices,
        other=local,
    )
