"""A PDF page's words, set in lines as printed: once as plain text, once with columns kept apart by spaces.

Words come from PDFium with their places on the page; everything else is geometry. Lengths are in points.
"""

from __future__ import annotations

import ctypes
import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pypdfium2.raw as pdfium

from tools.documents.read.page_halves import Piece, find_halves
from tools.documents.text.cleaning import clean

Turn = Callable[[float, float], tuple[float, float]]

_SOFT_HYPHENS = frozenset("\u00ad\ufffe\u0002")
_FIGURE = re.compile(
    r"[$€£¥(]*\s?[-–—−]?\s?[$€£¥(]*\s?\d[\d,.]*\s?\)?\s?%?\s?\)?|[$€£¥]?\s?[—–-]+\s?%?|[$€£¥]|\)|%|\)%"
)
LINE_HEIGHT = 0.9
"""A character's size in parts of the height from its font's lowest to its highest stroke; the size that the font is
called by says nothing where a page is scaled."""
_CURRENCIES = "$€£¥"
LINE_ENDS = ("\r", "\n")
WORD_GAP = 0.15
"""Widest gap inside a word, in parts of its size: some producers place every letter by itself."""
COLUMN_GAP = 1.0
"""Gap from which words stand in columns of their own, in parts of their size; a space is a quarter to a third."""
FIGURE_GAP = 0.62
"""The same between figures, whose columns may stand close together."""
SAME_BASE = 0.2
"""Distance of two words on one baseline, in parts of their size: rounding, and marks that are hardly raised."""
SAME_LINE = 0.6
"""The same where the words stand side by side."""
MARK_SIZE = 0.8
"""Size of the largest footnote marks, in parts of a page's usual size."""
PARAGRAPH_GAP = 1.7
"""Distance of two baselines from which a blank line stands between, in parts of the size."""
MAX_BLANK_LINES = 3
MAX_FIGURE = 40
"""Characters of the longest printed figure."""
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


def page_texts(page: Any) -> tuple[str, str]:
    """Text and layout of a `pypdfium2.PdfPage`: the same lines, one to one, cleaned by `text.clean`."""
    return set_words(read_words(page))


def set_words(words: Sequence[Word]) -> tuple[str, str]:
    """Text and layout of words in the order of the page's content."""
    lines = _lines(_cleaned(words))
    unit = _unit(lines)
    parts = [_set_lines(part, unit) for part in _in_parts(lines)]
    return "\n\n".join(text for text, _ in parts), "\n\n".join(layout for _, layout in parts)


def read_words(page: Any) -> list[Word]:
    """The words of a page in the order of its content, placed as on the page held upright."""
    x0, y0, x1, y1 = page.get_mediabox()
    upright = _turns(x1 - x0, y1 - y0)[page.get_rotation()]
    textpage = page.get_textpage()
    try:
        return list(_words(textpage.raw, upright))
    finally:
        textpage.close()


def _turns(width: float, height: float) -> dict[int, Turn]:
    """Degrees by which a page is shown turned -> from its own places to those that a reader sees."""
    return {
        0: lambda x, y: (x, y),
        90: lambda x, y: (y, width - x),
        180: lambda x, y: (width - x, height - y),
        270: lambda x, y: (height - y, x),
    }


def _words(textpage: Any, upright: Turn) -> Iterator[Word]:
    box = pdfium.FS_RECTF()  # with the room that a character takes up: a '1' is as wide as an '8'
    x, y = ctypes.c_double(), ctypes.c_double()
    text, start, end, base, size = "", 0.0, 0.0, 0.0, 0.0
    for k in range(pdfium.FPDFText_CountChars(textpage)):
        code = pdfium.FPDFText_GetUnicode(textpage, k)
        character = chr(code) if 0 < code < 0x110000 else ""
        if character in LINE_ENDS and pdfium.FPDFText_IsGenerated(textpage, k) == 1:
            continue  # a guess: where the next character stands tells
        if not character or character.isspace():
            if text:
                yield Word(text, start, end, base, size)
            text = ""
            continue
        pdfium.FPDFText_GetLooseCharBox(textpage, k, box)
        pdfium.FPDFText_GetCharOrigin(textpage, k, x, y)
        (one, low), (other, high) = upright(box.left, box.bottom), upright(box.right, box.top)
        left, right = min(one, other), max(one, other)
        foot = upright(x.value, y.value)[1]
        height = max(LINE_HEIGHT * abs(high - low), 1.0)
        apart = left - end > WORD_GAP * height or left < start - height
        if text and (apart or abs(foot - base) > SAME_BASE * height):
            yield Word(text, start, end, base, size)
            text = ""
        if not text:
            start, base, size = left, foot, height
        text += character
        end = right
    if text:
        yield Word(text, start, end, base, size)


def _cleaned(words: Sequence[Word]) -> list[Word]:
    """Words without what nobody sees; a word that a soft hyphen breaks is made whole on its first line."""
    whole: list[Word] = []
    for word in words:
        if whole and whole[-1].text[-1] in _SOFT_HYPHENS and word.base < whole[-1].base:
            whole[-1] = replace(whole[-1], text=whole[-1].text[:-1] + word.text)
        else:
            whole.append(word)
    cleaned = (replace(word, text=clean(word.text).strip()) for word in whole)
    return [word for word in cleaned if word.text]


def _lines(words: Sequence[Word]) -> list[PrintedLine]:
    """Words put on lines, from the top of the page down; small ones, as footnote marks are, after the others."""
    usual = statistics.median(word.size for word in words) if words else 0.0
    lines: list[list[Word]] = []
    marks: list[Word] = []
    for word in sorted(words, key=lambda w: (w.size < MARK_SIZE * usual, -w.base, w.left)):
        if word.size < MARK_SIZE * usual:
            marks.append(word)
        else:
            _put(word, lines)
    beside = [(mark, next((line for line in lines if _marks(mark, line)), None)) for mark in marks]
    small: list[list[Word]] = []
    for mark, line in beside:
        if line is None:
            _put(mark, small)
        else:
            line.append(mark)
    made = []
    for line in lines + small:
        size = max(word.size for word in line)
        base = statistics.median(word.base for word in line if word.size > MARK_SIZE * size)
        made.append(PrintedLine(tuple(sorted(line, key=lambda w: w.left)), base, size))
    return sorted(made, key=lambda line: -line.base)


def _put(word: Word, lines: list[list[Word]]) -> None:
    """Add a word to one of the last lines, or begin another with it."""
    line = next((x for x in reversed(lines[-3:]) if _on(word, x)), None)
    if line is None:
        lines.append([word])
    else:
        line.append(word)


def _on(word: Word, line: Sequence[Word]) -> bool:
    """True if a word stands on a line: on its baseline, or a little above or below it beside all of its words, as
    the figures of a row do whose cells are aligned at their middle."""
    size = max(word.size, line[-1].size)
    distance = abs(word.base - line[0].base)
    if min(distance, abs(word.base - line[-1].base)) <= SAME_BASE * size:
        return True
    return distance <= SAME_LINE * size and not any(w.left < word.right and word.left < w.right for w in line)


def _marks(mark: Word, line: Sequence[Word]) -> bool:
    """True if a small word is set right behind or before a word of the line, raised or lowered, and under none: the
    small print below a large name is a line of its own."""
    size, middle = line[0].size, (mark.left + mark.right) / 2
    if abs(mark.base - line[0].base) > SAME_LINE * size or any(w.left < middle < w.right for w in line):
        return False
    return any(min(abs(mark.left - w.right), abs(w.left - mark.right)) < SAME_LINE * size for w in line)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words a blank apart: a cell of a table, or a line of running text."""

    text: str
    left: float
    right: float


def _pieces(line: PrintedLine) -> list[_Piece]:
    groups: list[list[Word]] = []
    for word in line.words:
        before = groups[-1][-1] if groups else None
        if before is None or word.left - before.right > _widest_blank(before, word) * line.size:
            groups.append([word])
        else:
            groups[-1].append(word)
    return [_Piece(" ".join(w.text for w in g), g[0].left, max(w.right for w in g)) for g in groups]


def _widest_blank(before: Word, word: Word) -> float:
    if _is_figure(before.text) and word.text in _CURRENCIES and before.text not in _CURRENCIES:
        return WORD_GAP  # the sign belongs to the next figure
    return FIGURE_GAP if _is_figure(before.text) and _is_figure(word.text) else COLUMN_GAP


def _is_figure(text: str) -> bool:
    return len(text) <= MAX_FIGURE and _FIGURE.fullmatch(text) is not None


def _in_parts(lines: Sequence[PrintedLine]) -> list[Sequence[PrintedLine]]:
    """The lines in the order in which they are read: of what stands side by side the left half first."""
    pieces = [[Piece(p.text, p.left, p.right, _is_figure(p.text)) for p in _pieces(line)] for line in lines]
    parts: list[tuple[int, int, Sequence[PrintedLine]]] = []
    todo = [(0, len(lines))]
    while todo:
        first, end = todo.pop()
        band = find_halves(pieces[first:end])
        if band is None:
            parts.append((first, 0, lines[first:end]))
            continue
        start, stop = first + band.first, first + band.last + 1
        halves: tuple[list[PrintedLine], list[PrintedLine]] = ([], [])
        for line in lines[start:stop]:
            for half, own_lines in enumerate(halves):
                own = tuple(word for word in line.words if (word.left > band.middle) == bool(half))
                if own:
                    own_lines.append(replace(line, words=own))
        parts += [(start, half, own) for half, own in enumerate(halves)]
        todo += [(first, start), (stop, end)]
    return [part for _, _, part in sorted(parts, key=lambda each: each[:2]) if part] or [lines]


def _set_lines(lines: Sequence[PrintedLine], unit: float) -> tuple[str, str]:
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
        pieces = _pieces(line)
        plain.append(" ".join(piece.text for piece in pieces))
        layout.append(_set(pieces, start, unit))
        above = line
    return "\n".join(plain), "\n".join(layout)


def _unit(lines: Sequence[PrintedLine]) -> float:
    """Points a character of the layout: the usual width of the page's characters."""
    widths = [
        (w.right - w.left) / len(w.text)
        for line in lines
        for w in line.words
        if len(w.text) > 2 and w.right > w.left
    ]
    right = max((w.right for line in lines for w in line.words), default=0.0)
    return max(statistics.median(widths) if widths else 5.0, right / MAX_COLUMNS, 0.1)


def _set(pieces: Sequence[_Piece], start: float, unit: float) -> str:
    """Pieces at their places: figures by their right edge, what stands over columns by its middle, the rest by its
    left edge."""
    text = ""
    for k, piece in enumerate(pieces):
        left, right, length = (piece.left - start) / unit, (piece.right - start) / unit, len(piece.text)
        if _is_figure(piece.text):
            place = round(right) - length
        elif k or left > 40:
            place = round((left + right - length) / 2)
        else:
            place = round(left)
        text = text.ljust(max(place, len(text) + 2 if text else 0)) + piece.text
    return text
