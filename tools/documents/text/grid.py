"""Rows of cells laid out in columns, so that a table of any source is read like a printed one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

GAP = 4
"""Blanks between columns: wide enough that no two cells are taken for one."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A cell and the columns that it covers."""

    text: str
    first: int
    last: int
    """Both included."""
    is_words: bool = False
    """Set to the left, also beyond the first column."""


def lay_out_rows(rows: Sequence[Sequence[str]]) -> list[str]:
    """One line a row: the first column set to the left, the others to the right of their column; '' for an
    empty row."""
    return [line for line, _ in lay_out_cells([[Placed(c, k, k) for k, c in enumerate(row)] for row in rows])]


def lay_out_cells(rows: Sequence[Sequence[Placed]]) -> list[tuple[str, tuple[int, ...]]]:
    """One line a row, and where on it each cell begins. The first column is set to the left, the others to the right
    of their column, a cell over several columns over their middle.

    Columns are as wide as their cells; a cell alone at the left of its row may run on over the columns beside it.
    """
    edges = _edges(rows)
    laid: list[tuple[str, tuple[int, ...]]] = []
    for row in rows:
        line = ""
        starts: list[int] = []
        for cell in row:
            left, right = edges[cell.first][0], edges[cell.last][1]
            room = right - left - len(cell.text)
            at_left = cell.first == 0 or (cell.is_words and cell.first == cell.last)
            at = left + (0 if at_left else room if cell.first == cell.last else room // 2)
            line = line.ljust(max(at, len(line) + 2 if line else 0))
            starts.append(len(line))
            line += cell.text
        laid.append((line.rstrip(), tuple(starts)))
    return laid


def _edges(rows: Sequence[Sequence[Placed]]) -> list[tuple[int, int]]:
    """Left and right edge of each column."""
    widths = [0] * (max((cell.last for row in rows for cell in row), default=-1) + 1)
    wide: set[tuple[int, int, int]] = set()
    for row in rows:
        for cell in row:
            if len(row) == 1 and cell.first == 0:
                continue
            if cell.first == cell.last:
                widths[cell.first] = max(widths[cell.first], len(cell.text))
            else:
                wide.add((cell.last - cell.first, cell.first, len(cell.text)))
    for more, first, needed in sorted(wide):
        missing = needed - sum(widths[first : first + more + 1]) - GAP * more
        if missing > 0:
            for k in range(first, first + more + 1):
                widths[k] += -(-missing // (more + 1))
    edges: list[tuple[int, int]] = []
    left = 0
    for width in widths:
        edges.append((left, left + width))
        left += width + GAP
    return edges
