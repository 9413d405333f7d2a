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


def named(text: str, end: date) -> int | None:
    position = fiscal_position([Page(1, text)], end, "10-K")
    return position[0] if position else None


def test_a_year_goes_by_the_name_that_the_filer_gives_it() -> None:
    end = date(2023, 1, 28)
    assert named("Our fiscal year 2022, a year of 52 weeks that ended January 28, 2023.", end) == 2022
    assert named("The year ended January 28, 2023 (“fiscal 2022”).", end) == 2022
    assert named("Fiscal 2023 ended on January 28, 2023, fiscal 2022 on January 29, 2022.", end) == 2023
    assert named("Sales of fiscal 2022 and of fiscal 2021. " * 3, end) == 2022
    assert named("Sales of fiscal 2023 and of fiscal 2022. " * 3, end) == 2023


def test_a_year_that_ends_late_in_a_calendar_year_is_not_renamed_by_mere_mentions() -> None:
    assert named("Sales of fiscal 2021. " * 9, date(2022, 12, 31)) == 2022


def test_quarters_may_have_twelve_or_sixteen_weeks() -> None:
    for weeks, quarter in (("12", 1), ("sixteen", 1), ("24", 2), ("twenty-eight", 2), ("36", 3), ("40", 3)):
        page = Page(2, f"{weeks} weeks ended September 9, 2023")
        position = fiscal_position([page], date(2023, 9, 9), "10-Q")
        assert position is not None
        assert position[1] == quarter


def test_twelve_months_are_a_year_in_a_release_alone() -> None:
    pages = [Page(1, "Three months ended and twelve months ended December 31, 2023")]
    assert fiscal_position(pages, date(2023, 12, 31), "release") == (2023, 4)
    assert fiscal_position(pages, date(2023, 12, 31), "10-Q") == (2024, 1)


def test_a_quarter_that_is_known_gives_the_year() -> None:
    assert fiscal_position([Page(1, "FY24 outlook")], date(2023, 7, 29), "release", 2) == (2024, 2)
