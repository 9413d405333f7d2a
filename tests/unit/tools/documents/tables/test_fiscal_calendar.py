from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tools.documents.tables.fiscal_calendar import FiscalCalendar, bare_quarter, bare_year
from tools.documents.types import Document
from tools.periods import Period


@pytest.fixture
def annual(filing: Document) -> Document:
    return replace(
        filing, doc_type="10-K", fiscal_year=2022, fiscal_quarter=None, period_end=date(2022, 9, 30)
    )


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("2022", 2022),
        ("Fiscal 2021", 2021),
        ("FY 2020", 2020),
        ("2022 (a)", 2022),
        ("2022 Notes", None),
        ("12", None),
    ],
)
def test_a_text_that_is_nothing_but_a_year_is_one(text: str, year: int | None) -> None:
    assert bare_year(text) == year


@pytest.mark.parametrize(
    ("text", "quarter"), [("Third Quarter", 3), ("Q2", 2), ("Fourth", 4), ("Third party", None)]
)
def test_a_text_that_is_nothing_but_a_quarter_is_one(text: str, quarter: int | None) -> None:
    assert bare_quarter(text) == quarter


def test_years_that_end_with_a_month_are_counted_from_the_documents_own(annual: Document) -> None:
    calendar = FiscalCalendar(annual)
    assert calendar.year(2020) == Period(date(2020, 9, 30), None, 2020, None)
    assert calendar.quarter(2021, 2) == Period(date(2021, 3, 31), 3, 2021, 2)
    assert calendar.fiscal_of(date(2021, 12, 31)) == (2022, 1)


def test_a_year_of_weeks_ends_only_where_the_document_dates_it(annual: Document) -> None:
    weeks = replace(annual, period_end=date(2022, 9, 24))
    assert FiscalCalendar(weeks).year(2021).end is None
    ends = {(2021, 4): date(2021, 9, 25)}
    assert FiscalCalendar(weeks, ends).year(2021).end == date(2021, 9, 25)


def test_a_quarterly_report_takes_no_bare_year_for_a_fiscal_one(filing: Document) -> None:
    assert not FiscalCalendar(filing).is_annual


def test_what_falls_due_after_the_documents_year_is_future(annual: Document) -> None:
    assert FiscalCalendar(annual).is_future(2023)
    assert not FiscalCalendar(annual).is_future(2022)


def test_the_quarters_of_a_year_of_52_weeks_have_13_each(annual: Document) -> None:
    weeks = replace(annual, period_end=date(2022, 9, 24))
    calendar = FiscalCalendar(weeks, {(2021, 4): date(2021, 9, 25)})
    assert calendar.quarter(2022, 1) == Period(date(2021, 12, 25), 3, 2022, 1)
    assert calendar.quarter(2022, 3).end == date(2022, 6, 25)
    assert calendar.quarter(2021, 1).end == date(2020, 12, 26)
    longer = FiscalCalendar(weeks, {(2021, 4): date(2021, 9, 18)})
    assert longer.quarter(2022, 1).end is None  # 53 weeks: one quarter has 14


@pytest.mark.parametrize(
    ("ends", "year", "found"),
    [
        ({(2022, 4): date(2022, 9, 24), (2021, 4): date(2021, 9, 25)}, 2020, date(2020, 9, 26)),
        ({(2022, 4): date(2022, 12, 2), (2021, 4): date(2021, 12, 3)}, 2019, date(2019, 11, 29)),
        ({(2022, 4): date(2022, 12, 31), (2021, 4): date(2021, 12, 31)}, 2019, date(2019, 12, 31)),
        ({(2022, 4): date(2022, 6, 25), (2021, 4): date(2021, 6, 24)}, 2020, None),
    ],
)
def test_years_of_weeks_end_by_the_rule_that_the_known_ones_follow(
    ends: dict[tuple[int, int], date], year: int, found: date | None, annual: Document
) -> None:
    """The last Saturday of a month, the Friday nearest to its end, its last day; two weekdays follow no rule."""
    weeks = replace(annual, period_end=ends[2022, 4])
    assert FiscalCalendar(weeks, ends).year(year).end == found


def test_a_year_on_which_two_rules_differ_has_no_last_day(annual: Document) -> None:
    """The last Saturday of December and the one nearest to its end are one day in 2022 and 2023, but not in 2021."""
    weeks = replace(annual, period_end=date(2022, 12, 31))
    ends = {(2022, 4): date(2022, 12, 31), (2023, 4): date(2023, 12, 30)}
    assert FiscalCalendar(weeks, ends).year(2021).end is None
    assert FiscalCalendar(weeks, ends).year(2020).end is None


def test_a_quarter_of_weeks_is_dated_between_its_years_start_and_a_later_quarter(filing: Document) -> None:
    weeks = replace(filing, period_end=date(2022, 6, 25), fiscal_year=2022)
    ends = {(2021, 4): date(2021, 9, 25)}
    assert FiscalCalendar(weeks, ends).quarter(2022, 2).end == date(2022, 3, 26)
    ends = {(2021, 4): date(2021, 9, 18)}
    assert FiscalCalendar(weeks, ends).quarter(2022, 2).end is None
