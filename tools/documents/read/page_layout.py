"""Words on their lines, set as text: once plain, once with columns kept apart by spaces.

Lengths are in points.
"""

from __future__ import annotations

import itertools
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

LETTER_MARK = re.compile(r"\([a-z]{1,2}\)")
"""A footnote's."""
_FIGURE = re.compile(
    r"[$€£¥(]*\s?[-–—−]?\s?[$€£¥(]*\s?\d[\d,.]*\s?\)?\s?%?\s?\)?|[$€£¥]?\s?[—–-]+\s?%?|[$€£¥]|\)|%|\)%"
)
_CURRENCIES = "$€£¥"
WORD_GAP = 0.15
"""Widest gap inside a word, in parts of its size: some producers place every letter by itself."""
COLUMN_GAP = 1.0
"""Gap from which words stand in columns of their own, in parts of their size; a space is a quarter to a third."""
FIGURE_GAP = 0.62
"""The same between figures, whose columns may stand close together."""
PARAGRAPH_GAP = 1.7
"""Distance of two baselines from which a blank line stands between, in parts of the size."""
MAX_BLANK_LINES = 3
MAX_FIGURE = 40
"""Characters of the longest printed figure."""
FINEST_UNIT = 0.75
"""Least part of the usual width of a character that a character of the layout may stand for."""
MAX_COLUMNS = 400
"""Longest layout line in characters: wider pages are set closer."""


@dataclass(frozen=True, slots=True)
class Word:
    """Printed characters without a blank between them."""

    text: str
    left: float
    right: float
    base: float
    """Height of the baseline over the foot of the page."""
    size: float


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """Words on one baseline, from left to right."""

    words: tuple[Word, ...]
    base: float
    size: float


@dataclass(frozen=True, slots=True)
class PrintedPiece:
    """Words a blank apart: a cell of a table, or a line of running text."""

    text: str
    left: float
    right: float


def pieces_of(line: PrintedLine) -> list[PrintedPiece]:
    """The cells of a line."""
    groups: list[list[Word]] = []
    for word in line.words:
        before = groups[-1] if groups else None
        if before is None or word.left - before[-1].right > _widest_blank(before, word) * line.size:
            groups.append([word])
        else:
            before.append(word)
    return [PrintedPiece(" ".join(w.text for w in g), g[0].left, max(w.right for w in g)) for g in groups]


def _widest_blank(group: Sequence[Word], word: Word) -> float:
    before = group[-1]
    if LETTER_MARK.fullmatch(word.text) and all(is_figure(w.text) for w in group):
        return WORD_GAP  # the figure keeps its place
    if len(group) == 1 and LETTER_MARK.fullmatch(before.text) and is_figure(word.text):
        return WORD_GAP
    if is_figure(before.text) and word.text in _CURRENCIES and before.text not in _CURRENCIES:
        return WORD_GAP  # the sign belongs to the next figure
    return FIGURE_GAP if is_figure(before.text) and is_figure(word.text) else COLUMN_GAP


def is_figure(text: str) -> bool:
    """True for a figure, or a sign that is set apart from one."""
    return len(text) <= MAX_FIGURE and _FIGURE.fullmatch(text) is not None


def set_lines(lines: Sequence[PrintedLine], unit: float) -> tuple[str, str]:
    """Lines as plain text and as layout, blank lines where more than a line's height is left free. `unit`: points a
    character of the layout."""
    start = min((line.words[0].left for line in lines), default=0.0)
    plain: list[str] = []
    layout: list[str] = []
    above: PrintedLine | None = None
    for line in lines:
        if above is not None:
            free = (above.base - line.base) / max(line.size, 1.0)
            blanks = min(MAX_BLANK_LINES, int(free / PARAGRAPH_GAP)) if free > 0 else 1
            plain += [""] * blanks
            layout += [""] * blanks
        pieces = pieces_of(line)
        plain.append(" ".join(piece.text for piece in pieces))
        layout.append(_set(pieces, start, unit))
        above = line
    return "\n".join(plain), "\n".join(layout)


def usual_unit(lines: Sequence[PrintedLine]) -> float:
    """Points a character of the layout: the usual width of the page's characters."""
    widths = [
        (w.right - w.left) / len(w.text)
        for line in lines
        for w in line.words
        if len(w.text) > 2 and w.right > w.left
    ]
    right = max((w.right for line in lines for w in line.words), default=0.0)
    return max(statistics.median(widths) if widths else 5.0, right / MAX_COLUMNS, 0.1)


def fine_unit(lines: Sequence[PrintedLine], unit: float) -> float:
    """The unit, or so much less that no words push the figures behind them from their places."""
    finest = unit
    for line in lines:
        for piece, beside in itertools.pairwise(pieces_of(line)):
            if is_figure(beside.text) and not is_figure(piece.text):
                room = (beside.right - piece.left) / (len(piece.text) + len(beside.text) + 2)
                finest = min(finest, room)
    return max(finest, FINEST_UNIT * unit)


def _set(pieces: Sequence[PrintedPiece], start: float, unit: float) -> str:
    """Pieces at their places: figures by their right edge, what stands over columns by its middle, the rest by its
    left edge."""
    text = ""
    for k, piece in enumerate(pieces):
        left, right, length = (piece.left - start) / unit, (piece.right - start) / unit, len(piece.text)
        if is_figure(piece.text):
            place = round(right) - length
        elif k or left > 40:
            place = round((left + right - length) / 2)
        else:
            place = round(left)
        text = text.ljust(max(place, len(text) + 2 if text else 0)) + piece.text
    return text
