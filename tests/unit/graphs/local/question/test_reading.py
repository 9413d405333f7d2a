from __future__ import annotations

from datetime import date

import pytest

from graphs.local.question.reading import read_question
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import DocType, Document
from tools.periods import Period, PeriodFilter
from tools.scope import Scope

ENDS = {
    "AAPL": [
        (2022, 3, "2022-06-25"),
        (2023, 1, "2022-12-31"),
        (2023, 2, "2023-04-01"),
        (2023, 3, "2023-07-01"),
    ],
    "MSFT": [(2023, 2, "2022-12-31"), (2023, 3, "2023-03-31"), (2024, 1, "2023-09-30")],
    "NVDA": [(2023, 3, "2022-10-30"), (2024, 1, "2023-04-30"), (2024, 2, "2023-07-30")],
    "AMZN": [
        (2022, 3, "2022-09-30"),
        (2023, 1, "2023-03-31"),
        (2023, 2, "2023-06-30"),
        (2023, 3, "2023-09-30"),
    ],
}
NAMES = {
    "AAPL": "Apple Inc.",
    "MSFT": "Microsoft Corporation",
    "NVDA": "NVIDIA Corporation",
    "AMZN": "Amazon.com, Inc.",
    "AFL": "Aflac Incorporated",
    "HRWM": "Harrowmere Stores, Inc.",
}
GRAPH_NAMES = frozenset({"iphone", "aws", "azure", "tim cook", "epic games", "harbor club", "japan", "xbox"})


def document(key: str, doc_type: DocType, year: int, quarter: int, end: date | None) -> Document:
    return Document(
        id=f"{key}{year}{quarter}{doc_type}",
        name=f"{key}.pdf",
        path=f"{key}.pdf",
        title=key,
        company=NAMES[key],
        company_key=key,
        ticker=key,
        aliases=(key,),
        doc_type=doc_type,
        fiscal_year=year,
        fiscal_quarter=quarter,
        period_end=end,
        pages=1,
    )


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    documents = [
        document(key, "10-Q", year, quarter, date.fromisoformat(end))
        for key, rows in ENDS.items()
        for year, quarter, end in rows
    ]
    documents += [
        document("AFL", "call", 2021, 2, None),
        document("HRWM", "10-Q", 2024, 3, date(2024, 9, 30)),
        document("HRWM", "call", 2024, 3, None),
    ]
    comparatives = {
        "AAPL": {Period(date(2021, 6, 26), 3, 2021, 3), Period(date(2022, 9, 24), 0, 2022, 4)},
        "NVDA": {Period(date(2022, 7, 31), 3, 2023, 2)},
        "HRWM": {Period(date(2023, 9, 30), 3, 2023, 3), Period(date(2023, 12, 31), 0, 2023, 4)},
    }
    return Catalog(documents, comparatives)


def ends(catalog: Catalog, question: str) -> list[str]:
    scope = read_question(question, catalog, known_names=GRAPH_NAMES).scope
    return [
        each.end.isoformat() if each.end else f"{each.fiscal_year}Q{each.fiscal_quarter}"
        for each in scope.periods
    ]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Apple net sales in the quarter ended July 1, 2023", ["2023-07-01"]),
        ("apple net sales 7/1/2023", ["2023-07-01"]),
        ("Apple's total assets as of 2023-07-01", ["2023-07-01"]),
        ("AAPL Q3 rev?", ["2023-07-01"]),
        ("Apple revenue 2Q23", ["2023-04-01"]),
        ("Apple's revenue in the third quarter of fiscal 2023", ["2023-07-01"]),
        ("Apple's net sales in the June 2023 quarter", ["2023-07-01"]),
        ("Apple revenue in the most recent quarter", ["2023-07-01"]),
        ("Apple revenue last quarter", ["2023-07-01"]),
        ("Apple revenue in the same quarter a year before", ["2022-06-25"]),
        ("Apple revenue in the prior-year quarter", ["2022-06-25"]),
        (
            "Apple revenue in the three months ended July 1, 2023 and in the same quarter a year earlier",
            ["2023-07-01", "2022-06-25"],
        ),
        ("Apple revenue in the quarter before the quarter ended July 1, 2023", ["2023-04-01"]),
        ("Apple revenue in the quarter before the quarter before Q3 2023", ["2022-12-31"]),
        ("Apple revenue from Q1 to Q3 2023", ["2022-12-31", "2023-04-01", "2023-07-01"]),
        ("Apple revenue in Q1, Q2 and Q3 2023", ["2022-12-31", "2023-04-01", "2023-07-01"]),
        ("Apple revenue over the last two quarters", ["2023-04-01", "2023-07-01"]),
        ("last year's third quarter revenue of Amazon", ["2022-09-30"]),
        ("R&D expense of the two July quarters at NVIDIA", ["2022-07-31", "2023-07-30"]),
    ],
)
def test_a_period_is_resolved_against_the_companys_own_calendar(
    catalog: Catalog, question: str, expected: list[str]
) -> None:
    assert ends(catalog, question) == expected


def test_a_label_means_the_fiscal_quarter_where_the_company_has_it(catalog: Catalog) -> None:
    assert ends(catalog, "NVIDIA revenue Q3 2023") == ["2022-10-30"]
    reading = read_question("NVIDIA revenue Q3 2023", catalog)
    assert "fiscal quarter ended October 30, 2022" in reading.period_notes[0]
    assert ends(catalog, "NVIDIA revenue in calendar Q2 2023") == ["2023-04-30"]
    # Known only as a comparative column of a later filing.
    assert ends(catalog, "NVIDIA revenue Q2 2023") == ["2022-07-31"]


def test_one_label_means_different_dates_to_two_companies(catalog: Catalog) -> None:
    reading = read_question("Compare the revenue of Apple and Microsoft in Q3 2023", catalog)
    assert dict(reading.company_periods) == {
        "AAPL": (PeriodFilter(end=date(2023, 7, 1)),),
        "MSFT": (PeriodFilter(end=date(2023, 3, 31)),),
    }


@pytest.mark.parametrize(
    "question",
    [
        "Apple revenue in the quarter ended June 30, 2015",
        "Apple revenue in the quarter ended June 30, 2023",
        "What were Amazon's net sales in 2010?",
        "Microsoft revenue for fiscal 2035",
        "Aflac's sales in Q3 2021",
        "Apple revenue, Q4 FY2026",
    ],
)
def test_a_period_that_no_document_or_fact_covers_is_unknown(catalog: Catalog, question: str) -> None:
    reading = read_question(question, catalog)
    assert reading.unknown_periods
    assert reading.period_options
    assert not reading.scope.periods


def test_the_nearest_period_is_offered_for_an_unknown_one(catalog: Catalog) -> None:
    reading = read_question("Apple revenue in the quarter ended June 30, 2023", catalog)
    assert reading.unknown_periods == ("June 30, 2023",)
    assert reading.period_options[0] == "Apple Inc.: quarter ended July 1, 2023"


@pytest.mark.parametrize(
    "question",
    [
        "When does the 2062 note of Amazon mature?",
        "What does Amazon expect for 2029?",
        "When did Amazon close the deal announced on May 4, 2021?",
        "How does Apple see the second half?",
        "How many shares of Apple were outstanding as of April 21, 2023?",
        "What revenue does Apple guide to for the fourth quarter of fiscal 2024?",
        "What price did Apple pay for shares from January 28 to February 24, 2024?",
    ],
)
def test_a_year_or_date_that_is_no_reporting_period_is_left_alone(catalog: Catalog, question: str) -> None:
    reading = read_question(question, catalog)
    assert not reading.unknown_periods
    assert not reading.scope.periods


@pytest.mark.parametrize(
    ("question", "months"),
    [
        ("Amazon net sales for the nine months ended September 30, 2023", 9),
        ("Amazon net sales in the first half of 2023", 6),
        ("Apple's cash as of July 1, 2023", 0),
        ("Apple's cash at the end of Q3 2023", 0),
        ("Apple's net sales in Q3 2023", 3),
        ("Apple's net sales in fiscal 2022", 12),
        ("Apple's net sales, three and nine months ended July 1, 2023", None),
        ("Apple's net sales", None),
        ("Apple's debt due within twelve months at July 1, 2023", 0),
        ("Amazon net sales, first three quarters of 2023", 9),
    ],
)
def test_the_duration_is_read_from_the_wording(catalog: Catalog, question: str, months: int | None) -> None:
    assert read_question(question, catalog).months == months


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Apple's taxes paid, year to date through July 1, 2023", ["2023-07-01"]),
        ("Apple's net sales, year to date July 1, 2023", ["2023-07-01"]),
        ("Apple's debt at the prior year-end, Sept. 24, 2022", ["2022-09-24"]),
    ],
)
def test_what_a_date_settles_is_asked_for_once(catalog: Catalog, question: str, expected: list[str]) -> None:
    assert ends(catalog, question) == expected


def test_a_longer_duration_restricts_the_facts(catalog: Catalog) -> None:
    [period] = read_question(
        "Amazon net sales for the nine months ended September 30, 2023", catalog
    ).scope.periods
    assert period == PeriodFilter(end=date(2023, 9, 30), months=9)


def test_a_change_is_read_with_the_year_before_unless_reasons_are_asked(catalog: Catalog) -> None:
    figure = read_question("By how much did Apple's net sales change in Q3 2023?", catalog)
    assert [each.end for each in figure.scope.periods] == [date(2023, 7, 1), date(2022, 6, 25)]
    reasons = read_question("Why did Apple's net sales change in Q3 2023?", catalog)
    assert [each.end for each in reasons.scope.periods] == [date(2023, 7, 1)]
    assert reasons.compared_periods == (PeriodFilter(end=date(2022, 6, 25)),)


def test_a_balance_since_a_date_is_compared_with_the_latest(catalog: Catalog) -> None:
    asked = "How much did Harrowmere's inventory change since December 31, 2023?"
    assert ends(catalog, asked)[:2] == ["2023-12-31", "2024-09-30"]


def test_a_call_without_a_date_is_found_by_its_label(catalog: Catalog) -> None:
    assert ends(catalog, "Aflac's sales in the quarter ended June 30, 2021") == ["2021Q2"]
    scope = read_question("Summarise Harrowmere's call for the third quarter of 2024", catalog).scope
    assert scope.doc_types == ("call",)
    assert scope.admits("HRWM", Period(None, None, 2024, 3), "call", "")
    assert not scope.admits("HRWM", Period(date(2024, 9, 30), None, 2024, 3), "10-Q", "")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What was Tesla's revenue?", ("Tesla",)),
        ("How much cash did Alphabet hold at the end of 2022?", ("Alphabet",)),
        ("IBM net income, three months ended September 30, 2023", ("IBM",)),
        ("Who is the CEO of Netflix?", ("Netflix",)),
        ("Summarise the Goldman Sachs call", ("Goldman Sachs",)),
        ("Compare Apple's and Walmart's net income", ("Walmart",)),
        ("Johnson & Johnson: key risks", ("Johnson & Johnson",)),
        ("what did jpmorgan earn last year", ("jpmorgan",)),
        ("What was Northwind Ltd's gross profit?", ("Northwind Ltd",)),
    ],
)
def test_a_name_in_a_companys_place_that_is_not_indexed_is_unknown(
    catalog: Catalog, question: str, names: tuple[str, ...]
) -> None:
    assert read_question(question, catalog, known_names=GRAPH_NAMES).unknown_companies == names


@pytest.mark.parametrize(
    "question",
    [
        "What was AWS revenue?",
        "How did Azure's growth develop?",
        "What were Harbor Club's net sales?",
        "What did Tim Cook say about margins?",
        "How much revenue came from Japan?",
        "What are the risks of the Anchor Plan?",
        "Explain the lawsuit between Apple and Epic Games",
        "What was EPS in the March quarter at Microsoft?",
        "What did the Company report as Net Income?",
        "What Was Total Revenue For Apple?",
    ],
)
def test_a_product_a_person_a_place_or_a_plain_word_is_no_unknown_company(
    catalog: Catalog, question: str
) -> None:
    assert read_question(question, catalog, known_names=GRAPH_NAMES).unknown_companies == ()


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("", "empty"),
        ("\x00\x07\u200b", "empty"),
        ("?????", "no words"),
        ("x" * 100_000, "too long"),
        ("asdf qwer zxcv", "no sense"),
        ("banana banana banana", "no sense"),
        ("Wie hoch war der Umsatz von Apple im letzten Quartal?", "German"),
        ("苹果公司的收入是多少", "not in English"),
    ],
)
def test_what_cannot_be_read_is_told_with_a_reason(catalog: Catalog, question: str, reason: str) -> None:
    assert reason in read_question(question, catalog, known_names=GRAPH_NAMES).out_of_scope


def test_the_users_filters_are_never_loosened(catalog: Catalog) -> None:
    mine = Scope(companies=("AAPL",), periods=(PeriodFilter(fiscal_year=2023),))
    within = read_question("Net sales in Q2?", catalog, mine)
    assert within.scope.companies == ("AAPL",)
    assert within.scope.periods == (PeriodFilter(end=date(2023, 4, 1), fiscal_year=2023),)
    other = read_question("What were Amazon's net sales?", catalog, mine)
    assert other.scope.companies == ("AAPL",)
    assert other.unknown_companies == ("Amazon.com, Inc.",)
    earlier = read_question("Net sales in the quarter ended June 25, 2022?", catalog, mine)
    assert earlier.scope.periods == mine.periods
    assert earlier.unknown_periods == ("June 25, 2022 (outside the filter that is set)",)


def test_metrics_and_entities_are_listed_as_asked(catalog: Catalog) -> None:
    reading = read_question(
        "How much of Apple's total net sales came from iPhone in Japan?", catalog, known_names=GRAPH_NAMES
    )
    assert reading.company_names == ("Apple",)
    assert reading.metrics == ("total net sales",)
    assert reading.entities == ("iPhone", "Japan")


def test_a_year_after_the_day_named_is_what_was_expected_on_that_day(catalog: Catalog) -> None:
    for question in (
        "As of October 30, 2022, how much of NVIDIA's purchase commitments falls in fiscal 2026?",
        "At October 30, 2022, what amortization was NVIDIA expecting for fiscal 2026?",
    ):
        reading = read_question(question, catalog)
        assert reading.unknown_periods == ()
        assert [each.end for each in reading.scope.periods] == [date(2022, 10, 30)]
    assert read_question("What was NVIDIA's revenue in fiscal 2026?", catalog).unknown_periods != ()


@pytest.mark.parametrize(
    ("question", "types"),
    [
        ("What does Harrowmere's 8-K say of the vote?", ("8-K",)),
        ("What does Harrowmere's earnings release say of demand?", ("release",)),
        ("What does Harrowmere's annual report say of demand?", ("annual",)),
        ("What do Harrowmere's filings say of demand?", ("annual", "8-K")),
        ("What does Harrowmere say of demand?", ()),
    ],
)
def test_a_kind_of_document_that_is_named_and_held_narrows_the_search(
    question: str, types: tuple[str, ...]
) -> None:
    kinds: tuple[DocType, ...] = ("8-K", "release", "annual", "call")
    catalog = Catalog([document("HRWM", kind, 2023, 1, date(2023, 4, 1)) for kind in kinds])
    assert read_question(question, catalog).scope.doc_types == types


def test_an_unknown_name_goes_with_the_company_that_it_nearly_names() -> None:
    catalog = Catalog([document("HRWM", "10-Q", 2023, 1, date(2023, 4, 1))])
    reading = read_question("What was Hurrovmare's net income?", catalog)
    assert (reading.unknown_companies, reading.nearest_companies) == (("Hurrovmare",), (NAMES["HRWM"],))
    assert read_question("What was Zebedee's net income?", catalog).nearest_companies == ()


@pytest.mark.parametrize(
    ("question", "report", "spans", "months", "missing"),
    [
        ("Apple's revenue in 2023", "10-Q", {3, 9}, None, ("Apple Inc., all of 2023",)),
        ("Apple's revenue in 2023", "10-Q", {3, 9, 12}, None, ("Apple Inc., all of 2023",)),
        ("Apple's revenue in 2023", "10-K", {3, 12}, 12, ()),
        ("Apple's revenue in 2023", "10-K", {0}, 12, ()),
        ("Apple's annual revenue in 2023", "10-Q", {3, 9}, 12, ()),
    ],
)
def test_a_year_of_which_only_parts_are_reported_is_read_as_these_and_said_to_be_missing(
    question: str, report: str, spans: set[int], months: int | None, missing: tuple[str, ...]
) -> None:
    end = date(2023, 7, 1)
    filed = document("AAPL", report, 2023, 3, end)
    catalog = Catalog([filed], {"AAPL": {Period(end, span, 2023, 3) for span in spans}})
    read = read_question(question, catalog)
    assert read.months == months
    assert read.years_in_parts == missing


def test_a_year_of_which_the_filters_leave_quarterly_reports_is_read_as_its_quarters() -> None:
    filed = [document("AAPL", kind, 2023, 3, date(2023, 7, 1)) for kind in ("10-Q", "10-K")]
    catalog = Catalog(filed, {"AAPL": {Period(date(2023, 7, 1), span, 2023, 3) for span in (3, 12)}})
    assert read_question("Apple's revenue in 2023", catalog).months == 12
    assert read_question("Apple's revenue in 2023", catalog, Scope(doc_types=("10-Q",))).months is None
