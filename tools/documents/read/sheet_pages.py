"""The rows of a sheet as pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tools.documents.read.grid_page import GridCell, grid_lines
from tools.documents.types import Page

ROWS_A_PAGE = 100
MOST_HEADER_ROWS = 10

SheetRow = list[GridCell]


def sheet_pages(rows: Sequence[SheetRow], label: str) -> Iterator[Page]:
    """Pages, numbered from 1, of a sheet's rows; rows without a word part them as one blank line."""
    kept = [
        row
        for n, row in enumerate(rows)
        if any(cell.text for cell in row) or (n and any(cell.text for cell in rows[n - 1]))
    ]
    header = _header(kept)
    body = kept[len(header) :]
    if not any(cell.text for row in kept for cell in row):
        return
    for number, first in enumerate(range(0, max(1, len(body)), ROWS_A_PAGE), 1):
        lines = grid_lines([*header, *body[first : first + ROWS_A_PAGE]])
        yield Page(number, "\n".join(lines.text), "\n".join(lines.layout), label=label, cells=lines.cells)


def _header(rows: Sequence[SheetRow]) -> list[SheetRow]:
    """The rows above the first one that holds figures; none where there is no such row among the first."""
    for n, row in enumerate(rows[:MOST_HEADER_ROWS]):
        if any(is_figure(cell.text) for cell in row):
            return list(rows[:n])
    return []


def is_figure(text: str) -> bool:
    """Is a cell a number? Years and dates head columns, so they do not count."""
    digits = sum(map(str.isdigit, text))
    letters = sum(map(str.isalpha, text))
    is_year = len(text) == 4 and text.isdigit() and text[:2] in ("19", "20")
    return digits > letters and not is_year and not text[:4].isdigit()


def column_letters(column: int) -> str:
    """The name of a 0-based column: 'A', 'Z', 'AA'."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
