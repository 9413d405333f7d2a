from __future__ import annotations

from datetime import date

from tools.documents.metadata.fiscal import fiscal_position
from tools.documents.types import Page

COVER = "FORM 10-Q\nFor the quarterly period ended July 1, 2023\n(Exact name of registrant as specified in its charter)"


def test_the_last_years_end_says_which_quarter_it_is() -> None:
    balance = Page(2, "Kestrel Airworks\nConsolidated Balance Sheets\nJuly 1, 2023   September 24, 2022")
    assert fiscal_position([Page(1, COVER), balance], date(2023, 7, 1), "10-Q") == (2023, 3)


def test_without_a_balance_sheet_the_longest_span_says_it() -> None:
    page = Page(2, "Three Months Ended July 1, 2023 and six months ended July 1, 2023")
    assert fiscal_position([page], date(2023, 7, 1), "10-Q") == (2023, 2)


def test_a_year_that_ends_in_the_first_days_of_january_is_the_one_before() -> None:
    assert fiscal_position([], date(2022, 1, 1), "10-K") == (2021, None)
    assert fiscal_position([], date(2022, 1, 29), "10-K") == (2022, None)
