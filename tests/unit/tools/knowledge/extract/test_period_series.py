"""Periods named one after another."""

from __future__ import annotations

from datetime import date

import pytest
from builders import document

from tools.knowledge.extract.period_series import find_period_series

YEAR = document(
    "ORLA", company="Orla Corporation", doc_type="10-K", fiscal_quarter=None, end=date(2023, 12, 31)
)
QUARTER = document("ORLA", company="Orla Corporation")
WEEKS = document(
    "ORLA", company="Orla Corporation", doc_type="10-K", fiscal_quarter=None, end=date(2023, 5, 28)
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "for the years ended December 31, 2023, 2022, and 2021",
            ["2023-12-31 12", "2022-12-31 12", "2021-12-31 12"],
        ),
        ("in fiscal 2023 and fiscal 2022", ["2023-12-31 12", "2022-12-31 12"]),
        ("during fiscal years 2023, 2022 and 2021", ["2023-12-31 12", "2022-12-31 12", "2021-12-31 12"]),
        ("as of December 31, 2023 and 2022", ["2023-12-31 0", "2022-12-31 0"]),
        ("at December 31, 2023, and at December 30, 2022", ["2023-12-31 0", "2022-12-30 0"]),
        ("at the end of 2023 and 2022", ["2023-12-31 0", "2022-12-31 0"]),
        ("for the third quarter of 2023 and 2022", ["2023-09-30 3", "2022-09-30 3"]),
        ("for the first half of fiscal 2023", ["2023-06-30 6"]),
        (
            "for the six months ended June 30, 2023 and the year ended December 31, 2022",
            ["2023-06-30 6", "2022-12-31 12"],
        ),
        (
            "for the year ended December 31, 2023 and the year ended December 30, 2022",
            ["2023-12-31 12", "2022-12-30 12"],
        ),
    ],
)
def test_periods_are_read_in_their_order(text: str, expected: list[str]) -> None:
    found = find_period_series(f"Fees {text}", YEAR, {})
    assert [f"{period.end} {period.months}" for each in found for period in each.periods] == expected


@pytest.mark.parametrize(
    "text",
    [
        "in 2024 and 2025",  # to come
        "in 2016 and 2015",  # long past
        "in 2023 and 2023",
        "on December 31, 2024",
    ],
)
def test_what_a_document_does_not_report_on_is_not_known(text: str) -> None:
    assert [each.periods for each in find_period_series(f"Fees {text}", YEAR, {})] in ([()], [(), ()])


def test_a_year_alone_need_not_be_the_year_in_a_quarters_report() -> None:
    assert [each.periods for each in find_period_series("Fees in 2023 and 2022", QUARTER, {})] == [()]


def test_a_years_last_day_is_none_that_the_document_does_not_date() -> None:
    (found,) = find_period_series("Fees in 2023 and 2022", WEEKS, {})
    assert [period.end for period in found.periods] == [date(2023, 5, 28), None]
    for text in ("at the end of 2023 and 2022", "for the second quarter of 2023"):
        assert [each.periods for each in find_period_series(text, WEEKS, {})] == [()]
    (found,) = find_period_series("Fees in 2023 and 2022", WEEKS, {(2022, 4): date(2022, 5, 29)})
    assert [period.end for period in found.periods] == [date(2023, 5, 28), date(2022, 5, 29)]


def test_a_leap_day_has_its_like_in_other_years() -> None:
    leap = document("ORLA", doc_type="10-K", fiscal_year=2024, fiscal_quarter=None, end=date(2024, 2, 29))
    (found,) = find_period_series("as of February 29, 2024 and 2023", leap, {})
    assert [period.end for period in found.periods] == [date(2024, 2, 29), date(2023, 2, 28)]


@pytest.mark.parametrize("text", ["as of June 31, 2023 and 2022", "as of June 30, 2023 and June 31, 2022"])
def test_a_day_that_no_calendar_has_is_not_known(text: str) -> None:
    assert [each.periods for each in find_period_series(f"Fees {text}", YEAR, {})] == [()]
