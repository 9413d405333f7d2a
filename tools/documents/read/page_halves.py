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
"""Rows that each half has of its own."""
MIN_ALONE = 0.4
"""Share of all rows that stand beside no row of the other half: a table's rows go on over its whole width."""
MIN_DISTINCT = 0.8
"""Share of a half's labels that differ: a column of words repeats a few."""
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
    halves: tuple[dict[int, str], dict[int, str]] = ({}, {})
    for number in range(band.first, band.last + 1):
        for half, rows in enumerate(halves):
            own = [piece for piece in lines[number] if (piece.left > band.middle) == bool(half)]
            if len(own) > 1 and own[0].is_label and any(piece.is_figure for piece in own[1:]):
                rows[number] = own[0].text
    if any(len(rows) < MIN_ROWS or len({*rows.values()}) < MIN_DISTINCT * len(rows) for rows in halves):
        return False
    left, right = set(halves[0]), set(halves[1])
    return len(left ^ right) >= MIN_ALONE * len(left | right)
