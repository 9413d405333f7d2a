"""Two tables, or a table and text, side by side on a page: the lines of one half before those of the other.

A blank strip runs down between the halves. So it does between the labels and the figures of one table; two tables
are told by rows of their own, each a label with figures, that often stand beside none of the other half, under
names of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

MIN_ROWS = 4
"""Rows, or rows and lines of running text, that each half has of its own."""
MIN_ALONE = 0.4
"""Share of all rows that stand beside no row of the other half: a table's rows go on over its whole width."""
MIN_DISTINCT = 0.4
"""Share of a half's labels that differ: a column of words repeats a few, several tables below each other some."""
MIN_TEXT = 8
"""Lines of running text of each half where neither holds rows."""
MIN_WIDTH = 0.6
"""Part of its half that a line of running text fills."""
MIDDLE = (0.45, 0.55)
"""Part of the width in which the right half begins: pages of two columns are halved."""
MARGIN = 12.0
"""Points by which the labels of a half may be set in, and its figures stand out."""
STRIP = 6.0
"""Least width in points of the strip."""
ROUNDING = 1.0
"""Points by which a rounded edge may lie too far right."""
MAX_EDGES = 40
"""Places tried, those of most labels: bounds the work on hostile pages."""
MIN_LETTERS = 3
"""Of a label."""


class Piece(NamedTuple):
    """A cell of a table, or a line of running text; places in points."""

    text: str
    left: float
    right: float
    is_figure: bool

    @property
    def is_label(self) -> bool:
        """True for words that may name a row."""
        return not self.is_figure and sum(map(str.isalpha, self.text)) >= MIN_LETTERS


class Band(NamedTuple):
    """Lines that fall into two halves."""

    first: int
    last: int
    """Its last line."""
    middle: float
    """Where the right half begins."""


def find_halves(lines: Sequence[Sequence[Piece]]) -> Band | None:
    """The longest run of lines that stand side by side; None where a page is one whole. `lines`: their pieces,
    from left to right."""
    pieces = [piece for line in lines for piece in line]
    if len(lines) < 2 * MIN_ROWS or not pieces:
        return None
    start, end = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    low, high = (start + part * (end - start) for part in MIDDLE)
    edges = Counter(round(piece.left) for piece in pieces if piece.is_label and low < piece.left < high)
    best: Band | None = None
    for edge in sorted(edge for edge, _ in edges.most_common(MAX_EDGES)):
        if sum(count for other, count in edges.items() if 0 <= other - edge <= MARGIN) < MIN_ROWS:
            continue
        for band in _runs(lines, edge - STRIP / 2):
            longer = best is None or band.last - band.first > best.last - best.first
            if longer and _are_two(lines, band):
                best = band
    return best


def _runs(lines: Sequence[Sequence[Piece]], place: float) -> list[Band]:
    """Consecutive lines that leave the strip free, where there are enough for two tables."""
    runs: list[Band] = []
    first = 0
    for number in range(len(lines) + 1):
        inside = number < len(lines) and not any(
            piece.left < place + STRIP / 2 - ROUNDING and piece.right > place - STRIP / 2
            for piece in lines[number]
        )
        if not inside:
            if number - first >= 2 * MIN_ROWS:
                runs.append(Band(first, number - 1, place))
            first = number + 1
    return runs


def _are_two(lines: Sequence[Sequence[Piece]], band: Band) -> bool:
    own = [
        [
            [piece for piece in line if (piece.left > band.middle) == right]
            for line in lines[band.first : band.last + 1]
        ]
        for right in (False, True)
    ]
    left, right = (_rows(half) for half in own)
    both_text = not left and not right
    for half, rows in zip(own, (left, right), strict=True):
        found = len(rows) + _text_lines(half)
        if found < (MIN_TEXT if both_text else MIN_ROWS) or len({*rows.values()}) < MIN_DISTINCT * len(rows):
            return False
    return len(left.keys() ^ right.keys()) >= MIN_ALONE * len(left.keys() | right.keys())


def _rows(half: Sequence[Sequence[Piece]]) -> dict[int, str]:
    """Labels of the rows of a half, by line."""
    return {
        number: own[0].text
        for number, own in enumerate(half)
        if len(own) > 1 and own[0].is_label and any(piece.is_figure for piece in own[1:])
    }


def _text_lines(half: Sequence[Sequence[Piece]]) -> int:
    """Number of lines of running text in a half: nearly as wide as it is, and going on from the line above or in the
    line below."""
    printed = [own for own in half if own]
    width = max((own[-1].right for own in printed), default=0.0) - min(
        (own[0].left for own in printed), default=0.0
    )
    wide = [len(own) == 1 and own[0].right - own[0].left > MIN_WIDTH * width for own in printed]
    low = [own[0].text[0].islower() for own in printed]
    return sum(full and (low[k] or any(low[k + 1 : k + 2])) for k, full in enumerate(wide))
