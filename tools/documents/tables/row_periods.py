"""Periods that rows state themselves: balances at a date, date ranges, and section heads that are a period."""

from __future__ import annotations

import itertools
import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date

from tools.documents.tables.column_dates import day_in, find_durations, find_full_dates, read_period
from tools.documents.tables.fiscal_calendar import DAYS_A_MONTH, MARK, FiscalCalendar, bare_year
from tools.documents.tables.row_kinds import balance_chance, row_features
from tools.documents.tables.table_parts import Block, Row
from tools.periods import Period
from tools.value_patterns import MONTH

_FOR_THE = re.compile(r"^for (?:the |each of the )?", re.IGNORECASE)
_SPAN = r"(?:the )?(?:fiscal )?(?:year|period|quarter)"
AT_START = re.compile(
    rf"\b(?:beginning|start) of {_SPAN}\b|(?:^|, )(?:beginning|opening) balances?\b|^balances?,? beginning\b",
    re.IGNORECASE,
)
AT_END = re.compile(
    rf"\bend of {_SPAN}\b|\bperiod[- ]end\b"
    r"|(?:^|, )(?:ending|closing) balances?\b|^balances?,? end(?:ing)?\b",
    re.IGNORECASE,
)
MIN_DUE = 2
"""Rows of future years, from which a table lays out what falls due."""
_RANGE = re.compile(r"\b(?:to|through)\b|[–—]|\s-\s")
_SHORT_RANGE = re.compile(
    rf"(?P<month>{MONTH})\.? (?P<day>\d{{1,2}})(?:, \d{{4}})? ?(?:to|through|[–—-]) ?"
    rf"(?:(?P<last_month>{MONTH})\.? )?(?P<last_day>\d{{1,2}})(?:, (?P<year>\d{{4}}))?",
    re.IGNORECASE,
)
_QUARTER_ROW = re.compile(
    r"(?:first|second|third|fourth) quarter|Q[1-4]\b.*|total (?:first|second|third|fourth) quarter",
    re.IGNORECASE,
)
_BALANCE = re.compile(
    r"^(?:\w+ ){0,3}balances?\b.*\b(?:as of|at)?\b|^outstanding as of|\bas of\b|\bat\b", re.IGNORECASE
)


def row_period(label: str, calendar: FiscalCalendar) -> Period | None:
    """A period the label itself states: 'Balance as of July 1, 2023', 'May 7, 2023 to June 3, 2023'."""
    year = bare_year(label)
    if year is not None and calendar.is_annual and not calendar.is_future(year):
        return calendar.year(year)
    whole = section_period(label, calendar)
    if whole is not None and whole.end is not None and whole.months:
        return whole
    spans = find_full_dates(label)
    dates = [day for day, _, _ in spans]
    if _QUARTER_ROW.fullmatch(label.strip()) or (
        len(spans) == 1 and label.strip(" :") == label[spans[0][1] : spans[0][2]]
    ):
        return Period()
    if len(dates) == 2 and _RANGE.search(label) and dates[0] < dates[1]:
        months = round(((dates[1] - dates[0]).days + 1) / DAYS_A_MONTH)
        return calendar.period(dates[1], months)
    ranged = _short_range(label, calendar)
    if ranged is not None:
        return ranged
    if len(dates) == 1 and _BALANCE.search(label) and not find_durations(label):
        outside = re.sub(r"\([^)]*\)", "", label)
        return calendar.period(dates[0], 0) if find_full_dates(outside) else None
    return None


def balance_day(label: str) -> tuple[int, int] | None:
    """Month and day of a label that dates its balance without a year: 'Balance at March 31'."""
    if not _BALANCE.search(label) or find_durations(label):
        return None
    named = re.match(r"(?:\w+ ){0,3}balances?\b", label, re.IGNORECASE) is not None
    return day_in(label) if named or balance_chance(row_features(label, (), "", "", 1), False) > 0.5 else None


def _short_range(label: str, calendar: FiscalCalendar) -> Period | None:
    """'May 1 – May 28, 2023', 'May 1-28, 2023', 'May 1 to May 28': the year is printed once or not at all, a month
    alone. Without a year it is the last such time that the document can report on."""
    found = _SHORT_RANGE.fullmatch(MARK.sub("", label).strip(" :"))
    if found is None or calendar.period_end is None:
        return None
    first = day_in(f"{found['month']} {found['day']}")
    last = day_in(f"{found['last_month'] or found['month']} {found['last_day']}")
    if first is None or last is None:
        return None
    end = last_day(last, date(int(found["year"]), 12, 31) if found["year"] else calendar.period_end)
    start = last_day(first, end)
    return calendar.period(end, max(1, round(((end - start).days + 1) / DAYS_A_MONTH)))


def last_day(day: tuple[int, int], end: date) -> date:
    """The last date of a month and day that is not after `end`."""
    month, number = day
    year = end.year if day <= (end.month, end.day) else end.year - 1
    return date(year, month, min(number, monthrange(year, month)[1]))


def section_period(label: str, calendar: FiscalCalendar) -> Period | None:
    """A row that is nothing but a period ('September 30, 2022', 'Three Months Ended June 30, 2022'); else
    None.

    A duration alone gives a period without an end.
    """
    text = read_period(_FOR_THE.sub("", MARK.sub("", label).strip(" :")))
    if text.rest or not text.says_something or len(text.dates) > 1:
        return None
    if text.end is None and text.months is None:
        return None
    if text.end is None:
        return Period(None, text.months)
    return calendar.period(text.end, text.months)


def _range_period(label: str, calendar: FiscalCalendar) -> Period | None:
    """A heading that is nothing but two days: 'April 2, 2023 to May 6, 2023:'."""
    spans = find_full_dates(label)
    if len(spans) != 2 or label[: spans[0][1]].strip() or label[spans[1][2] :].strip(" :"):
        return None
    return row_period(label.strip(" :"), calendar)


def mark_periods(block: Block, calendar: FiscalCalendar) -> None:
    """Set `Row.period` where the row or the section it stands in states its own."""
    section: Period | None = None
    ranged = False
    for row in block.rows:
        if row.is_heading:
            year = bare_year(row.label)
            if year is not None:
                section = row.period = calendar.year(year) if calendar.is_annual else Period()
            found = section_period(row.label, calendar)
            span = _range_period(row.label, calendar) if found is None else None
            if span is not None:
                section, row.period, ranged = span, span, True
            if found is not None:
                ranged = False
                months = found.months
                if found.end is not None and months is None:
                    durations = {m for m, _, _ in find_durations(block.caption)}
                    months = durations.pop() if len(durations) == 1 else (0 if not durations else None)
                section = row.period = Period(found.end, months, found.fiscal_year, found.fiscal_quarter)
            continue
        own = row_period(row.label, calendar)
        summed = ranged and re.match(r"(?:grand )?total\b", row.label, re.IGNORECASE) is not None
        row.period = own if own is not None else None if summed else section
        row.label = row.label if own is None else re.sub(r"\s*:$", "", row.label)
    _mark_moves(block)
    _mark_days(block, calendar)
    _mark_due(block, calendar)
    _roll_forward(block, calendar)


def _mark_moves(block: Block) -> None:
    """Rows between a balance 'at beginning of year', or on a day without a year, and the next one 'at end of year', or
    on another such day, are flows."""
    opened: int | None = None
    for k, row in enumerate(block.rows):
        day = balance_day(row.label)
        if not row.cells or not (AT_START.search(row.label) or AT_END.search(row.label) or day):
            continue
        row.closes = AT_END.search(row.label) is not None
        if AT_START.search(row.label) or (opened is None and not row.closes):
            opened = k
        elif opened is not None and (row.closes or day != balance_day(block.rows[opened].label)):
            row.closes = True
            for between in block.rows[opened + 1 : k]:
                between.moved = True
            opened = None


def _only_day(row: Row) -> date | None:
    """The day that a row of figures is named by, where its label says nothing else."""
    spans = find_full_dates(row.label) if row.cells else []
    alone = len(spans) == 1 and row.label.strip(" :") == row.label[spans[0][1] : spans[0][2]]
    return spans[0][0] if alone else None


def _mark_days(block: Block, calendar: FiscalCalendar) -> None:
    """Rows named by a day alone are balances where what came and went stands between two of them."""
    days = [(k, row, day) for k, row in enumerate(block.rows) if (day := _only_day(row)) is not None]
    for (first, opening, begin), (last, closing, end) in itertools.pairwise(days):
        reported = calendar.period_end is not None and begin < end <= calendar.period_end
        if reported and any(row.cells for row in block.rows[first + 1 : last]):
            opening.period, closing.period = calendar.period(begin, 0), calendar.period(end, 0)


def _mark_due(block: Block, calendar: FiscalCalendar) -> None:
    """What falls due in future years or on future days, row by row, is known as of a day, and so are the rest and the
    total below."""
    due: list[Row] = []
    for row in block.rows:
        year, day = bare_year(row.label), _only_day(row)
        late = day is not None and calendar.period_end is not None and day > calendar.period_end
        if late or (year is not None and row.cells and calendar.is_future(year)):
            due.append(row)
            row.period = None
        elif row.is_heading or row.period is not None:
            due = []
        elif len(due) >= MIN_DUE:
            due.append(row)
        for known in due if len(due) >= MIN_DUE else ():
            known.closes = known.due = True


def _roll_forward(block: Block, calendar: FiscalCalendar) -> None:
    """Flows between an opening and a closing balance cover the time between the two dates."""
    for (first, opening), (last, closing) in itertools.pairwise(_dated_balances(block)):
        _span(block.rows[first + 1 : last], opening, closing, calendar)


def roll_on(blocks: Sequence[Block], calendar: FiscalCalendar) -> None:
    """The same where a statement of equity goes on in the next block: flows after its last balance on one page and
    before the first one on the next."""
    for before, block in itertools.pairwise(each for each in blocks if each.statement == "equity"):
        opened, closed = _dated_balances(before), _dated_balances(block)
        if opened and closed and block.page - before.page <= 1:
            (first, opening), (last, closing) = opened[-1], closed[0]
            _span((*before.rows[first + 1 :], *block.rows[:last]), opening, closing, calendar)


def _dated_balances(block: Block) -> list[tuple[int, date]]:
    """Position and day of the rows whose labels date a balance."""
    return [
        (k, row.period.end)
        for k, row in enumerate(block.rows)
        if row.cells
        and row.period
        and row.period.end
        and row.period.months == 0
        and find_full_dates(row.label)
    ]


def _span(rows: Sequence[Row], opening: date, closing: date, calendar: FiscalCalendar) -> None:
    """Flows from one day to a later one."""
    if closing <= opening:
        return
    months = round((closing - opening).days / DAYS_A_MONTH)
    for row in rows:
        if row.cells and (not find_full_dates(row.label) or row_period(row.label, calendar) is None):
            row.period = calendar.period(closing, months)
