"""Workbooks: each sheet as pages of rows, cells as they are shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from tools.documents.read.grid_page import GridCell
from tools.documents.read.number_formats import shown
from tools.documents.read.sheet_pages import SheetRow, is_figure, sheet_pages
from tools.documents.text.cleaning import clean, squeeze
from tools.documents.types import Page


def read_xlsx(path: Path) -> Iterator[Page]:
    """The pages of the visible sheets, in order; values as last computed, nothing is run."""
    book = load_workbook(path, data_only=True, keep_links=False)
    title = squeeze(clean(book.properties.title or ""))
    visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    hidden = len(book.worksheets) - len(visible)
    left_out = (("hidden sheet" if hidden == 1 else "hidden sheets", hidden),) if hidden else ()
    number = 0
    for sheet in visible:
        for page in sheet_pages(_rows(sheet), f"Sheet '{squeeze(clean(sheet.title))}'"):
            number += 1
            if number == 1:
                page = replace(page, title=title, left_out=left_out)
            yield replace(page, number=number)


def _rows(sheet: Any) -> list[SheetRow]:
    """Rows with a value. Only cells that the file holds are looked at: a sheet has 17 billion."""
    spans: dict[tuple[int, int], int] = {}
    below: dict[int, list[GridCell]] = defaultdict(list)
    for area in sheet.merged_cells.ranges:
        first, span = sheet.cell(area.min_row, area.min_col), area.max_col - area.min_col + 1
        spans[area.min_row, area.min_col] = span
        for covered in range(area.min_row + 1, min(area.max_row, sheet.max_row) + 1):
            below[covered].append(replace(_shown(first, span), repeated=True))
    held = sorted((cell.row, cell.column, cell) for cell in sheet._cells.values() if cell.value is not None)
    rows: list[SheetRow] = []
    for number, group in groupby(held, key=lambda entry: entry[0]):
        row = [_shown(cell, spans.get((number, column), 1)) for _, column, cell in group]
        rows.append((number, row + below[number] if any(is_figure(cell.text) for cell in row) else row))
    return rows


def _shown(cell: Any, span: int) -> GridCell:
    return GridCell(shown(cell.value, cell.number_format), cell.column - 1, span)
