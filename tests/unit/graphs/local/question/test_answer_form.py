from __future__ import annotations

import pytest

from graphs.local.question.answer_form import AnswerForm, asks_amount, read_answer_form
from graphs.local.question.reading import read_question
from tests.filings import CATALOG


def form(question: str) -> AnswerForm:
    return read_answer_form(read_question(question, CATALOG), frozenset({"orla"}))


def test_a_figure_prose_a_change_and_people_are_told_apart() -> None:
    assert form("What was Orla's revenue in Q3 2023?").figure
    assert form("Explain Orla's strategy.").explain and not form("Explain Orla's strategy.").figure
    assert form("How much did Orla's revenue grow in Q3 2023?").change
    assert form("Who works for Orla?").people


def test_terms_are_what_it_is_about_without_company_period_and_the_words_of_asking() -> None:
    asked = form("Please tell me about Orla's plough recall in the quarter ended July 1, 2023.")
    assert asked.terms == ("plough", "recall")


def test_a_line_item_named_change_asks_for_no_change() -> None:
    assert not form("What was Orla's change in cash in Q3 2023?").change
    assert form("How much did Orla's cash change in Q3 2023?").change


@pytest.mark.parametrize(
    ("question", "amount"),
    [
        ("net income", True),
        ("earnings", False),
        ("net income per diluted share", False),
        ("EPS and sales", False),
    ],
)
def test_an_amount_of_the_whole_company_is_none_a_share(question: str, amount: bool) -> None:
    assert asks_amount(question) == amount
