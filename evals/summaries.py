"""Rows to what is said of them: means with intervals, percentiles, a table."""

from __future__ import annotations

from collections.abc import Sequence

from evals.results import Results
from evals.rows import Row, Score, Summary
from tools.bootstrap import interval

MAIN = (
    "context_precision",
    "context_recall",
    "evidence_number_recall",
    "answer_number_recall",
    "wrong_number_rate",
    "citation_precision",
    "route_accuracy",
    "abstention_recall",
    "answer_rate",
    "judgement",
    "judged_faithfulness",
    "judged_answer_relevancy",
    "judged_context_precision",
    "judged_context_recall",
    "context_chars",
    "seconds",
)
"""What the terminal shows, where anything was scored; the reports show all."""


def summarize(rows: Sequence[Row]) -> dict[str, dict[str, Summary]]:
    """By pipeline and metric, in the order of the rows and their scores."""
    found: dict[str, dict[str, Summary]] = {}
    for pipeline in dict.fromkeys(row.pipeline for row in rows):
        own = [row for row in rows if row.pipeline == pipeline]
        names = dict.fromkeys(name for row in own for name in row.scores)
        found[pipeline] = {
            name: summary([row.scores[name] for row in own if name in row.scores]) for name in names
        }
    return found


def summary(scores: Sequence[Score]) -> Summary:
    """The mean over questions and its 95 % interval; what did not score is counted apart."""
    values = [score.value for score in scores if score.value is not None]
    failed = sum(score.failed for score in scores)
    low, high = interval(values) if values else (None, None)
    return Summary(
        mean=sum(values) / len(values) if values else None,
        low=low,
        high=high,
        scored=len(values),
        not_applicable=len(scores) - len(values) - failed,
        failed=failed,
    )


def table(results: Results) -> list[list[str]]:
    """Pipelines by main metrics, a heading row first; a cell is 'mean [low, high]'."""
    pipelines = list(results.summaries)
    rows = [["", *pipelines]]
    for name in MAIN:
        cells = [_cell(results.summaries[pipeline].get(name)) for pipeline in pipelines]
        if any(cells):
            rows.append([name.replace("_", " "), *cells])
    counts = [[row.status for row in results.rows_of(pipeline)] for pipeline in pipelines]
    rows.append(["failed", *(f"{own.count('failed')} of {len(own)}" for own in counts)])
    return rows


def _cell(found: Summary | None) -> str:
    if found is None or found.mean is None or found.low is None or found.high is None:
        return ""
    if found.high > 100:
        return f"{found.mean:,.0f} [{found.low:,.0f}, {found.high:,.0f}]"
    return f"{found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]"


def plain(rows: Sequence[Sequence[str]]) -> str:
    """The table in lines of equal columns."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = (
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)
