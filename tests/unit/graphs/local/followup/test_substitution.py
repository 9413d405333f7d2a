from __future__ import annotations

import pytest

from graphs.local.followup.slots import find_slots
from graphs.local.followup.substitution import substituted
from graphs.local.text.spans import Span
from tests.filings import CATALOG

NAMES = frozenset({"merrow", "harrow tools"})
INCOME = "What was Orla's net income in the quarter ended July 1, 2023?"
VIEW = "What did management say about dealer demand at Orla in Q3 2023?"


def nothing_like(phrase: str) -> Span | None:
    return None


def after(question: str, turn: str) -> str:
    return substituted(
        find_slots(turn, CATALOG, NAMES), find_slots(question, CATALOG, NAMES), CATALOG, nothing_like
    )


@pytest.mark.parametrize(
    ("question", "turn", "expected"),
    [
        (INCOME, "and revenue?", "What was Orla's revenue in the quarter ended July 1, 2023?"),
        (
            INCOME,
            "what about Tilbrook?",
            "What was Tilbrook's net income in the quarter ended June 30, 2023?",
        ),
        (INCOME, "and in Q2 2023?", "What was Orla's net income in Q2 2023?"),
        (INCOME, "Merrow?", "What was Orla's Merrow net income in the quarter ended July 1, 2023?"),
        (
            INCOME,
            "and Tilbrook's revenue in Q3 2023?",
            "What was Tilbrook's revenue in Q3 2023?",
        ),
        (VIEW, "and about Merrow?", "What did management say about Merrow at Orla in Q3 2023?"),
        (VIEW, "and harrow tools?", "What did management say about harrow tools at Orla in Q3 2023?"),
        (VIEW, "and plough recalls?", "What did management say about plough recalls at Orla in Q3 2023?"),
        ("Who is the CEO of Orla?", "and the CFO?", "Who is the CFO of Orla?"),
        (
            INCOME,
            "what about harrowmere?",
            "What was Harrowmere's net income in the quarter ended July 1, 2023?",
        ),
        ("What was revenue?", "and Orla?", "What was revenue at Orla?"),
    ],
)
def test_what_the_turn_names_takes_the_place_of_its_kind(question: str, turn: str, expected: str) -> None:
    assert after(question, turn) == expected


def test_a_figure_after_an_overview_becomes_a_plain_question() -> None:
    assert (
        after("Summarise Orla in Q3 2023.", "and operating costs?")
        == "What were Orla's operating costs in Q3 2023?"
    )


def test_what_nothing_knows_takes_the_place_of_what_is_most_like_it() -> None:
    now, earlier = (
        find_slots(text, CATALOG, NAMES) for text in ("and in big tyres?", "Did Orla sell in ploughs?")
    )
    place = earlier.text.index("ploughs")
    assert substituted(now, earlier, CATALOG, lambda _: (place, place + 7)) == "Did Orla sell in big tyres?"
    assert substituted(now, earlier, CATALOG, nothing_like) == ""


def test_a_turn_that_names_nothing_stays_as_it_is() -> None:
    assert after(INCOME, "and the?") == "and the?"
