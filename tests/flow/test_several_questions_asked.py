"""A turn that asks several questions: each is answered, or named as open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agent.assistant import Assistant
from agent.settings import Settings
from agent.threads.sessions import Sessions
from agent.threads.turn_parts import Step
from graphs.contracts import Answer
from graphs.drafts.claims import cited_markers

RETIRES = "Who will retire from Harrowmere"
OF_EACH = f"{RETIRES}, and what did Calderith say about automotive demand?"
LEANS = "What does Harrowmere say about theft, and which orchard does it own?"


def test_questions_that_lean_on_none_are_asked_one_by_one(assistant: Assistant) -> None:
    answer = assistant.ask(OF_EACH)
    alone = assistant.ask(f"{RETIRES}?")
    assert answer.status == "answered"
    assert answer.question == OF_EACH
    first, second = answer.answer.split("\n\n")
    assert first == alone.answer
    assert "delay some deliveries" in second
    assert {each.marker for each in answer.citations} == set(cited_markers(answer.answer))
    ranks = [item.rank for item in answer.evidence]
    assert ranks == list(range(1, len(ranks) + 1))
    assert len({(item.source, item.item_id) for item in answer.evidence}) == len(ranks)
    assert answer.faithfulness.score == 1.0


def test_what_is_left_open_is_named(assistant: Assistant) -> None:
    answer = assistant.ask(LEANS)
    assert answer.status == "partial"
    assert "Losses from theft" in answer.answer
    assert answer.answer.endswith("Nothing found for: “Which orchard does it own?”.")
    assert answer.standalone_question == LEANS


def test_a_question_that_the_answer_to_the_whole_answers_is_not_asked_again(assistant: Assistant) -> None:
    question = "Which executive retires from Harrowmere and on which day?"
    answer = assistant.ask(question)
    assert answer.status == "answered"
    assert answer.answer.count("March 31, 2025") == 1
    assert answer.answer.count("\n") == 0


def test_a_turn_cut_off_between_its_questions_goes_on_and_is_one_turn(
    home_copy: Callable[[str], Path],
) -> None:
    with (
        Assistant(Settings(_env_file=None, home=home_copy("home"))) as assistant,
        Sessions(assistant) as sessions,
    ):
        session = sessions.open("two at once")
        turn = session.ask(OF_EACH)
        for event in turn:
            if isinstance(event, Step) and event.name == "answer":
                break
        turn.close()
        answer = list(session.resume())[-1]
        assert isinstance(answer, Answer)
        assert "March 31, 2025" in answer.answer and "delay some deliveries" in answer.answer
        assert [each.question for each in session.turns()] == [OF_EACH]


def test_where_nothing_is_found_the_turn_is_refused_once(assistant: Assistant) -> None:
    answer = assistant.ask("Which orchard does Harrowmere own, and who planted it?")
    assert answer.status == "abstained"
    assert answer.answer.count("do not hold an answer") == 1


def test_a_share_that_is_asked_for_with_a_ranking_is_that_of_its_first(assistant: Assistant) -> None:
    answer = assistant.ask(
        "Which segment of Harrowmere had the highest net sales in the quarter ended September 30, 2024, and what "
        "percentage of total net sales was that?"
    )
    assert answer.status == "answered"
    assert len(answer.calculations) == 2
    assert "had the highest net sales" in answer.answer and " % [" in answer.answer


def test_a_question_for_which_there_is_no_time_is_named(sample_home: Path) -> None:
    figure = "What was Calderith's total revenue in the quarter ended March 30, 2024"
    with Assistant(Settings(_env_file=None, home=sample_home, deadline=0.001)) as assistant:
        answer = assistant.ask(f"{figure}, and what does Harrowmere say about theft?")
    assert answer.status == "partial"
    assert "1,284.6" in answer.answer
    assert answer.answer.endswith("time was up: “What does Harrowmere say about theft?”.")
