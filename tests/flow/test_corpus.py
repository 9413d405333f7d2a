"""Questions of which companies something is true, through the whole assistant."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from agent.assistant import Assistant
from agent.engines import model_engine
from graphs.contracts import Answer, Reading
from graphs.routed import build_routed
from graphs.state import Context
from graphs.steps.corpus import looked_through
from tests.scripted import ROUTE, Scripted, Told, all_supported
from tools.model.turn import turn
from tools.model.types import ModelError
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


def _judged(assistant: Assistant, told: Callable[[str], Told] | Told) -> tuple[Answer, Scripted]:
    """The answer where a model says of which companies it is true."""
    model = Scripted({"plan": {**ROUTE, "lookups": []}, "companies": told, "verdicts": all_supported})
    graph = build_routed(assistant.shelf, model_engine(model))
    asked: Any = {"messages": [HumanMessage("Who had lower freight costs?")]}
    answer: Answer = graph.invoke(asked, context=Context())["answer"]
    return answer, model


def _lines(text: str) -> dict[int, str]:
    """Number -> company and line, as the prompt shows them."""
    return {int(n): f"{head}|{line}" for n, head, line in re.findall(r"^\[(\d+)\] (.+)\n(.+)$", text, re.M)}


def test_a_model_decides_of_which_companies_it_is_true(assistant: Assistant) -> None:
    shown: dict[int, str] = {}

    def other(text: str) -> dict[str, Any]:
        shown.update(_lines(text))
        first, *_ = (n for n, line in shown.items() if line.startswith("Calderith"))
        return {"lines": [first, first + 1, 0, 999]}

    answer, model = _judged(assistant, other)
    assert {line.split()[0] for line in shown.values()} == {"Harrowmere", "Calderith"}
    assert {item.company_key for item in answer.evidence} == {"CDTH"}, "one of a company, and no other"
    assert answer.route.reason.endswith(": of 1 of 2")
    assert answer.usage.by_step["merge"].calls == 1 and "answer" not in model.steps
    first = next(line for line in shown.values() if line.startswith("Calderith"))
    assert answer.evidence[0].lines[0].text.startswith(first.rpartition("|")[2][:40])


def test_a_model_may_find_it_true_of_none(assistant: Assistant) -> None:
    answer, _ = _judged(assistant, {"lines": []})
    assert (answer.status, answer.reason) == ("abstained", "no_evidence")
    assert answer.route.reason.endswith(": of 0 of 2")


def test_without_a_usable_reply_the_learned_fit_decides(assistant: Assistant) -> None:
    answer, _ = _judged(assistant, ModelError("no reply"))
    assert {item.company_key for item in answer.evidence} == {"HRWM"}
    assert "lower freight rates" in answer.answer
    assert any("the local engine's was used" in gap for gap in answer.gaps)
