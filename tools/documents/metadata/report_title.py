"""What a document that is neither a filing nor a call says of itself: title, company, period."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from string import capwords

from tools.documents.metadata.registrant_names import short_name
from tools.documents.text.cleaning import squeeze
from tools.documents.text.dates import find_dates
from tools.documents.text.ordinary_words import ORDINARY
from tools.documents.types import Document, Page

_COMPANY_NAME = re.compile(
    r"(?<!\w)([A-Z][\w&'’.-]*(?:,?\s+(?:[A-Z][\w&'’.-]*|of|and|&)){0,5}?,?\s+"
    r"(?:Inc\.?|Incorporated|Corp\.?|Corporation|Ltd\.?|Limited|LIMITED|PLC|plc|LLC|LLP|AG|SE|GmbH|Oyj|ASA|A/S|AB|"
    r"N\.?V\.?|B\.?V\.?|S\.?A\.?|S\.?p\.?A\.?))(?![\w.])"
)
HEAD_LINES = 30
"""Lines, blank ones aside, in which a document names itself."""
TITLE_WORDS = 14
TITLE_CHARACTERS = 120
_HEADING = re.compile(r"#{1,2}\s+(.*\S)")
_FIELD = re.compile(r"(subject|re|betreff|objet|title)\s*:\s*(\S.*)", re.IGNORECASE)
_TEMPLATE = re.compile(
    r"(?:microsoft (?:word|excel|powerpoint)\b.*|untitled.*|(?:document|presentation|workbook|book|template)\W?\d*"
    r"|.*\.(?:docx?|xlsx?|pptx?|pdf|indd|tmp))",
    re.IGNORECASE,
)
"""What programs write where nobody gave a title."""
_SENTENCE_END = re.compile(r"[.;:,!]$")
_KIND = re.compile(
    r"\b(?P<kind>(?:annual|interim|half[- ]year(?:ly)?|integrated|sustainability|financial|directors['’]?|strategic)"
    r"\s+(?:financial\s+)?(?:reports?|results|review|accounts|statements)(?:\s*(?:and|&)\s*(?:financial\s+)?"
    r"(?:accounts|statements))?)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(
    r"(?<![\d.,])(?:(?:(?:19|20)\d\d\s*[/–-]\s*|\bFY\s?'?)((?:19|20)?\d\d)|((?:19|20)\d\d))(?![\d.,%])"
)
_PERIOD_ENDED = re.compile(
    r"\b(?:(?:financial\s+|fiscal\s+)?year|(?:six|6|three|3|nine|9|twelve|12|52|53|26|27)\s+(?:months|weeks)"
    r"|half[- ]year|period|quarter)\s+(?:ended|ending|to)\b(?P<rest>.{0,40})",
    re.IGNORECASE | re.DOTALL,
)
_REGISTERED = re.compile(
    r"\b(?:company\s+(?:registration\s+)?(?:no|number)|registered\s+(?:in|no|number)|handelsregister|HRB\s+\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class OwnTitle:
    """None where the document does not say; a missing company is a legitimate answer."""

    title: str
    """Its own title, else the file's name without its ending."""
    company: str | None
    fiscal_year: int | None
    period_end: date | None


def read_own_title(path: Path, pages: Sequence[Page]) -> OwnTitle:
    """The title and, where the first lines give them, the company and the period of a plain document.

    Title: a first heading, a memo's subject, the title of the file's properties, or the first lines that look like a
    title. Company: a name with a legal suffix in the title, beside 'Company No.' or beside the kind of report, or what
    stands before the kind ('Northgate Annual Report 2023').
    """
    lines = list(_head(pages))
    bare = [line.lstrip("# ") for line in lines]
    title = _title(lines, pages[0].title if pages else "") or path.stem
    year, end = _period(title, bare)
    return OwnTitle(title, _company(title, bare), year, end)


def title_words(document: Document) -> frozenset[str]:
    """Words by which a question may mean a plain document, in lower case: those of its title and its file's name that
    are not ordinary English. None for filings and calls, which are known by their companies."""
    if document.doc_type != "other":
        return frozenset()
    names = f"{document.title} {document.name.rsplit('.', 1)[0]}".lower()
    return frozenset(re.findall(r"[^\W\d_]{3,}", names)) - ORDINARY


def _head(pages: Sequence[Page]) -> Iterator[str]:
    count = 0
    for page in pages[:3]:
        for line in page.text.split("\n"):
            if words := squeeze(line):
                yield words
                count += 1
                if count == HEAD_LINES:
                    return


def _title(lines: Sequence[str], given: str) -> str:
    """'' where nothing looks like one."""
    if given and _is_title(given) and not _TEMPLATE.fullmatch(given):
        return given
    subject = next((match[2] for line in lines[:12] if (match := _FIELD.fullmatch(line))), "")
    if subject and _is_title(subject):
        kind = lines[0] if len(lines[0].split()) <= 3 and ":" not in lines[0] else ""
        return f"{_calm(kind)}: {subject}" if kind else subject
    heading = next((n for n, line in enumerate(lines[:12]) if _HEADING.fullmatch(line)), None)
    first = heading if heading is not None else 0
    parts: list[str] = []
    for line in lines[first : first + 2]:
        words = line.lstrip("# ")
        if not _is_title(words) or (parts and (line.startswith("#") or not _goes_on(words))):
            break
        parts.append(_calm(words))
    return ", ".join(parts) if len(" ".join(parts)) <= TITLE_CHARACTERS else parts[0]


def _is_title(words: str) -> bool:
    """Short, with letters, no sentence, no row of figures."""
    letters = sum(map(str.isalpha, words))
    return (
        len(words.split()) <= TITLE_WORDS
        and len(words) <= TITLE_CHARACTERS
        and letters >= 3
        and letters > sum(map(str.isdigit, words))
        and not _SENTENCE_END.search(words)
    )


def _goes_on(words: str) -> bool:
    """Is a second line a subtitle? It has no more small words than a title has."""
    telling = [word for word in words.split() if len(word) > 3]
    return bool(telling) and all(not word[0].islower() for word in telling)


def _calm(words: str) -> str:
    """Capitals throughout as a title is written."""
    return capwords(words) if words.isupper() and len(words) > 5 else words


def _company(title: str, lines: Sequence[str]) -> str | None:
    named = _COMPANY_NAME.search(title)
    if named is not None:
        return squeeze(named[1])
    for n, line in enumerate(lines):
        if _REGISTERED.search(line) or _KIND.search(line):
            for near in (line, *lines[max(0, n - 2) : n], *lines[n + 1 : n + 3]):
                if (found := _COMPANY_NAME.search(near)) is not None:
                    return squeeze(found[1])
    kind = _KIND.search(title)
    before = title[: kind.start()].strip(" ,:–—-") if kind else ""
    before = _YEAR.sub("", before).strip(" ,:–—-")
    return before if before and before[0].isupper() and len(short_name(before).split()) <= 5 else None


def _period(title: str, lines: Sequence[str]) -> tuple[int | None, date | None]:
    """The year that the title names, and the day on which the year or period that the first lines name ends."""
    for line in [title, *lines]:
        ended = _PERIOD_ENDED.search(line)
        day = next((found.date for found in find_dates(ended["rest"]) if found.date), None) if ended else None
        if day is not None:
            return day.year, day
    if _KIND.search(title):
        years = [short or full for short, full in _YEAR.findall(title)]
        if years:
            return int(years[-1]) if len(years[-1]) == 4 else 2000 + int(years[-1]), None
    return None, None
