"""Lines that say nothing of the company: running headers, page numbers, contents, cover boilerplate,
signatures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from tools.documents.text.cleaning import squeeze

_TOP_LINES = 3
_PAGE_NUMBER = re.compile(
    r"(?:page\s+)?(?:[A-Z]-)?\d{1,3}(?:\s+of\s+\d{1,4})?|[-–—]\s*\d{1,3}\s*[-–—]", re.IGNORECASE
)
_CONTENTS_HEADING = re.compile(
    r"(?:table\s+of\s+contents|index|contents|.*cross-reference\s+index)", re.IGNORECASE
)
_CONTENTS_ENTRY = re.compile(
    r"(?=.*[A-Za-z]{3})[^$%]*[^\d$%.]\W*\s(?:pages?\s+)?(?:[A-Z]-)?\d{1,3}(?:\s*[-–,]\s*\d{1,3})*"
    r"|(?=.*\b(?:19|20)\d\d\s+\d{1,3}$)[^$%]*",
    re.IGNORECASE,
)
_CONTENTS_LABEL = re.compile(
    r"(?:page(?:\s+(?:no|number)s?\.?)?|part\s+[IVX]+\b.{0,60}|item\s+\d+[AB]?\..{0,120}|signatures?)", re.I
)
_SIGNATURES = re.compile(r"signatures?", re.IGNORECASE)
_EXHIBITS = re.compile(
    r"(?:item\s+\d+\.?\s*)?(?:[-–—]\s*)?exhibits?(?:\s+index)?(?:\s+and\s+financial\s+statement\s+schedules)?\.?",
    re.I,
)
_SIGNATURE_LINE = re.compile(
    r"/s/|\bsignatures?\b|^(?:by|date|name|title)\b\s*:|\bduly authorized|\bhereunto|power of attorney|"
    r"attorneys?-in-fact|"
    r"^(?:[\w,]+ ){0,5}(?:officer|director|president|chair\w*|controller|treasurer|secretary)\b.{0,40}$",
    re.IGNORECASE,
)
_EXHIBIT_LINE = re.compile(
    r"^\W*(?:\(?\d{1,3}(?:\.\d+)?\)?(?:\([a-z\d]+\))*\W*(?:\s|$))|\bexhibits?\b|incorporated (?:herein )?by|"
    r"\bherewith\b|\bXBRL\b|linkbase",
    re.IGNORECASE,
)
_STATEMENTS = re.compile(
    r"(?:index\s+to\s+|notes\s+to\s+)?(?:the\s+)?(?:consolidated\s+|combined\s+)?financial\s+statements\b.{0,60}|"
    r"reports?\s+of\s+independent\s+registered\s+public\s+accounting\s+firm\b.{0,40}|"
    r"consolidated\s+(?:balance\s+sheets?|statements?\s+of\b).{0,60}",
    re.IGNORECASE,
)
_ATTACHED = re.compile(r"\(?exhibit\s+\d+(?:\.\d+)?\)?", re.IGNORECASE)
_LINES_OF = {"signatures": _SIGNATURE_LINE, "exhibits": _EXHIBIT_LINE}
LINES_OF_OTHERS = 12
"""Printed lines in a row, none of them of exhibits or signatures, with which a list of these is over: annual reports
print their statements and notes behind it."""
_SECTION = re.compile(r"(?:part\s+[IVX]+\b|item\s+\d+[AB]?\b)", re.IGNORECASE)
_FURNITURE = re.compile(
    r"(?:see|refer\s+to|the)?\s*accompanying\s+notes\b.{0,80}|\(?(?:continued|unaudited)\)?|table\s+of\s+contents|form\s+10-[qk]|item\s+\d+[AB]?(?:,\s*\d+[AB]?)+|_+|[-–—=]{4,}",
    re.IGNORECASE,
)
_BOX = re.compile(r"[☐☒☑¨þ□■✓]|\[\s*[xX]?\s*\]")
_COVER = re.compile(
    r"(?:indicate\s+by\s+check\s+mark|securities\s+and\s+exchange\s+commission|\(\s*(?:exact\s+name|state\s+or\s+other|i\.?r\.?s|zip\s+code|"
    r"address\s+of\s+principal|registrant.s\s+telephone|mark\s+one|former\s+name|commission)|united\s+states$|washington,\s+d\.?c|form\s+10-[qk]$|or$|"
    r"for\s+the\s+transition\s+period|securities\s+registered\s+pursuant|if\s+an\s+emerging\s+growth|of\s+incorporation\s+or\s+organization|"
    r"this\s+chapter\)|see\s+the\s+definitions\s+of|the\s+preceding\s+12\s+months|preceding\s+12\s+months|months\s+\(or\s+for\s+such|\(or\s+for\s+such|"
    r"\(mark\s+one\)|an?\s+emerging\s+growth\s+company|exchange\s+act\b|the\s+securities\s+exchange\s+act|past\s+90\s+days|growth\s+company|accounting\s+standards\s+provided|financial\s+accounting\s+standards)",
    re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line."""

    page: int
    text: str
    """As printed, trailing blanks removed; '' is a blank line."""
    table: int | None = None
    """Index of the table whose place this is (its text is empty then)."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A document's lines without its noise."""

    lines: list[Line]
    dropped: dict[str, int]
    """Non-blank lines left out, by kind."""
    cover_pages: int
    contents: frozenset[str]
    """Titles that the table of contents lists, in lower case."""


def drop_noise(pages: Sequence[Sequence[Line]], cover: bool, company: str = "") -> Kept:
    """The lines of all pages worth keeping, in order.

    `cover` says whether the first pages are a filing's cover, whose form text is then dropped; the facts on
    it (names, dates, shares outstanding, addresses) stay. A line that is `company` alone is a running header.
    """
    dropped: Counter[str] = Counter()
    running = _running(pages)
    owner = (
        re.compile(rf"{re.escape(company)}\.?(?:\s+and\s+subsidiaries)?", re.IGNORECASE) if company else None
    )
    kept: list[Line] = []
    titles: set[str] = set()
    boundary = _cover_end(pages) if cover else 0
    numbered = _numbered(pages)
    for index, page in enumerate(pages):
        edges, ends = _edges(page), _ends(page)
        contents = _contents(page, index, len(pages))
        titles.update(_title(page[i].text) for i in contents)
        for i, line in enumerate(page):
            kind = _kind(line, i in edges, i in ends, running, index < boundary)
            if kind is None and i in contents:
                kind = "contents"
            if kind is None and (index, i) in numbered:
                kind = "running_header"
            if kind is None and owner and index >= boundary and owner.fullmatch(squeeze(line.text)):
                kind = "running_header"
            if kind is None:
                kept.append(line)
            elif line.text.strip():
                dropped[kind] += 1
    kept = _without_tail(kept, dropped) if cover else kept
    return Kept(kept, dict(sorted(dropped.items())), boundary, frozenset(titles - {""}))


def _title(entry: str) -> str:
    """A contents entry without its page number: 'Key Terms 23' is 'key terms'."""
    return re.sub(r"[\s.]+(?:[A-Z]-)?\d{1,3}$", "", squeeze(entry)).lower()


def _kind(line: Line, at_edge: bool, at_end: bool, running: frozenset[str], on_cover: bool) -> str | None:
    text = squeeze(line.text)
    if not text or line.table is not None:
        return None
    if at_end and _PAGE_NUMBER.fullmatch(text):
        return "page_number"
    if (at_edge and _key(text) in running) or _FURNITURE.fullmatch(text):
        return "running_header"
    if re.fullmatch(r"[\s®™©]+", text):
        return "marks"
    if on_cover and (_COVER.match(text) or _BOX.search(text)):
        return "cover"
    return None


def _key(text: str) -> str:
    """A running line's identity: a page number at its end or start differs from page to page."""
    return re.sub(r"^\d{1,3}(?=\s)|(?<=\s)\d{1,3}$", "#", squeeze(text)).lower()


def _edges(page: Sequence[Line]) -> frozenset[int]:
    printed = [i for i, line in enumerate(page) if line.text.strip()]
    return frozenset([*printed[:_TOP_LINES], *printed[-2:]])


def _ends(page: Sequence[Line]) -> frozenset[int]:
    """First and last printed line: where a page number stands."""
    printed = [i for i, line in enumerate(page) if line.text.strip()]
    return frozenset([*printed[:1], *printed[-1:]])


def _running(pages: Sequence[Sequence[Line]]) -> frozenset[str]:
    """Lines that stand at the edge of at least four pages (a fifth of a short document's)."""
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({_key(page[i].text) for i in _edges(page) if _may_run(page[i])})
    return frozenset(key for key, n in counts.items() if n >= max(3, min(4, len(pages) // 5)))


def _numbered(pages: Sequence[Sequence[Line]]) -> frozenset[tuple[int, int]]:
    """(page, line) indexes of last lines that end in the page's printed number ('Financial Statements 9'),
    where it runs with the pages."""
    offsets: dict[tuple[int, int], int] = {}
    for index, page in enumerate(pages):
        last = next((i for i in range(len(page) - 1, -1, -1) if page[i].text.strip()), None)
        if last is not None and len(page[last].text.split()) <= 16:
            match = re.search(r"[A-Za-z|].*\s(\d{1,3})$", page[last].text.strip())
            if match and not re.search(r"[$%]|\d,\d", page[last].text):
                offsets[index, last] = index - int(match[1])
    usual = Counter(offsets.values()).most_common(1)
    if not usual or usual[0][1] < 4:
        return frozenset()
    return frozenset(place for place, offset in offsets.items() if offset == usual[0][0])


def _may_run(line: Line) -> bool:
    """Unit notes and amounts stand at the top of statement after statement, and are no furniture."""
    return bool(re.search(r"[A-Za-z]{2}", line.text)) and not re.search(
        r"\bin\s+(?:thousands|millions|billions)\b|\$\s*\d|ended\b", line.text, re.I
    )


def _contents(page: Sequence[Line], index: int, count: int) -> frozenset[int]:
    """Lines of a table of contents: a heading within the first or last pages, then mostly entries that end in
    a page number."""
    if 8 < index < count * 7 // 10:
        return frozenset()
    start = next((i for i, line in enumerate(page) if _CONTENTS_HEADING.fullmatch(squeeze(line.text))), None)
    if start is None:
        return frozenset()
    found, between = {start}, list[int]()
    for i in range(start + 1, len(page)):
        text = squeeze(page[i].text)
        if not text:
            continue
        if len(text) < 200 and (_CONTENTS_ENTRY.fullmatch(text) or _CONTENTS_LABEL.fullmatch(text)):
            found.update([i, *between])
            between = []
        elif len(text) < 180 and not text.endswith(".") and len(between) < 3:
            between.append(i)  # the first line of a wrapped entry, a group's title
        elif len(found) > 3:
            break
        else:
            found, between = {start}, []
    entries = sum(bool(_CONTENTS_ENTRY.fullmatch(squeeze(page[i].text))) for i in found)
    return frozenset(found) if entries >= 4 and entries >= len(found) // 2 else frozenset()


def _cover_end(pages: Sequence[Sequence[Line]]) -> int:
    """The number of cover pages: those before the contents or Part I, three at most."""
    for index, page in enumerate(pages[:4]):
        for line in page:
            if _CONTENTS_HEADING.fullmatch(squeeze(line.text)) and index > 0:
                return index
    return min(2, len(pages))


def _without_tail(lines: Sequence[Line], dropped: Counter[str]) -> list[Line]:
    """Without the list of exhibits and the signatures, and the exhibits behind them: of what follows, the statements
    and their notes alone are the report's own. A list of exhibits ends at the next part or item, too."""
    kept: list[Line] = []
    mode: str | None = None
    late = _late(lines)
    heading = 0  # printed lines since the heading of statements that stands last
    for i, line in enumerate(lines):
        text = squeeze(line.text)
        if i > late and text:
            heading = 1 if _heads_statements(text) else heading + 1 if heading else 0
            begun = _begun(text)
            if begun:
                mode = begun
            elif mode == "exhibits" and _SECTION.match(text) and len(text) < 80:
                mode = None
            elif mode != "exhibits" and _ATTACHED.fullmatch(text) and dropped.keys() & _LINES_OF:
                mode = "attached"
            elif mode is not None and (mode == "attached" or _is_over(mode, islice(lines, i, None))):
                mode = _after_list(mode, heading)
        if mode is None or line.table is not None:
            kept.append(line)
        elif text:
            dropped[mode] += 1
    return kept


def _begun(text: str) -> str:
    """The list that a line is the heading of; '' for none."""
    if _SIGNATURES.fullmatch(text):
        return "signatures"
    return "exhibits" if _EXHIBITS.fullmatch(text) and text[:1].isupper() else ""


def _after_list(mode: str, heading: int) -> str | None:
    """What stands behind a list or within the exhibits: the report's own from the heading of its statements on.
    `heading`: printed lines since the last such, 0 for none."""
    near = 1 if mode == "attached" else LINES_OF_OTHERS // 2
    return None if 0 < heading <= near else "attached"


def _heads_statements(text: str) -> bool:
    """Whether a line is a heading of statements or their notes, and no piece of a sentence about them."""
    words = [word for word in text.split() if len(word) > 3 and word[0].isalpha()]
    return _STATEMENTS.fullmatch(text) is not None and all(word[0].isupper() for word in words)


def _is_over(mode: str, lines: Iterable[Line]) -> bool:
    """Whether none of the next lines is one of a list of exhibits or of signatures."""
    printed = (squeeze(line.text) for line in lines if line.text.strip() and line.table is None)
    following = list(islice(printed, LINES_OF_OTHERS))
    return len(following) == LINES_OF_OTHERS and not any(map(_LINES_OF[mode].search, following))


def _late(lines: Sequence[Line]) -> int:
    """Where exhibits and signatures may begin: after the heading of Part II, else in the second half."""
    parts = [
        i for i, line in enumerate(lines) if re.match(r"\s*part\s+II\b.{0,60}$", line.text, re.IGNORECASE)
    ]
    return parts[-1] if parts else len(lines) // 2
