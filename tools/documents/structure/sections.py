"""A filing's lines as blocks: headings, sentences, rows and tables, each with its section."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from tools.documents.structure.noise import Line
from tools.documents.text.cleaning import join_lines, joined_ends, sentences, squeeze

_PART = re.compile(r"part\s+([IVX]+)\b\s*(?:[.:,—–-]+\s*)?(.*)", re.IGNORECASE)
_ITEM = re.compile(r"item\s+(\d+[AB]?)\b\s*(?:[.:—–-]+\s*)?(.*)", re.IGNORECASE)
_NOTE = re.compile(r"note\s+\d+[A-Z]?\b(?:\s*[.:—–-])?.*", re.IGNORECASE)
_MARKDOWN = re.compile(r"(#{1,6})\s+(.*\S)\s*#*")
_BULLET = re.compile(r"[•●▪■◦‣·*+–—-]\s+(?=\S)|\((?:[a-z]|[ivx]+|\d{1,2})\)\s")
_FIGURE = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?\)?%?(?!\w)|(?<!\S)[—–](?!\S)")
_LEDGER = re.compile(r"[$(\s]*\d[\d,.]*\)?\s+[A-Z]")
_CLOSED = re.compile(r"[.!?:;][\"'”’)\]]*$")
_GOES_ON = re.compile(r"[a-z]{2}")
FULL_LINE = 60
"""Characters from which a line may have been broken where the page ends, in the middle of a sentence."""
_COLUMN_HEADER = re.compile(
    r"\b(?:months?|weeks?|quarters?|years?)\s+ended\b|\bas\s+of\b|^\W*in\s+(?:thou|mill|bill)", re.I
)
_SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "or",
        "per",
        "the",
        "to",
        "under",
        "vs",
        "with",
        "our",
        "its",
    ]
)
_SHORT_TITLES = (
    (re.compile(r"management.s\s+discussion\s+and\s+analysis", re.I), "MD&A"),
    (re.compile(r"quantitative\s+and\s+qualitative\s+disclosures?", re.I), "Market Risk Disclosures"),
    (re.compile(r"unregistered\s+sales\s+of\s+equity", re.I), "Unregistered Sales of Equity Securities"),
)


Sentence = tuple[str, tuple[int, ...], bool]
"""(sentence or row, its pages, does a line end before it)."""


@dataclass(slots=True)
class Block:
    """A run of text that is not cut by a heading or a table, or one table."""

    section: str
    kind: Literal["prose", "table"]
    pieces: list[Sentence] = field(default_factory=list)
    """Of prose."""
    table: int | None = None
    """Index of the table, of a table."""
    page: int = 0


def read_blocks(
    lines: Sequence[Line], cover_pages: int = 0, contents: Collection[str] = frozenset()
) -> list[Block]:
    """The blocks of a document's lines, in order.

    Sections read 'Part I, Item 2 - MD&A > Gross Margin': part and item from their own lines, below them the
    title that the `contents` list (in lower case), the note or capitalised heading, and the last other
    heading. A heading directly under another stands below it. The first `cover_pages` pages have no headings,
    only names and addresses that look like them.
    """
    trail = _Trail(contents)
    blocks: list[Block] = []
    paragraph: list[Line] = []

    def close(section: str) -> None:
        if paragraph:
            _add_prose(blocks, section, paragraph)
            paragraph.clear()

    printed = [i for i, line in enumerate(lines) if line.table is not None or line.text.strip()]
    for n, i in enumerate(printed):
        line, section = lines[i], trail.path()
        if line.table is not None:
            close(section)
            blocks.append(Block(section, "table", table=line.table, page=line.page))
            trail.body()
            continue
        before = lines[printed[n - 1]] if n else None
        after = lines[printed[n + 1]] if n + 1 < len(printed) else None
        text = squeeze(line.text)
        if trail.enter_division(text) or (
            line.page > cover_pages
            and _is_heading(text, before, after, trail.just_headed)
            and trail.enter(text)
        ):
            close(section)
            continue
        trail.body()
        if paragraph and _starts_anew(text, paragraph[-1], gap=i > printed[n - 1] + 1):
            close(section)
        paragraph.append(line)
    close(trail.path())
    return blocks


class _Trail:
    """Where in the document the reader is: part, item, note or capitalised heading, heading."""

    def __init__(self, contents: Collection[str]) -> None:
        self._contents = contents
        self._part = self._item = ""
        self._levels: list[tuple[int, str]] = []
        self.just_headed = False

    def enter_division(self, text: str) -> bool:
        """Take in a line 'PART I ...' or 'Item 2. ...'; False if it is neither."""
        if part := _PART.fullmatch(text):
            if not _division_title(part[2]):
                return False
            if item := _ITEM.search(part[2]):
                self._set_item(item[1], item[2])
            self._part = f"Part {part[1].upper()}"
            self._levels = []
        elif item := _ITEM.fullmatch(text):
            if not _division_title(item[2]):
                return False
            self._set_item(item[1], item[2])
        else:
            return False
        self.just_headed = True
        return True

    def _set_item(self, number: str, title: str) -> None:
        title = title.strip(" .—–-")
        for pattern, short in _SHORT_TITLES:
            if pattern.search(title):
                title = short
        if self._item.startswith(f"Item {number.upper()}") and not title:
            return
        self._item = f"Item {number.upper()}" + (f" - {_readable(title)}" if title else "")
        self._levels = []

    def enter(self, text: str) -> bool:
        """Take in a heading; always True."""
        markdown = _MARKDOWN.fullmatch(text)
        if markdown:
            level, title = len(markdown[1]), markdown[2]
        else:
            capitals = (
                re.sub(r"\((?:U|u)naudited\)", "", text).isupper() and len(re.findall(r"[A-Z]", text)) > 3
            )
            level, title = (1 if _NOTE.fullmatch(text) else 2 if capitals else 3), text
            level = 0 if text.lower() in self._contents else level
        last = self._levels[-1] if self._levels else None
        if not markdown and self.just_headed and last is not None and last[0] >= level:
            level = last[0] + 1
        self._levels = [*[(n, t) for n, t in self._levels if n < level][-3:], (level, _readable(title))]
        self.just_headed = True
        return True

    def body(self) -> None:
        self.just_headed = False

    def path(self) -> str:
        """The section's name, '' before the first heading."""
        division = ", ".join(filter(None, [self._part, self._item]))
        return " > ".join(filter(None, [division, *(title for _, title in self._levels)]))


def _division_title(rest: str) -> bool:
    """Is what follows 'Item 2.' a title? A sentence that begins so refers to the item."""
    return (
        len(rest) < 200
        and not re.match(r"[a-z,;)”’]|of\b|and\b", rest)
        and not re.search(r"[a-z]\.\s+[A-Z]", rest)
    )


def _readable(title: str) -> str:
    """A title without its closing mark; capitals throughout become words with capitals."""
    title = re.sub(r"\s*\(unaudited\)\s*$", "", title.strip(" :—–-"), flags=re.IGNORECASE)
    if not title.isupper() or len(title) < 5:
        return title
    words = title.lower().split()
    return " ".join(
        w if w in _SMALL and i else re.sub(r"[a-z]", _upper, w, count=1) for i, w in enumerate(words)
    )


def _upper(match: re.Match[str]) -> str:
    return match[0].upper()


def _is_heading(text: str, before: Line | None, after: Line | None, follows_heading: bool) -> bool:
    """A short line in title case between finished text and text that begins anew."""
    if _MARKDOWN.fullmatch(text):
        return True
    if after is None or not _could_head(text):
        return False
    note = _NOTE.fullmatch(text) is not None
    if _holds_figures(text, note):
        return False
    words = re.findall(r"[^\W\d_][\w'’&-]*", text)
    telling = [w for w in words if w.lower() not in _SMALL]
    if len(words) > 14 or not telling:
        return False
    capitalised = sum(w[:2] != w[:2].lower() for w in telling) / len(telling)
    # In sentence case only a few words above a full line are taken for a heading.
    plain_case = len(words) <= 8 and after.table is None and len(after.text) >= 60 and not follows_heading
    if capitalised < 0.7 and not note and not plain_case:
        return False
    if not _begins_anew(after):
        return False
    return before is None or before.table is not None or follows_heading or _is_finished(before, text)


def _could_head(text: str) -> bool:
    """Short, with a word, begun like a title, not closed like a sentence; no bullet and no amount of money."""
    if len(text) > 110 or not re.match(r"[A-Z0-9“\"]|[a-z][A-Z]", text):
        return False
    if not re.search(r"[A-Za-z]{3}", text):
        return False
    return not (re.search(r"[.;,:]$", text) or _BULLET.match(text) or "$" in text)


def _holds_figures(text: str, note: bool) -> bool:
    """Is the line a row, a column header or a ledger's line? A note's heading may name figures."""
    if not note and len(_FIGURE.findall(text)) >= 2:
        return True
    return _COLUMN_HEADER.search(text) is not None or _LEDGER.match(text) is not None


def _begins_anew(after: Line) -> bool:
    return after.table is not None or not re.match(r"\s*(?![a-z][A-Z])[a-z,;)]", after.text)


def _is_finished(before: Line, text: str) -> bool:
    previous = squeeze(before.text)
    return (
        bool(_CLOSED.search(previous))
        or _is_row(previous)
        or bool(_LEDGER.match(previous))
        or _NOTE.fullmatch(text) is not None
    )


def _is_row(text: str) -> bool:
    """A line of figures that is no part of a sentence (a row of a table that was not recognised as one), or
    the key of a chart."""
    if "■" in text:
        return True
    figures = _FIGURE.findall(text)
    words = re.findall(r"[A-Za-z]{2,}", text)
    return len(figures) >= 2 and len(words) <= 3 * len(figures) and not re.search(r"[.;]$", text)


def _starts_anew(text: str, previous: Line, gap: bool) -> bool:
    """Does a paragraph begin with this line?"""
    last = squeeze(previous.text)
    if len(last) >= FULL_LINE and _GOES_ON.match(text) and not _CLOSED.search(last):
        return False
    if _BULLET.match(text) or _is_row(text) or _is_row(last):
        return True
    closed = bool(_CLOSED.search(last))
    if _LEDGER.match(text) and (closed or _LEDGER.match(last)):
        return True
    return closed and (gap or len(last) < 90) and bool(re.match(r"[^a-z]", text))


def _add_prose(blocks: list[Block], section: str, paragraph: Sequence[Line]) -> None:
    """Append a paragraph's sentences, with the pages they stand on, to the block of its section."""
    if not blocks or blocks[-1].kind != "prose" or blocks[-1].section != section:
        blocks.append(Block(section, "prose", page=paragraph[0].page))
    text = join_lines([line.text for line in paragraph])
    ends = list(_page_ends(paragraph))
    at = now = 0
    for n, sentence in enumerate(sentences(text)):
        stop = at + len(sentence)
        while ends[now][1] <= at:
            now += 1
        first = ends[now][0]
        last = next((page for page, end in ends[now:] if stop <= end), ends[-1][0])
        blocks[-1].pieces.append((sentence, (first,) if first == last else (first, last), n == 0))
        at = stop + 1


def _page_ends(paragraph: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """(page, length of the joined text up to that page's end); that of the last page has no end."""
    ends = joined_ends([line.text for line in paragraph])
    for (line, end), (following, _) in pairwise(zip(paragraph, ends, strict=True)):
        if following.page != line.page:
            yield line.page, end
    yield paragraph[-1].page, ends[-1] + 1_000_000
