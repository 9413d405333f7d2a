"""Tables of a web page as printed lines: cells put into columns, '$' and '%' back beside their figures."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tools.documents.text.grid import Placed, lay_out_cells

_OPENS = re.compile(r"(?:[A-Z]{1,3})?[$€£¥]\s*\(?|\(\s*[$€£¥]?")
_CLOSES = re.compile(r"\)|\)?\s*%\s*\)?|\)?\s*(?:pts?|ppts?|bps)\.?\s*\)?")
_FIGURE = re.compile(r"[^\w\s]{0,4}\s*(?:\d[\d,.]*|[—–-])\s*[)%]*(?:\s*\(\w\))?")
_BEGINS_FIGURE = re.compile(r"[(\d.—–-]")
_ENDS_FIGURE = re.compile(r"[\d—–-]\)?$")
_MAX_SPAN = 1_000
"""Columns of a table; what stands beyond shares the last one."""
_MAX_TEXT = 400
"""Characters of a cell: a longer one is prose, and its table no table of figures."""
_MANY_BLOCKS = 2
_MAX_AREA = 2_000_000
"""Characters of a laid-out table, blanks included."""


@dataclass(slots=True)
class Words:
    """Text with single spaces, as it is collected, and the tags that stand in it."""

    text: str = ""
    marks: list[tuple[int, int, Any]] = field(default_factory=list)
    """(start, end, element)."""
    breaks: list[int] = field(default_factory=list)
    """Where blocks begin, beyond the first."""
    _parts: list[str] = field(default_factory=list)
    _length: int = 0
    _space: bool = False
    _paused: bool = False

    def add(self, text: str) -> None:
        """More text; blanks are folded, also across calls."""
        words = text.split()
        if words:
            lead = " " if self._length and (self._space or text[0].isspace()) else ""
            piece = lead + " ".join(words)
            if self._paused and self._length:
                self.breaks.append(self._length + len(lead))
            self._paused = False
            self._parts.append(piece)
            self._length += len(piece)
            self._space = text[-1].isspace()
        elif text:
            self._space = True

    def pause(self) -> None:
        """A break between blocks: what follows is another word."""
        self._space = self._paused = True

    @property
    def at(self) -> int:
        """Where text that is added without a blank will stand."""
        return self._length

    def close(self) -> Words:
        """Itself, its text and the places of its tags settled."""
        self.text = "".join(self._parts)
        settled = []
        for start, end, element in self.marks:
            inside = self.text[start:end]
            settled.append((start + len(inside) - len(inside.lstrip()), end, element))
        self.marks = settled
        return self


@dataclass(slots=True)
class Cell:
    """A cell of a table, and the columns of the source that it covers."""

    words: Words
    span: int = 1
    down: int = 1
    first: int = 0
    indent: int = 0
    """Blanks before its words, where it is the first of its row."""

    @property
    def last(self) -> int:
        return self.first + self.span - 1


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """One line of a page in both forms."""

    text: str
    layout: str
    marks: tuple[tuple[int, int, Any], ...] = ()
    """Places of tags in `layout`."""
    is_row: bool = False
    """Of a table that has columns to keep apart."""


def print_table(rows: Sequence[Sequence[Cell]]) -> list[PrintedLine]:
    """The lines of a table, one a row that holds anything.

    A table of figures is laid out in columns. Others (bullets beside their text, names and addresses, prose in
    frames) are plain lines.
    """
    placed = [_join(row) for row in _place(rows) if row]
    if not _holds_figures(placed):
        return [line for row in placed for line in _plain(row)]
    columns = _columns(placed)
    cells = _covered(placed, columns)
    laid = lay_out_cells(cells)
    if len(laid) * max(len(line) for line, _ in laid) > _MAX_AREA:
        return [line for row in placed for line in _plain(row)]
    return [
        PrintedLine(
            " ".join(cell.words.text for cell in row),
            line,
            tuple(
                (at + start, at + end, element)
                for cell, shown, at in zip(row, line_cells, starts, strict=True)
                for start, end, element in _moved(cell, len(shown.text) - len(cell.words.text))
            ),
            is_row=True,
        )
        for row, line_cells, (line, starts) in zip(placed, cells, laid, strict=True)
    ]


def _moved(cell: Cell, by: int) -> list[tuple[int, int, Any]]:
    return [(start + by, end + by, element) for start, end, element in cell.words.marks]


def _plain(row: Sequence[Cell]) -> list[PrintedLine]:
    """A row as one line; where its cells hold several blocks, as the lines of each cell in turn."""
    if not any(len(cell.words.breaks) >= _MANY_BLOCKS for cell in row):
        return [_line([(cell.words, 0, len(cell.words.text)) for cell in row])]
    pieces = []
    for cell in row:
        ends = [*cell.words.breaks, len(cell.words.text)]
        pieces += [(cell.words, start, end) for start, end in pairwise([0, *ends])]
    return [_line([piece]) for piece in pieces]


def _line(pieces: Sequence[tuple[Words, int, int]]) -> PrintedLine:
    """Parts of cells, one blank between two."""
    text = ""
    marks: list[tuple[int, int, Any]] = []
    for words, first, last in pieces:
        at = len(text) + 1 if text else 0
        text += (" " if text else "") + words.text[first:last].rstrip()
        inside = [mark for mark in words.marks if first <= mark[0] < last]
        marks += [(at + start - first, at + end - first, element) for start, end, element in inside]
    return PrintedLine(text, text, tuple(marks))


def _place(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """The cells that hold text, row by row, `first` filled: spans of cells beside and above counted."""
    placed: list[list[Cell]] = []
    held: list[tuple[int, int, int]] = []
    for row in rows:
        above = iter(sorted(held))
        nearest = next(above, None)
        column = 0
        kept: list[Cell] = []
        held = [(first, span, left - 1) for first, span, left in held if left > 1]
        for cell in row:
            while nearest is not None and nearest[0] <= column:
                column = max(column, nearest[0] + nearest[1])
                nearest = next(above, None)
            cell.first, cell.span = min(column, _MAX_SPAN), max(1, min(cell.span, _MAX_SPAN - column))
            column += cell.span
            if cell.down > 1 and column < _MAX_SPAN:
                held.append((cell.first, cell.span, min(cell.down, _MAX_SPAN) - 1))
            if cell.words.text:
                kept.append(cell)
        placed.append(kept)
    return placed


def _join(row: Sequence[Cell]) -> list[Cell]:
    """The row with signs of cells of their own ('$', '(', ')', '%') joined to their figures."""
    joined: list[Cell] = []
    for cell in row:
        last = joined[-1] if joined else None
        if last is not None and (
            (_OPENS.fullmatch(last.words.text) and _BEGINS_FIGURE.match(cell.words.text))
            or (_CLOSES.fullmatch(cell.words.text) and _ENDS_FIGURE.search(last.words.text))
        ):
            at = len(last.words.text)
            words = Words(last.words.text + cell.words.text, list(last.words.marks))
            words.marks += [(at + start, at + end, element) for start, end, element in cell.words.marks]
            joined[-1] = Cell(words, cell.last - last.first + 1, first=last.first, indent=last.indent)
        else:
            joined.append(cell)
    return joined


def _is_figure(cell: Cell) -> bool:
    return bool(cell.words.marks) or _FIGURE.fullmatch(cell.words.text) is not None


def _holds_figures(rows: Sequence[Sequence[Cell]]) -> bool:
    """True for a table with two rows of figures beside words, or one of several figures, and no prose in its
    cells."""
    if any(len(cell.words.text) > _MAX_TEXT for row in rows for cell in row):
        return False
    counts = [sum(_is_figure(cell) for cell in row[1:]) for row in rows]
    return sum(n > 0 for n in counts) >= 2 or max(counts, default=0) >= 2


def _columns(rows: Sequence[Sequence[Cell]]) -> list[tuple[int, int]]:
    """The printed columns, each the first and last column of the source that its cells cover.

    Figures decide, the narrow before the wide: cells of figures that overlap share a column, one that overlaps several
    stands over them. A cell of words makes a column of its own only where no figures stand under or over it.
    """
    found: list[tuple[int, int]] = []
    figures = {(c.first, c.last) for row in rows for c in row if c.first > 0 and _is_figure(c)}
    for first, last in sorted(figures, key=_narrow_first):
        over = _over(found, first, last)
        if not over:
            insort(found, (first, last))
        elif len(over) == 1:
            low, high = found[over[0]]
            found[over[0]] = (min(low, first), max(high, last))
    words = {(c.first, c.last) for row in rows for c in row}
    for first, last in sorted(words, key=_narrow_first):
        if not _over(found, first, last):
            insort(found, (first, last))
    return found


def _over(columns: Sequence[tuple[int, int]], first: int, last: int) -> range:
    """Which of these columns, in order and apart, a cell covers."""
    return range(
        bisect_left(columns, first, key=lambda column: column[1]),
        bisect_right(columns, last, key=lambda column: column[0]),
    )


def _narrow_first(span: tuple[int, int]) -> tuple[int, int]:
    return span[1] - span[0], span[0]


def _covered(rows: Sequence[Sequence[Cell]], columns: Sequence[tuple[int, int]]) -> list[list[Placed]]:
    """The cells of each row over the printed columns; no two of a row share one."""
    covered: list[list[tuple[Cell, int, int]]] = []
    for row in rows:
        covered.append([])
        free = 0
        for cell in row:
            over = [k for k in _over(columns, cell.first, cell.last) if k >= free] or [
                min(free, len(columns) - 1)
            ]
            covered[-1].append((cell, over[0], over[-1]))
            free = over[-1] + 1
    figures = {first for row in covered for cell, first, last in row if first == last and _is_figure(cell)}
    return [
        [
            Placed(" " * cell.indent * (not first) + cell.words.text, first, last, first not in figures)
            for cell, first, last in row
        ]
        for row in covered
    ]
