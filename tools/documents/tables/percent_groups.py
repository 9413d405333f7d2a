"""Figures in percent that carry no sign of their own: by those of their group or their column."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from decimal import Decimal

from tools.documents.tables.cells import Cell
from tools.documents.tables.row_sums import values_of
from tools.documents.tables.table_parts import Block
from tools.documents.tables.unit_notes import scale_of
from tools.documents.tables.units import is_percent_head

MAX_DECIMALS = 3
"""That are told apart."""
MAX_PERCENT = 1_000
"""Figures as large, or printed with a comma, are no percentages."""
MIN_SUMS = 3
"""Rows that take one percentage apart into others."""


def percent_groups(block: Block) -> set[tuple[tuple[str, ...], int]]:
    """Paths and columns whose figures are all in percent: some are marked and none is an amount, or their heading
    says so."""
    marked: set[tuple[tuple[str, ...], int]] = set()
    amounts: set[tuple[tuple[str, ...], int]] = set()
    for row in block.rows:
        for cell, k in zip(row.cells, row.columns, strict=True):
            if cell.suffix == "%":
                marked.add((row.path, k))
            if cell.currency:
                amounts.add((row.path, k))
    every = range(len(block.columns))
    named = {(row.path, k) for row in block.rows if row.path and is_percent_head(row.path[-1]) for k in every}
    found = {group for group in marked | named if group[0] and group not in amounts} | _percent_headings(
        block
    )
    figures = [row for row in block.rows if row.cells]
    ends = [all(c.suffix == "%" for c in row.cells) for row in (figures[0], figures[-1])]
    if not amounts and all(ends) and not block.note:
        found |= {(row.path, k) for row in figures for k in every}
    return found


def _percent_headings(block: Block) -> set[tuple[tuple[str, ...], int]]:
    """Paths and columns below a heading under which no figure is an amount, some are marked as percentages and the
    others are printed with as many decimals."""
    under: dict[tuple[tuple[str, ...], int], list[tuple[tuple[str, ...], Cell]]] = {}
    for row in block.rows:
        for cell, k in zip(row.cells, row.columns, strict=True):
            if cell.kind == "figure" and row.path:
                under.setdefault((row.path[:1], k), []).append((row.path, cell))
    found: set[tuple[tuple[str, ...], int]] = set()
    for (_, k), placed in under.items():
        marked = {decimals_of(cell) for _, cell in placed if cell.suffix == "%"}
        alike = {decimals_of(cell) for _, cell in placed} <= marked - {"0"}
        if alike and not any(cell.currency for _, cell in placed):
            found |= {(path, k) for path, _ in placed}
    return found


def is_percent_table(block: Block) -> bool:
    """True for a table of percentages alone: growth rates, and the points by which something moved them. Its figures
    without a sign stand under such words, or lead from one percentage of their row to the next."""
    cells = [c for row in block.rows for c in row.cells if c.kind == "figure"]
    if scale_of(block.note) is not None or not cells:
        return False
    if any(
        c.currency or c.suffix not in ("", "%") or "," in c.text or abs(float(c.value)) >= MAX_PERCENT
        for c in cells
    ):
        return False
    percent = [k for k, c in enumerate(block.columns) if c.percent or is_percent_head(" ".join(c.texts))]
    return len(percent) == len(block.columns) or _lead_over(block, percent)


def _lead_over(block: Block, percent: Sequence[int]) -> bool:
    """True if in most rows one column's percentage is that of another before it and the figures between them, as
    rounded."""
    rows = [values_of(row) for row in block.rows if row.cells]
    for first, last in itertools.combinations(percent, 2):
        held = tried = 0
        for values in rows:
            between = [values[k] for k in range(first + 1, last) if k in values]
            if first in values and last in values and any(between):
                tried += 1
                off = abs(values[first] + sum(between) - values[last])
                held += off <= 1 + Decimal(len(between)) / 2
        if held >= MIN_SUMS and 4 * held >= 3 * tried:
            return True
    return False


def percent_columns(block: Block) -> set[int]:
    """Columns with percent signs on some figures and a currency sign on none, beside columns of amounts."""
    marks: dict[int, set[str]] = {}
    for row in block.rows:
        for cell, k in zip(row.cells, row.columns, strict=True):
            marks.setdefault(k, set()).add("%" if cell.suffix == "%" else cell.currency)
    percent = {k for k, found in marks.items() if "%" in found and found <= {"%", ""}}
    return percent if any(set(found) - {"%", ""} for found in marks.values()) else set()


def decimals_of(cell: Cell) -> str:
    """How many decimals a figure is printed with."""
    return str(min(len(cell.value.partition(".")[2]), MAX_DECIMALS))
