"""Where the tables of a page are: runs of figure rows, with columns by horizontal position."""

from __future__ import annotations

import re

from tools.documents.tables.cells import Cell, Line, split_line
from tools.documents.tables.column_dates import has_period_words, is_year
from tools.documents.tables.pipes import lay_out_pipes
from tools.documents.tables.placing import assign_columns, count_columns, drop_stray
from tools.documents.tables.table_parts import Block, Row

_BULLET = re.compile(r"^[•▪■●◦‣·*]\s|^[-–]\s{2,}")
_UNIT_NOTE = re.compile(r"\b(?:in|dollars)\b.*\b(?:millions|thousands|billions)\b|unaudited", re.IGNORECASE)
_FOLLOWS = re.compile(r"\bfollow(?:s|ing):$|\bbelow:$|\(in \w+\):$|^note \d", re.IGNORECASE)
_MAX_LABELS = 5
_MAX_BLANKS = 9
MAX_COLUMNS = 64
"""Figures of a row and columns of a table: what lays headers over columns costs their number to the third."""


def figure_cells(line: Line) -> list[Cell]:
    """Figures, nils and voids of a line, without the label."""
    cells = [c for c in line.cells if c.kind != "text"]
    if cells and line.cells[0] is cells[0] and _numeric_label(line):
        return cells[1:]
    return cells


def _numeric_label(line: Line) -> bool:
    """A row whose label is a number: a maturity table's year, or the end of a wrapped label ('and / $4')."""
    first = line.cells[0]
    if len(line.cells) < 2:
        return False
    rest = line.cells[1:]
    gap = rest[0].start - first.end
    if is_year(first.text):
        return first.start < 20 and gap > 12 and not all(is_year(c.text) for c in rest)
    return first.start < 20 and gap > 40


def is_year_header(line: Line) -> bool:
    """True for header lines such as '2022   2021' or 'Three Months Ended September 30,   2022   2021'."""
    figures = [c for c in line.cells if c.kind != "text"]
    if not figures or not all(is_year(c.text) for c in figures):
        return False
    texts = [c for c in line.cells if c.kind == "text"]
    if not texts:
        return True
    label = texts[0].text
    return len(figures) >= 2 or _UNIT_NOTE.search(label) is not None or has_period_words(label)


def row_of(line: Line) -> Row | None:
    """The line as a figure row; None for headers, prose and everything else. The label may be ''."""
    if line.blank or is_year_header(line):
        return None
    cells = figure_cells(line)
    if not any(c.kind in ("figure", "nil") for c in cells) or len(cells) > MAX_COLUMNS:
        return None
    first = line.cells[0]
    if first.kind == "text" and not re.search(r"[^\W\d_]{2}|^[\d, ]+\)", first.text):
        return None
    if first is cells[0]:
        if any(c.kind == "text" for c in line.cells):
            return None
        return Row(line.index, "", first.start, list(cells))
    texts = [c for c in line.cells[1:] if c.kind == "text"]
    if _reads_as_prose(first, cells, texts):
        return None
    between = [c for c in texts if c.start < cells[0].start]
    label = first.text
    end = max(c.end for c in (first, *between))
    words = tuple(c.text for c in between)
    return Row(line.index, label, first.start, list(cells), texts=words, text_end=end, raw_label=label)


def _reads_as_prose(first: Cell, figures: list[Cell], texts: list[Cell]) -> bool:
    """True for a lone figure in a bullet or right behind its words, and for more text than a row holds."""
    if len(figures) < 2 and (_BULLET.match(first.text) or figures[0].left - first.end < 2):
        return True
    return len(texts) > 3 or any(len(c.text) > 30 for c in texts)


def _is_page_number(line: Line, printed: list[Line]) -> bool:
    """A lone small integer, or a footer ending in one and set apart, on the first or last of the `printed` lines."""
    if not printed or line.index not in (printed[0].index, printed[-1].index):
        return False
    figures = [c for c in line.cells if c.kind != "text"]
    if len(figures) != 1 or line.cells[-1] is not figures[0] or not re.fullmatch(r"\d{1,4}", figures[0].text):
        return False
    if len(line.cells) == 1 or len(printed) == 1:
        return True
    gap = line.index - printed[-2].index if line.index == printed[-1].index else printed[1].index - line.index
    return gap > 1


def _breaks(line: Line, block: Block, left: int) -> bool:
    """True if a line without figures ends the run of rows, being a header, a title or prose."""
    if is_year_header(line) or len([c for c in line.cells if c.start >= left - 6]) > 0:
        return True
    cell = line.cells[0]
    text = line.text
    if len(line.cells) == 1 and text.endswith(":") and len(text) <= 90 and not _FOLLOWS.search(text):
        return False
    if len(line.cells) > 1 and line.cells[-1].end - cell.start > left:
        return True
    return (
        line.cells[-1].end > left
        or _BULLET.match(text) is not None
        or (text.startswith("(") and _UNIT_NOTE.search(text) is not None)
        or _FOLLOWS.search(text) is not None
        or (text.endswith(".") and len(text) > 60)
        or re.match(r"(?:see|refer to) (?:the )?accompanying notes", text, re.IGNORECASE) is not None
    )


def _goes_on(line: Line, block: Block) -> bool:
    """True for the end of a wrapped label right under its figures: 'interests', 'net of tax'."""
    text = line.text
    last = block.rows[-1]
    return bool(last.cells) and line.index == last.index + 1 and text[0].islower() and len(text) < 60


def find_blocks(page: int, text: str) -> tuple[list[Line], list[Block]]:
    """Runs of figure rows of a page, headings between them included, columns assigned.

    Headers are not read yet: `Block.header` is empty. A run has at least two figure rows, or one with two
    figures.
    """
    lines = [split_line(raw, k) for k, raw in enumerate(lay_out_pipes(text.split("\n")))]
    printed = [line for line in lines if not line.blank]
    blocks: list[Block] = []
    block: Block | None = None
    extent = _Extent()
    pending: list[Line] = []
    blanks = 0
    for line in lines:
        if line.blank:
            blanks += 1
            if blanks > _MAX_BLANKS:
                block = None
            continue
        row = None if _is_page_number(line, printed) else row_of(line)
        if row is None:
            blanks = 0
            if block is not None:
                if _breaks(line, block, extent.left) or len(pending) >= _MAX_LABELS:
                    block = None
                elif _goes_on(line, block) and not pending:
                    block.rows.append(Row(line.index, line.text, line.indent, raw_label=line.text))
                else:
                    pending.append(line)
            continue
        blanks = 0
        if block is not None and not extent.fits(row):
            block = None
        if block is None:
            block, extent = Block(page, []), _Extent()
            blocks.append(block)
            pending = []
        extent.add(row)
        block.rows += [Row(x.index, x.text, x.indent, raw_label=x.text) for x in pending]
        block.rows.append(row)
        pending = []
    return lines, [b for b in blocks if _settle(b)]


class _Extent:
    """Where the figures of a run of rows stand."""

    def __init__(self) -> None:
        self.left = 1 << 30
        """Of the first of them."""
        self._most = 0
        self._spans: set[tuple[int, int]] = set()

    def add(self, row: Row) -> None:
        """Take in a row of the run."""
        self.left = min(self.left, *(c.start for c in row.cells))
        self._most = max(self._most, len(row.cells))
        self._spans.update((c.left, c.end) for c in row.cells)

    def fits(self, row: Row) -> bool:
        """True if some figure of the row stands under one of the run's columns."""
        return len(row.cells) == self._most or any(
            c.left < right and left < c.end for c in row.cells for left, right in self._spans
        )


def _settle(block: Block) -> bool:
    if count_columns(block.rows) > MAX_COLUMNS:
        return False
    drop_stray(block.rows)
    rows = [row for row in block.rows if row.cells]
    if not rows:
        return False
    columns, kept = assign_columns(rows)
    keep = {id(row) for row in kept}
    block.rows = [row for row in block.rows if not row.cells or id(row) in keep]
    block.columns = columns
    if not kept or (len(kept) == 1 and len(kept[0].cells) < 2):
        return False
    block.first_line = block.rows[0].index
    block.last_line = block.rows[-1].index + 1
    return True
