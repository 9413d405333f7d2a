"""Workbooks: each sheet as pages of rows, cells as they are shown, with their addresses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from openpyxl import load_workbook
from openpyxl.cell.cell import Cell as SheetCell
from openpyxl.worksheet.worksheet import Worksheet

from tools.documents.read.grid_page import GridCell
from tools.documents.read.number_formats import shown
from tools.documents.read.sheet_pages import SheetRow, is_figure, sheet_pages
from tools.documents.text.cleaning import clean, squeeze
from tools.documents.types import Page


def read_xlsx(path: Path) -> Iterator[Page]:
    """The visible sheets, in order, without those that are empty; values as last computed, nothing is run.

    A sheet of many rows is several pages, each with the sheet's header rows.
    """
    book = load_workbook(path, data_only=True, keep_links=False)
    title = squeeze(clean(book.properties.title or ""))
    number = 0
    for sheet in book.worksheets:
        if sheet.sheet_state != "visible":
            continue
        for page in sheet_pages(_rows(sheet), f"Sheet '{squeeze(clean(sheet.title))}'"):
            number += 1
            yield Page(number, page.text, page.layout, label=page.label, cells=page.cells, title=title)
            title = ""


def hidden_sheets(path: Path) -> int:
    """How many sheets of a workbook are not shown."""
    book = load_workbook(path, read_only=True, keep_links=False)
    try:
        return sum(sheet.sheet_state != "visible" for sheet in book.worksheets)
    finally:
        book.close()


def _rows(sheet: Worksheet) -> list[SheetRow]:
    """Rows of shown cells, to the last with a value; '' rows for the gaps between them, one a gap."""
    spans: dict[str, int] = {}
    below: dict[int, list[tuple[SheetCell, int]]] = defaultdict(list)
    for area in sheet.merged_cells.ranges:
        first = sheet.cell(area.min_row, area.min_col)
        spans[first.coordinate] = area.max_col - area.min_col + 1
        for covered in range(area.min_row + 1, min(area.max_row, sheet.max_row) + 1):
            below[covered].append((first, spans[first.coordinate]))
    rows: list[SheetRow] = []
    for number, cells in enumerate(sheet.iter_rows(), 1):
        row = [_shown(cell, spans.get(cell.coordinate, 1)) for cell in cells if cell.value is not None]
        if any(is_figure(cell.text) for cell in row):
            row += [
                GridCell(_shown(first, span).text, first.column - 1, span, first.coordinate, repeated=True)
                for first, span in below.get(number, ())
            ]
        rows.append(row)
    return rows


def _shown(cell: SheetCell, span: int) -> GridCell:
    return GridCell(shown(cell.value, cell.number_format), cell.column - 1, span, cell.coordinate)
