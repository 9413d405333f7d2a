"""One line of layout text taken apart: a label at the left, then cells with their horizontal positions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

CellKind = Literal["figure", "nil", "void", "text"]

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_SUFFIX = r"%|ppts?|pts?|bps|basis points|x|years?|months?|days?"
_FIGURE = re.compile(
    rf"(?P<currency>[$€£¥]\s*)?(?P<open>\(\s*)?(?:(?P<minus>[-−–])(?=[$\d.]))?(?P<inner>[$€£¥]\s*)?"
    rf"(?P<number>{_NUMBER})(?P<close>\s*\))?\s*(?P<suffix>{_SUFFIX})?(?P<late>\s*\))?"
)
_NIL = re.compile(r"(?P<currency>[$€£¥]\s*)?[-—–−―]{1,2}\s*(?P<suffix>%|pts?|ppts?)?")
_VOID = re.compile(r"(?:n/?m|n/?a|nm|not meaningful|\*{1,2}|#|\.{2,})", re.IGNORECASE)
_RANGE = re.compile(rf"\$?(?=[\d.]*[.%])(?:{_NUMBER})\s*%?\s*[-–—]\s*\$?(?:{_NUMBER})\s*%?")
_FOOTNOTE_TAIL = re.compile(r"(?<=[\d%)—–])\s?\(\d\)$|(?<=[\d%)])\s?[¹²³⁴⁵⁶⁷⁸⁹*]+$")
_LETTER_TAIL = re.compile(r"(?<=[\w%)—–])(?:\s?\([a-z]{1,2}\))+$")
_LETTER_MARKS = re.compile(r"(?:\([a-z]{1,2}\)\s*)+")
_GLUED = re.compile(r"^(?P<text>.*[a-z.)])(?P<figure>\(?(?:\d{1,3}(?:,\d{3})+)\)?)$")
MAX_RANGE_GAP = 3
"""Blanks before the dash of a range '36% -53%'; a dash at a figure that stands farther off is its minus sign."""
_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of a line between wide gaps, by character columns [start, end)."""

    kind: CellKind
    """'void' is 'N/M', '*', '36% - 53%' and the like: a column is taken, nothing is stated."""
    text: str
    start: int
    end: int
    value: str = ""
    """Plain decimal of a figure, sign included; '0' for a nil."""
    currency: str = ""
    """ISO code of a currency sign printed with it."""
    suffix: str = ""
    """'%', 'pts', 'x', ..."""
    left: int = 0
    """Start of the digits or brackets, without the currency sign."""

    @property
    def center(self) -> float:
        """Middle of the cell, in character columns."""
        return (self.start + self.end) / 2


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the page, taken apart."""

    index: int
    """In the lines of the page's layout."""
    raw: str
    cells: tuple[Cell, ...]
    """All of it, in order; the first is the label where it is text at the left."""

    @property
    def blank(self) -> bool:
        """True if nothing is printed on it."""
        return not self.cells

    @property
    def indent(self) -> int:
        """First printed column."""
        return self.cells[0].start if self.cells else 0

    @property
    def text(self) -> str:
        """Printed text with gaps closed."""
        return " ".join(self.raw.split())


def read_figure(text: str, start: int) -> Cell | None:
    """A cell whose whole text is one figure, a nil dash or a void mark; None for anything else."""
    text = _LETTER_TAIL.sub("", text)
    bare = _FOOTNOTE_TAIL.sub("", text)
    match = _FIGURE.fullmatch(bare)
    if match is not None:
        closed = bool(match["close"] or match["late"])
        if bool(match["open"]) != closed:
            return None
        value = match["number"].replace(",", "")
        if value.startswith("."):
            value = f"0{value}"
        if closed or match["minus"]:
            value = f"-{value}"
        sign = (match["currency"] or match["inner"] or "").strip()
        offset = len(match["currency"] or "")
        return Cell(
            "figure", text, start, start + len(text), value, _CURRENCIES.get(sign, ""), match["suffix"] or "",
            start + offset,
        )  # fmt: skip
    match = _NIL.fullmatch(bare)
    if match is not None:
        sign = (match["currency"] or "").strip()
        return Cell(
            "nil", text, start, start + len(text), "0", _CURRENCIES.get(sign, ""), match["suffix"] or "",
            start + len(match["currency"] or ""),
        )  # fmt: skip
    if _VOID.fullmatch(bare) or _RANGE.fullmatch(bare):
        return Cell("void", text, start, start + len(text), left=start)
    return None


def _join_parts(parts: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Currency signs, opening and closing brackets and percent signs in columns of their own rejoin their
    figure."""
    joined: list[tuple[str, int]] = []
    for text, start in parts:
        if joined:
            last, last_start = joined[-1]
            gap = " " * (start - last_start - len(last))
            dash = re.match(r"[–-](\s?)[$\d]", text) if re.search(r"[\d%]$", last) else None
            if dash is not None and (dash[1] or len(gap) <= MAX_RANGE_GAP):
                joined[-1] = (last + gap + text, last_start)
                continue
            opens = (
                re.match(r"[\d(.—–-]", text) is not None
                and re.fullmatch(r"[$€£¥]?\s*\(?|\(\s*[$€£¥]?", last) is not None
            )
            closes = re.fullmatch(r"\)|%|\)\s*%|%\s*\)", text) is not None
            if opens or (closes and re.search(r"[\d—–]\)?$", last)):
                joined[-1] = (last + gap + text, last_start)
                continue
        tail = re.fullmatch(r"(?P<text>.*\S)\s?(?P<sign>[$€£¥]\s*\(?)", text)
        if tail is not None:
            joined.append((tail["text"], start))
            joined.append((tail["sign"], start + tail.start("sign")))
        else:
            joined.append((text, start))
    return joined


def _single_spaced(text: str, start: int) -> list[Cell] | None:
    """Figures printed one space apart, as in very tight columns; None unless every piece is one."""
    pieces = list(re.finditer(r"[$€£¥]\s*\(?[\d,.]+\)?%?|\(?[\d,.]+\)?\s?%?|—", text))
    if len(pieces) < 2 or "".join(p.group().replace(" ", "") for p in pieces) != text.replace(" ", ""):
        return None
    cells = []
    for piece in pieces:
        cell = read_figure(piece.group().strip(), start + piece.start())
        if cell is None:
            return None
        cells.append(cell)
    return cells


def split_line(raw: str, index: int) -> Line:
    """A layout line as cells: pieces two or more spaces apart, figures recognised. Footnotes' letters behind figures,
    and such as stand alone on a line above theirs, are no cells."""
    raw = raw.replace("\t", "    ").replace("\u00a0", " ").replace("\u200b", "").rstrip()
    if _LETTER_MARKS.fullmatch(raw.strip()):
        return Line(index, raw, ())
    parts = [(m.group(), m.start()) for m in re.finditer(r"\S+(?: \S+)*", raw)]
    cells: list[Cell] = []
    for text, start in _join_parts(parts):
        figure = read_figure(text, start)
        if figure is not None:
            cells.append(figure)
            continue
        if cells and cells[-1].kind != "text" and _LETTER_MARKS.fullmatch(text):
            continue  # a footnote's, of the figure before it
        several = _single_spaced(text, start)
        if several is not None:
            cells.extend(several)
            continue
        glued = _GLUED.match(text) if not cells else None
        if glued is not None:
            number = read_figure(glued["figure"], start + glued.start("figure"))
            if number is not None:
                cells.append(Cell("text", glued["text"], start, start + glued.end("text")))
                cells.append(number)
                continue
        cells.append(Cell("text", text, start, start + len(text)))
    return Line(index, raw, tuple(cells))
