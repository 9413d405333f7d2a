"""What a turn leaves unsaid: the part of the question before that it names another of, and what stands in brackets."""

from __future__ import annotations

import pytest

from graphs.local.followup.context import in_context, part_like
from graphs.local.followup.slots import find_slots
from tests.filings import CATALOG
from tools.vector.embeddings import LocalEmbeddings


def context(turn: str, earlier: str, told: str = "", person: str = "") -> str:
    now, before = (find_slots(text, CATALOG, frozenset()) for text in (turn, earlier))
    return in_context(now, before, told, person)


def test_the_question_before_stands_in_brackets_without_the_words_that_ask() -> None:
    found = context("What drove the increase?", "How much did Orla earn from plough rentals in fiscal 2023?")
    assert found == "What drove the increase? (about: Orla earn from plough rentals in fiscal 2023)"


def test_brackets_are_not_nested_and_do_not_grow_without_end() -> None:
    turn = "Who runs it?"
    for _ in range(9):
        turn = context("and who runs that part of it?", turn.replace("Who", "Which ploughs of Orla"))
    assert turn.count("(") == 1 and len(turn.split()) < 50


def test_names_that_the_answer_brings_up_come_along_or_the_person_who_is_meant() -> None:
    told = "Orla Devices: “We sold the plough works in Vilnius to Merrow Holdings.” [1]"
    assert context("When did that close?", "What did Orla sell?", told).endswith(
        "(about: Orla sell; Vilnius, Merrow Holdings)"
    )
    assert context("When did she join?", "Who runs Orla?", told, "Ann Reyes").endswith(
        "(about: runs Orla; Ann Reyes)"
    )


@pytest.mark.parametrize(
    ("phrase", "question", "part"),
    [
        ("data center", "How much did Orla sell in gaming in the quarter ended July 1, 2023?", "gaming"),
        ("Indonesia", "What share of Orla's shoes came from Vietnam in fiscal 2023?", "Vietnam"),
        ("ketchup", "What was Orla's revenue in Q3 2023?", None),
    ],
)
def test_a_phrase_takes_the_place_of_what_is_nearest_in_meaning(
    phrase: str, question: str, part: str | None
) -> None:
    earlier = find_slots(question, CATALOG, frozenset())
    span = part_like(phrase, earlier, LocalEmbeddings())
    assert (span and question[slice(*span)]) == part
    assert part_like(phrase, earlier, None) is None
