"""What each figure column stands for: its period, its other qualifiers, or that it is a change or a year."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from tools.documents.tables.column_dates import (
    PeriodText,
    find_durations,
    find_full_dates,
    is_year,
    read_period,
    says_either,
    yearless_day,
)
from tools.documents.tables.fiscal_calendar import (
    DAYS_A_MONTH,
    FiscalCalendar,
    FiscalEnds,
    bare_quarter,
    bare_year,
)
from tools.documents.tables.headers import stub_period
from tools.documents.tables.table_parts import PRIMARY, Block, Column
from tools.documents.tables.unit_notes import NOTE, note_text
from tools.documents.tables.units import is_percent_head
from tools.documents.types import Document
from tools.periods import Period

MIN_FUTURE = 2
"""Columns of future years, from which a table lays out what falls due."""
MIN_QUARTERS = 3
"""Of a year, that a table shows side by side."""
_CONNECTIVES = re.compile(r"^(?:(?:for|as|at|of|in|on|the|and|ended|ending)\b[\s,]*)+$", re.IGNORECASE)
_DAYS_A_YEAR = 365
MAX_DRIFT = 10
"""Days by which the ends of fiscal years wander."""
CHANGE = re.compile(
    r"\bchanges?\b(?! in\b)|\bincrease\b|\bdecrease\b|\bvariance\b|\bvs\.?\b|\bversus\b"
    r"|\bgrowth\b(?! (?!(?:rates?|in|over|from)\b)[a-z])|\by/y\b|\bq/q\b|[%$] ?chg",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"\(?\bunaudited\b\)?|\(?as (?:restated|adjusted|revised)\)?|\(\d{1,2}\)|[¹²³⁴⁵⁶⁷⁸⁹]|(?<=[a-z]{3})[1-9](?!\d)",
    re.IGNORECASE,
)


def _fiscal_label(text: PeriodText, calendar: FiscalCalendar) -> Period:
    """'Q2 2023', 'YTD 2023': the end is taken only from this document's own dates."""
    year, quarter = text.fiscal_year, text.fiscal_quarter
    if year is None:
        return Period()
    if text.year_to_date:
        quarter = calendar.own_quarter
        if quarter is None:
            return Period()
    if quarter is None:
        return replace(calendar.year(year), months=12)
    return calendar.quarter(year, quarter, 3 * quarter if text.year_to_date else 3)


def _caption_period(block: Block, calendar: FiscalCalendar) -> Period:
    """A period for columns whose header states none: the one the caption states, else the document's end.

    A caption with several dates or durations decides nothing, but beside dated columns others hold today. Neither
    does a missing one: a table that goes on from another page had its date there.
    """
    dates = {day for day, _, _ in find_full_dates(block.caption)}
    durations = {months for months, _, _ in find_durations(block.caption)}
    if len(dates) > 1 or len(durations) > 1:
        beside = any(column.stated for column in block.columns)
        return calendar.period(calendar.period_end, None) if beside else Period()
    labelled = (
        _fiscal_label(read_period(block.caption), calendar) if not dates and not durations else Period()
    )
    if labelled.end is not None:
        return labelled
    if not dates:
        own = NOTE.sub("", block.caption).strip()
        return calendar.period(calendar.period_end, None) if own and not durations else Period()
    day = dates.pop()
    read = read_period(block.caption)
    return calendar.period(day, durations.pop() if durations else read.months)


def _clean(text: str) -> str:
    text = _NOISE.sub(" ", NOTE.sub(" ", text))
    return " ".join(text.split()).strip(" ,:;-—–")


def read_columns(block: Block, calendar: FiscalCalendar) -> None:
    """Fill period, qualifiers and note of every column of a block whose header texts are known.

    A length (`Period.months`) that no header states stays open: rows tell balances from flows.
    """
    stub, years = stub_period(block), {y for text in block.stub if (y := bare_year(text)) is not None}
    year = years.pop() if len(years) == 1 else None
    fallback: Period | None = None
    future: list[Column] = []
    for column in block.columns:
        joined = " ".join(column.texts)
        column.note = " ".join(note_text(match) for match in NOTE.finditer(joined))
        text = read_period(_clean(joined))
        if stub and text.end is None:
            with_stub = read_period(f"{stub} {_clean(joined)}")
            text = with_stub if with_stub.end is not None else text
        rest = _CONNECTIVES.sub("", text.rest.strip("$ "))
        column.stated = text.says_something or any(is_year(w) for w in rest.split())
        column.either = text.either or says_either(block.caption)
        column.period = _column_period(text, block, calendar)
        if column.period == Period():
            column.period, rest = _numbered_period(column, rest, calendar)
        if not column.stated and year is not None and calendar.is_annual:
            column.period, column.stated = calendar.year(year), True
        if not column.stated and column.period == Period():
            if fallback is None:
                fallback = _caption_period(block, calendar)
            column.period = fallback
        column.period, rest = _quarter_under_year(column.period, rest, calendar)
        column.qualifiers = (rest,) if rest and not is_year(rest) else ()
        if _is_future(column.period, calendar):
            column.qualifiers = (*column.qualifiers, column.period.describe())
            known = _caption_period(block, calendar)
            known = calendar.period(calendar.period_end, 0) if known == Period() else known
            column.period = replace(known, months=0)
            future.append(column)
    _date_open_ends(block, future)
    _mark_quarters(block)
    _infer_instants(block)
    _roll_across(block, calendar)


def _date_open_ends(block: Block, future: Sequence[Column]) -> None:
    """Columns of spans of years or of all that comes after ('2026-2027', 'Thereafter') beside columns of future years
    are known as of the same day as these."""
    if len(future) < MIN_FUTURE:
        return
    for column in block.columns:
        if column.stated and column.period == Period() and not is_change(column):
            column.period = future[0].period


def _mark_quarters(block: Block) -> None:
    """Set `Column.quarter_end` where three columns or more are headed by days without a year."""
    days = [yearless_day(_clean(" ".join(column.texts))) for column in block.columns]
    if len({*days} - {None}) >= MIN_QUARTERS:
        for column, day in zip(block.columns, days, strict=True):
            column.quarter_end = day
            column.qualifiers = () if day else column.qualifiers


def _roll_across(block: Block, calendar: FiscalCalendar) -> None:
    """Columns of movements between two years: 'Balance 2020, Acquisitions, Balance 2021'. The years are balances, the
    movements are the later year's."""
    dated = [k for k, c in enumerate(block.columns) if c.stated and c.period.fiscal_year is not None]
    for first, last in itertools.pairwise(dated):
        opening, closing = block.columns[first].period, block.columns[last].period
        between = [c for c in block.columns[first + 1 : last] if not c.stated and not is_change(c)]
        shares = any(is_percent_head(" ".join(c.texts)) for c in between)
        if not between or shares or opening.months or closing.months or not _precedes(opening, closing):
            continue
        block.columns[first].period = replace(opening, months=0)
        block.columns[last].period = replace(closing, months=0)
        months = 12 if calendar.is_annual else None
        if opening.end is not None and closing.end is not None:
            months = round((closing.end - opening.end).days / DAYS_A_MONTH)
        for column in between:
            column.period, column.moved = replace(closing, months=months), True


def _precedes(opening: Period, closing: Period) -> bool:
    """True if one period ends before the other."""
    if opening.end is not None and closing.end is not None:
        return opening.end < closing.end
    return (opening.fiscal_year or 0) < (closing.fiscal_year or 0)


def _numbered_period(column: Column, rest: str, calendar: FiscalCalendar) -> tuple[Period, str]:
    """The fiscal year or quarter that a header cell of its own names by number ('2021', 'Third Quarter'), in a
    document whose years without more words are fiscal ones; and the column's other words. In a report on a calendar
    year's first quarter a year alone is that quarter of it: nothing else of the year has passed."""
    texts = [_clean(text) for text in column.texts]
    years = {year for text in texts if (year := bare_year(text)) is not None}
    quarters = {quarter for text in texts if (quarter := bare_quarter(text)) is not None}
    if not years and quarters == {calendar.own_quarter}:
        return calendar.period(calendar.period_end, 3), rest
    opening = not quarters and calendar.is_first_quarter
    if len(years) != 1 or len(quarters) > 1 or not (calendar.is_annual or opening):
        return Period(), rest
    others = [text for text in texts if text and bare_year(text) is None and bare_quarter(text) is None]
    year = years.pop()
    if opening:
        return calendar.quarter(year, 1), " ".join(others)
    return (calendar.quarter(year, quarters.pop()) if quarters else calendar.year(year)), " ".join(others)


def _quarter_under_year(year: Period, rest: str, calendar: FiscalCalendar) -> tuple[Period, str]:
    """The quarter that a column's other words name ('Q3') under the head of a whole fiscal year; and what is left of
    the words."""
    quarter = bare_quarter(rest)
    if quarter is None or year.fiscal_year is None or year.months != 12 or not calendar.is_year_end(year.end):
        return year, rest
    return calendar.quarter(year.fiscal_year, quarter), ""


def _is_future(period: Period, calendar: FiscalCalendar) -> bool:
    """True for columns of what falls due after the document's period: what they hold is known as of the
    document."""
    if period.end is None:
        return period.fiscal_year is not None and calendar.is_future(period.fiscal_year)
    return calendar.period_end is not None and (period.end - calendar.period_end).days > 20


def _column_period(text: PeriodText, block: Block, calendar: FiscalCalendar) -> Period:
    if text.end is None:
        return _fiscal_label(text, calendar)
    months = text.months
    if months is None and block.statement == "balance":
        months = 0
    elif months is None:
        durations = {m for m, _, _ in find_durations(block.caption)}
        months = durations.pop() if len(durations) == 1 else None
    return calendar.period(text.end, months)


def _infer_instants(block: Block) -> None:
    """Dates without a duration are days of balances, where they stand beside durations, or where they are other than
    a year apart: flows are compared with those of a year before."""
    columns = [c for c in block.columns if c.stated and c.period.end is not None]
    for column in columns:
        if column.dated and column.period.months is None:
            column.period = replace(column.period, months=0)
    days = sorted({c.period.end for c in columns if c.period.end is not None})
    apart = [(later - earlier).days for earlier, later in itertools.pairwise(days)]
    if all(abs(gap - _DAYS_A_YEAR * round(gap / _DAYS_A_YEAR)) <= MAX_DRIFT for gap in apart):
        return
    if all(c.period.months is None for c in columns):
        for column in columns:
            column.period = replace(column.period, months=0)


def is_change(column: Column) -> bool:
    """True for columns of differences ('Change', '% Change', '$ Increase'): not a value of any one period."""
    return CHANGE.search(" ".join(column.texts)) is not None


def collect_ends(blocks: list[Block], document: Document) -> FiscalEnds:
    """Last days of fiscal quarters as the dated columns of a document show them, else the words above its statements;
    of several, the one that most tables show."""
    calendar = FiscalCalendar(document)
    seen: dict[tuple[int, int], Counter[date]] = {}
    introduced: dict[tuple[int, int], Counter[date]] = {}
    for block in blocks:
        periods = [column.period for column in block.columns]
        dated = [(p.end, seen) for p in periods if p.end is not None and p.fiscal_quarter is not None]
        if block.statement in PRIMARY:
            dated += [(day, introduced) for day, _, _ in find_full_dates(" ".join(block.lead))]
        for day, found in dated:
            year, quarter = calendar.fiscal_of(day)
            if year is not None and quarter is not None and calendar.may_end(day):
                found.setdefault((year, quarter), Counter())[day] += 1
    ends = {key: max(days, key=lambda day: (days[day], day)) for key, days in (introduced | seen).items()}
    if document.period_end and document.fiscal_year and document.fiscal_quarter:
        ends[document.fiscal_year, document.fiscal_quarter] = document.period_end
    return ends
