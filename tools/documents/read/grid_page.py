"""Rows of cells as the lines of a page: words for reading, columns for tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tools.documents.text.cleaning import clean, squeeze
from tools.documents.text.grid import GAP, lay_out_rows


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell as its file shows it."""

    text: str
    column: int
    """0-based."""
    span: int = 1
    """Columns that it covers."""
    repeated: bool = False
    """Stands for a cell above that covers this row, too."""


Row = Sequence[GridCell]


@dataclass(frozen=True, slots=True)
class GridLines:
    """Lines of a page, one a row."""

    text: tuple[str, ...]
    layout: tuple[str, ...]
    columns: tuple[tuple[int, int, int], ...]
    """(start, end, 0-based column) of each column with a word, in the lines of `layout`."""


def grid_lines(rows: Sequence[Row]) -> GridLines:
    """One line a row in both modes, '' for a row without words.

    In `layout`, what covers several columns stands over each of them, so that a heading belongs to every column it
    heads, and a label that covers several rows before each of them; in `text` it stands once. A row of one cell in the
    first column is a line of prose and widens no column. Columns without a word take no room.
    """
    rows = [_cleaned(row) for row in rows]
    used = sorted({place for row in rows for cell in row for place in _places(cell)})
    at = {column: index for index, column in enumerate(used)}
    grid: list[list[str]] = []
    alone: dict[int, str] = {}
    for number, row in enumerate(rows):
        printed = [""] * (max((at[_places(cell)[-1]] for cell in row), default=-1) + 1)
        for cell in row:
            for place in _places(cell):
                printed[at[place]] = cell.text
        if len(row) == 1 and at[row[0].column] == 0:
            alone[number] = row[0].text
            printed = []
        grid.append(printed)
    layout = tuple(alone.get(number, line) for number, line in enumerate(lay_out_rows(grid)))
    texts = tuple(" ".join(cell.text for cell in row if not cell.repeated) for row in rows)
    columns: list[tuple[int, int, int]] = []
    start = 0
    for index, column in enumerate(used):
        end = start + max((len(printed[index]) for printed in grid if index < len(printed)), default=0)
        columns.append((start, end, column))
        start = end + GAP
    return GridLines(texts, layout, tuple(columns))


def _cleaned(row: Row) -> list[GridCell]:
    cells = (
        replace(cell, text=squeeze(clean(cell.text))) for cell in sorted(row, key=lambda cell: cell.column)
    )
    return [cell for cell in cells if cell.text]


def _places(cell: GridCell) -> range:
    return range(cell.column, cell.column + cell.span)
