"""Spans of time made of others: nine months less six are a quarter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from tools.evidence import Evidence
from tools.periods import Period, PeriodFilter

END_SLACK = timedelta(days=12)
"""Days by which the ends of periods of weeks lie apart from those of months."""
MAX_SPANS = 4
"""Printed spans that one derived span is made of, at most."""
DAYS_A_MONTH = 365.25 / 12


def months_before(end: date, months: int) -> date:
    """About the same day so many months before."""
    return end - timedelta(days=round(months * DAYS_A_MONTH))


@dataclass(frozen=True, slots=True)
class Span:
    """A printed figure from the end of one month to the end of another."""

    start: int
    stop: int
    figure: Evidence


def month_of(end: date) -> int:
    """Number of the month that a span's end closes: weeks may end in the first days of the next."""
    day = end - timedelta(days=10)
    return day.year * 12 + day.month


def around(wished: Sequence[PeriodFilter]) -> tuple[PeriodFilter, ...]:
    """The years of some periods and those beside them: a span may begin or end in another year."""
    years = {y for e in wished for y in (e.fiscal_year, e.calendar_year, e.end.year if e.end else None) if y}
    return tuple(PeriodFilter(calendar_year=y) for y in sorted({y + n for y in years for n in (-1, 0, 1)}))


def ends(wanted: PeriodFilter, known: Collection[Period]) -> list[date]:
    """Last days that a filter may mean, the latest first."""
    if wanted.end is not None:
        return [wanted.end]
    return sorted({each.end for each in known if each.end and wanted.admits(each)}, reverse=True)


def way(spans: Sequence[Span], start: int, stop: int) -> tuple[tuple[int, Evidence], ...] | None:
    """The fewest spans, forwards and backwards, that lead from one month to another."""
    reached: dict[int, tuple[tuple[int, Evidence], ...]] = {start: ()}
    edge = [start]
    for _ in range(MAX_SPANS):
        following: list[int] = []
        for place in edge:
            for goal, sign, figure in _steps(spans, place):
                if goal not in reached:
                    reached[goal] = (*reached[place], (sign, figure))
                    following.append(goal)
        if stop in reached:
            return tuple(sorted(reached[stop], key=lambda part: -part[0]))
        edge = following
    return None


def _steps(spans: Sequence[Span], place: int) -> Iterator[tuple[int, int, Evidence]]:
    for span in spans:
        if span.start == place:
            yield span.stop, 1, span.figure
        if span.stop == place:
            yield span.start, -1, span.figure
