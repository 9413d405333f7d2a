"""What people ask of any company, asked plainly, through the whole assistant."""

from __future__ import annotations

import pytest

from agent.assistant import Assistant


@pytest.mark.parametrize("question", ["Is Harrowmere profitable?", "How is Harrowmere doing?"])
def test_how_a_company_is_doing_is_told_by_its_headline_figures(assistant: Assistant, question: str) -> None:
    answer = assistant.ask(question)
    assert answer.status == "answered" and "| Net income" in answer.answer, answer.answer
    assert "Year before" in answer.answer and answer.faithfulness.score == 1.0


def test_of_a_period_that_is_not_indexed_no_other_is_told(assistant: Assistant) -> None:
    answer = assistant.ask("Is Harrowmere profitable in 2019?")
    assert "2019" in answer.standalone_question and "| Net income" not in answer.answer, answer.answer


def test_what_a_turn_goes_on_to_ask_of_its_company_is_told_likewise(assistant: Assistant) -> None:
    answer = assistant.ask("What does Harrowmere sell and is it making money?")
    assert answer.status == "answered" and "| Net income" in answer.answer, answer.answer


def test_what_no_list_holds_is_not_missed_in_one(assistant: Assistant) -> None:
    answer = assistant.ask("Who is finance chief at Harrowmere and is it profitable?")
    assert "Farrow-Bates" in answer.answer and "found for: results" not in answer.answer, answer.answer
