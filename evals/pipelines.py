"""What is compared: pipelines by name, each with its settings, and one question asked of one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langsmith import tracing_context

from agent.assistant import PIPELINES, Assistant
from agent.display.printable import printable
from agent.engines import embedder_of, engine_of
from agent.errors import UsageError
from agent.home_shelf import HomeShelf
from agent.settings import Settings
from evals.closed_book import NONE, from_memory
from evals.datasets.types import Item
from evals.rows import RetrievedContext, Row
from graphs.compiling import Compiled
from graphs.contracts import Answer, StepUsage
from graphs.engine import Engine
from tools.closing import Closing
from tools.documents.read.parse import Splitter
from tools.model.recorded import replies_used
from tools.model.types import ChatModel
from tools.vector.embeddings import Embedder, LocalEmbeddings

PAPER = "@paper"
PAPER_SETTINGS: dict[str, Any] = {"splitter": "recursive", "top_k": 4, "dense_weight": 1.0}
"""Sarmah et al. 2024: recursive chunks of 1,024 characters without overlap, dense retrieval alone, four contexts."""
DEFAULT = ("vector@paper", "vector", "graph", "hybrid", "agent")


@dataclass(frozen=True, slots=True)
class Pipeline:
    """One column of the comparison."""

    name: str
    """As the user wrote it: 'vector@paper'."""

    @property
    def graph(self) -> str:
        """The LangGraph pipeline that answers."""
        return self.name.removesuffix(PAPER)

    @property
    def paper(self) -> bool:
        """Whether it runs in the paper's configuration."""
        return self.name.endswith(PAPER)

    def settings(self, settings: Settings) -> Settings:
        """The project's settings, or the paper's in their place."""
        return settings.model_copy(update=PAPER_SETTINGS) if self.paper else settings


def parse_pipelines(text: str) -> tuple[Pipeline, ...]:
    """'agent, vector@paper' -> pipelines, in that order. UsageError for an unknown name or one given twice."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name != NONE and name.removesuffix(PAPER) not in PIPELINES:
            raise UsageError(
                f"'{name}' is not a pipeline. There are {', '.join(PIPELINES)}, each also with {PAPER} "
                f"for the paper's configuration, and {NONE}, a model without documents."
            )
        if names.count(name) > 1:
            raise UsageError(f"Pipeline '{name}' is named twice.")
    if not names:
        raise UsageError(f"Name at least one pipeline, as in --pipelines {','.join(DEFAULT)}.")
    return tuple(map(Pipeline, names))


class Answerers(Closing):
    """Every pipeline of a run, opened once; a context manager. Threads may share it after `open`."""

    def __init__(
        self,
        settings: Settings,
        homes: Mapping[Splitter, Path],
        threads: int = 1,
        model: ChatModel | None = None,
    ) -> None:
        """`homes`: splitter -> index. `threads`: of the embedding model on this machine. `model`: who is asked in place
        of the settings' endpoint."""
        self._settings = settings
        self._homes = dict(homes)
        self.embedder: Embedder = embedder_of(settings) or LocalEmbeddings(threads=threads)
        """For queries; shared by all pipelines."""
        self._engine: Engine = engine_of(settings, model)
        self._model = model
        self._shelves: dict[Splitter, HomeShelf] = {}
        self._opened: dict[str, tuple[Compiled, Assistant]] = {}

    def open(self, pipeline: Pipeline) -> None:
        """Build a pipeline's graph; what is open stays."""
        if pipeline.name in self._opened:
            return
        settings = pipeline.settings(self._settings)
        home = self._homes[settings.splitter]
        assistant = Assistant(settings.of_folder(home), self._engine)
        assistant.shelf = self._shelves.setdefault(settings.splitter, HomeShelf(home, self.embedder))
        self._opened[pipeline.name] = (assistant.build(pipeline.graph), assistant)

    def answer(self, pipeline: Pipeline, item: Item) -> Row:
        """One question, never traced. Whatever fails is a row with its error: an evaluation measures failures, too."""
        try:
            if pipeline.name == NONE:
                return self._from_memory(item)
            self.open(pipeline)
            graph, assistant = self._opened[pipeline.name]
            with tracing_context(enabled=False), replies_used() as replies:
                result = graph.invoke(
                    {"messages": [HumanMessage(content=item.question)]},
                    context=assistant.context(item.company, item.year, item.quarter),
                    output_keys=["answer", "lookups"],
                )
            return row_of(pipeline.name, item, result["answer"], _tool_calls(result["lookups"]), replies)
        # Whatever fails, a bug of ours too, is the pipeline's failure on this question: a row with its error, shown and
        # counted. Naming errors here would let the others end a run of hours.
        except Exception as error:  # noqa: BLE001
            return failed_row(pipeline.name, item, f"{type(error).__name__}: {error}")

    def _from_memory(self, item: Item) -> Row:
        from agent.endpoint.models import chat_model

        self._model = self._model or chat_model(self._settings)
        with tracing_context(enabled=False), replies_used() as replies:
            row = from_memory(self._model, item, self._settings.deadline, self._settings.llm_max_tokens)
        return row.model_copy(update={"replies": tuple(replies)})

    def close(self) -> None:
        """Let go of the indexes."""
        for shelf in self._shelves.values():
            shelf.close()


def _tool_calls(lookups: list[Any]) -> int:
    return sum(len(message.tool_calls) for message in lookups if isinstance(message, AIMessage))


def row_of(pipeline: str, item: Item, answer: Answer, tool_calls: int, replies: Sequence[str] = ()) -> Row:
    """What is kept of an answer; `replies`: see `Row.replies`."""
    return Row(
        pipeline=pipeline,
        id=item.id,
        question=item.question,
        status=answer.status,
        reason=answer.reason,
        answer=answer.answer,
        route=answer.route.kind,
        tools=answer.route.tools,
        widened=answer.route.widened,
        contexts=tuple(
            RetrievedContext(
                text=piece.text,
                source=piece.source,
                document=piece.document,
                page=piece.page,
                kind=piece.kind,
                score=piece.score,
            )
            for piece in sorted(answer.evidence, key=lambda piece: piece.rank)
        ),
        citations=answer.citations,
        statements=answer.faithfulness.statements,
        faithfulness=answer.faithfulness.score,
        gaps=answer.gaps,
        engine=answer.engine,
        usage=StepUsage(
            calls=answer.usage.calls,
            input_tokens=answer.usage.input_tokens,
            output_tokens=answer.usage.output_tokens,
        ),
        replies=tuple(replies),
        tool_calls=tool_calls,
        seconds=answer.seconds,
    )


def failed_row(pipeline: str, item: Item, error: str) -> Row:
    """A question that got no answer."""
    return Row(pipeline=pipeline, id=item.id, question=item.question, status="failed", error=printable(error))
