"""What people ask of any company is told from questions that only sound so, whatever it is called."""

from __future__ import annotations

from datetime import date

import pytest

from graphs.contracts import Reading
from graphs.local.question.about_index import IndexGuide
from tests.filings import filing
from tools.documents.metadata.catalog import Catalog
from tools.periods import PeriodFilter
from tools.scope import Scope
from tools.vector.embeddings import LocalEmbeddings

CATALOG = Catalog([filing("Orla Devices, Inc.", date(2024, 6, 30), 2024, 2)])
OWN = Scope(("ORLA",))


@pytest.fixture(scope="module")
def guide() -> IndexGuide:
    return IndexGuide(LocalEmbeddings())


def told(guide: IndexGuide, question: str, **fields: object) -> tuple[str, ...]:
    return guide.profile(Reading(question=question, **{"scope": OWN, **fields}), CATALOG)


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Who runs Orla Devices?", ("chief_executive",)),
        ("Who checks the accounts of Orla Devices?", ("auditor",)),
        ("What line of business is Orla Devices in?", ("business",)),
        ("How large is the staff of Orla Devices?", ("employees",)),
        ("Who are the CEO and the CFO of Orla Devices?", ("chief_executive", "finance_chief")),
        ("Is Orla Devices profitable?", ("results",)),
        ("Is Orla Devices growing?", ("results",)),
        ("How much does Orla Devices owe?", ("total_debt",)),
        ("Did Orla Devices buy any company?", ("acquisitions",)),
        ("Is Orla Devices being sued?", ("legal_matters",)),
    ],
)
def test_what_is_asked_for_is_told_in_whatever_words(
    guide: IndexGuide, question: str, kinds: tuple[str, ...]
) -> None:
    assert told(guide, question) == kinds


@pytest.mark.parametrize(
    "question",
    [
        "How many stores does Orla Devices run?",
        "Why did the margin of Orla Devices fall?",
        "What did the CEO of Orla Devices say about demand?",
        "What was the revenue of Orla Devices?",
        "By how much did the revenue of Orla Devices grow?",
        "When do the notes of Orla Devices fall due?",
        "How much did Orla Devices pay for Dunlin?",
        "Who is the president of Orla Devices?",
        "Who audits Orla Devices and how much are they paid?",
    ],
)
def test_what_only_sounds_so_is_left_to_others(guide: IndexGuide, question: str) -> None:
    assert told(guide, question) == ()


def test_of_no_company_or_of_a_part_of_one_nothing_is_told(guide: IndexGuide) -> None:
    question = "Who runs Orla Devices?"
    assert told(guide, question, scope=Scope()) == told(guide, question, entities=("Lamps",)) == ()
    assert told(guide, question, spoken=True) == ()


def test_of_two_years_nothing_is_told(guide: IndexGuide) -> None:
    years = tuple(PeriodFilter(fiscal_year=year) for year in (2022, 2023))
    assert told(guide, "How many people work at Orla Devices?", scope=Scope(("ORLA",), years[:1])) == (
        "employees",
    )
    assert told(guide, "How many people work at Orla Devices?", scope=Scope(("ORLA",), years)) == ()
