from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graphs.local.question.company_periods import CompanyPeriods, day_in_words, nominal
from graphs.local.question.period_phrases import find_asks
from tests.filings import WITH_CALL
from tests.unit.graphs.local.question.test_reading import document
from tools.documents.metadata.catalog import Catalog
from tools.periods import Period, PeriodFilter

JULY, APRIL, DECEMBER = date(2023, 7, 1), date(2023, 4, 1), date(2022, 12, 31)


def ends(phrase: str, company: str = "ORLA") -> list[date | None]:
    (ask,) = find_asks(phrase)
    return [each.end for each in CompanyPeriods(WITH_CALL, company).resolve(ask, ())]


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("Q3 2023", [JULY]),
        ("the third quarter", [JULY]),  # without a year: the latest of that label
        ("the second calendar quarter of 2023", [JULY]),
        ("June 2023", [JULY]),  # a 52-week quarter ends within days of the month's end
        ("the last two quarters", [APRIL, JULY]),
        ("the latest quarter", [JULY]),
        ("a year earlier", [date(2022, 7, 2)]),
        ("the previous quarter", [APRIL]),
        ("at September 24, 2022", [date(2022, 9, 24)]),
        (
            "Q3 2021",
            [date(2021, 6, 26)],
        ),  # of a table's comparative column; a month of purchases is no quarter
        ("Q3 2019", []),
        ("May 2, 2023", []),
    ],
)
def test_a_phrase_means_the_company_s_own_periods(phrase: str, expected: list[date | None]) -> None:
    assert ends(phrase) == expected


def test_the_latest_quarter_is_no_year() -> None:
    year = replace(document("AAPL", "10-K", 2023, 4, date(2023, 9, 30)), fiscal_quarter=None)
    catalog = Catalog([document("AAPL", "10-Q", 2023, 3, JULY), year])
    (quarter,), (latest,) = find_asks("the latest quarter"), find_asks("the latest period")
    view = CompanyPeriods(catalog, "AAPL")
    assert [each.end for each in view.resolve(quarter, ())] == [JULY]
    assert [each.end for each in view.resolve(latest, ())] == [year.period_end]


def test_a_call_that_states_no_date_is_found_by_its_label_and_by_the_quarter_s_last_day() -> None:
    (ask,) = find_asks("at June 30, 2021")
    label = PeriodFilter(fiscal_year=2021, fiscal_quarter=2)
    assert CompanyPeriods(WITH_CALL, "KEST").resolve(ask, ()) == [label]
    (ask,) = find_asks("at June 29, 2021")
    assert CompanyPeriods(WITH_CALL, "KEST").resolve(ask, ()) == []


def test_a_relative_phrase_counts_from_the_period_given() -> None:
    (ask,) = find_asks("the previous quarter")
    found = CompanyPeriods(WITH_CALL, "ORLA").resolve(ask, [PeriodFilter(end=APRIL)])
    assert found == [PeriodFilter(end=DECEMBER)]


def test_a_duration_goes_with_the_period_found() -> None:
    (ask,) = find_asks("the first nine months of 2023")
    assert CompanyPeriods(WITH_CALL, "ORLA").resolve(ask, ()) == [PeriodFilter(end=JULY, months=9)]


def test_the_nearest_periods_are_offered_in_words() -> None:
    (ask,) = find_asks("Q3 2024")
    view = CompanyPeriods(WITH_CALL, "ORLA")
    assert view.nearest(ask) == [
        "Orla Devices, Inc.: quarter ended July 1, 2023",
        "Orla Devices, Inc.: quarter ended April 1, 2023",
    ]
    assert CompanyPeriods(WITH_CALL, "KEST").nearest(ask) == ["Kestrel Energy, Inc.: fiscal Q2 2021"]


def test_the_first_days_of_a_month_belong_to_the_one_before() -> None:
    assert nominal(date(2023, 1, 1)) == date(2022, 12, 28)
    assert nominal(date(2023, 7, 9)).month == 6
    assert nominal(date(2023, 7, 10)) == date(2023, 7, 10)
    assert day_in_words(JULY) == "July 1, 2023"


def test_a_month_means_the_day_on_which_a_year_ends_before_one_on_which_a_rule_came_in_force() -> None:
    closing, rule = date(2023, 1, 31), date(2023, 2, 1)
    year = document("HRWM", "10-K", 2024, 4, date(2024, 1, 31))
    catalog = Catalog([year], {year.company_key: {Period(closing, 12), Period(rule, 0)}})
    (ask,) = find_asks("at the end of January 2023")
    assert CompanyPeriods(catalog, year.company_key).resolve(ask, ()) == [PeriodFilter(end=closing)]


def test_a_share_counts_day_is_found_by_its_date_and_is_no_months_end() -> None:
    counted = date(2023, 7, 21)
    quarter = document("HRWM", "10-Q", 2023, 1, date(2023, 4, 1))
    catalog = Catalog([quarter], {quarter.company_key: {Period(counted, 0)}})
    periods = CompanyPeriods(catalog, quarter.company_key)
    (on_day,), (in_month,) = find_asks("at July 21, 2023"), find_asks("in July 2023")
    assert periods.resolve(on_day, ()) == [PeriodFilter(end=counted)]
    assert periods.resolve(in_month, ()) == []


def test_a_year_before_is_where_flows_end_not_the_day_after() -> None:
    year = replace(document("AAPL", "10-K", 2025, None, date(2025, 1, 31)), fiscal_quarter=None)
    before = [Period(date(2024, 1, 31), 12), Period(date(2024, 2, 1), 0)]
    catalog = Catalog([year], {"AAPL": [Period(date(2025, 1, 31), 12), *before]})
    (ask,) = find_asks("a year earlier")
    assert CompanyPeriods(catalog, "AAPL").resolve(ask, ()) == [PeriodFilter(end=date(2024, 1, 31))]


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("at the end of june 23", [JULY]),
        ("in June 21", []),
        ("at the end of december 22", [DECEMBER]),
        ("at the end of june 19", []),
        ("at June 30", []),
    ],
)
def test_a_day_without_a_year_that_nothing_ends_on_is_the_month_of_a_year(
    phrase: str, expected: list[date]
) -> None:
    assert ends(phrase) == expected


def test_a_day_that_something_ends_on_is_no_month_of_a_year() -> None:
    on_day, in_month = date(2022, 6, 25), date(2025, 6, 28)
    filings = [document("AAPL", "10-Q", end.year, 3, end) for end in (on_day, in_month)]
    (ask,) = find_asks("at the end of june 25")
    both, later = Catalog(filings), Catalog(filings[1:])
    assert CompanyPeriods(both, "AAPL").resolve(ask, ()) == [PeriodFilter(end=on_day)]
    assert CompanyPeriods(later, "AAPL").resolve(ask, ()) == [PeriodFilter(end=in_month)]


@pytest.mark.parametrize(
    ("phrase", "days", "expected"),
    [
        ("June 2023", [(2023, 6, 30), (2023, 7, 7)], (2023, 6, 30)),
        ("June 2023", [(2023, 6, 24), (2023, 7, 1)], (2023, 7, 1)),
        ("June 2023", [(2023, 6, 24), (2023, 6, 28)], (2023, 6, 28)),
        ("December 2022", [(2022, 12, 30), (2023, 1, 6)], (2022, 12, 30)),
        ("the June quarter", [(2022, 6, 30), (2023, 6, 21), (2023, 7, 8)], (2023, 7, 8)),
        ("the June quarter", [(2022, 6, 30), (2023, 6, 23), (2023, 7, 8)], (2023, 6, 23)),
    ],
)
def test_a_month_means_the_day_nearest_to_its_end_of_the_latest_year(
    phrase: str, days: list[tuple[int, int, int]], expected: tuple[int, int, int]
) -> None:
    catalog = Catalog([document("AAPL", "10-Q", day[0], 3, date(*day)) for day in days])
    (ask,) = find_asks(phrase)
    assert CompanyPeriods(catalog, "AAPL").resolve(ask, ()) == [PeriodFilter(end=date(*expected))]
