"""The questions of a turn, told apart by its grammar."""

from __future__ import annotations

import pytest

from graphs.local.question.several_questions import MAX_CHARS, MAX_QUESTIONS, questions_in


@pytest.mark.parametrize(
    ("turn", "questions"),
    [
        (
            "Who bought the Orla mills and when was the deal completed?",
            ("Who bought the Orla mills?", "When was the deal completed?"),
        ),
        (
            "Which judge has the case, and in which court is it heard?",
            ("Which judge has the case?", "In which court is it heard?"),
        ),
        ("How dependent is Orla on Brill? Did it mind?", ("How dependent is Orla on Brill?", "Did it mind?")),
        ("Who runs Orla's stores and for how long?", ("Who runs Orla's stores?", "For how long?")),
        (
            "Who is its chief, where does she live and what did she do before?",
            ("Who is its chief?", "Where does she live?", "What did she do before?"),
        ),
        (
            "The Orla mills: who owns them, and what are they worth?",
            ("The Orla mills: who owns them?", "What are they worth?"),
        ),
        (
            "What is the suit about and who filed it? Fiscal 2021.",
            ("What is the suit about? Fiscal 2021.", "Who filed it? Fiscal 2021."),
        ),
    ],
)
def test_questions_are_told_apart(turn: str, questions: tuple[str, ...]) -> None:
    assert questions_in(turn) == questions


@pytest.mark.parametrize(
    "turn",
    [
        "When Orla bought Brill, how much of the price was goodwill?",
        "What did Orla say about demand and about prices?",
        "What does Orla say of Brill and what the court decided?",
        "Which companies make paper and sell it abroad?",
        "Is it a filing or is it a call?",
        "What was Orla's net income, and why did it fall?",
        "What was Orla's revenue and what was its net income?",
        "Suppose rates rose by a point. How much would Orla lose?",
        "In the 2021 agreement, what is a Principal Property?",
        "and why?",
        "?!",
        "",
    ],
)
def test_one_question_stays_as_it_is(turn: str) -> None:
    assert questions_in(turn) == (turn,)


def test_a_paste_is_not_taken_apart_and_many_questions_are_bounded() -> None:
    asked = "Who runs Orla? "
    paste = asked * (MAX_CHARS // len(asked) + 1)
    assert questions_in(paste) == (paste,)
    assert len(questions_in(asked * (MAX_QUESTIONS + 2))) == MAX_QUESTIONS


def test_only_what_says_a_time_goes_with_each_question() -> None:
    assert questions_in("Who sold the mills? When did the deal close? And why did they sell?") == (
        "Who sold the mills?",
        "When did the deal close? And why did they sell?",
    )
    assert (
        questions_in("Who sold the mills? When did the deal close? Thanks a lot.")[0] == "Who sold the mills?"
    )
