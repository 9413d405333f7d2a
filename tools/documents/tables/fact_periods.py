"""The period of one figure: what its row, its column and the company's calendar say together."""

from __future__ import annotations

import re
from dataclasses import replace

from tools.documents.tables.column_dates import is_year, read_period
from tools.documents.tables.fiscal_calendar import FiscalCalendar, bare_quarter
from tools.documents.tables.row_kinds import balance_chance, row_features
from tools.documents.tables.row_labels import clean_label
from tools.documents.tables.row_periods import AT_END, AT_START, balance_day, last_day, row_period
from tools.documents.tables.table_parts import FLOWS, PRIMARY, Block, Column, Row
from tools.periods import Period

SURE_BALANCE = 0.9
"""Probability from which a row is a balance though the head gives a length, or where the calendar gives a flow none:
else the length stays as it is, unless it is as surely a flow."""
BALANCE_OF_COUNTS = 0.1
"""Probability from which numbers of things (employees, stores) are those of a day: tagged filings, from which the
probability is learnt, hardly tag them."""


def fact_period(
    row: Row, label: str, column: Column, block: Block, calendar: FiscalCalendar, unit: str = "?"
) -> Period | None:
    """The period of the figure of a row, named `label`, in a column; None where row and column contradict each
    other, `Period()` where nothing states it. `unit`: the figure's, '' of a number of things."""
    quarter = _quarter_of(row, column, block, calendar) or _ended_quarter(row, column, calendar)
    period = quarter or _joined(row, column.period, column.stated)
    if period is None or period == Period():
        return period
    names = (label, *column.qualifiers)
    if any(AT_START.search(name) for name in names) and period.months != 0:
        return _start_of(_with_length(period, False, calendar), calendar)
    if period.end is not None and (day := balance_day(label)) is not None:
        return calendar.period(last_day(day, period.end), 0)
    if row.closes or any(AT_END.search(name) for name in (*names, *row.path)):
        return replace(period, months=0)
    if period.months is not None:
        surely = (
            period.months > 0
            and unit != "percent"
            and _is_sure_balance(row, label, column, block, calendar, unit == "")
        )
        return replace(period, months=0) if surely else period
    balance = _is_balance(row, label, column, block, calendar, counted=unit == "")
    return period if balance is None else _with_length(period, balance, calendar)


def _is_sure_balance(
    row: Row, label: str, column: Column, block: Block, calendar: FiscalCalendar, counted: bool
) -> bool:
    """True where the words of a note's row leave no doubt that it is a balance, though the head gives a length: 'Total
    assets' of a segment, under 'Years Ended'."""
    own = row_period(label, calendar)
    if row.moved or column.moved or block.statement in PRIMARY or (own is not None and own.months):
        return False
    if column.either and row.listed is not None and not column.qualifiers:
        return row.listed
    even = BALANCE_OF_COUNTS if counted else 0.5
    sure = even if column.either or row.listed else SURE_BALANCE
    return _chance(row, label, column, block, lengths=False) > sure


def _is_balance(
    row: Row, label: str, column: Column, block: Block, calendar: FiscalCalendar, counted: bool
) -> bool | None:
    """Whether a figure is a balance; None where its words leave that open and the column's end is no year's. A column
    without a period beside days of balances goes with these."""
    if block.statement in FLOWS or row.moved:
        return False
    if block.statement == "balance":
        return True
    if counted:
        chance = balance_chance(words_around(row, label, column, block), calendar.heads_lengths)
    else:
        chance = _chance(row, label, column, block, calendar.heads_lengths)
    if not calendar.is_year_end(column.period.end) and column.period.end is not None:
        if max(chance, 1 - chance) > SURE_BALANCE:
            return chance > SURE_BALANCE
        dated = [c.period for c in block.columns if c.stated and c.period.end is not None]
        return True if dated and not column.stated and all(p.months == 0 for p in dated) else None
    return chance > (BALANCE_OF_COUNTS if counted else 0.5)


def _chance(row: Row, label: str, column: Column, block: Block, lengths: bool) -> float:
    """Probability that a figure is a balance. What adds up to a total is of the kind that the total's name, their
    heading or the words over their column tell, where one of these leaves less doubt than the row's own name."""
    own = balance_chance(words_around(row, label, column, block), lengths)
    if not row.kin:
        return own
    total = row.kin[-1]
    if total is not row and total.period is not None and total.period.months == 0:
        return 1.0
    names = (clean_label(total.label), *row.path[-1:], *column.qualifiers)
    told = [balance_chance(words_around(row, name, column, block), lengths) for name in names]
    surest = max(told, key=lambda chance: abs(chance - 0.5))
    return surest if max(surest, 1 - surest) > max(SURE_BALANCE, own, 1 - own) else own


def words_around(row: Row, label: str, column: Column, block: Block) -> dict[str, float]:
    """The features of `row_kinds` of the figure of a row in a column. Words of periods in the column's head are none of
    its name."""
    stub = " ".join(block.stub)
    head, title = " ".join((stub, *column.texts)), f"{block.title} {block.caption}"
    names = (*row.path[-2:], read_period(stub).rest, " ".join(column.qualifiers))
    ends = {c.period.end or c.period.fiscal_year for c in block.columns if c.stated}
    return row_features(label, names, head, title, len(ends))


def _with_length(period: Period, balance: bool, calendar: FiscalCalendar) -> Period:
    """The period with the length that the calendar gives it: none of a balance, a year at a year's end."""
    if period.months is not None:
        return period
    if balance:
        return replace(period, months=0)
    if calendar.is_year_end(period.end) or (period.end is None and period.fiscal_quarter is None):
        return replace(period, months=12)
    return replace(period, months=3) if period.fiscal_quarter == 1 else period


def _start_of(period: Period, calendar: FiscalCalendar) -> Period:
    """The day before a period's first, as a balance."""
    year, quarter = period.fiscal_year, period.fiscal_quarter or 4
    if year is None or not period.months or period.months % 3:
        return Period()
    total = year * 4 + quarter - 1 - period.months // 3
    return calendar.quarter(total // 4, total % 4 + 1, 0)


def _quarter_of(row: Row, column: Column, block: Block, calendar: FiscalCalendar) -> Period | None:
    """The fiscal quarter of a row 'Third Quarter' under a column of one fiscal year, where the stub says so."""
    quarter = bare_quarter(row.label)
    years = {text for head in column.texts for text in head.split() if is_year(text)}
    if quarter is None or len(years) != 1:
        return None
    if not calendar.is_annual and not any(
        re.search(r"\bfiscal year\b", t, re.IGNORECASE) for t in block.stub
    ):
        return None
    return calendar.quarter(int(years.pop()), quarter)


def _ended_quarter(row: Row, column: Column, calendar: FiscalCalendar) -> Period | None:
    """The quarter that ends on the day of a column in the year of a row's section."""
    year = row.period.end if row.period is not None and row.period.fiscal_quarter is None else None
    if column.quarter_end is None or year is None:
        return None
    return calendar.period(last_day(column.quarter_end, year), 3)


def _joined(row: Row, column: Period, stated: bool) -> Period | None:
    """The period of a row's section and its column; None where they contradict each other."""
    if row.period is None:
        return column
    if not stated:
        return row.period if row.period.end is not None or row.period.fiscal_year is not None else Period()
    if row.period.months == 0 and row.period.end is not None:
        if column.end is None or row.period.end == column.end:
            return row.period
        return (
            None
            if column.months in (0, None)
            else Period(row.period.end, 0, row.period.fiscal_year, row.period.fiscal_quarter)
        )
    if row.period.end is None and column.end is not None and column.months is None:
        return Period(column.end, row.period.months, column.fiscal_year, column.fiscal_quarter)
    return column
