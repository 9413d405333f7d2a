from __future__ import annotations

import pytest

from graphs.local.followup.pointers import person, pointed, topic_of
from graphs.local.followup.slots import find_slots
from tests.filings import CATALOG

INCOME = "What was Orla's net income in the quarter ended July 1, 2023?"
QUOTED = "- Ann Reyes (CFO): “Demand was weak.” [1]\n- Bo Tarn (CEO): “It will pass.” [2]"


def after(question: str, turn: str, told: str = "") -> str:
    now, earlier = (find_slots(text, CATALOG, frozenset()) for text in (turn, question))
    return pointed(now, earlier, told, earlier, CATALOG)


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("why?", "Why did net income at Orla change in the quarter ended July 1, 2023?"),
        ("why did it fall so much?", "Why did net income at Orla fall in the quarter ended July 1, 2023?"),
        (
            "how does that compare with Tilbrook?",
            "How does Orla's net income in the quarter ended July 1, 2023 compare with Tilbrook's in the quarter "
            "ended June 30, 2023?",
        ),
        (
            "is it up?",
            "How did net income at Orla in the quarter ended July 1, 2023 change from the same quarter a year before?",
        ),
        ("by region?", "What was Orla's net income by region in the quarter ended July 1, 2023?"),
        (
            "as a share of the total?",
            "What was Orla's net income as a percentage of total revenue in the quarter ended July 1, 2023?",
        ),
        (
            "which analyst asked about it?",
            "Which analyst asked about net income on Orla's call in the quarter ended July 1, 2023?",
        ),
        (
            "what did the CFO say?",
            "What did the CFO of Orla say about net income in the quarter ended July 1, 2023?",
        ),
        (
            "what did management say about dealers?",
            "What did Orla's management say about dealers in the quarter ended July 1, 2023?",
        ),
    ],
)
def test_a_turn_that_points_at_what_was_said_is_spelled_out(turn: str, expected: str) -> None:
    assert after(INCOME, turn) == expected


@pytest.mark.parametrize(
    "turn", ["and Tilbrook?", "What was revenue?", "why did Tilbrook's revenue fall?", "thanks"]
)
def test_a_turn_that_names_its_own_matter_does_not_point(turn: str) -> None:
    assert after(INCOME, turn) == ""


def test_who_said_it_asks_for_the_people_quoted() -> None:
    assert after(INCOME, "who said that?", QUOTED) == "Who are Ann Reyes and Bo Tarn at Orla?"
    expected = "What did Orla's management say about net income in the quarter ended July 1, 2023?"
    assert after(INCOME, "who said that?") == expected


def test_the_first_person_of_an_answer_is_one_named_before_one_quoted() -> None:
    assert person(QUOTED) == "Ann Reyes"
    assert person(f"{QUOTED}\nBo Tarn holds the role of CEO at Orla [3].") == "Bo Tarn"
    assert person("Net income was 4 million.") == ""


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        (INCOME, "net income"),
        ("What did Orla say about the plough recall in Q3 2023?", "plough recall"),
        ("Is Orla exposed to weak dealers?", "weak dealers"),
    ],
)
def test_a_topic_is_the_figure_or_the_words_behind_the_preposition(question: str, topic: str) -> None:
    assert topic_of(find_slots(question, CATALOG, frozenset())) == topic


RANKING = "Valves had the highest net sales for the twelve months ended July 1, 2023: 40 million USD [5].\n\n| Part |"


@pytest.mark.parametrize(
    "turn", ["What share of the total is that?", "and what percentage of revenue does it make?"]
)
def test_the_share_asked_for_after_a_ranking_is_that_of_the_part_that_comes_first(turn: str) -> None:
    asked = after("Which segment brings Orla the most sales?", turn, RANKING)
    assert asked == "What share of Orla's net sales was Valves for the twelve months ended July 1, 2023?"


def test_a_company_that_comes_first_has_no_share_of_another() -> None:
    ranked = RANKING.replace("Valves", "Tilbrook")
    asked = after("Which company has higher sales than Orla?", "What share of the total is that?", ranked)
    assert not asked.startswith("What share of")


@pytest.mark.parametrize(
    "turn",
    ["By how many percent did it grow?", "How much of its market share did it lose?", "and was that more?"],
)
def test_growth_after_a_ranking_is_no_share(turn: str) -> None:
    assert not after("Which segment brings Orla the most sales?", turn, RANKING).startswith("What share of")
