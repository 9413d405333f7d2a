from __future__ import annotations

from datetime import date

import pytest

from tools.documents.tables.column_dates import find_durations, read_period


@pytest.mark.parametrize(
    ("text", "end", "months"),
    [
        ("Three Months Ended July 1, 2023", date(2023, 7, 1), 3),
        ("Three Months Ended July 1,2023", date(2023, 7, 1), 3),
        ("Nine Months Ended September 30, 2022", date(2022, 9, 30), 9),
        ("Twelve Months Ended Sept. 30, 2022", date(2022, 9, 30), 12),
        ("26 Weeks Ended Jul 1, 2023", date(2023, 7, 1), 6),
        ("Quarter Ended March 31, 2023", date(2023, 3, 31), 3),
        ("Fiscal Year Ended June 30, 2023", date(2023, 6, 30), 12),
        ("As of December 31, 2022", date(2022, 12, 31), 0),
        ("December 31, 2022", date(2022, 12, 31), None),
    ],
)
def test_a_header_gives_end_and_duration(text: str, end: date, months: int | None) -> None:
    period = read_period(text)
    assert (period.end, period.months, period.rest) == (end, months, "")


def test_a_fiscal_label_gives_year_and_quarter_but_no_date() -> None:
    period = read_period("Q2 2023 Amount")
    assert (period.end, period.fiscal_year, period.fiscal_quarter) == (None, 2023, 2)
    assert period.rest == "Amount"


def test_year_to_date_is_told_from_a_quarter() -> None:
    assert read_period("YTD 2023").year_to_date


@pytest.mark.parametrize(
    "text", ["June 30, 2022 and June 30, 2021", "September 30, 2022 2021", "September 30,", "2022"]
)
def test_more_or_less_than_one_date_is_none(text: str) -> None:
    assert read_period(text).end is None


def test_an_impossible_date_is_none() -> None:
    assert read_period("February 30, 2023").end is None


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("for the three- and nine-month periods ended July 1, 2023", {3, 9}),
        ("for the three and six months ended June 30, 2023", {3, 6}),
        ("FOR THE TRAILING FOUR QUARTERS ENDED", {12}),
        ("during the first nine months of fiscal year 2024", {9}),
        ("maturities of less than 12 months", set()),
    ],
)
def test_every_duration_of_a_caption_is_found(text: str, months: set[int]) -> None:
    assert {m for m, _, _ in find_durations(text)} == months
