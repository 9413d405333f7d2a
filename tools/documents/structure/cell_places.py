"""Where on a sheet a cited figure or row stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tools.documents.types import Page
from tools.periods import Period

LEAST_LETTERS = 4
"""Letters and digits of a row that is looked for in a quotation: shorter ones stand anywhere."""

_Cell = tuple[int, int, str]
"""(index of its column in `Page.columns`, row of the sheet, text)."""


def figure_place(page: Page, metric: str, printed: str, period: Period) -> str:
    """The place of a figure of a sheet: "Sheet 'Revenue', B7"; '' for a page that is no sheet.

    Its cell holds what is printed, in a row that holds the metric. Where several do, the column whose cells above
    name the period's year; where that leaves several in one row, their range; else the sheet alone.
    """
    sought, name = folded(printed), folded(metric)
    lines = list(_cells(page))
    found = [
        [cell for cell in cells if folded(cell[2]) == sought]
        for cells in lines
        if name in folded("".join(text for *_, text in cells))
    ]
    found = [cells for cells in found if cells]
    year = period.end.year if period.end else period.fiscal_year
    if year:
        dated = [[cell for cell in cells if _names_year(lines, cell, year)] for cells in found]
        found = [cells for cells in dated if cells] or found
    return _place(page, found[0] if len(found) == 1 else [])


def quotation_place(page: Page, quote: str) -> str:
    """The place of the rows that a quotation holds: "Sheet 'Revenue', A4:C8"; '' for a page that is no sheet."""
    sought = folded(quote)
    found: list[_Cell] = []
    for cells in _cells(page):
        row = folded("".join(dict.fromkeys(text for *_, text in cells)))
        if len(row) >= LEAST_LETTERS and row in sought:
            found += cells
    return _place(page, found)


def folded(text: str) -> str:
    """Letters and digits alone: line ends, hyphens and typographic quotes differ between page and chunk."""
    return "".join(filter(str.isalnum, text))


def _place(page: Page, cells: Sequence[_Cell]) -> str:
    """The sheet, and the corners of the range that holds all these cells."""
    columns, rows = sorted({cell[0] for cell in cells}), sorted({cell[1] for cell in cells})
    corners = dict.fromkeys(f"{page.columns[columns[end]].name}{rows[end]}" for end in (0, -1) if cells)
    return ", ".join(filter(None, [page.label, ":".join(corners)]))


def _cells(page: Page) -> Iterator[list[_Cell]]:
    """The cells with words of each row."""
    for line, row in zip(page.layout.split("\n"), page.rows, strict=False):
        if row and line[page.columns[0].end :].strip() and _is_one(line, page):
            yield [(0, row, line)]
        elif row:
            texts = [line[column.start : column.end].strip() for column in page.columns]
            yield [(k, row, text) for k, text in enumerate(texts) if text]


def _is_one(line: str, page: Page) -> bool:
    """Is the line prose of one cell? It then runs on where a row has the blanks between its first two columns."""
    gap = line[page.columns[0].end : page.columns[1].start] if len(page.columns) > 1 else line
    return bool(gap.strip())


def _names_year(lines: Sequence[Sequence[_Cell]], cell: _Cell, year: int) -> bool:
    """Does a cell above it in its column name the year, in two digits or four?"""
    year_words = re.compile(rf"(?<!\d)(?:{year}|(?:FY|['’-]){year % 100:02d})(?!\d)", re.IGNORECASE)
    return any(
        column == cell[0] and row < cell[1] and year_words.search(text)
        for cells in lines
        for column, row, text in cells
    )
