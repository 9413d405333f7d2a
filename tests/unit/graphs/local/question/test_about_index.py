"""graphs.local.question.about_index: what is asked about the assistant or its index is answered from the catalogue, and
what no filing answers is told."""

from __future__ import annotations

from datetime import date

import pytest

from graphs.contracts import Reading
from graphs.local.question.about_index import IndexGuide
from tests.filings import filing
from tools.documents.metadata.catalog import Catalog
from tools.vector.embeddings import LocalEmbeddings


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog(
        [
            filing("Orla Devices, Inc.", date(2024, 6, 30), 2024, 2),
            filing("Orla Devices, Inc.", date(2023, 12, 31), 2023, 4),
            filing("Harrowmere Stores, Inc.", date(2024, 9, 30), 2024, 3, "call"),
        ]
    )


@pytest.fixture(scope="module")
def guide() -> IndexGuide:
    return IndexGuide(LocalEmbeddings())


@pytest.mark.parametrize(
    "question",
    [
        "Hello, who are you and what can you do?",
        "What documents do you have?",
        "which companies are in your index",
    ],
)
def test_a_question_about_the_index_names_its_companies(
    guide: IndexGuide, catalog: Catalog, question: str
) -> None:
    told = guide.tell(Reading(question=question), catalog)
    assert all(company.name in told for company in catalog.companies.values())
    assert "cited with document and page" in told


def test_of_a_company_its_documents_are_listed_with_their_periods(
    guide: IndexGuide, catalog: Catalog
) -> None:
    key = "ORLA"
    reading = Reading(question=f"Which quarters of {catalog.name(key)} do you have?", companies=(key,))
    lines = guide.tell(reading, catalog).splitlines()
    documents = catalog.documents_of(key)
    assert [line for line in lines if line.startswith("- ")] and len(lines) == 2 + len(documents)
    assert all(document.name in line for document, line in zip(documents, lines[2:], strict=True))


@pytest.mark.parametrize(
    "question",
    [
        "Which companies did Orla Devices buy in 2023?",
        "Who is the chief financial officer?",
        "What was net income in the second quarter?",
    ],
)
def test_what_documents_say_is_not_about_the_index(
    guide: IndexGuide, catalog: Catalog, question: str
) -> None:
    assert guide.tell(Reading(question=question), catalog) == ""


def test_what_may_be_about_the_index_or_the_documents_is_looked_up_first(
    guide: IndexGuide, catalog: Catalog
) -> None:
    """And what is held is told where they hold no answer."""
    reading = Reading(question="documents about Orla's pension", companies=("ORLA",))
    assert guide.tell(reading, catalog) == ""
    assert guide.otherwise(reading, catalog).startswith("Of Orla Devices, Inc. 2 documents:")
    surely_said = Reading(question="Why did Orla's margin fall?", companies=("ORLA",))
    assert guide.otherwise(surely_said, catalog) == ""


def test_an_empty_index_is_said_to_be_empty(guide: IndexGuide) -> None:
    assert "Nothing is indexed yet." in guide.tell(
        Reading(question="What documents do you have?"), Catalog([])
    )


@pytest.mark.parametrize("turn", ["Which page is that on?", "are you sure", "show me the source"])
def test_a_turn_about_the_last_answer_names_what_that_cites(
    guide: IndexGuide, catalog: Catalog, turn: str
) -> None:
    told = guide.tell(Reading(question=turn), catalog, ["orla-10q.pdf, p. 7: “Sales rose.”"])
    assert "checked" in told and told.endswith("- orla-10q.pdf, p. 7: “Sales rose.”")
    assert "cites no document" in guide.tell(Reading(question=turn), catalog, [])
    assert "p. 7" not in guide.tell(Reading(question=turn), catalog, None)


def test_documents_of_a_company_that_is_named_are_no_question_about_the_last_answer(
    guide: IndexGuide, catalog: Catalog
) -> None:
    reading = Reading(question="Which documents of Orla are there?", companies=("orla devices",))
    assert guide.tell(reading, catalog, sources=()) == guide.tell(reading, catalog) != ""


def test_the_conversation_is_summed_up_from_its_answers(guide: IndexGuide, catalog: Catalog) -> None:
    said = [
        ("What were Orla's sales?", "Orla's sales were 3 million USD [1].\n- Of it a part [2]."),
        ("Why?", ""),
    ]
    told = guide.tell(Reading(question="Summarise what we discussed"), catalog, [], said)
    assert told.splitlines()[2:] == ["- What were Orla's sales? — Orla's sales were 3 million USD."]
    assert "3 million" not in guide.tell(Reading(question="Summarise what we discussed"), catalog, [])


def test_a_table_that_a_turn_names_nothing_of_is_that_of_the_last_answer(guide: IndexGuide) -> None:
    assert guide.of_table(Reading(question="show me the whole table"))
    assert not guide.of_table(Reading(question="show me the source"))
    assert not guide.of_table(Reading(question="show me the whole table", companies=("orla devices",)))


def test_what_goes_on_from_a_question_is_about_documents(guide: IndexGuide, catalog: Catalog) -> None:
    reading = Reading(question="Do the two still work together? (about: Orla)")
    assert (guide.tell(reading, catalog, []), guide.otherwise(reading, catalog)) == ("", "")
    assert guide.off_topic(Reading(question="What is the capital of France? (about: Orla)"), catalog) == ""


def test_a_turn_that_asks_on_is_looked_up(guide: IndexGuide, catalog: Catalog) -> None:
    assert guide.tell(Reading(question="Why did that fall? (about: Orla)"), catalog, ["a, p. 1: “b”"]) == ""


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of France?",
        "Who won the 2018 World Cup?",
        "Write a poem about autumn",
        "What is 17 times 23?",
        "Should I buy Apple stock?",
        "What will Amazon's share price be next year?",
        "how do I cancel my Netflix subscription",
        "Should I buy Orla stock?",
    ],
)
def test_what_no_filing_answers_is_off_the_topic(guide: IndexGuide, catalog: Catalog, question: str) -> None:
    assert "filings" in guide.off_topic(Reading(question=question), catalog)


@pytest.mark.parametrize(
    "question",
    [
        "Who won the contract that Apple lost?",
        "What is Microsoft's president called?",
        "What did Apple say about rain damage to its stores?",
        "inflation",
        "What changed?",
        "What about margins?",
        "details",
        "Should Apple's suppliers expect lower orders?",
        "xbox",
        "what do they say about AI?",
        "Summarize what makes Alder & Wren successful.",
        "Why should we expect Netflix's tax rate to jump around more?",
        "where are the factories",
        "did they ever restate anything",
        "Is Orla profitable?",
        "Is Orla healthy?",
    ],
)
def test_what_documents_may_answer_is_on_the_topic(
    guide: IndexGuide, catalog: Catalog, question: str
) -> None:
    assert guide.off_topic(Reading(question=question), catalog) == ""


def test_a_name_that_documents_know_is_on_the_topic_but_does_not_make_anything_so(
    guide: IndexGuide, catalog: Catalog
) -> None:
    assert guide.off_topic(Reading(question="Dunlin radar", entities=("Dunlin",)), catalog) == ""
    assert guide.off_topic(Reading(question="What is the capital of France?", entities=("France",)), catalog)
