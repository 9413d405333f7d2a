"""The periods that something is to be computed for: of each company, one by one where a range or quarters are asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from graphs.contracts import Reading
from graphs.local.question.durations import ROLLING
from graphs.local.question.period_asks import PeriodAsk
from graphs.local.question.period_phrases import find_asks
from graphs.local.question.reading import read_question
from tools.calculate.compute import CHANGED, MAX_RESULTS, periods_of
from tools.calculate.resolving import QUARTER, YEAR
from tools.calculate.types import Asked, When
from tools.documents.metadata.catalog import Catalog
from tools.periods import PeriodFilter
from tools.scope import Scope

PARTS_OF_YEAR = (6, 9)
"""Months."""
MAX_APART = timedelta(days=45)
"""Between the ends of quarters of several companies that are compared."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_RANGE = re.compile(r"\d\s*(?:to|through|thru|until|and|-|–)\s*\D{0,12}\d", re.IGNORECASE)
_WHAT = re.compile(r"\b(?:what|how\s+(?:much|many))\b", re.IGNORECASE)
QUARTERS = re.compile(r"\bquarters?\b", re.IGNORECASE)


def whens_of(
    reading: Reading,
    catalog: Catalog,
    within: Scope,
    company: str,
    asked: Asked,
    target: PeriodAsk | None = None,
) -> tuple[When, ...]:
    """The periods asked for of a company; of several companies those named beside it; `target`: the only one."""
    if target is not None:
        own = read_question(f"{catalog.name(company)}: {target.text}", catalog, within)
        months = YEAR if _is_rolling(target, reading) else own.months
        return periods_of(_each_once(own.scope.periods, catalog, company), months)
    periods = _without_compared(_own_periods(reading, catalog, within, company), reading, asked)
    if not periods:
        asks = [ask for ask in find_asks(reading.question) if ask.year and ask.quarter]
        periods = [PeriodFilter(fiscal_year=ask.year, fiscal_quarter=ask.quarter) for ask in asks]
        periods += [PeriodFilter(calendar_year=ask.year, calendar_quarter=ask.quarter) for ask in asks]
    if not periods:
        periods = [PeriodFilter(fiscal_year=int(year)) for year in _YEAR.findall(reading.question)]
        periods += [PeriodFilter(calendar_year=each.fiscal_year) for each in periods]
    periods = _aligned(periods, reading, catalog, company)
    lengths = {ask.months for ask in find_asks(reading.question) if ask.months}
    # 'July-September, out of the half-year numbers'
    months = lengths.pop() if asked.derived and len(lengths) == 1 else reading.months
    months = YEAR if ROLLING.search(reading.question) else months
    whens = periods_of(_each_once(periods, catalog, company), months)
    if asked.over == "period" and len(whens) == 1 and QUARTERS.search(asked.set_words):
        whens = _quarters_of(whens[0], periods)
    if asked.across in ("sum", "average") or (asked.over == "period" and asked.pick):
        return _each_year(reading, whens)
    return whens


def _aligned(
    periods: Sequence[PeriodFilter], reading: Reading, catalog: Catalog, company: str
) -> Sequence[PeriodFilter]:
    """Of one of several companies: in place of a day on which only another's period ends the nearest end of its own."""
    if len(reading.companies) < 2:
        return periods
    ends = [period.end for period in catalog.document_periods(company) if period.end]

    def own(asked: PeriodFilter) -> PeriodFilter:
        if asked.end is None or asked.end in catalog.ends(company):
            return asked
        apart, near = min(((abs(end - asked.end), end) for end in ends), default=(MAX_APART, None))
        return replace(asked, end=near) if near and apart <= MAX_APART else asked

    return list(dict.fromkeys(map(own, periods)))


def target_of(reading: Reading) -> PeriodAsk | None:
    """The period that a figure is asked of where the question names those that it is derived from, too: the first one
    behind its last 'what' or 'how much'. None where it names one alone, or not of which year."""
    asks = find_asks(reading.question)
    asked_at = max((match.end() for match in _WHAT.finditer(reading.question)), default=0)
    ask = next((each for each in asks if each.start >= asked_at), next(iter(asks), None))
    several = len({(each.year, each.quarter, each.months) for each in asks}) > 1
    return ask if several and ask is not None and ask.year else None


def is_whole_year(target: PeriodAsk | None, reading: Reading) -> bool:
    """Whether what is asked of is a year, which pages print."""
    year = target is not None and target.kind == "year" and not target.months
    return year and ROLLING.search(reading.question) is None


def _is_rolling(ask: PeriodAsk, reading: Reading) -> bool:
    """Whether twelve months to the end of a period are asked for: it is the first that is named behind them."""
    rolling = ROLLING.search(reading.question)
    behind = [each for each in find_asks(reading.question) if rolling and each.start >= rolling.end()]
    return bool(behind) and behind[0] == ask


def _each_year(reading: Reading, whens: tuple[When, ...]) -> tuple[When, ...]:
    """The years of a range one by one, where its first and last are asked for: 'from 2017 to 2021'."""
    years = {each.periods[0].fiscal_year or each.periods[0].calendar_year for each in whens if each.periods}
    named = {ask.year for ask in find_asks(reading.question) if ask.year}
    said = sorted(named.union(map(int, _YEAR.findall(reading.question))))
    if len(said) != 2 or reading.months not in (None, 0, YEAR) or not years <= {*said}:
        return whens
    if not years or said[1] - said[0] >= MAX_RESULTS or not _RANGE.search(reading.question):
        return whens
    return tuple(
        When((PeriodFilter(fiscal_year=y), PeriodFilter(calendar_year=y)), 0 if reading.months == 0 else YEAR)
        for y in range(said[0], said[1] + 1)
    )


def is_since_opening(reading: Reading) -> bool:
    """Whether balances change since a period began: 'by how much did inventories grow in the first nine months?'. Of a
    quarter its beginning is seldom printed, and a year's is a year before."""
    asks = find_asks(reading.question)
    return reading.months in PARTS_OF_YEAR and not any(ask.kind == "year_ago" for ask in asks)


def _without_compared(
    periods: Sequence[PeriodFilter], reading: Reading, asked: Asked
) -> Sequence[PeriodFilter]:
    """Those that the question names, where it names several or nothing is to change over time: what each could be
    compared with is not asked for."""
    named = [each for each in periods if each not in reading.compared_periods]
    alone = bool(named) and (asked.across not in CHANGED or is_since_opening(reading))
    return named if alone or len(periods_of(named, None)) > 1 else periods


def _each_once(periods: Sequence[PeriodFilter], catalog: Catalog, company: str) -> list[PeriodFilter]:
    """Without a year that another period names by its last day."""
    ends = {each.end for each in periods if each.end}
    named = [period for period in catalog.document_periods(company) if period.end in ends]
    return [each for each in periods if each.end or not any(each.admits(period) for period in named)]


def _quarters_of(year: When, periods: Sequence[PeriodFilter]) -> tuple[When, ...]:
    """The quarters of a year, or of as much of it as is asked for."""
    named = next((each.fiscal_year or each.calendar_year for each in periods if not each.end), None)
    last = next((each.end for each in periods if each.end), None)
    number = named or (last.year if last else None)
    if number is None:
        return (year,)
    found = []
    spanned = year.months if year.months in (6, 9) else YEAR
    of_calendar = any(each.calendar_year for each in periods)
    for quarter in range(1, 1 + spanned // QUARTER):
        fiscal = PeriodFilter(fiscal_year=number, fiscal_quarter=quarter)
        calendar = (
            (PeriodFilter(calendar_year=number, calendar_quarter=quarter),) if named and of_calendar else ()
        )
        found.append(When((fiscal, *calendar), QUARTER))
    return tuple(found)


def _own_periods(reading: Reading, catalog: Catalog, within: Scope, company: str) -> Sequence[PeriodFilter]:
    every = next((own for key, own in reading.company_periods if key == company), reading.scope.periods)
    if len(reading.companies) < 2:
        return every or reading.scope.periods
    mentions = sorted(catalog.link(reading.question), key=lambda each: each.start)
    for at, mention in enumerate(mentions):
        if mention.key != company:
            continue
        stop = mentions[at + 1].start if at + 1 < len(mentions) else len(reading.question)
        own = read_question(reading.question[mention.start : stop], catalog, within).scope.periods
        if own:
            return own
    return every
