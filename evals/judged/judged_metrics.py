"""The four judged metrics of the paper's Table 5, by ragas 0.4 (its collections metrics).

ragas is an optional library, of half a gigabyte with what it needs: imported when a judge is first asked for.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel

from agent.errors import UsageError
from evals.datasets.types import Item
from evals.judged.asking import Asker
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score
from tools.vector.embeddings import Embedder

Out = TypeVar("Out", bound=BaseModel)

INSTALL = "Judging needs ragas. Run: pip install 'hybridrag[judge]'"
TITLES = {
    "judged_faithfulness": "Faithfulness, judged",
    "judged_answer_relevancy": "Answer relevancy, judged",
    "judged_context_precision": "Context precision, judged",
    "judged_context_recall": "Context recall, judged",
}
_MARKER = re.compile(r"\s*\[\d{1,3}\]")


def judged_metrics() -> tuple[Metric, ...]:
    """The judged metrics as the report lists them; their scores are those that `judge` left in a row."""

    def score_of(name: str) -> Callable[[Item, Row], Score]:
        return lambda item, row: row.scores.get(name, not_applicable("not judged"))

    return tuple(Metric(name, title, "judged", score_of(name)) for name, title in TITLES.items())


def given(name: str, item: Item, row: Row) -> Score | dict[str, Any]:
    """What a metric asks the judge about, by ragas' names; or the score where there is nothing to ask.

    A row that failed, or retrieved nothing, is 0 where the metric applies: that is the pipeline's failure, not the
    judge's.
    """
    answer = _MARKER.sub("", row.answer).strip()
    contexts = [context.text for context in row.contexts]
    nothing = Score(
        value=0.0, reason="the pipeline failed" if row.status == "failed" else "nothing was retrieved"
    )
    if name in ("judged_context_precision", "judged_context_recall"):
        if not item.answer or item.answerable is False:
            return not_applicable("no expected answer")
        if not contexts or row.status == "failed":
            return nothing
        return {"user_input": item.question, "reference": item.answer, "retrieved_contexts": contexts}
    if row.status == "failed":
        return nothing if name == "judged_answer_relevancy" else not_applicable("the pipeline failed")
    if row.status == "abstained" or not answer:
        return not_applicable("abstained")
    if name == "judged_answer_relevancy":
        return {"user_input": item.question, "response": answer}
    if not contexts:
        return nothing
    return {"user_input": item.question, "response": answer, "retrieved_contexts": contexts}


@dataclass(frozen=True, slots=True)
class Ragas:
    """ragas, imported."""

    version: str
    metrics: Mapping[str, Any]
    """Metric classes by our names."""
    llm: Any
    """Base class of what the metrics ask."""
    embedding: Any


def load_ragas() -> Ragas:
    """Imports it, its reporting home switched off. UsageError where it is not installed, or does not import."""
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"
    try:
        from ragas.embeddings.base import BaseRagasEmbedding
        from ragas.llms.base import InstructorBaseRagasLLM
        from ragas.metrics import collections
    except ImportError as error:
        raise UsageError(f"{INSTALL} ({error})") from error
    classes = {
        "judged_faithfulness": collections.Faithfulness,
        "judged_answer_relevancy": collections.AnswerRelevancy,
        "judged_context_precision": collections.ContextPrecision,
        "judged_context_recall": collections.ContextRecall,
    }
    return Ragas(metadata.version("ragas"), classes, InstructorBaseRagasLLM, BaseRagasEmbedding)


def score(ragas: Ragas, name: str, fields: Mapping[str, Any], asker: Asker, embedder: Embedder) -> float:
    """One metric of one row, NaN where ragas says so. Raises what `asker` raises."""

    class Llm(ragas.llm):  # type: ignore[misc, name-defined]
        async def agenerate(self, prompt: str, response_model: type[Out]) -> Out:
            return asker.ask(prompt, response_model)

        def generate(self, prompt: str, response_model: type[Out]) -> NoReturn:
            raise NotImplementedError("the metrics ask asynchronously")

    class Embedding(ragas.embedding):  # type: ignore[misc, name-defined]
        def embed_text(self, text: str, **_: Any) -> list[float]:
            return [float(number) for number in embedder.embed_query(text)]

        async def aembed_text(self, text: str, **_: Any) -> list[float]:
            return self.embed_text(text)

    needs = {"embeddings": Embedding()} if name == "judged_answer_relevancy" else {}
    metric = ragas.metrics[name](llm=Llm(), **needs)
    return float(asyncio.run(metric.ascore(**fields)).value)
