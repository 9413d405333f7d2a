"""Periods of a question about a development, and of reports called by a label."""

from __future__ import annotations

import pytest

from graphs.local.question.period_phrases import find_asks
from graphs.local.question.period_resolution import _taken_together


@pytest.mark.parametrize(
    "question",
    [
        "How have inventories developed over time?",
        "How did net sales move across the reported quarters?",
        "What did R&D do from quarter to quarter?",
        "Track the debt of Orla across its quarterly filings.",
    ],
)
def test_a_development_is_asked_over_all_periods(question: str) -> None:
    assert [ask.kind for ask in find_asks(question)] == ["series"]


def test_the_periods_beside_a_named_one_are_that_one() -> None:
    asks = find_asks("What was revenue in Q3 2023 compared to the previous quarters?")
    assert [ask.kind for ask in asks] == ["quarter"]


def test_the_latest_report_against_those_before_it_is_a_series_too() -> None:
    asks = find_asks("What was revenue in the latest 10-Q compared to the previous quarters?")
    assert [(ask.kind, ask.earlier) for ask in asks] == [("latest", False), ("series", True)]


@pytest.mark.parametrize(
    ("question", "report"),
    [
        ("What does the Q3 2023 10-Q say?", True),
        ("What does the 10-Q for Q3 2023 say?", True),
        ("What was revenue in Q3 2023?", False),
    ],
)
def test_a_label_may_name_a_report(question: str, report: bool) -> None:
    assert [ask.report for ask in find_asks(question)] == [report]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Revenue of the July-December 2022 half", [(12, 2022, 6)]),
        ("Revenue, jan-sep 2023 vs jan-sep 2022", [(9, 2023, 9), (9, 2022, 9)]),
        ("Spending in the October to December 2022 quarter", [(12, 2022, 3)]),
        ("From October 2021 through March 2022", [(3, 2022, 6)]),
        ("Between May and July 2023", [(7, 2023, None)]),
        ("From January to February 2023", [(2, 2023, None)]),
        ("From June 1 to July 1, 2023", [(6, 2023, None), (7, 2023, None)]),
    ],
)
def test_whole_months_from_one_to_another_are_a_period(
    question: str, expected: list[tuple[int, int, int | None]]
) -> None:
    assert [(ask.month, ask.year, ask.months) for ask in find_asks(question)] == expected


def test_the_same_period_of_a_year_is_that_of_the_year_which_it_names() -> None:
    first, other = find_asks("the first nine months of 2022 against the same period of 2021")
    assert (first.kind, first.quarter, first.months, first.year) == ("quarter", 3, 9, 2022)
    assert (other.kind, other.quarter, other.months, other.year) == ("quarter", 3, 9, 2021)
    assert other.text == "the same period of 2021"
    (alone,) = [each for each in find_asks("more than in the same period, 2021 aside") if each.kind != "year"]
    assert alone.kind == "year_ago"


def test_months_beside_a_period_say_again_which_it_is() -> None:
    (half,) = find_asks("the first half of 2022, January to June")
    assert (half.year, half.months) == (2022, 6)
    assert len(find_asks("the first half of 2022, July to September")) == 2


def test_the_same_period_is_that_of_the_phrase_before_it() -> None:
    *_, last = find_asks("Q1 2022 and Q3 2022 against the same quarter of 2021")
    assert (last.quarter, last.year) == (3, 2021)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("in 2022 than two years earlier", [("year", 2022), ("year", 2020)]),
        ("in Q3 2023 against 3 years before", [("quarter", 2023), ("quarter", 2020)]),
        ("at December 31, 2022 and two years ago", [("date", 2022), ("date", 2020)]),
        ("at February 29, 2024 and two years earlier", [("date", 2024), ("date", 2022)]),
        ("What did they earn two years ago?", []),
        ("in the five years before 2022", [("year", 2022)]),
    ],
)
def test_years_before_a_year_that_is_named_are_counted_from_it(
    text: str, asked: list[tuple[str, int]]
) -> None:
    assert [(ask.kind, ask.year) for ask in find_asks(text)] == asked


def test_an_annual_report_has_a_year_where_nothing_else_does() -> None:
    (ask,) = find_asks("How many plants does Orla run, according to its 2022 annual report?")
    assert (ask.kind, ask.year, ask.report) == ("year", 2022, True)
    (other,) = find_asks("Orla's sales in 2020 according to its 2022 annual report?")
    assert (other.year, other.report) == (2020, False)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Revenue, FQ3'23", (3, 2023, "fiscal")),
        ("Revenue, F3Q23", (3, 2023, "fiscal")),
        ("Revenue, CQ1'24", (1, 2024, "calendar")),
    ],
)
def test_a_letter_before_a_quarter_is_its_kind_of_year(question: str, expected: tuple[int, int, str]) -> None:
    (ask,) = find_asks(question)
    assert (ask.quarter, ask.year, ask.basis) == expected


def test_the_year_of_a_months_quarter_may_be_short() -> None:
    (ask,) = find_asks("Revenue in the Mar-23 quarter")
    assert (ask.month, ask.year, ask.months) == (3, 2023, 3)


@pytest.mark.parametrize(
    ("said", "years"),
    [
        ("FY17-FY19", [2017, 2019]),
        ("FY2017-2019", [2017, 2019]),
        ("fiscal 2017-19", [2017, 2019]),
        ("2017-21", [2017, 2021]),
        ("2017–2021", [2017, 2021]),
        ("due 2020-22", []),
        ("under the 2021-2025 plan", []),
        ("as of 2022-06-30", [2022]),
        ("with call 800-2019-2020", []),
        ("$2017-2021", []),
        ("before ASU 2016-18", []),
    ],
)
def test_a_dash_between_years_makes_a_range(said: str, years: list[int]) -> None:
    asks = find_asks(f"Average capex of Orla, {said}?")
    assert [ask.year for ask in asks] == years
    assert [ask.until for ask in asks] == [False, True][: len(years)]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "Debt at YE21 vs FYE 2020, and y/e 19",
            [(2021, None, None), (2020, None, None), (2019, None, None)],
        ),
        ("Cash flow of the last three quarters of FY2022", [(2022, 4, 9)]),
        ("Sales in the final two quarters of 2021", [(2021, 4, 6)]),
        ("Sales over the last three quarters", [(None, None, 3)]),
        ("Which of the last two quarters of 2021 had higher sales?", [(None, None, 3), (2021, None, None)]),
        ("Which segment led in the last two quarters of 2021?", [(2021, 4, 6)]),
        ("Debt at YE 31 Dec 21", [(None, None, None)]),
        ("Net income FY 2022 Sept year end", [(2022, None, None)]),
    ],
)
def test_ends_and_last_quarters_of_a_year(
    said: str, expected: list[tuple[int | None, int | None, int | None]]
) -> None:
    assert [(ask.year, ask.quarter, ask.months) for ask in find_asks(said)] == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("revenue, Q2 25", [(2, 2025, 3)]),
        ("revenue in Q2 25?", [(2, 2025, 3)]),
        ("revenue, Q4 19, and costs", [(4, 2019, 3)]),
        ("revenue, h1 25 on h1 24", [(2, 2025, 6), (2, 2024, 6)]),
        ("revenue, 2H 25", [(4, 2025, 6)]),
        ("revenue, Q3 and Q4 24", [(3, 2024, 3), (4, 2024, 3)]),
    ],
)
def test_two_digits_behind_a_quarter_or_a_half_are_its_year(
    said: str, expected: list[tuple[int, int, int]]
) -> None:
    assert [(ask.quarter, ask.year, ask.months) for ask in find_asks(f"Orla's {said}")] == expected


def test_a_half_of_a_year_of_two_digits_surely_is_a_period() -> None:
    assert [ask.strict for ask in find_asks("Orla's revenue, h1 25")] == [True]
    assert [ask.strict for ask in find_asks("Orla's revenue, h1")] == [False]


@pytest.mark.parametrize(
    "said",
    [
        "revenue was in the second quarter 20 percent higher",
        "revenue was in the second quarter 20% higher",
        "margin was in Q2 25 basis points higher",
        "margin was in Q2 25 points higher",
        "revenue was in Q2 25 million",
        "revenue was in h1 12 billion",
        "revenue was in Q2 25.5 times",
        "stores sold in Q2 25,000 lamps",
        "Q3 10-Q",
        "revenue, Q3-25",
        "revenue in Q2 45",
    ],
)
def test_two_digits_of_something_else_are_no_year(said: str) -> None:
    assert [ask.year for ask in find_asks(f"Orla's {said}")] == [None]


def test_a_day_with_its_year_behind_a_quarter_is_not_of_a_year_of_two_digits() -> None:
    quarter, year = find_asks("Orla's revenue, Q4 20, 2022")
    assert (quarter.text, quarter.year, year.year) == ("Q4", None, 2022)


@pytest.mark.parametrize(
    "said",
    [
        "costs in the first half of 2023 as a % of the revenue of the same period",
        "revenue in Q2 2023 as a multiple of its costs in the same fiscal quarter",
        "revenue for the nine months to June 30, 2023 and costs over the same nine months",
    ],
)
def test_the_same_months_are_the_period_that_was_just_named(said: str) -> None:
    asked = _taken_together(f"Orla's {said}", find_asks(f"Orla's {said}"))
    assert [ask.kind for ask in asked.absolute] and asked.relative == ()


@pytest.mark.parametrize(
    "said",
    [
        "revenue was higher in the first half of 2023 than in the same six months",
        "revenue was higher in the first half of 2023 than the same six months",
        "revenue in Q2 2023 versus the same quarter",
        "revenue in Q2 2023 vs. same quarter",
        "revenue in Q2 2023 against the same quarter",
        "revenue in Q2 2023, up from the same quarter",
        "revenue in Q2 2023 compared with the same period",
        "revenue in Q2 2023 compared to the same period",
        "revenue in Q2 2023 and in the same quarter a year earlier",
        "revenue in Q2 2023 and in the same quarter of the previous year",
        "revenue in Q2 2023 and in the comparable quarter",
    ],
)
def test_the_same_months_are_a_year_before_where_they_are_compared_with(said: str) -> None:
    assert [ask.kind for ask in find_asks(f"Orla's {said}")] == ["quarter", "year_ago"]


def test_the_same_quarter_is_a_year_before_where_no_period_is_named_before_it() -> None:
    assert [ask.kind for ask in find_asks("Orla's revenue in the same quarter, Q2 2023 aside")] == [
        "year_ago",
        "quarter",
    ]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("debt at year end 25", [("year", 2025)]),
        ("debt at year end 25 employees", []),
        ("debt, yearend 24 against year-end 23", [("year", 2024), ("year", 2023)]),
    ],
)
def test_a_years_end_is_of_the_year_that_is_named_behind_it(
    said: str, expected: list[tuple[str, int]]
) -> None:
    asks = find_asks(f"Orla's {said}")
    assert [(ask.kind, ask.year) for ask in asks] == expected
