"""The rows of a sheet as pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tools.documents.read.grid_page import GridCell, grid_lines
from tools.documents.types import Page, SheetColumn

_YEAR_OR_DATE = re.compile(r"(?:19|20)\d\d(?:-\d\d-\d\d)?")
ROWS_A_PAGE = 100
MOST_HEADER_ROWS = 10

SheetRow = tuple[int, Sequence[GridCell]]
"""(1-based number of the row, its cells)."""


def sheet_pages(rows: Sequence[SheetRow], label: str) -> Iterator[Page]:
    """Pages, numbered from 1, of the rows of a sheet; rows without words part the others as one blank line.

    A sheet of more than `ROWS_A_PAGE` rows is several pages, each with the sheet's header rows.
    """
    printed = [row for row in rows if any(cell.text for cell in row[1])]
    header = _header(printed)
    body = printed[len(header) :]
    for number, first in enumerate(range(0, len(body) if body else len(header), ROWS_A_PAGE), 1):
        part = body[first : first + ROWS_A_PAGE]
        shown = _parted([*header, *part]) if first == 0 else [*_parted(header), *_parted(part)]
        lines = grid_lines([cells for _, cells in shown])
        yield Page(
            number,
            "\n".join(lines.text),
            "\n".join(lines.layout),
            label=label,
            rows=tuple(row for row, _ in shown),
            columns=tuple(SheetColumn(start, end, column_letters(k)) for start, end, k in lines.columns),
        )


def _parted(rows: Sequence[SheetRow]) -> list[SheetRow]:
    """The rows with an empty one where the sheet has a gap."""
    parted: list[SheetRow] = []
    for row in rows:
        if parted and row[0] > parted[-1][0] + 1:
            parted.append((0, ()))
        parted.append(row)
    return parted


def _header(rows: Sequence[SheetRow]) -> list[SheetRow]:
    """The rows above the first one that holds figures; none where there is no such row among the first."""
    for n, (_, cells) in enumerate(rows[:MOST_HEADER_ROWS]):
        if any(is_figure(cell.text) for cell in cells):
            return list(rows[:n])
    return []


def is_figure(text: str) -> bool:
    """Is a cell a number? Years and dates head columns, so they do not count."""
    digits = sum(map(str.isdigit, text))
    letters = sum(map(str.isalpha, text))
    return digits > letters and _YEAR_OR_DATE.fullmatch(text) is None


def column_letters(column: int) -> str:
    """The name of a 0-based column: 'A', 'Z', 'AA'."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
