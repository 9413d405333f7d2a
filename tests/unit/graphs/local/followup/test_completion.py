from __future__ import annotations

import pytest

from graphs.local.followup.completion import IT_ALONE, appended, completed, filled_in
from graphs.local.followup.slots import find_slots
from tests.filings import CATALOG

NAMES = frozenset({"merrow"})
INCOME = "What was Orla's net income in Q3 2023?"


def after(question: str, turn: str) -> str:
    now, earlier = (find_slots(text, CATALOG, NAMES) for text in (turn, question))
    return completed(now, earlier, CATALOG)


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("What was its revenue?", "What was Orla's revenue in Q3 2023?"),
        ("How much did they spend on rent?", "How much did Orla spend on rent in Q3 2023?"),
        ("What was revenue?", "What was revenue at Orla in Q3 2023?"),
        ("What was its revenue in Q2 2023?", "What was Orla's revenue in Q2 2023?"),
        ("What was its revenue in that quarter?", "What was Orla's revenue in Q3 2023?"),
        (
            "What was its revenue a year earlier?",
            "What was Orla's revenue in the quarter ended July 2, 2022?",
        ),
    ],
)
def test_a_turn_gets_the_company_and_the_period_that_it_leaves_out(turn: str, expected: str) -> None:
    assert after(INCOME, turn) == expected


def test_it_is_the_figure_beside_a_company_named_anew() -> None:
    turn = "Did Tilbrook report it?"
    it = IT_ALONE.search("Is Tilbrook bigger for it?")
    assert it is not None
    now, earlier = (find_slots(text, CATALOG, NAMES) for text in (turn, INCOME))
    assert filled_in(it, it.string, now, earlier) == "Is Tilbrook bigger for Orla's net income in Q3 2023?"


@pytest.mark.parametrize(
    ("text", "expected"), [("Why?", "Why at Orla?"), ("Why", "Why at Orla?"), ("Say. ", "Say at Orla.")]
)
def test_what_is_appended_stands_before_the_closing_mark(text: str, expected: str) -> None:
    assert appended(text, " at Orla") == expected
