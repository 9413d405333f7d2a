"""A filing's cover page: form, registrant, former name, trading symbol and the day it reports up to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from tools.documents.text.cleaning import squeeze
from tools.documents.text.dates import find_dates
from tools.documents.types import DocType, Page

COVER_PAGES = 3
_FORM = re.compile(
    r"^[\s#*]*FORM\s+(?:(10)\s?-\s?([QK])T?|(8)\s?-\s?K|(20|40)\s?-\s?F)(?:/A)?\b",
    re.IGNORECASE | re.MULTILINE,
)
_MARK = re.compile(
    r"exact\s+name\s+of\s+(?:the\s+)?(?:registrant|issuer)|commission\s+file\s+n|pursuant\s+to\s+section\s+1[23]\b",
    re.IGNORECASE,
)
"""What a cover says beside the form's name; a text that only cites a form does not."""
_ENDED = re.compile(
    r"\b(?:quarterly\s+period|(?:fiscal\s+|annual\s+|transition\s+)?(?:year|quarter|period)|weeks|months)"
    r"(?:\s*\([^()]{1,40}\))?\s+end(?:ed|ing)\b[\s:(_]*",
    re.IGNORECASE,
)
_REPORTED = re.compile(r"\bdate\s+of\s+(?:report|earliest\s+event\s+reported)\b", re.IGNORECASE)
_REGISTRANT = re.compile(r"\(\s*exact\s+name\s+of\s+(?:the\s+)?(?:registrant|issuer)", re.IGNORECASE)
_FORMER = re.compile(r"\(?\s*former\s+name\b", re.IGNORECASE)
_COMMISSION = re.compile(r"commission\s+file\s+(?:number|no)", re.IGNORECASE)
_SYMBOL_HEADER = re.compile(r"trading\s+symbol", re.IGNORECASE)
EXCHANGE = r"(?:The\s+)?(?:Nasdaq|NASDAQ|New\s+York|NYSE|Cboe|CBOE|OTC|Chicago|Long[- ]Term)"
"""With which the name of an exchange begins on a cover."""
_SYMBOL = re.compile(rf"(?<![\w$.])([A-Z]{{1,5}}(?:[.-][A-Z])?)\s+{EXCHANGE}")
_NO_SYMBOL = frozenset({"NONE", "NA"})
_MAX_DATE = 40
"""Characters after 'ended' in which its date begins and ends."""


@dataclass(frozen=True, slots=True)
class Cover:
    """What the first pages of a filing say; None where they do not."""

    doc_type: DocType | None = None
    registrant: str | None = None
    ticker: str | None = None
    period_end: date | None = None
    """None for an 8-K: it reports an event, on `reported`."""
    reported: date | None = None
    former: str | None = None
    """The registrant's former name, where it has changed."""


def read_cover(pages: Sequence[Page]) -> Cover:
    """The cover of a Form 10-Q, 10-K, 8-K, 20-F or 40-F; all None for other documents."""
    head = "\n".join(page.text for page in pages[:COVER_PAGES])
    form = _FORM.search(head)
    if form is None or not _MARK.search(head):
        return Cover()
    kind: DocType = (
        "8-K" if form[3] else "annual" if form[4] else "10-Q" if form[2].upper() == "Q" else "10-K"
    )
    lines, flat = head.split("\n"), squeeze(head)
    return Cover(
        kind,
        _registrant(lines),
        _ticker(head),
        next(dates_ended(flat), None) if kind != "8-K" else None,
        next(_dates_after(_REPORTED, flat, 2 * _MAX_DATE), None) if kind == "8-K" else None,
        _former(lines),
    )


def dates_ended(text: str) -> Iterator[date]:
    """The days on which spans end, in any notation: 'quarter ended June 30, 2023', 'year ended: 30 June 2023'."""
    yield from _dates_after(_ENDED, text, _MAX_DATE)


def _dates_after(said: re.Pattern[str], text: str, reach: int) -> Iterator[date]:
    for match in said.finditer(text):
        mentions = find_dates(text[match.end() : match.end() + reach])
        if mentions and mentions[0].date is not None and (reach > _MAX_DATE or mentions[0].start < 4):
            yield mentions[0].date


def _registrant(lines: Sequence[str]) -> str | None:
    """The line above '(Exact name of registrant ...', or below the commission's file number."""
    for i, line in enumerate(lines):
        if match := _REGISTRANT.search(line):
            candidates = [line[: match.start()], *reversed(lines[max(0, i - 6) : i])]
            return next((name for c in candidates if (name := _name(c))), None)
    for i, line in enumerate(lines):
        if _COMMISSION.search(line):
            return next((name for c in lines[i + 1 : i + 8] if (name := _name(c))), None)
    return None


def _former(lines: Sequence[str]) -> str | None:
    """The line above '(Former name ...'; None for 'Not applicable', an address or a telephone number."""
    for i, line in enumerate(lines):
        if match := _FORMER.search(line):
            candidates = [line[: match.start()], *reversed(lines[max(0, i - 2) : i])]
            name = next((name for c in candidates if (name := _name(c))), "")
            plain = re.search(r"\d|\bapplicable\b|\bnone\b|[()]", name, re.IGNORECASE)
            return name if name[:1].isupper() and not plain else None
    return None


def _name(line: str) -> str | None:
    name = squeeze(line).strip("_ -–—*")
    if _COMMISSION.search(name) or not re.search(r"[A-Za-z]{2}", name) or len(name) > 100:
        return None
    return name


def _ticker(head: str) -> str | None:
    """The symbol below the heading 'Trading symbol', or above it where a page's columns were read in their order."""
    header = _SYMBOL_HEADER.search(head)
    if header is None:
        return None
    after = head[header.end() : header.end() + 4_000]
    alone = re.compile(r"^\s*([A-Z]{1,5}(?:\.[A-Z])?)\s*$", re.MULTILINE)
    places = (
        _SYMBOL.findall(after),
        _SYMBOL.findall(head[: header.start()][-400:]),
        alone.findall(after[:1_500]),
    )
    return next((symbol for place in places for symbol in place if symbol not in _NO_SYMBOL), None)
