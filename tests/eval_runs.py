"""Small evaluation results, made by hand, for tests of what reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evals.datasets.types import Item
from evals.results import DatasetInfo, Results, RunConfig
from evals.rows import RetrievedContext, Row, Score, Summary
from evals.summaries import summary

GOLD = "Orders for the northern plants rose by a fifth, chiefly in coatings."
QUESTION = "What drove orders at the northern plants?"


def item(number: int = 1, **fields: object) -> Item:
    """A question with one gold sentence."""
    given: dict[str, object] = {
        "id": f"q{number}",
        "question": f"{QUESTION} ({number})",
        "answer": GOLD,
        "gold": (GOLD,),
    }
    return Item.model_validate(given | fields)


def row(
    pipeline: str, number: int = 1, scores: Mapping[str, float | Score | None] | None = None, **fields: object
) -> Row:
    """An answered row; a score of None does not apply."""
    given: dict[str, object] = {
        "pipeline": pipeline,
        "id": f"q{number}",
        "question": f"{QUESTION} ({number})",
        "status": "answered",
        "answer": "Coatings did. [1]",
        "contexts": (context(f"Opening remarks. {GOLD} Thank you."),),
        "seconds": {"total": 0.1 * number},
        "scores": {name: _score(value) for name, value in (scores or {}).items()},
    }
    return Row.model_validate(given | fields)


def context(text: str) -> RetrievedContext:
    """A piece of a call."""
    return RetrievedContext(text=text, source="vector", document="NRTH-call.pdf", page=3, score=0.5)


def results(rows: Sequence[Row], items: Sequence[Item] | None = None, **fields: object) -> Results:
    """A run of these rows, summarised; questions are those of the rows."""
    if items is None:
        numbers = dict.fromkeys(int(row.id.removeprefix("q")) for row in rows)
        items = [item(number) for number in numbers]
    pipelines = tuple(dict.fromkeys(row.pipeline for row in rows))
    given: dict[str, object] = {
        "created": "2026-03-01T09:30:00+00:00",
        "dataset": DatasetInfo(name="own", data_hash="0" * 64, items=len(items)),
        "config": RunConfig(
            dataset="own", data_hash="0" * 64, pipelines=pipelines, settings={"engine": "local"}
        ),
        "commit": "0123456789abcdef0123",
        "seconds": 75.0,
        "summaries": {name: _summaries([row for row in rows if row.pipeline == name]) for name in pipelines},
        "items": tuple(items),
        "rows": tuple(rows),
    }
    return Results.model_validate(given | fields)


def _score(value: float | Score | None) -> Score:
    return (
        value
        if isinstance(value, Score)
        else Score(value=value, reason="" if value is not None else "no gold")
    )


def _summaries(rows: Sequence[Row]) -> dict[str, Summary]:
    names = dict.fromkeys(name for row in rows for name in row.scores)
    return {name: summary([row.scores[name] for row in rows if name in row.scores]) for name in names}
