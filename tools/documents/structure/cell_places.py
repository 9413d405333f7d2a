"""Where on a sheet a cited figure or row stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tools.documents.types import Cell, Page
from tools.periods import Period

LEAST_LETTERS = 4
"""Letters and digits of a row that is looked for in a quotation: shorter ones stand anywhere."""


def figure_place(page: Page, metric: str, printed: str, period: Period) -> str:
    """The place of a figure of a sheet: "Sheet 'Revenue', B7"; '' for a page that is no sheet.

    Its cell holds what is printed, in a row that holds the metric. Where several do, the column whose cells above
    name the period's year; where that leaves several in one row, their range; else the sheet alone.
    """
    sought, name = folded(printed), folded(metric)
    found = [
        [cell for cell in cells if folded(_text(page, cell)) == sought]
        for cells in _rows(page)
        if name in folded("".join(_text(page, cell) for cell in cells))
    ]
    found = [cells for cells in found if cells]
    year = period.end.year if period.end else period.fiscal_year
    dated = [[cell for cell in cells if year and _names_year(page, cell, year)] for cells in found]
    if any(dated):
        found = [cells for cells in dated if cells]
    return _place(page, found[0] if len(found) == 1 else [])


def quotation_place(page: Page, quote: str) -> str:
    """The place of the rows that a quotation holds: "Sheet 'Revenue', A4:C8"; '' for a page that is no sheet."""
    sought = folded(quote)
    found: list[Cell] = []
    for cells in _rows(page):
        row = folded("".join(dict.fromkeys(_text(page, cell) for cell in cells)))
        if len(row) >= LEAST_LETTERS and row in sought:
            found += cells
    return _place(page, found)


def folded(text: str) -> str:
    """Letters and digits alone: line ends, hyphens and typographic quotes differ between page and chunk."""
    return "".join(filter(str.isalnum, text))


def _place(page: Page, cells: Sequence[Cell]) -> str:
    addresses = [_split(cell.address) for cell in cells]
    columns = sorted({(len(letters), letters) for letters, _ in addresses})
    rows = sorted({row for _, row in addresses})
    ends = list(dict.fromkeys(f"{columns[k][1]}{rows[k]}" for k in (0, -1))) if addresses else []
    return ", ".join(filter(None, [page.label, ":".join(ends)]))


def _split(address: str) -> tuple[str, int]:
    letters = address.rstrip("0123456789")
    return letters, int(address[len(letters) :] or 0)


def _text(page: Page, cell: Cell) -> str:
    return page.layout.split("\n")[cell.line][cell.start : cell.end]


def _rows(page: Page) -> Iterator[list[Cell]]:
    """The cells of each line."""
    line: list[Cell] = []
    for cell in page.cells:
        if line and line[0].line != cell.line:
            yield line
            line = []
        line.append(cell)
    if line:
        yield line


def _names_year(page: Page, cell: Cell, year: int) -> bool:
    """Does a cell above it in its column name the year, in two digits or four?"""
    year_words = re.compile(rf"(?<!\d)(?:{year}|(?:FY|['’-]){year % 100:02d})(?!\d)", re.IGNORECASE)
    return any(
        above.line < cell.line
        and above.start < cell.end
        and cell.start < above.end
        and year_words.search(_text(page, above))
        for above in page.cells
    )
