"""The periods that the index holds of one company, searched by date, label or distance."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from graphs.local.question.period_asks import PeriodAsk
from tools.documents.metadata.catalog import Catalog
from tools.periods import Period, PeriodFilter

_YEAR_DAYS, _QUARTER_DAYS = 364, 91
_CALENDAR_SLACK_DAYS = 11
"""Days by which 52/53-week fiscal calendars stray from whole years and quarters."""
_MONTH_END_SLACK_DAYS = 9
"""Days by which a quarter named by a month may end before or after that month's last day."""

MAX_SERIES_PERIODS = 8
"""Periods shown at most of a development over time, the latest ones."""

CENTURY = 2000
"""Of years that are said by two digits."""


class CompanyPeriods:
    """The periods of one company, searched by date, label or distance."""

    def __init__(self, catalog: Catalog, company: str) -> None:
        self.name = catalog.name(company)
        self.documents = catalog.document_periods(company)
        self.facts = catalog.fact_periods(company)
        self.ends = catalog.ends(company)
        self._days = sorted({*self.ends, *(p.end for p in self.facts if p.end is not None)})
        """Of whatever was counted on them, too: shares are, on a cover."""
        self._flow_ends = {p.end for p in self.facts if p.months}
        self.document_ends = tuple(p.end for p in self.documents if p.end is not None)
        self.latest = catalog.latest(company)
        self._filed_as = partial(catalog.filed_as, company)

    def resolve(self, ask: PeriodAsk, bases: Sequence[PeriodFilter]) -> list[PeriodFilter]:
        """Filters that `ask` means for this company; empty if it has no such period.

        `bases` are what a relative phrase counts from; without one it counts from the latest period.
        """
        found = self._absolute(ask)
        if found is None:
            origins = list(bases) or [self.as_filter(self.latest)] if self.latest else list(bases)
            found = [each for origin in origins for each in self._relative(ask, origin)]
        if ask.months in (6, 9, 12):
            found = [replace(each, months=ask.months) for each in found]
        return list(dict.fromkeys([*found, *self._undated_twins(found)]))

    def _undated_twins(self, found: Sequence[PeriodFilter]) -> list[PeriodFilter]:
        """A call that states no date shares the label of the filing whose period was found."""
        ends = {each.end for each in found if each.end is not None}
        labels = {
            (p.fiscal_year, p.fiscal_quarter) for p in self.documents if p.end in ends and p.fiscal_quarter
        }
        undated = [p for p in self.documents if p.end is None]
        return [self.as_filter(p) for p in undated if (p.fiscal_year, p.fiscal_quarter) in labels]

    def _absolute(self, ask: PeriodAsk) -> list[PeriodFilter] | None:
        match ask.kind:
            case "date":
                return self._on_day(ask)
            case "month":
                return self._in_month(ask)
            case "quarter":
                return self._labelled(ask)
            case "year":
                return self._in_year(ask)
            case "latest":
                dated = [p for p in self.documents if p.end or p.fiscal_year]
                quarters = [p for p in dated if p.fiscal_quarter and "quarter" in ask.text.lower()]
                return [self.as_filter(p) for p in (quarters or dated)[-ask.count :]]
            case "series":
                dated = [p for p in self.documents if p.end or p.fiscal_year]
                return list(dict.fromkeys(map(self.as_filter, dated)))[-MAX_SERIES_PERIODS:]
            case _:
                return None

    def _relative(self, ask: PeriodAsk, origin: PeriodFilter) -> list[PeriodFilter]:
        if ask.kind in ("this_year", "last_year"):
            return self._relative_year(ask)
        days = _YEAR_DAYS if ask.kind == "year_ago" else _QUARTER_DAYS
        if origin.end is not None:
            for ends in (self.document_ends, self.ends):
                near = [end for end in ends if abs((origin.end - end).days - days) <= _CALENDAR_SLACK_DAYS]
                if near:  # what is told of the day after a year's end is no period
                    day = origin.end
                    best = min(near, key=lambda e: (e not in self._flow_ends, abs((day - e).days - days)))
                    return [PeriodFilter(end=best, months=origin.months)]
            return []
        year, quarter = origin.fiscal_year, origin.fiscal_quarter
        if year is None:
            return []
        if ask.kind == "year_ago" or quarter is None:
            year -= 1
        else:
            year, quarter = (year, quarter - 1) if quarter > 1 else (year - 1, 4)
        wanted = PeriodFilter(fiscal_year=year, fiscal_quarter=quarter)
        return [wanted] if any(map(wanted.admits, (*self.documents, *self.facts))) else []

    def _relative_year(self, ask: PeriodAsk) -> list[PeriodFilter]:
        latest = self.latest
        if latest is None:
            return []
        if ask.kind == "this_year" and re.search(r"to[\s-]date|ytd", ask.text, re.IGNORECASE):
            months = 3 * latest.fiscal_quarter if latest.fiscal_quarter else None
            return [replace(self.as_filter(latest), months=months)]
        year = latest.fiscal_year or (latest.end.year if latest.end else None)
        if year is None:
            return []
        return self._in_year(replace(ask, year=year - (ask.kind == "last_year")))

    def _on_day(self, ask: PeriodAsk) -> list[PeriodFilter]:
        if ask.day is None:
            days = [end for end in self._days if (end.month, end.day) == (ask.month, ask.day_of_month)]
            if days or not ask.may_be_year:
                return [PeriodFilter(end=days[-1])] if days else []
            return self._in_month(replace(ask, year=CENTURY + (ask.day_of_month or 0)))
        if ask.day in self._days:
            return [PeriodFilter(end=ask.day)]
        return self._undated(ask.day.year, ask.day.month) if _is_quarter_end(ask.day) else []

    def _in_month(self, ask: PeriodAsk) -> list[PeriodFilter]:
        several = ask.year is None and ask.text.lower().endswith("s")
        for ends in (self.document_ends, self.ends)[several:]:
            near = [end for end in ends if _near_month(end, ask.month or 0, ask.year)]
            if near:
                # a rule in force "as of February 1" is no end of a retailer's year to January 31
                closing = [end for end in near if end in self._flow_ends] or near
                return [PeriodFilter(end=end) for end in (near if several else [_at_month_end(closing)])]
        return self._undated(ask.year, ask.month or 0) if ask.year and (ask.month or 0) % 3 == 0 else []

    def _undated(self, year: int, month: int) -> list[PeriodFilter]:
        """A document that states no date answers for a calendar quarter's end by its label."""
        label = (year, (month - 1) // 3 + 1)
        if any(p.end is None and (p.fiscal_year, p.fiscal_quarter) == label for p in self.documents):
            return [PeriodFilter(fiscal_year=label[0], fiscal_quarter=label[1])]
        return []

    def on_calendar(self, ask: PeriodAsk) -> list[Period]:
        """Periods of documents that end in the calendar quarter of a label."""
        return [period for period in self.documents if _is_on_calendar(period, ask)]

    def _labelled(self, ask: PeriodAsk) -> list[PeriodFilter]:
        """A label is the company's fiscal one where a document or fact has it, else a calendar quarter; a report is
        the one whose file has that name."""
        by_name = ask.report and ask.basis is None and ask.year is not None and ask.quarter is not None
        if by_name and (named := self._filed_as(ask.year or 0, ask.quarter or 0)):
            return [self.as_filter(period) for period in named]
        for test in self._readings_of(ask):
            documents = [p for p in self.documents if test(p)]
            if documents:
                last = documents[-1]
                newest = documents if ask.year is not None else [p for p in documents if _same_label(p, last)]
                return [self.as_filter(period) for period in newest]
            end = _last_flow([p for p in self.facts if test(p)])
            if end is not None:
                return [PeriodFilter(end=end)]
        return []

    def _readings_of(self, ask: PeriodAsk) -> list[Callable[[Period], bool]]:
        """How the label may be read, likeliest first: does a period have it?"""

        def fiscal(period: Period) -> bool:
            return period.fiscal_quarter == ask.quarter and ask.year in (None, period.fiscal_year)

        def by_calendar(period: Period) -> bool:
            return _is_on_calendar(period, ask)

        if ask.basis is not None:
            return [by_calendar] if ask.basis == "calendar" else [fiscal]
        has_labels = any(period.fiscal_quarter for period in self.documents)
        return [fiscal, by_calendar] if ask.year is not None or not has_labels else [fiscal]

    def _in_year(self, ask: PeriodAsk) -> list[PeriodFilter]:
        wanted = []
        if ask.basis != "calendar":
            wanted.append(PeriodFilter(fiscal_year=ask.year))
        if ask.basis != "fiscal":
            wanted.append(PeriodFilter(calendar_year=ask.year))
        known = (*self.documents, *self.facts)
        return [each for each in wanted if any(map(each.admits, known))]

    @staticmethod
    def as_filter(period: Period) -> PeriodFilter:
        """The filter that means exactly this document period."""
        if period.end is not None:
            return PeriodFilter(end=period.end)
        return PeriodFilter(fiscal_year=period.fiscal_year, fiscal_quarter=period.fiscal_quarter)

    def nearest(self, ask: PeriodAsk) -> list[str]:
        """Up to two periods that exist, nearest to what was asked, in words."""
        target = ask.day or date(min(max(ask.year or 2000, 1), 9999), ask.month or 3 * (ask.quarter or 4), 28)
        dated = sorted(
            (p for p in self.documents if p.end), key=lambda p: abs((target - (p.end or target)).days)
        )
        words = [f"quarter ended {day_in_words(p.end)}" for p in dated if p.end] or [
            p.describe() for p in self.documents if p.fiscal_year
        ]
        return [f"{self.name}: {each}" for each in dict.fromkeys(words)][:2]


def _last_flow(facts: Sequence[Period]) -> date | None:
    """The last day of which there are facts over quarters, else over any other span but one or two months: a table of
    share purchases by month names no quarter."""
    dated = [(period.end, period.months) for period in facts if period.end is not None]
    quarters = [end for end, months in dated if months in (3, 6, 9)]
    return max(quarters or [end for end, months in dated if months not in (1, 2)], default=None)


def _same_label(first: Period, second: Period) -> bool:
    return (first.fiscal_year, first.fiscal_quarter) == (second.fiscal_year, second.fiscal_quarter)


def day_in_words(day: date) -> str:
    """'July 1, 2023'."""
    return f"{day:%B} {day.day}, {day.year}"


def nominal(day: date) -> date:
    """52/53-week years end some days before or after a month's end: July 1 belongs to June."""
    if day.day > _MONTH_END_SLACK_DAYS:
        return day
    return date(day.year - (day.month == 1), 12 if day.month == 1 else day.month - 1, 28)


def _at_month_end(ends: Sequence[date]) -> date:
    """Of the latest month that some days are near the end of, the day that is nearest to it."""

    def closing(end: date) -> date:
        month = nominal(end)
        return month.replace(day=calendar.monthrange(month.year, month.month)[1])

    last = max(map(closing, ends))
    return min(ends, key=lambda end: abs(end - last))


def _near_month(end: date, month: int, year: int | None) -> bool:
    shifted = nominal(end)
    late = (
        shifted.day >= calendar.monthrange(shifted.year, shifted.month)[1] - _MONTH_END_SLACK_DAYS
        or shifted != end
    )
    return late and shifted.month == month and year in (None, shifted.year)


def _is_quarter_end(day: date) -> bool:
    return day.month % 3 == 0 and day.day == calendar.monthrange(day.year, day.month)[1]


def _is_on_calendar(period: Period, ask: PeriodAsk) -> bool:
    end = nominal(period.end) if period.end else None
    return end is not None and (end.month + 2) // 3 == ask.quarter and ask.year in (None, end.year)
