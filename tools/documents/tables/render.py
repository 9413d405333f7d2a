"""A table as readable lines (to embed) and as Markdown (to show)."""

from __future__ import annotations

from collections.abc import Sequence

from tools.documents.tables.columns import is_change
from tools.documents.tables.model import Block, Column
from tools.documents.tables.rows import clean_label
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


def render_lines(facts: Sequence[TableFact]) -> tuple[str, ...]:
    """One line for each row and path, its figures in printed order: 'LABEL, PERIOD: QUANTITY; PERIOD:
    QUANTITY'."""
    rows: dict[tuple[int, tuple[str, ...]], list[TableFact]] = {}
    for fact in facts:
        rows.setdefault((fact.row, fact.path), []).append(fact)
    lines = []
    for group in rows.values():
        parts = []
        for fact in group:
            known = fact.period.end is not None or fact.period.fiscal_year is not None
            quantity = render_quantity(fact.value, fact.unit, fact.scale, fact.printed)
            parts.append((fact.period.describe() if known else "", quantity))
        said = "; ".join(f"{period}: {quantity}" if period else quantity for period, quantity in parts)
        first_known = bool(parts[0][0])
        lines.append(f"{fact_label(group[0])}{', ' if first_known else ': '}{said}")
    return tuple(lines)


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
