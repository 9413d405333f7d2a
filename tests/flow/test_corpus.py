"""Questions of which companies something is true, through the whole assistant."""

from __future__ import annotations

import time

import pytest

from agent.assistant import Assistant
from graphs.contracts import Reading
from graphs.steps.corpus import looked_through
from tools.model.turn import turn
from tools.scope import Scope


def test_the_companies_of_which_it_is_true_are_named_each_with_what_says_so(assistant: Assistant) -> None:
    answer = assistant.ask("Which companies opened an automated distribution center?")
    assert (answer.status, answer.route.kind, answer.route.tools) == (
        "answered",
        "corpus",
        ("corpus_search",),
    )
    assert answer.route.reason == "asks of which companies something is true: of 1 of 2"
    assert "Reno, Nevada" in answer.answer
    assert {item.company_key for item in answer.evidence} == {"HRWM"}
    assert answer.faithfulness.score == 1.0


def test_it_may_be_asked_in_other_words_and_a_speaker_is_named(assistant: Assistant) -> None:
    answer = assistant.ask("Who had lower freight costs?")
    assert answer.route.kind == "corpus"
    assert "(Harrowmere Stores): “" in answer.answer and "lower freight rates" in answer.answer


def test_what_is_true_of_none_is_no_answer_and_nothing_wider_is_searched(assistant: Assistant) -> None:
    answer = assistant.ask("Which companies complain about a shortage of glass elephants?")
    assert (answer.status, answer.reason, answer.evidence) == ("abstained", "no_evidence", ())
    assert not answer.route.widened


def test_the_users_filters_hold(assistant: Assistant) -> None:
    answer = assistant.ask("Which companies opened an automated distribution center?", company="Calderith")
    assert answer.status == "abstained" and answer.route.reason.endswith(": of 0 of 1")


@pytest.mark.parametrize(
    "question",
    [
        "Which company had the highest revenue in the second quarter of 2024?",  # computed
        "Which companies do you have?",  # of the index
        "Which products did Harrowmere launch?",
        "Why did gross margin change?",
        "Who asked about tariffs?",
        "Who is finance chief at the company that opened an automated distribution center in Reno?",
    ],
)
def test_other_questions_are_not_put_to_all_companies(assistant: Assistant, question: str) -> None:
    assert assistant.ask(question).route.kind != "corpus"


def test_who_is_not_looked_through_in_time_is_counted(assistant: Assistant) -> None:
    reading = Reading(question="Who had lower freight costs?", of_companies="had lower freight costs")
    index, ranker, context = assistant.current(), assistant.engine.ranker, assistant.context()
    assert ranker is not None
    with turn("retrieve", deadline=time.monotonic() + 3_600):
        found, reached, unreached = looked_through(index, reading, Scope(), ranker, context)
    assert ([each.company_key for each in found], reached, unreached) == (["HRWM"], 2, 0)
    with turn("retrieve", deadline=time.monotonic() + 1):
        assert looked_through(index, reading, Scope(), ranker, context) == ([], 0, 2)


def test_an_answer_says_that_its_time_was_too_short_for_all(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphs.steps.corpus.LEFT_FOR_ANSWER", 1e9)
    answer = assistant.ask("Who had lower freight costs?")
    assert answer.status == "abstained"
    assert any(gap.startswith("2 companies not looked through") for gap in answer.gaps)


def test_an_answer_says_how_many_are_found_and_not_shown(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphs.steps.corpus.MAX_COMPANIES", 0)
    answer = assistant.ask("Who had lower freight costs?")
    assert "1 more companies found, and not shown" in answer.gaps


def test_lines_are_read_of_the_most_promising_alone(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[tuple[str, ...]]()
    index = assistant.current()
    search = index.kg_search
    monkeypatch.setattr(
        type(index),
        "kg_search",
        lambda own, question, scope, *more: asked.append(scope.companies) or search(question, scope, *more),
    )
    monkeypatch.setattr("graphs.steps.corpus.MOST_READ", 1)
    reading = Reading(question="Who had lower freight costs?", of_companies="had lower freight costs")
    ranker = assistant.engine.ranker
    assert ranker is not None
    with turn("retrieve", deadline=time.monotonic() + 3_600):
        found, reached, unreached = looked_through(index, reading, Scope(), ranker, assistant.context())
    assert asked == [("HRWM",)]
    assert ([each.company_key for each in found], reached, unreached) == (["HRWM"], 2, 0)
