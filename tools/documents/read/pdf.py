"""A PDF page's words, set in lines as printed: once as plain text, once with columns kept apart by spaces.

Words come from PDFium with their places on the page; everything else is geometry. Lengths are in points.
"""

from __future__ import annotations

import ctypes
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pypdfium2.raw as pdfium

from tools.documents.read.page_halves import Piece, find_halves
from tools.documents.read.page_layout import (
    LETTER_MARK,
    WORD_GAP,
    PrintedLine,
    Word,
    fine_unit,
    is_figure,
    pieces_of,
    set_lines,
    usual_unit,
)
from tools.documents.text.cleaning import clean

Turn = Callable[[float, float], tuple[float, float]]

_SOFT_HYPHENS = frozenset("\u00ad\ufffe\u0002")
LINE_HEIGHT = 0.9
"""A character's size in parts of the height from its font's lowest to its highest stroke; the size that the font is
called by says nothing where a page is scaled."""
LINE_ENDS = ("\r", "\n")
SAME_BASE = 0.2
"""Distance of two words on one baseline, in parts of their size: rounding, and marks that are hardly raised."""
LEVEL = 0.02
"""The same of words that stand neither higher nor lower, but for rounding."""
SAME_LINE = 0.6
"""The same where the words stand side by side."""
MARK_SIZE = 0.8
"""Size of the largest footnote marks, in parts of a page's usual size."""
MARK_GAP = 2.0
"""Widest gap before a mark in brackets, in parts of the size: it may stand behind the room of a percent sign."""


def page_texts(page: Any) -> tuple[str, str]:
    """Text and layout of a `pypdfium2.PdfPage`: the same lines, one to one, cleaned by `text.clean`."""
    return set_words(read_words(page))


def set_words(words: Sequence[Word]) -> tuple[str, str]:
    """Text and layout of words in the order of the page's content."""
    lines = _lines(_cleaned(words))
    unit = usual_unit(lines)
    parts = [set_lines(part, fine_unit(part, unit)) for part in _in_parts(lines)]
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
    beside = [
        (mark, next((line for line in lines if _marks(mark, line) or _is_level(mark, line)), None))
        for mark in marks
    ]
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


def _is_level(word: Word, line: Sequence[Word]) -> bool:
    """True for a small word that is no mark: neither raised nor lowered."""
    level = abs(word.base - line[0].base) <= LEVEL * word.size
    return level and not any(w.left < word.right and word.left < w.right for w in line)


def _marks(mark: Word, line: Sequence[Word]) -> bool:
    """True if a small word is set right behind or before a word of the line, raised or lowered, and under none: the
    small print below a large name is a line of its own."""
    size, middle = line[0].size, (mark.left + mark.right) / 2
    if abs(mark.base - line[0].base) > SAME_LINE * size or any(w.left < middle < w.right for w in line):
        return False
    if LETTER_MARK.fullmatch(mark.text) and any(0 <= mark.left - w.right < MARK_GAP * size for w in line):
        return True
    return any(min(abs(mark.left - w.right), abs(w.left - mark.right)) < SAME_LINE * size for w in line)


def _in_parts(lines: Sequence[PrintedLine]) -> list[Sequence[PrintedLine]]:
    """The lines in the order in which they are read: of what stands side by side the left half first."""
    pieces = [[Piece(p.text, p.left, p.right, is_figure(p.text)) for p in pieces_of(line)] for line in lines]
    parts: list[tuple[int, int, Sequence[PrintedLine]]] = []
    todo = [(0, len(lines))]
    while todo:
        first, end = todo.pop()
        band = find_halves(pieces[first:end])
        if band is None:
            parts.append((first, 0, lines[first:end]))
            continue
        start, stop = first + band.first, first + band.last + 1
        words = [word for line in lines[start:stop] for word in line.words]
        halves = [_lines([w for w in words if (w.left > band.middle) == right]) for right in (False, True)]
        parts += [(start, half, own) for half, own in enumerate(halves)]
        todo += [(first, start), (stop, end)]
    return [part for _, _, part in sorted(parts, key=lambda each: each[:2]) if part] or [lines]
