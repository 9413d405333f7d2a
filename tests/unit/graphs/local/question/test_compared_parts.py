from __future__ import annotations

from datetime import date

import pytest

from graphs.contracts import Reading
from graphs.local.question.compared_parts import with_parts
from graphs.local.question.reading import read_question
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import Document
from tools.periods import Period, PeriodFilter
from tools.scope import Scope

NAMES = {
    "ORLA": "Orla Devices, Inc.",
    "TLBK": "Tilbrook plc",
    "KSTR": "Kestrel Corporation",
    "NRVN": "Norvane Corporation",
    "PMBK": "Pembrick Inc.",
}
SHIFTED = "TLBK"
"""Its fiscal quarters end a month after the others'."""


def document(key: str, year: int, quarter: int, end: date | None) -> Document:
    return Document(
        id=f"{key}{year}{quarter}{end}",
        name=f"{key}.pdf",
        path=f"{key}.pdf",
        title=key,
        company=NAMES[key],
        company_key=key,
        ticker=key,
        aliases=(key,),
        doc_type="10-Q" if end else "call",
        fiscal_year=year,
        fiscal_quarter=quarter,
        period_end=end,
        pages=1,
    )


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    documents = [
        document(key, 2023, quarter, date(2023, 3 * quarter + (key == SHIFTED), 30))
        for key in NAMES
        for quarter in (1, 2, 3)
    ]
    return Catalog(
        [*documents, document("ORLA", 2023, 2, None), document("KSTR", 2024, 1, date(2024, 3, 30))]
    )


def read(catalog: Catalog, question: str, user: Scope = Scope()) -> Reading:  # noqa: B008  (frozen)
    return with_parts(read_question(question, catalog, user), catalog, user)


def parts(reading: Reading) -> list[tuple[str, str]]:
    return [
        (part.company, next(f"{p.end:%m-%d}" for p in part.periods if p.end) if part.periods else "")
        for part in reading.parts
    ]


def missing(reading: Reading) -> list[tuple[str, str]]:
    return [(each.what, each.why) for each in reading.missing]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Compare Orla's and Tilbrook's revenue in Q2 2023.", [("ORLA", "06-30"), ("TLBK", "07-30")]),
        ("Orla's revenue in Q1 2023 against Q3 2023", [("ORLA", "03-30"), ("ORLA", "09-30")]),
        (
            "Orla's and Kestrel's revenue in Q1 and Q2 2023",
            [("ORLA", "03-30"), ("ORLA", "06-30"), ("KSTR", "03-30"), ("KSTR", "06-30")],
        ),
        ("Compare Orla's revenue with Kestrel's.", [("ORLA", ""), ("KSTR", "")]),
        ("Orla's revenue in Q1 2023 versus Kestrel's in Q3 2023", [("ORLA", "03-30"), ("KSTR", "09-30")]),
        ("In Q1 2023 Orla's revenue, in Q3 2023 Kestrel's revenue", [("ORLA", "03-30"), ("KSTR", "09-30")]),
        (
            "In Q1 2023 Orla's revenue and in Q3 2023 Kestrel's: how much more was the revenue of Orla?",
            [("ORLA", "03-30"), ("KSTR", "09-30")],
        ),
        (
            "Orla's and Kestrel's revenue in Q1 and Q3 2023, respectively",
            [("ORLA", "03-30"), ("KSTR", "09-30")],
        ),
    ],
)
def test_a_comparison_is_split_by_company_and_period(
    catalog: Catalog, question: str, expected: list[tuple[str, str]]
) -> None:
    reading = read(catalog, question)
    assert parts(reading) == expected
    assert reading.missing == ()


@pytest.mark.parametrize(
    "question",
    ["What was Orla's revenue in Q2 2023?", "Who is Orla's treasurer?", "What is the capital of France?"],
)
def test_a_question_for_one_figure_has_no_parts(catalog: Catalog, question: str) -> None:
    assert read(catalog, question).parts == ()


def test_two_figures_of_one_company_and_period_are_one_part_with_two_lookups(catalog: Catalog) -> None:
    (part,) = read(catalog, "Orla's revenue and net income in Q3 2023").parts
    assert [lookup.name for lookup in part.lookups] == ["revenue", "net income"]


def test_a_call_without_a_date_belongs_to_the_quarter_of_its_label(catalog: Catalog) -> None:
    first, _ = read(catalog, "Compare Orla's and Kestrel's revenue in Q2 2023").parts
    assert set(first.periods) == {
        PeriodFilter(end=date(2023, 6, 30)),
        PeriodFilter(fiscal_year=2023, fiscal_quarter=2),
    }
    assert first.describe() == "Orla Devices, Inc., period ended June 30, 2023"


def test_a_fifth_company_is_left_out_and_named(catalog: Catalog) -> None:
    reading = read(catalog, "Net income of Orla, Tilbrook, Kestrel, Norvane and Pembrick in Q2 2023")
    assert [part.company for part in reading.parts] == ["ORLA", "TLBK", "KSTR", "NRVN"]
    assert missing(reading) == [("Pembrick Inc., period ended June 30, 2023", "left_out")]


def test_every_company_keeps_a_period_before_one_has_its_second(catalog: Catalog) -> None:
    reading = read(catalog, "Revenue of Orla, Kestrel and Norvane in Q1 and Q2 2023")
    assert [part.company for part in reading.parts] == ["ORLA", "ORLA", "KSTR", "NRVN"]
    assert missing(reading) == [
        ("Kestrel Corporation, period ended June 30, 2023", "left_out"),
        ("Norvane Corporation, period ended June 30, 2023", "left_out"),
    ]


def test_a_company_that_is_not_indexed_leaves_the_others_to_answer_from(catalog: Catalog) -> None:
    reading = read(catalog, "Compare Orla's and Netflix's revenue in Q2 2023.")
    assert reading.unknown_companies == ()
    assert missing(reading) == [("Netflix", "not_indexed")]
    (lookup,) = reading.parts[0].lookups
    assert "Netflix" not in lookup.question and "and" not in lookup.question.split()


def test_what_is_said_about_a_company_that_is_not_indexed_is_no_comparison(catalog: Catalog) -> None:
    assert read(catalog, "What did Orla say about Netflix's revenue in Q2 2023?").unknown_companies == (
        "Netflix",
    )


def test_a_period_that_one_company_lacks_is_missing(catalog: Catalog) -> None:
    reading = read(catalog, "Compare Orla's and Kestrel's revenue in Q1 2024.")
    assert parts(reading) == [("KSTR", "03-30")]
    assert missing(reading) == [("Orla Devices, Inc., Q1 2024", "not_indexed")]


def test_a_period_that_no_company_has_is_missing_where_another_is_there(catalog: Catalog) -> None:
    reading = read(catalog, "Orla's revenue in Q2 2023 and in Q2 2031")
    assert reading.unknown_periods == ()
    assert parts(reading) == [("ORLA", "06-30")]
    assert missing(reading) == [("Q2 2031", "not_indexed")]


def test_a_company_outside_the_users_filter_is_missing_as_such(catalog: Catalog) -> None:
    reading = read(catalog, "Compare Orla's and Kestrel's revenue in Q2 2023.", Scope(companies=("ORLA",)))
    assert [part.company for part in reading.parts] == ["ORLA"]
    assert missing(reading) == [("Kestrel Corporation", "filtered")]


def test_a_part_is_never_wider_than_the_users_periods(catalog: Catalog) -> None:
    user = Scope(periods=(PeriodFilter(fiscal_year=2023, fiscal_quarter=2),))
    reading = read(catalog, "Orla's and Kestrel's revenue in Q1 and Q2 2023", user)
    assert parts(reading) == [("ORLA", "06-30"), ("KSTR", "06-30")]
    assert {why for _, why in missing(reading)} == {"filtered"}
    first = Period(date(2023, 3, 30), 3, 2023, 1)
    assert not any(p.admits(first) for part in reading.parts for p in part.periods)
