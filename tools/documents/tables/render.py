"""A table as readable lines (to embed) and as Markdown (to show)."""

from __future__ import annotations

from collections.abc import Sequence

from tools.documents.tables.columns import is_change
from tools.documents.tables.row_labels import clean_label
from tools.documents.tables.table_parts import Block, Column
from tools.documents.types import TableFact
from tools.periods import Period
from tools.quantities import render_quantity


def column_name(column: Column, period: Period | None = None) -> str:
    """Words for a column: its qualifiers and period, e.g. 'Level 1, as of July 1, 2023'."""
    chosen = period if period is not None else column.period
    words = list(column.qualifiers)
    if chosen.end is not None or chosen.fiscal_year is not None:
        words.append(chosen.describe())
    return ", ".join(words)


def fact_label(fact: TableFact) -> str:
    """Row label with its headings and qualifiers: 'Cost of sales - Products'."""
    return " - ".join((*fact.path, fact.metric))


def render_lines(facts: Sequence[TableFact], columns: Sequence[Column]) -> tuple[str, ...]:
    """A line for each `TableFact.row`: 'LABEL, COLUMN, PERIOD: QUANTITY; COLUMN, PERIOD: QUANTITY'.

    LABEL is the row's label with the headings above it; COLUMN what the column's header says beside the period,
    left out where it says nothing more.
    """
    labels: dict[int, str] = {}
    rows: dict[int, list[str]] = {}
    for fact in facts:
        path, qualifiers = fact.path, columns[fact.column].qualifiers
        if qualifiers and path[-len(qualifiers) :] == qualifiers:
            path = path[: -len(qualifiers)]
        else:
            qualifiers = ()
        known = fact.period.end is not None or fact.period.fiscal_year is not None
        where = ", ".join((*qualifiers, *([fact.period.describe()] if known else [])))
        quantity = render_quantity(fact.value, fact.unit, fact.scale, fact.printed)
        labels.setdefault(fact.row, " - ".join((*path, fact.metric)))
        rows.setdefault(fact.row, []).append(f"{where}: {quantity}" if where else quantity)
    return tuple(
        f"{labels[row]}{', ' if ': ' in parts[0] else ': '}{'; '.join(parts)}"
        for row, parts in sorted(rows.items())
    )


def _escape(text: str) -> str:
    return text.replace("|", "\\|")


def render_markdown(block: Block) -> str:
    """The table as Markdown: a header of column periods, rows as printed, headings in the first column."""
    heads = []
    for column in block.columns:
        name = (
            "Change"
            if is_change(column)
            else column_name(column)
            if column.stated
            else ", ".join(column.qualifiers)
        )
        heads.append(_escape(name or " ".join(column.texts)))
    note = f"({block.note})" if block.note else ""
    lines = ["| " + " | ".join([_escape(note), *heads]) + " |", "|" + " --- |" * (len(heads) + 1)]
    for row in block.rows:
        label = clean_label(row.label)
        if row.is_heading:
            lines.append("| " + " | ".join([f"**{_escape(label)}**", *[""] * len(heads)]) + " |")
            continue
        cells = [""] * len(heads)
        for cell, k in zip(row.cells, row.columns, strict=True):
            cells[k] = _escape(" ".join(cell.text.split()))
        name = ": ".join((*row.path, *(t for t in row.texts), label))
        lines.append("| " + " | ".join([_escape(name), *cells]) + " |")
    return "\n".join(lines)
