"""Which implementation of each language step is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graphs.local.answerer import LocalAnswerer
from graphs.local.checker import LocalChecker
from graphs.local.condenser import LocalCondenser
from graphs.local.router import LocalRouter
from graphs.resources import Engine
from tools.vector.embeddings import Embedder

if TYPE_CHECKING:
    from agent.settings import Settings
    from tools.model.types import ChatModel


def make_embedder(settings: Settings) -> Embedder | None:
    """The endpoint's embedding model where one is set; None: the one on this machine, loaded when needed."""
    if settings.embed_endpoint is None:
        return None
    from agent.models import endpoint_embeddings

    return endpoint_embeddings(settings)


def make_engine(settings: Settings, embedder: Callable[[], Embedder] | None = None) -> Engine:
    """The engine that the settings name; nothing is sent before the first question. Raises SettingsError.

    `embedder`: the index's own. The local steps do without one at an endpoint: they are there for when none answers.
    """
    if settings.embed_endpoint is not None:
        embedder = None
    if settings.chat_endpoint is None:
        return local_engine(embedder)
    from agent.models import chat_model

    given, taken = settings.price_input, settings.price_output
    return model_engine(
        chat_model(settings),
        embedder,
        max_tokens=settings.llm_max_tokens,
        rerank=settings.rerank == "model",
        prices=None if given is None or taken is None else (given, taken),
    )


def local_engine(embedder: Callable[[], Embedder] | None = None) -> Engine:
    """No key, no network. `embedder` gives the index's own, loaded once; without one words alone rank."""
    return Engine("local", LocalCondenser, LocalRouter(), LocalAnswerer(embedder), LocalChecker())


def model_engine(
    model: ChatModel,
    embedder: Callable[[], Embedder] | None = None,
    *,
    max_tokens: int = 1024,
    rerank: bool = False,
    prices: tuple[float, float] | None = None,
) -> Engine:
    """Every step asks `model` and has the local engine's step behind it. `max_tokens`: of a reply; `prices`: USD
    per million input and output tokens."""
    from graphs.model.answerer import ModelAnswerer
    from graphs.model.checker import ModelChecker
    from graphs.model.condenser import ModelCondenser
    from graphs.model.rerank import ModelReranker
    from graphs.model.router import ModelRouter

    local = local_engine(embedder)
    return Engine(
        "model",
        lambda catalog: ModelCondenser(model, local.condenser(catalog)),
        ModelRouter(model, local.router),
        ModelAnswerer(model, local.answerer, max_tokens=max_tokens),
        ModelChecker(model, local.checker),
        fallback=local.answerer,
        reranker=ModelReranker(model) if rerank else None,
        prices=prices,
    )
