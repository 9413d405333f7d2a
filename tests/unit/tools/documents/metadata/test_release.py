"""A release of results, and an annual report without a form, in their own words."""

from __future__ import annotations

from datetime import date

import pytest

from tools.documents.metadata.release import Report, read_report
from tools.documents.types import Page

RELEASE = """Kestrel Airworks Reports Third Quarter Fiscal 2022 Results
BOISE, Idaho - December 1, 2022 - Kestrel Airworks, Inc. (NASDAQ: KAW) today announced results for the
thirteen-week period ("third quarter") ended October 29, 2022. Kestrel Airworks expects more in the year
ending January 28, 2023.
"""


def read(text: str) -> Report | None:
    return read_report([Page(1, text)], text)


def test_a_release_gives_its_company_symbol_and_period() -> None:
    assert read(RELEASE) == Report("release", "Kestrel Airworks, Inc.", "KAW", 2022, 3, date(2022, 10, 29))


def test_a_release_without_a_listed_name_is_of_the_headlines_subject() -> None:
    text = "HARROWMERE REPORTS SECOND QUARTER\n2023 RESULTS\nFOR IMMEDIATE RELEASE\nSales grew."
    report = read(text)
    assert report is not None
    assert (report.company, report.fiscal_year, report.fiscal_quarter) == ("HARROWMERE", 2023, 2)


@pytest.mark.parametrize(
    ("headline", "label"),
    [
        ("Kestrel Airworks Reports Fourth-Quarter and Full-Year 2022 Results", (2022, 4)),
        ("Kestrel Airworks Announces Q4 and Fiscal Year 2022 Earnings", (2022, 4)),
        ("Kestrel Airworks Posts Record First Quarter Results", (None, 1)),
    ],
)
def test_a_headline_says_the_quarter_with_its_year_or_without(
    headline: str, label: tuple[int | None, int]
) -> None:
    report = read(f"{headline}\nKestrel Airworks, Inc. (NYSE: KAW) today reported.\nKestrel Airworks grew.")
    assert report is not None
    assert (report.fiscal_year, report.fiscal_quarter) == label


def test_an_annual_report_goes_by_its_title_and_its_years_end() -> None:
    text = "Harrowmere plc\nAnnual Report and Accounts 2023\nfor the year ended 31 December 2023\nHarrowmere plc grew."
    assert read(text) == Report("annual", "Harrowmere plc", None, 2023, None, date(2023, 12, 31))


@pytest.mark.parametrize(
    "text",
    [
        "Press release\nKestrel Airworks, Inc. (NYSE: KAW) today announced a new aeroplane.",
        "Kestrel Airworks Reports First Quarter Results\nWhat a clerk thinks of them.",
        "The annual report on which we were asked to comment is, as ever, late. Nobody had read it before.",
    ],
)
def test_a_text_without_results_or_without_being_released_is_neither(text: str) -> None:
    assert read(text) is None
