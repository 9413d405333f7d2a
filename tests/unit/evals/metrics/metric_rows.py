"""Rows and items of invented text."""

from __future__ import annotations

from typing import Any

from evals.datasets.types import ExpectedNumber, Item
from evals.metrics.all_metrics import metrics_for
from evals.metrics.types import Metric
from evals.rows import RetrievedContext, Row, Score
from graphs.contracts import Citation

METRICS: dict[str, Metric] = {metric.name: metric for metric in metrics_for(None)}


def item(**known: Any) -> Item:
    return Item(id="q1", question="How did the harbour division do?", **known)


def context(text: str, document: str = "harbour.pdf", page: int = 1, **more: Any) -> RetrievedContext:
    return RetrievedContext(text=text, source="vector", document=document, page=page, **more)


def row(*texts: str | RetrievedContext, **more: Any) -> Row:
    contexts = tuple(context(text) if isinstance(text, str) else text for text in texts)
    fields = {"pipeline": "agent", "id": "q1", "question": "How?", "status": "answered", **more}
    return Row(contexts=contexts, **fields)


def failed(**more: Any) -> Row:
    return row(status="failed", error="TimeoutError: 60 s", **more)


def abstained(*texts: str, **more: Any) -> Row:
    fields = {"reason": "no_evidence", "answer": "Nothing on this was found.", **more}
    return row(*texts, status="abstained", **fields)


def number(value: str, unit: str = "USD", scale: int = 6) -> ExpectedNumber:
    return ExpectedNumber.model_validate({"value": value, "unit": unit, "scale": scale})


def citation(marker: int, document: str = "harbour.pdf", page: int = 1) -> Citation:
    return Citation(marker=marker, source="vector", document=document, page=page, quote="")


def score(name: str, expected: Item, got: Row) -> Score:
    return METRICS[name].score(expected, got)


def value(name: str, expected: Item, got: Row) -> float | None:
    return score(name, expected, got).value
