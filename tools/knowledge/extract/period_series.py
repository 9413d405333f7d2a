"""Periods named one after another: 'the years ended December 31, 2020, 2019 and 2018', 'in fiscal 2023', 'as of May 31,
2020, and May 26, 2019'."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from tools.documents.tables.column_dates import find_durations, find_full_dates
from tools.documents.tables.fiscal_calendar import YEAR_END, FiscalCalendar
from tools.documents.types import YEARLY, Document
from tools.knowledge.extract.period_pairs import LONG_DATE, Ends
from tools.periods import Period

MAX_YEARS_BACK = 5
"""Before the document's own: figures of earlier years are told of a history, not reported."""
YEAR_MONTHS = 12
_YEAR = r"(?:19|20)\d{2}\b(?!,\d)"
_NEXT = r"(?:,\s+and\s+|,\s+|\s+and\s+)"
_SPAN = (
    r"(?:[\w-]+\s+(?:months?|weeks?)(?:\s+periods?)?|(?:fiscal\s+)?years?|(?:fiscal\s+)?quarters?)\s+ended"
)
_DAY = re.compile(rf"(?P<day>{LONG_DATE})|{_YEAR}", re.IGNORECASE)
_DATES = rf"{LONG_DATE}(?:{_NEXT}(?:{LONG_DATE}|{_YEAR}))*"
_SPANNED = rf"{LONG_DATE}(?:{_NEXT}(?:(?:the\s+)?(?:(?P=span)\s+)?{LONG_DATE}|{_YEAR}))*"
_FISCAL = r"(?:(?:the|our)\s+)?(?:fiscal\s+)?(?:years?\s+)?"
_YEARS = rf"{_FISCAL}{_YEAR}(?:{_NEXT}(?:for\s+|in\s+|during\s+)?{_FISCAL}{_YEAR})*"
_ORDINALS = ("first", "second", "third", "fourth")
_LENGTHS = {"first half": 6, "first six months": 6, "first nine months": 9, "first three quarters": 9}
_FLOW = r"\b(?:(?:for|in|during|of)\s+)?(?:the\s+|our\s+)?"

_SERIES = re.compile(
    rf"(?:(?P<flow>{_FLOW}(?P<span>{_SPAN})\s+{_SPANNED})"
    rf"|(?P<instant>\b(?:as\s+of|at|on)\s+(?:the\s+)?(?:(?:fiscal\s+)?years?\s+ended\s+)?{_DATES})"
    rf"|(?P<ends>\b(?:at|as\s+of)\s+(?:the\s+)?(?:fiscal\s+)?(?:end\s+of|year[- ]ends?)\s+{_YEARS})"
    rf"|(?P<quarters>{_FLOW}(?P<part>(?:{'|'.join(_ORDINALS)})\s+quarters?|{'|'.join(_LENGTHS)})\s+of\s+{_YEARS})"
    rf"|(?P<years>\b(?:for|in|during)\s+{_YEARS}))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PeriodSeries:
    """Where periods are named, and which, in their order."""

    start: int
    end: int
    """The preposition before them is part of the span."""
    periods: tuple[Period, ...]
    """Empty where they are not known: of a year to come, of one long past, of a year that need not be the fiscal one,
    or of a quarter or balance whose day nobody dates; also where one comes twice."""


def find_period_series(text: str, document: Document, ends: Ends) -> list[PeriodSeries]:
    """The series of periods that `text` names, in reading order; `ends` are the last days of fiscal quarters that the
    document itself dates."""
    calendar = FiscalCalendar(document, ends)
    found = []
    for match in _SERIES.finditer(text):
        periods = tuple(_read(match, document, calendar))
        known = len(set(periods)) == len(periods) and all(_told(each, document) for each in periods)
        found.append(PeriodSeries(match.start(), match.end(), periods if known else ()))
    return found


def _told(period: Period, document: Document) -> bool:
    """False of a period that a document does not report on."""
    year, own = period.fiscal_year, document.fiscal_year
    if year is None or own is None or not own - MAX_YEARS_BACK <= year <= own:
        return False
    if period.end is None and period.months != YEAR_MONTHS:
        return False
    return period.end is None or document.period_end is None or period.end <= document.period_end


def _read(match: re.Match[str], document: Document, calendar: FiscalCalendar) -> Iterator[Period]:
    text = match.group()
    if match["flow"] or match["instant"]:
        durations = find_durations(match["span"]) if match["flow"] else [(0, 0, 0)]
        for day in _days(text):
            yield calendar.period(day, durations[0][0]) if day and durations else Period()
        return
    years = [int(found) for found in re.findall(_YEAR, text)]
    if match["quarters"]:
        part = " ".join(match["part"].lower().split())
        months = _LENGTHS.get(part, 3)
        quarter = months // 3 if part in _LENGTHS else _ORDINALS.index(part.split()[0]) + 1
        yield from (calendar.quarter(year, quarter, months) for year in years)
    elif document.doc_type in YEARLY:
        length = 0 if match["ends"] else YEAR_MONTHS
        yield from (calendar.quarter(year, YEAR_END, length) for year in years)
    else:
        yield Period()  # a quarter's report may mean the quarter of that year


def _days(text: str) -> Iterator[date | None]:
    """Its dates; a year alone is the same day of that year. None for a day that no calendar has: 'June 31, 2020'."""
    dates = {start: found for found, start, _ in find_full_dates(text)}
    day: date | None = None
    for match in _DAY.finditer(text):
        if match["day"]:
            day = dates.get(match.start())
            yield day
        else:
            yield _same_day(day, int(match.group())) if day else None


def _same_day(day: date, year: int) -> date:
    """29 February becomes the 28th."""
    return day.replace(year=year, day=28) if (day.month, day.day) == (2, 29) else day.replace(year=year)
