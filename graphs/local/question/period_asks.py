"""A period phrase of a question, and what several of them beside one another say of each other."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from graphs.local.question.period_patterns import TO_A_DAY, TO_DATE

AskKind = Literal[
    "date", "month", "quarter", "year", "latest", "previous", "year_ago", "this_year", "last_year", "series"
]
_OF_YEAR = re.compile(r"\s+(?:of|in|from)\s+", re.IGNORECASE)
_BESIDE = re.compile(r"\s*[,(]\s*")


@dataclass(frozen=True, slots=True)
class PeriodAsk:
    """One period phrase, not yet compared with what exists."""

    kind: AskKind
    text: str
    start: int
    end: int
    day: date | None = None
    """Of a 'date' that is complete."""
    month: int | None = None
    day_of_month: int | None = None
    quarter: int | None = None
    """1 to 4."""
    year: int | None = None
    basis: Literal["fiscal", "calendar"] | None = None
    """As said; None is the company's own label if there is one."""
    months: int | None = None
    """Duration said with this phrase: 'first half' is 6."""
    count: int = 1
    """'latest': how many quarters; 'year_ago': how many years."""
    strict: bool = True
    """False where the phrase may name the day of an event instead of a reporting period."""
    earlier: bool = False
    """'series': the periods before another one, 'the previous quarters'."""
    may_be_year: bool = False
    """'date' without a year: whether its number may be one, 'the end of June 25', 'December 24 and June 25'."""
    report: bool = False
    """'quarter': what is named is a report ('the Q3 2023 10-Q'), which goes by the name of its file."""
    until: bool = False
    """The range from the ask before this one up to this one is meant."""


def put_together(text: str, asks: list[PeriodAsk]) -> list[PeriodAsk]:
    """Phrases of `text`, left to right, with what those beside them say: years that several share, the same period of
    another year, a range."""
    ordered = _without_to_date(text, sorted(asks, key=lambda ask: ask.start))
    return _with_shared_years(text, _with_own_years(text, _without_series(ordered)))


def _with_own_years(text: str, asks: list[PeriodAsk]) -> list[PeriodAsk]:
    """'The same period of 2021', behind 'the first nine months of 2022', is that of the year which it names, 'two years
    earlier' behind a year that of two years before."""
    found: list[PeriodAsk] = []
    for ask in asks:
        if ask.kind == "year_ago" and ask.count > 1:
            found += [_years_before(found[-1], ask)] if found and found[-1].year else []
            continue
        base = next((each for each in reversed(found) if each.kind in ("quarter", "month")), None)
        last = found[-1] if found else None
        if (
            base is not None
            and last is not None
            and (last.kind, ask.kind) == ("year_ago", "year")
            and _OF_YEAR.fullmatch(text[last.end : ask.start])
        ):
            said = text[last.start : ask.end]
            found[-1] = replace(base, text=said, start=last.start, end=ask.end, year=ask.year)
        else:
            found.append(ask)
    return found


def _years_before(base: PeriodAsk, ask: PeriodAsk) -> PeriodAsk:
    year = (base.year or 0) - ask.count
    return _with_day(replace(base, text=ask.text, start=ask.start, end=ask.end, year=year, day=None))


def _without_series(asks: list[PeriodAsk]) -> list[PeriodAsk]:
    """'The periods' beside a period that is named are that one; beside the latest one 'the previous quarters' are all
    before it."""
    named = [ask for ask in asks if ask.kind != "series"]
    latest = all(ask.kind == "latest" and ask.count == 1 for ask in named)
    return [ask for ask in asks if ask.kind != "series" or not named or (latest and ask.earlier)]


def _without_to_date(text: str, asks: list[PeriodAsk]) -> list[PeriodAsk]:
    if not any(ask.kind == "this_year" and TO_DATE.search(ask.text) for ask in asks):
        return asks
    asks = [
        replace(ask, strict=True) if ask.kind == "date" and TO_A_DAY.search(text[: ask.start]) else ask
        for ask in asks
    ]
    dated = any(ask.kind in ("date", "month", "quarter") and ask.strict for ask in asks)
    return [ask for ask in asks if not (dated and ask.kind == "this_year" and TO_DATE.search(ask.text))]


def _with_shared_years(text: str, asks: list[PeriodAsk]) -> list[PeriodAsk]:
    """Years shared within a list ('Q1, Q2 and Q3 2023') are given to each; 'Q1 to Q3' becomes a range."""
    asks = list(asks)
    for index in range(len(asks) - 2, -1, -1):
        here, following = asks[index], asks[index + 1]
        joined = re.fullmatch(r"[\s,&/]*(?:and|or|to|through|thru|vs\.?|versus|with|[-–—])?[\s,]*(?:the\s+)?",
                              text[here.end : following.start], re.IGNORECASE)  # fmt: skip
        if joined and here.year is None and here.kind in ("quarter", "month", "date") and following.year:
            asks[index] = _with_day(replace(here, year=following.year, basis=here.basis or following.basis))
    asks = [each for at, each in enumerate(asks) if at == 0 or not _says_again(text, asks[at - 1], each)]
    for index in range(1, len(asks)):
        before, here = asks[index - 1], asks[index]
        between = text[before.end : here.start]
        if before.kind == here.kind and here.year is None and before.year and here.kind == "quarter":
            asks[index] = here = replace(here, year=before.year, basis=before.basis)
        if before.kind == here.kind and re.fullmatch(
            r"\s*(?:to|through|thru|until|[-–—])\s*(?:the\s+)?", between, re.I
        ):
            asks[index] = replace(here, until=True)
    return asks


def _says_again(text: str, before: PeriodAsk, here: PeriodAsk) -> bool:
    """Whether months without a year say beside a period which it is: 'the first half of 2022, January to June'."""
    bare = here.kind == "month" and here.year is None and here.months == before.months
    return bare and before.year is not None and _BESIDE.fullmatch(text[before.end : here.start]) is not None


def _with_day(ask: PeriodAsk) -> PeriodAsk:
    if ask.kind == "date" and ask.year and ask.month and ask.day_of_month and ask.day is None:
        last = monthrange(ask.year, ask.month)[1]  # 'February 29, 2024 and two years earlier'
        return replace(ask, day=date(ask.year, ask.month, min(ask.day_of_month, last)))
    return ask
