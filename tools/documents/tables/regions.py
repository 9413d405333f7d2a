"""Where the tables of a page are: runs of figure rows, with columns by horizontal position."""

from __future__ import annotations

import re

from tools.documents.tables.cells import Cell, Line, split_line
from tools.documents.tables.column_dates import find_full_dates, has_period_words, is_year
from tools.documents.tables.pipes import lay_out_pipes
from tools.documents.tables.placing import assign_columns, count_columns, drop_stray
from tools.documents.tables.table_parts import Block, Row

_BULLET = re.compile(r"^[•▪■●◦‣·*]\s|^[-–]\s{2,}")
_UNIT_NOTE = re.compile(r"\b(?:in|dollars)\b.*\b(?:millions|thousands|billions)\b|unaudited", re.IGNORECASE)
_FOLLOWS = re.compile(r"\bfollow(?:s|ing):$|\bbelow:$|\(in \w+\):$|^note \d", re.IGNORECASE)
_NAMED = re.compile(
    r"[^\W\d_]{2}|^[^\W\d_](?:\.[^\W\d_])+\.?|^[\d, ]+\)|^(?:19|20)\d\d ?[-–—] ?(?:(?:19|20)\d\d|\d\d)$"
)
"""A label: words, initials, the end of a bracket, or a span of years."""
_PAGE_NUMBER = re.compile(r"\d{1,4}")
_SEE_NOTES = re.compile(r"(?:see|refer to|the) (?:the )?accompanying notes", re.IGNORECASE)
_HEAD_NUMBER = re.compile(r"\(\d\)|(?:19|20)\d\d|\d{1,2} (?:years?|months?|days?)", re.IGNORECASE)
_INITIALS = re.compile(r"(?:\b[A-Z]\.){2}$")
_MAX_LABELS = 5
_MAX_BLANKS = 9
MAX_HEADING = 100
"""Characters of a heading between rows."""
MAX_REMARK = 60
"""Characters of a column of words beside a row's figures."""
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


def names_columns(line: Line) -> bool:
    """True for words over columns some of which hold a number: 'Total   1 year   1-3 years', 'paid (2)   plan (3)'."""
    figures = [c for c in line.cells if c.kind != "text"]
    words = [c for c in line.cells[1:] if c.kind == "text"]
    return len(words) > len(figures) > 0 and all(_HEAD_NUMBER.fullmatch(c.text) for c in figures)


def row_of(line: Line) -> Row | None:
    """The line as a figure row; None for headers, prose and everything else. The label may be ''."""
    if line.blank or is_year_header(line):
        return None
    cells = figure_cells(line)
    first = line.cells[0]
    stated = any(c.kind in ("figure", "nil") for c in cells) or (len(cells) > 1 and first.kind == "text")
    if not stated or len(cells) > MAX_COLUMNS or names_columns(line):
        return None
    if first.kind == "text" and not (_NAMED.search(first.text) or find_full_dates(first.text)):
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
    return Row(
        line.index, label, first.start, list(cells), [],
        tuple(c.text for c in between), tuple(c.text for c in texts if c not in between), tuple(texts),
        text_end=end, raw_label=label,
    )  # fmt: skip


def _reads_as_prose(first: Cell, figures: list[Cell], texts: list[Cell]) -> bool:
    """True for a lone figure in a bullet or right behind its words, and for more text than a row holds."""
    if len(figures) < 2 and (_BULLET.match(first.text) or figures[0].left - first.end < 2):
        return True
    beside = len(figures) > 1 and len(texts) < 3
    longest = {c: MAX_REMARK if beside and c.text[0].isupper() else 30 for c in texts}
    return len(texts) > 3 or any(len(c.text) > most for c, most in longest.items())


def _page_numbers(lines: list[Line]) -> frozenset[int]:
    """Lines that hold a page's number: a lone small integer, or a footer ending in one and set apart, on the first
    or last printed line."""
    printed = [line for line in lines if not line.blank]
    numbers = set()
    for line, beside in zip(printed[:1] + printed[-1:], printed[1:2] + printed[-2:-1], strict=False):
        figures = [c for c in line.cells if c.kind != "text"]
        if (
            len(figures) != 1
            or line.cells[-1] is not figures[0]
            or not _PAGE_NUMBER.fullmatch(figures[0].text)
        ):
            continue
        if len(line.cells) == 1 or abs(line.index - beside.index) > 1:
            numbers.add(line.index)
    return frozenset(numbers)


def _is_mark(row: Row) -> bool:
    """True for the number of a footnote alone on a line."""
    return not row.label and len(row.cells) == 1 and re.fullmatch(r"\(\d\)", row.cells[0].text) is not None


def is_heading(line: Line) -> bool:
    """True for words alone on a line, too short for a line of a paragraph and no end of one: a point may be that of
    initials."""
    text = line.text
    open_end = text[-1] not in ".,;" or _INITIALS.search(text) is not None
    return len(line.cells) == 1 and text[0].isupper() and len(text) <= MAX_HEADING and open_end


class _Run:
    """Rows found so far, and where their figures stand."""

    def __init__(self, page: int, row: Row) -> None:
        self.block = Block(page, [])
        self.left = self.first_end = row.cells[0].end
        self._most = 0
        self._spans: list[tuple[int, int]] = []
        self.add(row)

    def add(self, row: Row) -> None:
        """Take in one more row."""
        self.block.rows.append(row)
        if not row.cells:
            return
        self.left = min(self.left, *(c.start for c in row.cells))
        self.first_end = min(self.first_end, *(c.end for c in row.cells))
        self._most = max(self._most, len(row.cells))
        for cell in row.cells:
            over = [span for span in self._spans if cell.left <= span[1] and span[0] <= cell.end]
            edges = [cell.left, cell.end, *(edge for span in over for edge in span)]
            self._spans = [span for span in self._spans if span not in over] + [(min(edges), max(edges))]

    def fits(self, row: Row) -> bool:
        """True if the row may belong to the run."""
        return len(row.cells) == self._most or self.follows(row) or self.stands_over(row)

    def stands_over(self, row: Row) -> bool:
        """True if some figure of the row stands under figures of the run."""
        return any(c.left < right and left < c.end for c in row.cells for left, right in self._spans)

    def follows(self, row: Row) -> bool:
        """True for a row right below the last, with nothing between that could head other columns."""
        return row.index - self.block.rows[-1].index <= 1

    def ends_at(self, line: Line) -> bool:
        """True if a line without figures ends the rows, being a header, a title or prose."""
        if any(c.start >= self.left - 6 for c in line.cells):
            return True
        text = line.text
        if len(line.cells) == 1 and text.endswith(":") and len(text) <= 90 and not _FOLLOWS.search(text):
            return False
        return (
            (
                line.cells[-1].end > self.first_end and not is_heading(line)
            )  # a label may run up to the figures
            or _BULLET.match(text) is not None
            or (text.startswith("(") and _UNIT_NOTE.search(text) is not None)
            or _FOLLOWS.search(text) is not None
            or (text.endswith(".") and len(text) > 60)
            or _SEE_NOTES.match(text) is not None
        )

    def goes_on_with(self, line: Line) -> bool:
        """True for the end of a wrapped label right under its figures: 'interests', 'net of tax'."""
        last = self.block.rows[-1]
        below = bool(last.cells) and line.index == last.index + 1
        return below and line.text[0].islower() and len(line.text) < 60


def find_blocks(page: int, text: str) -> tuple[list[Line], list[Block]]:
    """Runs of figure rows of a page, headings between them included, columns assigned.

    Headers are not read yet: `Block.header` is empty. A run has at least two figure rows, or one with two
    figures.
    """
    lines = [split_line(raw, k) for k, raw in enumerate(lay_out_pipes(text.split("\n")))]
    numbers = _page_numbers(lines)
    runs: list[_Run] = []
    run: _Run | None = None
    pending: list[Line] = []
    blanks = 0
    for line in lines:
        if line.blank:
            blanks += 1
            run = run if blanks <= _MAX_BLANKS else None
            continue
        blanks = 0
        row = None if line.index in numbers else row_of(line)
        if row is not None:
            if run is not None and _is_mark(row) and not run.stands_over(row):
                continue
            if run is None or not run.fits(row):
                run = _Run(page, row)
                runs.append(run)
            else:
                for label in pending:
                    run.add(Row(label.index, label.text, label.indent, raw_label=label.text))
                run.add(row)
            pending = []
        elif run is not None:
            if run.ends_at(line) or len(pending) >= _MAX_LABELS:
                run, pending = None, []
            elif not pending and run.goes_on_with(line):
                run.add(Row(line.index, line.text, line.indent, raw_label=line.text))
            else:
                pending.append(line)
    return lines, [run.block for run in runs if _settle(run.block)]


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
    for k, column in enumerate(columns):
        cells = [c for row in kept for c, j in zip(row.cells, row.columns, strict=True) if j == k]
        column.percent = any(c.suffix == "%" for c in cells) and not any(c.currency for c in cells)
    if not kept or (len(kept) == 1 and len(kept[0].cells) < 2):
        return False
    block.first_line = block.rows[0].index
    block.last_line = block.rows[-1].index + 1
    return True
