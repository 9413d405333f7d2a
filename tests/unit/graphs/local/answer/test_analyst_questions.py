"""Who asked about something: named with the firm, in their own words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphs.contracts import Draft, Reading
from graphs.local.question.question_forms import asks_who_asked
from tests.unit.graphs.local.answer.checked import checked_draft
from tools.evidence import Evidence
from tools.scope import Scope

Make = Callable[..., Evidence]
EXCHANGE = (
    "Operator: Our next question comes from Ana Reyes with Birch Capital. Please go ahead.\n"
    "Ana Reyes: Thanks. How do you see input costs in the second half of the year?\n"
    "Marta Lindqvist: Input costs will stay high, because freight rates have not come down."
)


def draft(question: str, evidence: list[Evidence]) -> Draft:
    """The draft, after it has passed the checker."""
    asked = Reading(question=question, companies=("ORLA",), scope=Scope(companies=("ORLA",)))
    return checked_draft(asked, evidence)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Who asked about input costs?", True),
        ("Which analysts asked about margins on Orla's call?", True),
        ("What did analysts ask about demand?", True),
        ("Who is the CFO?", False),
        ("What did the CFO say about demand?", False),
    ],
)
def test_who_asked_is_told_from_other_questions(question: str, asks: bool) -> None:
    assert asks_who_asked(question) is asks


def test_the_analyst_is_named_with_the_firm_that_the_list_of_participants_gives(chunk: Make) -> None:
    listed = chunk(
        2,
        "Ana Reyes took part in Orla Q2 2024 earnings call (Ana Reyes, Analyst, Birch Capital, LLC).",
        "relation",
    )
    evidence = [chunk(1, EXCHANGE, "exchange", section="Questions and Answers > Ana Reyes"), listed]
    assert draft("Who asked about input costs on Orla's call?", evidence).text == (
        "Ana Reyes is an analyst of Birch Capital, LLC [2]. Ana Reyes asked on Orla Devices, Inc.'s call: "
        "“How do you see input costs in the second half of the year?” [1]"
    )


def test_without_a_list_the_firm_is_as_the_operator_says(chunk: Make) -> None:
    item = chunk(1, EXCHANGE, "exchange", section="Questions and Answers > Ana Reyes")
    text = draft("Who asked about input costs on Orla's call?", [item]).text
    assert text.startswith("Ana Reyes is an analyst of Birch Capital [1].")


def test_an_executives_words_do_not_answer_who_asked(chunk: Make) -> None:
    item = chunk(1, EXCHANGE, "exchange", section="Questions and Answers > Ana Reyes")
    assert draft("Who asked about freight rates on Orla's call?", [item]).abstained == "no_evidence"


def test_what_analysts_asked_is_told_of_each_by_a_whole_question(chunk: Make) -> None:
    second = (
        "Bo Lund: Good morning. How are you? Will the plant in Ohio reach its full rate before the end of the year?\n"
        "Marta Lindqvist: What a good question about the plant in Ohio and its rate before the year ends?"
    )
    evidence = [
        chunk(1, EXCHANGE, "exchange", section="Questions and Answers > Ana Reyes"),
        chunk(2, second, "exchange", section="Questions and Answers > Bo Lund"),
    ]
    text = draft("What did analysts ask about on Orla's call?", evidence).text
    assert "Ana Reyes asked on Orla Devices, Inc.'s call: “How do you see input costs" in text
    assert "Bo Lund asked on Orla Devices, Inc.'s call: “Will the plant in Ohio reach" in text
    assert "good question" not in text and len(text.split("\n")) == 2
