"""Rows to means, intervals and a table."""

from __future__ import annotations

from evals.datasets.types import Item
from evals.results import DatasetInfo, Results, RunConfig
from evals.rows import Row, Score
from evals.summaries import plain, summarize, summary, table


def row(number: int, pipeline: str, recall: float | None) -> Row:
    scores = {"context_recall": Score(value=recall, reason="")}
    return Row(pipeline=pipeline, id=f"q{number}", question="Why?", status="answered", scores=scores)


def test_what_did_not_score_is_counted_apart_from_the_mean() -> None:
    found = summary(
        [
            Score(value=1.0, reason=""),
            Score(value=0.0, reason=""),
            Score(value=None, reason="no gold"),
            Score(value=None, reason="no verdict", failed=True),
        ]
    )
    assert (found.mean, found.scored, found.not_applicable, found.failed) == (0.5, 2, 1, 1)
    assert (found.low, found.high) == (0.0, 1.0), "of two rows either may be drawn twice"


def test_a_metric_that_applied_nowhere_has_no_mean() -> None:
    assert summary([Score(value=None, reason="no gold")]).mean is None


def test_the_table_holds_what_was_scored_and_says_how_many_failed() -> None:
    rows = [row(1, "agent", 1.0), row(2, "agent", 1.0), row(1, "graph", None)]
    rows.append(Row(pipeline="graph", id="q2", question="Why?", status="failed", error="OSError: gone"))
    results = Results(
        created="2024-05-01T10:00:00+00:00",
        dataset=DatasetInfo(name="invented", data_hash="d", items=2),
        config=RunConfig(dataset="invented", data_hash="d", pipelines=("agent", "graph")),
        seconds=1.0,
        summaries=summarize(rows),
        items=(Item(id="q1", question="Why?"), Item(id="q2", question="Why?")),
        rows=tuple(rows),
    )
    assert table(results) == [
        ["", "agent", "graph"],
        ["context recall", "1.000 [1.000, 1.000]", ""],
        ["failed", "0 of 2", "1 of 2"],
    ]
    assert len({line.rstrip() for line in plain(table(results)).split("\n")}) == 3
