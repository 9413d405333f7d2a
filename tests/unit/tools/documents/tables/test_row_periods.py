from __future__ import annotations

from datetime import date

import pytest

from tools.documents.tables.fiscal_calendar import FiscalCalendar
from tools.documents.tables.row_periods import row_period, section_period
from tools.documents.types import Document
from tools.periods import Period


def test_a_balance_at_a_day_is_as_of_that_day(filing: Document) -> None:
    found = row_period("Balance as of July 1, 2023", FiscalCalendar(filing))
    assert found is not None
    assert (found.end, found.months) == (date(2023, 7, 1), 0)


@pytest.mark.parametrize(
    ("label", "months"),
    [("April 2, 2023 to July 1, 2023", 3), ("May 1 – May 28, 2023", 1)],
)
def test_a_range_of_days_covers_the_months_between(label: str, months: int, filing: Document) -> None:
    found = row_period(label, FiscalCalendar(filing))
    assert found is not None
    assert (found.end is not None, found.months) == (True, months)


def test_a_row_that_is_only_a_quarter_or_a_day_takes_no_columns_period(filing: Document) -> None:
    assert row_period("Third quarter", FiscalCalendar(filing)) == Period()
    assert row_period("July 1, 2023", FiscalCalendar(filing)) == Period()
    assert row_period("Desks", FiscalCalendar(filing)) is None


def test_a_section_is_a_period_where_it_says_nothing_else(filing: Document) -> None:
    assert section_period("Three Months Ended", FiscalCalendar(filing)) == Period(None, 3)
    found = section_period("For the three months ended July 1, 2023:", FiscalCalendar(filing))
    assert found is not None
    assert (found.end, found.months) == (date(2023, 7, 1), 3)
    assert section_period("Desks sold as of July 1, 2023", FiscalCalendar(filing)) is None
