"""Rows of cells laid out in columns, so that a table of any source is read like a printed one."""

from __future__ import annotations

from collections.abc import Sequence

GAP = "    "
"""Between columns: wide enough that no two cells are taken for one."""


def lay_out_rows(rows: Sequence[Sequence[str]]) -> list[str]:
    """One line a row: the first column set to the left, the others to the right of their column; '' for an
    empty row."""
    count = max((len(row) for row in rows), default=0)
    widths = [max(len(row[k]) for row in rows if k < len(row)) for k in range(count)]
    return [
        GAP.join(
            cell.rjust(width) if k else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=False))
        ).rstrip()
        for row in rows
    ]
