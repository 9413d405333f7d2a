"""Rows that add up to a total: what is summed is of one kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from tools.documents.tables.table_parts import Block, Row

_TOTAL = re.compile(r"^(?:grand |sub-?)?total\b", re.IGNORECASE)
_OPENING = re.compile(r"\b(?:balances?|beginning|opening)\b", re.IGNORECASE)
MAX_PARTS = 64
"""Rows that one total may sum up."""

MIN_SUMS = 3
"""Rows that end in the sum of their other figures, from which a table without units counts things."""


def mark_kin(block: Block) -> None:
    """Set `Row.kin` of the rows of each total and of itself. What an opening balance begins is no sum of one kind, nor
    is a balance of what came and what went."""
    rows = [row for row in block.rows if row.cells]
    for at, total in enumerate(rows):
        if not _TOTAL.match(total.label) and not _is_dated(total):
            continue
        parts = parts_of(total, rows[max(0, at - MAX_PARTS) : at])
        opened = any(_OPENING.search(row.label) or _is_dated(row) for row in parts) or (
            _is_dated(total) and any(value < 0 for row in parts for value in values_of(row).values())
        )
        if parts and not opened:
            kin = (*parts, total)
            for row in kin:
                row.kin = row.kin or kin


def mark_sums_of_balances(block: Block) -> None:
    """Set `Row.closes` where a row states the sum of all closing balances above it, or the difference of the last two:
    'Total equity', 'Funded status'."""
    closed: list[dict[int, Decimal]] = []
    for row in (row for row in block.rows if row.cells and not row.moved):
        values = values_of(row)
        if row.closes:
            closed.append(values)
        elif len(closed) > 1 and any(values.values()):
            last, before = closed[-1], closed[-2]
            row.closes = (
                all(sum(c.get(k, Decimal()) for c in closed) == value for k, value in values.items())
                or all(
                    last.get(k, Decimal()) - before.get(k, Decimal()) == value for k, value in values.items()
                )
                or all(
                    before.get(k, Decimal()) - last.get(k, Decimal()) == value for k, value in values.items()
                )
            )


def _is_dated(row: Row) -> bool:
    return row.period is not None and row.period.months == 0


def parts_of(total: Row, above: Sequence[Row]) -> Sequence[Row]:
    """The rows right above a total, two at least, whose figures add up to it in all of its columns; none if none do."""
    wanted = values_of(total)
    sums = dict.fromkeys(wanted, Decimal())
    for count, row in enumerate(reversed(above), start=1):
        for column, value in values_of(row).items():
            sums[column] = sums.get(column, Decimal()) + value
        if count > 1 and sums == wanted and any(wanted.values()):
            return above[len(above) - count :]
    return ()


def values_of(row: Row) -> dict[int, Decimal]:
    """The figures of a row by their columns."""
    return {k: Decimal(cell.value) for cell, k in zip(row.cells, row.columns, strict=True) if cell.value}


def sums_across(block: Block) -> int:
    """Number of columns, from the first, of which the last is the sum of the others in most rows, under heads: numbers
    of things and their totals; 0 where there are none."""
    rows = [values_of(row) for row in block.rows if len(row.cells) > 2]
    if not all(column.texts for column in block.columns):
        return 0
    for total in range(len(block.columns) - 1, 1, -1):
        summed = [
            (values[total], [values[k] for k in range(total) if k in values])
            for values in rows
            if total in values
        ]
        held = sum(len(parts) > 1 and sum(parts) == value for value, parts in summed)
        if held >= MIN_SUMS and 2 * held > len(rows):
            return total + 1
    return 0
