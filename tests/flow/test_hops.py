"""Questions in two hops through the whole assistant: the company that is described, then what is asked of it."""

from __future__ import annotations

from agent.assistant import Assistant


def test_the_described_company_is_found_first_and_both_hops_are_cited(assistant: Assistant) -> None:
    answer = assistant.ask(
        "Who is finance chief at the company that opened an automated distribution center in Reno?"
    )
    first, second = answer.answer.split("\n\n")
    assert "Reno, Nevada, that opened in June 2024" in first
    assert "Lucinda Farrow-Bates" in second
    assert len(answer.citations) == 2
    assert answer.faithfulness.score == 1.0
    assert answer.standalone_question == "Who is finance chief at Harrowmere Stores, Inc.?"
    assert "is Harrowmere Stores, Inc." in answer.route.reason


def test_a_figure_of_a_described_company_is_stated_after_what_tells_of_it(assistant: Assistant) -> None:
    answer = assistant.ask(
        "What was total revenue of the company that lost a phone socket in the quarter ended March 30, 2024?"
    )
    assert "phone socket" in answer.answer
    assert "1,284.6 million USD" in answer.answer


def test_what_is_asked_of_any_company_is_asked_of_a_described_one(assistant: Assistant) -> None:
    answer = assistant.ask(
        "How much does the company that opened an automated distribution center in Reno owe?"
    )
    assert answer.standalone_question == "What was the total debt of Harrowmere Stores, Inc?"
    assert "opened in June 2024" in answer.answer.split("\n\n")[0]


def test_a_filter_of_the_user_holds_for_both_hops(assistant: Assistant) -> None:
    question = "Who is finance chief at the company that opened an automated distribution center in Reno?"
    answer = assistant.ask(question, company="Calderith")
    assert "Farrow-Bates" not in answer.answer
    assert all(each.company_key != "HRWM" for each in answer.evidence)


def test_a_described_company_that_no_document_tells_of_is_not_made_up(assistant: Assistant) -> None:
    answer = assistant.ask("Who is finance chief at the company that shipped glass elephants to Tasmania?")
    assert " is Harrowmere" not in answer.route.reason
    assert " is Calderith" not in answer.route.reason
