"""report.md: the comparison as a pull request shows it."""

from __future__ import annotations

from collections.abc import Sequence

from evals.metric_catalog import metric, short
from evals.report import view
from evals.report.view import Cell, Line
from evals.results import Results

MAX_WORST_SHOWN = 10
_ANSWER = 400
"""Characters shown of an answer."""


def text(results: Results) -> str:
    """The whole file."""
    parts = [_head(results)]
    if results.pipelines:
        parts += [_headline(results), _table("Table 5 of the paper", results, view.table_5(results))]
        parts += [_table("Other metrics", results, view.other_metrics(results)), _outcomes(results)]
        parts += [_kinds(results), _worst(results)]
    else:
        parts.append("No question was scored, so there is nothing to compare.")
    notes = [f"- {inline(note)}" for note in (*results.dataset.notes, *results.notes)]
    if notes:
        parts.append("\n".join(["## Notes", "", *notes]))
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(results: Results) -> str:
    engines = ", ".join(sorted({row.engine for row in results.rows})) or "unknown"
    return (
        f"# Evaluation: {inline(results.dataset.name)}\n\n"
        f"{len(results.items)} of {results.dataset.items} questions, engine {inline(engines)}, {results.created}, "
        f"commit {inline(short(results.commit))}, data {results.dataset.data_hash[:12]}. "
        "Means with 95 % bootstrap intervals over questions; the best of a row in bold."
    )


def _headline(results: Results) -> str:
    name = view.subject(results) or ""
    lines = [
        f"- **{inline(claim.metric.title)}**: {inline(name)} {claim.mean}"
        + "".join(f"; {inline(words)}" for _, words in claim.against)
        for claim in view.headline(results)
    ]
    return "\n".join(lines)


def _table(title: str, results: Results, lines: Sequence[Line]) -> str:
    if not lines:
        return ""
    rows = [[_title(line), *(_cell(cell) for cell in line.cells)] for line in lines]
    return f"## {title}\n\n" + grid(["", *map(inline, results.pipelines)], rows)


def _title(line: Line) -> str:
    return inline(line.metric.title) + (f"<br><sub>{line.note}</sub>" if line.note else "")


def _cell(cell: Cell) -> str:
    mean = f"**{cell.mean}**" if cell.best else cell.mean
    span = f" ({cell.interval})" if cell.interval else ""
    return mean + span + (f"<br><sub>{cell.counts}</sub>" if cell.counts else "")


def _outcomes(results: Results) -> str:
    counted = view.status_counts(results)
    rows = [[status, *(str(found[status]) for found in counted.values())] for status in view.STATUSES]
    rows += [[f"{label}, seconds", *cells] for label, cells in view.latency_rows(results)]
    return "## Outcomes and latency\n\n" + grid(["", *map(inline, results.pipelines)], rows)


def _kinds(results: Results) -> str:
    if not view.kinds(results):
        return ""
    parts = ["## By kind of question"]
    for one, lines in view.by_kind(results):
        rows = [[inline(label), *cells] for label, cells in lines]
        parts.append(grid([inline(one.title), *map(inline, results.pipelines)], rows))
    return "\n\n".join(parts)


def _worst(results: Results) -> str:
    chosen = view.headline_metrics(results)
    if not chosen or chosen[0].unit:
        return ""
    one = metric(chosen[0].name)
    parts = [
        f"## The {MAX_WORST_SHOWN} worst of {inline(view.subject(results) or '')} by {one.title.lower()}"
    ]
    for row in view.worst(results, one, MAX_WORST_SHOWN):
        score = row.scores[one.name]
        said = row.error if row.status == "failed" else row.answer
        told = [f"{row.status}: {inline(_cut(said))}", *([inline(score.reason)] if score.reason else [])]
        head = f"- **{one.text(score.value)}** `{_code(row.id)}` {inline(row.question)}"
        parts.append("  \n  ".join([head, *told]))
    return "\n".join([parts[0], "", *parts[1:]])


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are Markdown already: the first column is text, the others figures."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def _cut(value: str) -> str:
    return value if len(value) <= _ANSWER else value[:_ANSWER] + "\u2026"


def inline(value: str) -> str:
    """Text of a document inside a line: no mark-up of it takes effect."""
    folded = " ".join(view.clean(value).split())
    escaped = "".join("\\" + char if char in "\\`*_[]|#~!" else char for char in folded)
    escaped = escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace("@", "@\u200b").replace("://", ":\u200b//")  # no mention, no link


def _code(value: str) -> str:
    return " ".join(view.clean(value).split()).replace("`", "'").replace("|", "/")
