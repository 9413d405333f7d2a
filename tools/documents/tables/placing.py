"""Figures put into columns by their horizontal position."""

from __future__ import annotations

import itertools
import re

from tools.documents.tables.cells import Cell
from tools.documents.tables.table_parts import Column, Row

_MAX_JITTER = 8
"""Characters by which the right edges of a column's figures may differ."""


def count_columns(rows: list[Row]) -> int:
    """Groups of horizontally overlapping figures."""
    return len(_overlapping(rows))


def _components(rows: list[Row]) -> list[Column]:
    """Columns as groups of horizontally overlapping figures."""
    return _merge_near(rows, _overlapping(rows))


def _overlapping(rows: list[Row]) -> list[Column]:
    spans = sorted((c.left, c.end) for row in rows for c in row.cells)
    columns: list[Column] = []
    for left, right in spans:
        if columns and left < columns[-1].right:
            columns[-1].right = max(columns[-1].right, right)
        else:
            columns.append(Column(left, right))
    return columns


def _merge_near(rows: list[Row], columns: list[Column]) -> list[Column]:
    """Neighbours a character or two apart that no row uses both of are one column whose figures are set
    unevenly."""
    _assign(rows, columns)
    used = [set(row.columns) for row in rows]
    merged: list[Column] = []
    members: list[set[int]] = []
    for k, column in enumerate(columns):
        if (
            merged
            and column.left - merged[-1].right <= 3
            and not any(k in u and u & members[-1] for u in used)
        ):
            merged[-1].right = column.right
            members[-1].add(k)
        else:
            merged.append(Column(column.left, column.right))
            members.append({k})
    return merged


def _place(cell: Cell, columns: list[Column]) -> int | None:
    best = max(
        range(len(columns)),
        key=lambda k: min(cell.end, columns[k].right) - max(cell.left, columns[k].left),
        default=None,
    )
    if best is None or min(cell.end, columns[best].right) <= max(cell.left, columns[best].left):
        return None
    return best


def _by_count(rows: list[Row]) -> list[Column] | None:
    """Columns from the rows with most figures, cell by cell; None where those rows do not stand under each
    other."""
    most = max(len(row.cells) for row in rows)
    full = [row for row in rows if len(row.cells) == most]
    columns = []
    for k in range(most):
        cells = [row.cells[k] for row in full]
        right = sorted(c.end for c in cells)[len(cells) // 2]
        near = [c for c in cells if abs(c.end - right) <= _MAX_JITTER]
        if len(near) < 0.8 * len(cells) and len(full) < 0.8 * len(rows):
            return None
        columns.append(Column(min(c.left for c in near), max(c.end for c in near)))
    return columns


def assign_columns(rows: list[Row]) -> tuple[list[Column], list[Row]]:
    """Columns of the figure rows, and the rows whose every cell found a column of its own (the others are
    dropped).

    Figures that overlap horizontally share a column. Where that finds another number of columns than the
    fullest rows have cells, those rows decide.
    """
    columns = _components(rows)
    fine = _assign(rows, columns)
    if not fine or len(columns) > max(len(row.cells) for row in rows):
        counted = _by_count(rows)
        if counted is not None and (not fine or _assign(rows, counted, by_order=True)):
            columns = counted
            _assign(rows, columns, by_order=True)
        else:
            _assign(rows, columns)
    for row in rows:
        for cell, k in zip(row.cells, row.columns, strict=False):
            if cell.start < cell.left and columns[k].left - cell.start < 30:
                columns[k].left = min(columns[k].left, cell.start)
    for before, column in itertools.pairwise(columns):
        column.left = max(column.left, before.right + 1)
    return columns, [row for row in rows if len(row.columns) == len(row.cells)]


def _assign(rows: list[Row], columns: list[Column], by_order: bool = False) -> bool:
    fine = True
    for row in rows:
        if by_order and len(row.cells) == len(columns):
            row.columns = list(range(len(columns)))
            continue
        places = [_place(cell, columns) for cell in row.cells]
        known = [p for p in places if p is not None]
        if len(known) == len(places) and known == sorted(set(known)):
            row.columns = known
        else:
            row.columns = []
            fine = False
    return fine


def drop_stray(every: list[Row]) -> None:
    """Take out what only looks like a figure: footnote numbers set in a column of their own, and single stray
    dashes."""
    rows = [row for row in every if row.cells]
    columns = _components(rows)
    if len(columns) < 2 or not _assign(rows, columns):
        return
    stray: set[int] = set()
    for k in range(len(columns)):
        cells = [c for r in rows for c, j in zip(r.cells, r.columns, strict=True) if j == k]
        if (k == 0 and _are_marks(cells, len(rows))) or _is_stray_dash(cells, len(rows)):
            stray |= {id(c) for c in cells}
    for row in rows:
        row.cells = [c for c in row.cells if id(c) not in stray]
        row.columns = []


def _are_marks(cells: list[Cell], rows: int) -> bool:
    """True for single digits at no more than every other row: footnote numbers."""
    return all(re.fullmatch(r"[1-9]", c.text) for c in cells) and 2 * len(cells) <= rows + 1


def _is_stray_dash(cells: list[Cell], rows: int) -> bool:
    return len(cells) == 1 and cells[0].kind == "nil" and rows > 4
