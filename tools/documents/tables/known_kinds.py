"""What else tells a balance from a flow: the document's primary statements, and balances divided by shares."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from tools.documents.tables.row_labels import clean_label
from tools.documents.tables.row_periods import AT_END
from tools.documents.tables.row_sums import values_of
from tools.documents.tables.table_parts import FLOWS, Block, Row
from tools.documents.tables.units import is_per_share, is_share_count

MIN_QUOTIENTS = 3
"""Columns in which a row must be the quotient of two others."""
_HALF = Decimal("0.5")


def mark_known(blocks: Sequence[Block]) -> None:
    """Set `Row.listed` of rows whose name the balance sheet alone lists, or the statements of flows alone."""
    kinds: dict[str, set[bool]] = {}
    for block in blocks:
        if block.statement == "balance" or block.statement in FLOWS:
            for row in block.rows:
                if row.cells:
                    kinds.setdefault(_name(row), set()).add(block.statement == "balance")
    for block in blocks:
        for row in block.rows:
            found = kinds.get(_name(row), set())
            row.listed = next(iter(found)) if row.cells and len(found) == 1 else None


def _name(row: Row) -> str:
    return clean_label(row.label).lower()


def mark_quotients(block: Block) -> None:
    """Set `Row.closes` of an amount per share that is another row divided by the shares at the period's end: 'Book
    value per share'."""
    rows = [row for row in block.rows if row.cells]
    shares = [values_of(row) for row in rows if is_share_count(row.label) and AT_END.search(row.label)]
    for row in rows if shares else []:
        if is_per_share(row.label) and not row.closes:
            quotients = values_of(row)
            row.closes = any(
                _divides(values_of(other), count, quotients)
                for other in rows
                for count in shares
                if other is not row
            )


def _divides(amounts: dict[int, Decimal], shares: dict[int, Decimal], quotients: dict[int, Decimal]) -> bool:
    """True if each quotient is the amount of its column by the number of shares, as rounded."""
    if len(quotients) < MIN_QUOTIENTS or not set(quotients) <= set(amounts) & {
        k for k, n in shares.items() if n
    }:
        return False
    return all(
        abs(amounts[k] / shares[k] - value)
        <= _HALF.scaleb(int(value.as_tuple().exponent)) + abs(value) * _loose(shares[k])
        for k, value in quotients.items()
    )


def _loose(count: Decimal) -> Decimal:
    """The share by which the rounding of a number may change it."""
    return _HALF.scaleb(int(count.as_tuple().exponent)) / abs(count)
