"""Two periods named together in a sentence: 'the third quarter and first nine months of fiscal year 2023'."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from tools.documents.tables.column_dates import find_full_dates
from tools.documents.tables.fiscal_calendar import FiscalCalendar
from tools.documents.types import Document, ParsedDocument
from tools.periods import Period

Ends = Mapping[tuple[int, int], date]
"""(fiscal year, quarter) -> last day, as the document's own tables date it."""

MONTH_NAME = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
LONG_DATE = rf"{MONTH_NAME}\s+\d{{1,2}},\s+(?:19|20)\d{{2}}"
_FOUR_DIGITS = r"(?:19|20)\d{2}"
_SPANS = {"three": 3, "six": 6, "nine": 9, "twelve": 12}
_MONTH_COUNT = rf"(?P<count>{'|'.join(_SPANS)})"
_ORDINALS = ("first", "second", "third", "fourth")
_LONGER = r"first (?:half|(?:six|nine) months|three quarters)"
_FISCAL = r"(?:(?:our )?fiscal )?(?:years? )?"
_DATES = rf"(?P<one>{LONG_DATE})\s+and\s+(?P<two>{LONG_DATE}|{_FOUR_DIGITS}\b)"

_MONTHS_ENDED = re.compile(rf"\b{_MONTH_COUNT}\s+months\s+ended\s+{_DATES}", re.IGNORECASE)
_INSTANTS = re.compile(rf"\b(?:as\s+of|at)\s+{_DATES}", re.IGNORECASE)
_TWO_SPANS = re.compile(
    rf"\b{_MONTH_COUNT}(?:-|\s+months)?\s+and\s+(?P<more>six|nine|twelve)[\s-]+(?:months|month\s+periods)\s+ended\s+(?P<one>{LONG_DATE})",
    re.IGNORECASE,
)
_TWO_YEARS = re.compile(
    rf"\b(?:(?P<ordinal>{'|'.join(_ORDINALS)})\s+quarters?|(?P<longer>{_LONGER}))\s+of\s+{_FISCAL}(?P<one>{_FOUR_DIGITS})\s+and\s+"
    rf"{_FISCAL}(?P<two>{_FOUR_DIGITS})\b",
    re.IGNORECASE,
)
_TO_DATE = re.compile(
    rf"\b(?P<ordinal>{'|'.join(_ORDINALS)})\s+quarter\s+and\s+(?:the\s+)?(?P<longer>{_LONGER})\s+of\s+{_FISCAL}(?P<one>{_FOUR_DIGITS})\b",
    re.IGNORECASE,
)
_SHORT = re.compile(
    rf"\bQ(?P<first>[1-4])\s+(?P<one>{_FOUR_DIGITS})\s+and\s+(?:Q(?P<second>[1-4])\s+)?(?P<two>{_FOUR_DIGITS})\b"
)
ANY_PERIOD = re.compile(
    rf"\b{_FOUR_DIGITS}\b|\bquarters?\b|\bmonths\b|\b(?:first|second) half\b"
    rf"|\b(?:prior|last|next|previous|current|same)\b|\b{MONTH_NAME}\s+\d|\bannual\w*\b|\bper\s+year\b|\bQ[1-4]\b",
    re.IGNORECASE,
)
"""Anything that speaks of a period."""


@dataclass(frozen=True, slots=True)
class PeriodPair:
    """Where two periods are named, and which."""

    start: int
    end: int
    periods: tuple[Period, Period]


def quarter_ends(parsed: ParsedDocument) -> dict[tuple[int, int], date]:
    """Last days of the fiscal quarters that the document's tables date, where they agree."""
    seen: dict[tuple[int, int], set[date]] = {}
    for table in parsed.tables:
        for fact in table.facts:
            p = fact.period
            if p.end and p.months and p.fiscal_year and p.fiscal_quarter:
                seen.setdefault((p.fiscal_year, p.fiscal_quarter), set()).add(p.end)
    own = parsed.document
    if own.fiscal_year and own.fiscal_quarter and own.period_end:
        seen[own.fiscal_year, own.fiscal_quarter] = {own.period_end}
    return {key: days.pop() for key, days in seen.items() if len(days) == 1}


def find_period_pair(text: str, document: Document, ends: Ends) -> PeriodPair | None:
    """The one pair of periods that `text` names; None where it names none or several, or where one of them
    is a fiscal quarter other than the document's."""
    found = [(match, read) for pattern, read in _READERS for match in pattern.finditer(text)]
    if len(found) != 1:
        return None
    match, read = found[0]
    periods = read(match, document, ends)
    if periods is None:
        return None
    one, two = periods
    if one is None or two is None or one == two:
        return None
    return PeriodPair(match.start(), match.end(), (one, two))


def pair_spans(text: str) -> list[tuple[int, int]]:
    """Where pairs of periods are named, in reading order."""
    return sorted(match.span() for pattern, _ in _READERS for match in pattern.finditer(text))


_Two = tuple[Period | None, Period | None] | None


def _dates(match: re.Match[str]) -> tuple[date, date] | None:
    one = find_full_dates(match["one"])[0][0]
    other = find_full_dates(match["two"])
    if other:
        return one, other[0][0]
    try:
        return one, one.replace(year=int(match["two"]))
    except ValueError:
        return None


def _months_ended(match: re.Match[str], document: Document, ends: Ends) -> _Two:
    days = _dates(match)
    months = _SPANS[match["count"].lower()]
    return (
        None
        if days is None
        else (
            FiscalCalendar(document).period(days[0], months),
            FiscalCalendar(document).period(days[1], months),
        )
    )


def _instants(match: re.Match[str], document: Document, ends: Ends) -> _Two:
    days = _dates(match)
    return (
        None
        if days is None
        else (FiscalCalendar(document).period(days[0], 0), FiscalCalendar(document).period(days[1], 0))
    )


def _two_spans(match: re.Match[str], document: Document, ends: Ends) -> _Two:
    end = find_full_dates(match["one"])[0][0]
    return tuple(
        FiscalCalendar(document).period(end, _SPANS[match[name].lower()]) for name in ("count", "more")
    )  # type: ignore[return-value]


def _to_date(match: re.Match[str], document: Document, ends: Ends) -> _Two:
    year = int(match["one"])
    quarter = _ORDINALS.index(match["ordinal"].lower()) + 1
    longer = _span(match["longer"])
    if longer != 3 * quarter:
        return None
    return _fiscal(document, ends, year, quarter, 3), _fiscal(document, ends, year, quarter, longer)


def _two_years(match: re.Match[str], document: Document, ends: Ends) -> _Two:
    months = 3 if match["ordinal"] else _span(match["longer"])
    quarter = _ORDINALS.index(match["ordinal"].lower()) + 1 if match["ordinal"] else months // 3
    return (
        _fiscal(document, ends, int(match["one"]), quarter, months),
        _fiscal(document, ends, int(match["two"]), quarter, months),
    )


def _short(match: re.Match[str], document: Document, ends: Ends) -> _Two:
    first = int(match["first"])
    return (
        _fiscal(document, ends, int(match["one"]), first, 3),
        _fiscal(document, ends, int(match["two"]), int(match["second"] or first), 3),
    )


def _span(longer: str) -> int:
    return 6 if re.search("half|six", longer, re.IGNORECASE) else 9


def _fiscal(document: Document, ends: Ends, year: int, quarter: int, months: int) -> Period | None:
    """A period of the document's own quarter in its own year or the year before; None for any other."""
    if document.fiscal_year is None or quarter != document.fiscal_quarter:
        return None
    if year not in (document.fiscal_year, document.fiscal_year - 1):
        return None
    return Period(ends.get((year, quarter)), months, year, quarter)


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Document, Ends], _Two]], ...] = (
    (_TWO_SPANS, _two_spans),
    (_MONTHS_ENDED, _months_ended),
    (_INSTANTS, _instants),
    (_TO_DATE, _to_date),
    (_TWO_YEARS, _two_years),
    (_SHORT, _short),
)
