from __future__ import annotations

import pytest

from evals.routes import load_catalog
from graphs.local.followup.condenser import LocalCondenser
from tools.vector.embeddings import LocalEmbeddings

FIRST = "What were Apple's total net sales in the quarter ended July 1, 2023?"


def last(*turns: str) -> str:
    condenser = LocalCondenser(embedder=LocalEmbeddings())
    return condenser.condense(turns[-1], [(turn, "An answer [1].") for turn in turns[:-1]])


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((FIRST,), FIRST),
        (
            (FIRST, "and the quarter before?"),
            "What were Apple's total net sales in the quarter before the quarter ended July 1, 2023?",
        ),
        (
            (FIRST, "and the quarter before?", "and the quarter before that?"),
            "What were Apple's total net sales in the quarter before the quarter before "
            "the quarter ended July 1, 2023?",
        ),
        (
            (FIRST, "What about Amazon?"),
            "What were Amazon's total net sales in the quarter ended July 1, 2023?",
        ),
        (("What was Apple's revenue in Q3 2023?", "And in Q2?"), "What was Apple's revenue in Q2 2023?"),
        (
            (
                "What was Amazon's operating income for the quarter ended June 30, 2023?",
                "and for six months?",
            ),
            "What was Amazon's operating income for the six months ended June 30, 2023?",
        ),
        ((FIRST, "and R&D?"), "What were Apple's R&D in the quarter ended July 1, 2023?"),
        (("Who is the CEO of Aflac?", "And the CFO?"), "Who is the CFO of Aflac?"),
    ],
)
def test_a_follow_up_replaces_its_part_of_the_question_before(turns: tuple[str, ...], expected: str) -> None:
    assert last(*turns) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was its gross margin?", "What was Apple's gross margin in the quarter ended July 1, 2023?"),
        (
            "How much did they spend on R&D?",
            "How much did Apple spend on R&D in the quarter ended July 1, 2023?",
        ),
        ("What was net income in Q2 2023?", "What was net income in Q2 2023 at Apple?"),
        ("Why?", "Why did total net sales at Apple change in the quarter ended July 1, 2023?"),
        (
            "How does it compare with Microsoft?",
            "How does Apple's total net sales in the quarter ended July 1, 2023 compare with Microsoft's?",
        ),
    ],
)
def test_a_whole_question_gets_the_company_and_period_that_it_leaves_out(
    question: str, expected: str
) -> None:
    assert last(FIRST, question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What was Intel's inventory as of April 1, 2023?",
        "Which companies mention export controls?",
        "What is the capital of France?",
        "Hello!",
    ],
)
def test_a_question_that_stands_alone_is_left_as_it_is(question: str) -> None:
    assert last(FIRST, question) == question


def test_small_talk_between_the_questions_is_passed_over() -> None:
    assert last("What was Apple's revenue in Q3 2023?", "What is the capital of France?", "and in Q2?") == (
        "What was Apple's revenue in Q2 2023?"
    )


def test_with_a_catalog_a_ticker_in_lower_case_is_a_company() -> None:
    condenser = LocalCondenser(load_catalog())
    assert condenser.condense("what about amzn?", [("AAPL revenue Q3 2023?", "")]) == "amzn revenue Q3 2023?"


@pytest.mark.parametrize(
    ("before", "turn", "expected"),
    [
        (
            "Why did Apple's gross margin fall in fiscal 2023?",
            "and how high was it the year before?",
            "What was Apple's gross margin in fiscal 2022?",
        ),
        (
            "Why did Apple's gross margin fall in fiscal 2023?",
            "how high was it in fiscal 2021?",
            "What was Apple's gross margin in fiscal 2021?",
        ),
        ("What was Apple's revenue in fiscal 2023?", "Who is its CEO?", "Who is Apple's CEO in fiscal 2023?"),
    ],
)
def test_it_is_the_figure_of_the_question_before_and_its_the_company(
    before: str, turn: str, expected: str
) -> None:
    assert last(before, turn) == expected


def test_what_leans_on_the_question_before_has_it_in_brackets_where_it_could_stand_alone() -> None:
    condenser = LocalCondenser(embedder=LocalEmbeddings())
    before = [("On what day did Apple start doing business?", "In 1976 [1].")]
    assert condenser.condense("Which country came first?", before) == "Which country came first?"
    assert condenser.condense("Which country came first?", before, leans=True).startswith(
        "Which country came first? (about: "
    )


@pytest.mark.parametrize(
    ("question", "leans"),
    [
        ("How many people work there?", True),
        ("Which firm audits the accounts?", True),
        ("How many people work at any company here?", False),
    ],
)
def test_what_people_ask_of_any_company_is_asked_of_the_one_before(question: str, leans: bool) -> None:
    condenser = LocalCondenser(embedder=LocalEmbeddings())
    history = [("What does Orla Devices do?", "Orla Devices describes its business: “We make lamps.” [1]")]
    said = condenser.condense(question, history)
    assert ("(about: Orla Devices)" in said) == leans
