"""Rows of cells as the lines of a page: words for reading, columns for tables, an address for each cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.documents.text.cleaning import clean, squeeze
from tools.documents.text.grid import lay_out_rows
from tools.documents.types import Cell


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell as its file shows it."""

    text: str
    column: int
    """0-based."""
    span: int = 1
    """Columns that it covers."""
    address: str = ""
    repeated: bool = False
    """Stands for a cell above that covers this row, too."""


Row = Sequence[GridCell]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a page, one a row."""

    text: tuple[str, ...]
    layout: tuple[str, ...]
    cells: tuple[Cell, ...]


def grid_lines(rows: Sequence[Row]) -> Lines:
    """One line a row in both modes, '' for a row without words.

    In `layout`, what covers several columns stands over each of them, so that a heading belongs to every column it
    heads, and a label that covers several rows before each of them; in `text` it stands once. A row of one cell in the
    first column is a line of prose and widens no column. Columns without a word take no room.
    """
    rows = [[cell for cell in row if cell.text] for row in map(_cleaned, rows)]
    used = sorted({place for row in rows for cell in row for place in _places(cell)})
    at = {column: index for index, column in enumerate(used)}
    texts: list[str] = []
    grid: list[list[str]] = []
    alone: dict[int, str] = {}
    for number, row in enumerate(rows):
        texts.append(" ".join(cell.text for cell in row if not cell.repeated))
        printed = [""] * len(used)
        for cell in row:
            for place in _places(cell):
                printed[at[place]] = cell.text
        while printed and not printed[-1]:
            printed.pop()
        if len(row) == 1 and at[row[0].column] == 0:
            alone[number] = row[0].text
            printed = []
        grid.append(printed)
    layout = [alone.get(number, line) for number, line in enumerate(lay_out_rows(grid))]
    cells: list[Cell] = []
    for number, row in enumerate(rows):
        end = 0
        for cell in row:
            for _ in _places(cell) if number not in alone else (0,):
                start = layout[number].index(cell.text, end)
                end = start + len(cell.text)
                if cell.address:
                    cells.append(Cell(number, start, end, cell.address))
    return Lines(tuple(texts), tuple(layout), tuple(cells))


def _cleaned(row: Row) -> list[GridCell]:
    return [
        GridCell(squeeze(clean(cell.text)), cell.column, cell.span, cell.address, cell.repeated)
        for cell in sorted(row, key=lambda cell: cell.column)
    ]


def _places(cell: GridCell) -> range:
    return range(cell.column, cell.column + cell.span)
