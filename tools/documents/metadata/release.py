"""An earnings release, and another report without a form: whose it is and of which period, in its own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tools.documents.metadata.cover import dates_ended
from tools.documents.metadata.registrant_names import name_in_text
from tools.documents.text.cleaning import squeeze
from tools.documents.text.dates import find_dates
from tools.documents.text.printed_dates import quarter_in, read_quarters
from tools.documents.types import DocType, Page
from tools.period_words import ORDINAL

_HEAD_LINES = 15
_HEAD_PAGES = 3
_PERIOD_PAGES = 20
_SPAN = (
    rf"(?:(?:{ORDINAL})[\s-]+(?:fiscal[\s-]+)?(?:quarter|half)|Q[1-4]|[1-4]Q|(?:full|fiscal|half)[\s-]+year|"
    r"year[\s-]end|annual|interim|quarterly|fiscal)"
)
_RESULTS = re.compile(rf"\b{_SPAN}\b[^.]{{0,100}}?\b(?:results|earnings)\b", re.IGNORECASE)
_VERB = re.compile(
    r"(?:^|\s+)(?:report|announce|deliver|post|release|achieve|provide|publish|record|issue|disclose)(?:s|ed|es)?\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_RELEASED = re.compile(
    r"\((?:[\w\s/]{0,20}\b)?(?:NYSE|NASDAQ|AMEX|CBOE|TSX|LSE|ASX)\b[^()]{0,60}\)|\btoday\s+(?:reported|announced|released)|"
    r"\b(?:reported|announced)\s+(?:today|(?:its\s+)?(?:financial\s+)?results)\b|"
    r"\b(?:press|news|earnings)\s+release\b|\bfor\s+immediate\s+release\b|\b(?:business\s*wire|pr\s?newswire)\b",
    re.IGNORECASE,
)
_ANNUAL = re.compile(
    r"^(?:.{0,60}\b)?(?:annual\s+report(?:\s+and\s+accounts)?|annual\s+review)\b.{0,40}$", re.IGNORECASE
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class Report:
    """What a release or an annual report says of itself; None where it does not."""

    doc_type: DocType
    company: str | None
    ticker: str | None
    fiscal_year: int | None
    fiscal_quarter: int | None
    period_end: date | None


def read_report(pages: Sequence[Page], text: str) -> Report | None:
    """What a document without a form is: a release of results, or an annual report; None if neither."""
    head = "\n".join(page.text for page in pages[:_HEAD_PAGES])
    lines = [squeeze(line) for line in head.split("\n") if line.strip()]
    headline = _headline(lines[:_HEAD_LINES])
    if headline and _RELEASED.search(head):
        return _release(headline, pages, head, text)
    title = next((line for line in lines[:_HEAD_LINES] if _ANNUAL.match(line)), None)
    if title is None:
        return None
    company, ticker = name_in_text(text)
    flat = squeeze("\n".join(page.text for page in pages[:_PERIOD_PAGES]))
    end = next(dates_ended(flat), None)
    year = _YEAR.search(title)
    return Report("annual", company, ticker, int(year[0]) if year else None, None, end)


def _headline(lines: Sequence[str]) -> str:
    """The line that says whose results of which period these are, with what follows it; '' if there is none."""
    for index, line in enumerate(lines):
        said = " ".join(lines[index : index + 2])
        match = _RESULTS.search(said)
        if match is not None and match.start() < len(line):
            return said
    return ""


def _release(headline: str, pages: Sequence[Page], head: str, text: str) -> Report:
    company, ticker = name_in_text(text)
    span = _RESULTS.search(headline)
    subject = _VERB.sub("", headline[: span.start()] if span else "").strip(" ,:–—-")
    flat = squeeze("\n".join(page.text for page in pages[:_PERIOD_PAGES]))
    issued = next((each.date for each in find_dates(head[:6_000]) if each.date is not None), None)
    ends = [day for day in dates_ended(flat) if issued is None or day <= issued]
    year, quarter = next(read_quarters(f"{headline} {squeeze(head)[:1_500]}"), (None, quarter_in(headline)))
    named = subject if subject[:1].isupper() else None
    return Report("release", company or named, ticker, year, quarter, max(ends, default=None))
