"""Companies that a question describes instead of naming them."""

from __future__ import annotations

import pytest

from graphs.local.question.descriptions import description_in
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import Document


@pytest.mark.parametrize(
    ("question", "asked", "named"),
    [
        (
            "Who is finance chief at the company that took over Lantern Tea?",
            "Which company took over Lantern Tea?",
            "Who is finance chief at Orla?",
        ),
        (
            "Who leads the company whose purchase of Kestrel from Zephyr fell through?",
            "Which company's purchase of Kestrel from Zephyr fell through?",
            "Who leads Orla?",
        ),
        (
            "Who audits the glass maker in which Zephyr holds 80 million shares?",
            "Which glass maker Zephyr holds 80 million shares?",
            "Who audits Orla?",
        ),
        (
            "Whose cloud is used by the company whose credit line runs until April 12, 2029?",
            "Which company's credit line runs until April 12, 2029?",
            "Whose cloud is used by Orla?",
        ),
        (  # of one within another the inner one comes first
            "Who is looking into the network owned by the company that bought Lantern?",
            "Which company bought Lantern?",
            "Who is looking into the network owned by Orla?",
        ),
        (
            "How much debt does the company that took over Lantern Tea have?",
            "Which company took over Lantern Tea?",
            "How much debt does Orla have?",
        ),
        (
            "What was revenue of the brewer run by Ada Voss?",
            "Which brewer run by Ada Voss?",
            "What was revenue of Orla?",
        ),
    ],
)
def test_the_question_is_parted_in_two(question: str, asked: str, named: str) -> None:
    found = description_in(question, Catalog([]))
    assert found is not None
    assert (found.asked, found.named("Orla")) == (asked, named)


@pytest.mark.parametrize(
    "question",
    [
        "Who is the analyst that asked about margins?",  # asks for just that
        "Which company took over Lantern Tea?",
        "Name the watchdog that ruled in December 2021.",
        "What was total revenue in the quarter?",
        "Does the company that took over Lantern Tea pay a dividend?",
    ],
)
def test_what_is_asked_for_itself_is_no_description(question: str) -> None:
    assert description_in(question, Catalog([])) is None


def test_a_question_that_names_a_company_describes_none() -> None:
    orla = Document(
        "orla",
        "orla.pdf",
        "orla.pdf",
        "Orla",
        "Orla Devices, Inc.",
        "ORLA",
        "ORLA",
        (),
        "10-K",
        2023,
        4,
        None,
        1,
    )
    asked = "Who runs the chip plant that Orla Devices opened?"
    assert description_in(asked, Catalog([])) is not None
    assert description_in(asked, Catalog([orla])) is None


def test_a_question_of_blanks_costs_no_time() -> None:
    """A second for 2,000 blanks would be an hour for 30,000; the suite's limit on a test is the bound."""
    for blanks in (" " * 30_000, " x" * 15_000, "?" * 30_000):
        assert description_in(f"the pump maker that{blanks}, then", Catalog({})) is None
