"""Suggested next questions: near what was asked, new, within the filters, and answered when asked."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from agent.assistant import Assistant
from agent.engines import local_engine
from agent.settings import Settings
from graphs.contracts import Answer
from graphs.local.dialogue.suggestions import MAX_DRY_RUNS, MAX_TRIES_A_KIND
from graphs.routed import build_routed
from graphs.state import Context

SUGGESTIONS = "graphs.local.dialogue.suggestions"
REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"


def asked(assistant: Assistant, question: str, context: Context) -> Answer:
    graph = build_routed(assistant.shelf, local_engine())
    state: Any = {"messages": [HumanMessage(question)]}
    answer: Answer = graph.invoke(state, context=context)["answer"]
    return answer


@pytest.mark.parametrize(
    ("question", "near"),
    [
        (REVENUE, "Calderith"),
        ("Who is the chief financial officer of Calderith?", "Calderith"),
        ("Why did Connected Devices revenue decline at Calderith?", "Calderith"),
        ("How does Harrowmere plan to deal with tariffs?", "Harrowmere"),
        ("What was Harrowmere's adjusted EBITDA in the third quarter of 2024?", "Harrowmere"),
        ("What was Harrowmere's net income in the first quarter of 2021?", "Harrowmere"),
    ],
)
def test_three_questions_near_the_last_one_are_suggested_and_answered(
    assistant: Assistant, question: str, near: str
) -> None:
    suggestions = assistant.suggest(assistant.ask(question))
    assert len(set(suggestions)) == 3 and question not in suggestions
    assert sum(near in each for each in suggestions) >= 2
    for each in suggestions:
        assert assistant.ask(each).status == "answered", each


def test_suggestions_are_of_several_kinds(assistant: Assistant) -> None:
    suggestions = assistant.suggest(assistant.ask(REVENUE))
    assert any(each.startswith("Why did") for each in suggestions)
    assert any("April 1, 2023" in each for each in suggestions), "the year before"
    assert any("product revenue" in each for each in suggestions), "a part of it"


def test_what_the_answer_told_is_not_suggested(assistant: Assistant) -> None:
    answer = assistant.ask(
        "What was Calderith's net income in the quarter ended March 30, 2024 and a year earlier?"
    )
    told = {item.item_id for item in answer.evidence if f"[{item.rank}]" in answer.answer}
    assert len(told) == 2
    for each in assistant.suggest(answer):
        found = assistant.ask(each)
        assert {i.item_id for i in found.evidence if f"[{i.rank}]" in found.answer} - told


def test_what_was_asked_before_is_not_suggested_again(assistant: Assistant) -> None:
    answer = assistant.ask(REVENUE)
    before = assistant.suggest(answer)
    shouted = [each.upper() for each in before]
    after = assistant.suggest(answer, asked=shouted)
    assert len(after) == 3 and not set(after) & set(before)


def test_nothing_beyond_the_filters_is_suggested(assistant: Assistant) -> None:
    answer = assistant.ask(REVENUE, company="CDTH", year=2024, quarter=2)
    suggestions = assistant.suggest(answer, company="CDTH", year=2024, quarter=2)
    assert suggestions and not any("2023" in each for each in suggestions)
    for each in suggestions:
        assert assistant.ask(each, company="CDTH", year=2024, quarter=2).status == "answered", each


def test_an_open_question_suggests_itself_of_each_company(assistant: Assistant) -> None:
    answer = assistant.ask("What was net income?")
    assert answer.reason == "ambiguous"
    assert assistant.suggest(answer) == (
        "What was net income for Calderith Semiconductor?",
        "What was net income for Harrowmere Stores?",
    )


@pytest.mark.parametrize("question", ["How do I bake sourdough bread?", "asdf qwer zxcv"])
def test_nothing_is_suggested_after_what_is_no_question_for_documents(
    assistant: Assistant, question: str
) -> None:
    assert assistant.suggest(assistant.ask(question)) == ()


def test_a_run_that_wants_suggestions_has_them_in_its_answer(assistant: Assistant) -> None:
    answer = asked(assistant, REVENUE, Context(suggest=True))
    assert answer.suggestions == assistant.suggest(answer) and len(answer.suggestions) == 3
    assert asked(assistant, REVENUE, Context()).suggestions == ()


@pytest.mark.parametrize("within", [{}, {"company": "HRWM"}, {"year": 2024, "quarter": 2}])
def test_questions_to_begin_with_are_of_several_kinds_and_answered_within_the_filters(
    assistant: Assistant, within: dict[str, Any]
) -> None:
    examples = assistant.examples(**within)
    assert 2 <= len(set(examples)) == len(examples) <= 4
    for each in examples:
        assert assistant.ask(each, **within).status == "answered", each


def test_questions_to_begin_with_are_about_several_companies(assistant: Assistant) -> None:
    examples = " ".join(assistant.examples())
    assert "Calderith" in examples and "Harrowmere" in examples


def test_questions_are_tried_within_a_bound_and_until_nobody_waits_for_them(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    monkeypatch.setattr(f"{SUGGESTIONS}.dry_run", lambda question, *_: tried.append(question))
    assert assistant.examples() == ()
    assert 3 < len(tried) <= MAX_DRY_RUNS
    monkeypatch.setattr(f"{SUGGESTIONS}.MAX_DRY_RUNS", 3)
    tried.clear()
    assert assistant.examples() == () and len(tried) == 3
    for find in (assistant.examples, partial(assistant.suggest, assistant.ask(REVENUE))):
        tried.clear()
        assert find(stopped=lambda: len(tried) >= 1) == () and len(tried) <= MAX_TRIES_A_KIND


class Unsearchable:
    """An index whose passages can't be read."""

    def __init__(self, index: Any) -> None:
        self.index = index

    def __getattr__(self, name: str) -> Any:
        return getattr(self.index, name)

    def vector_search(self, *asked: Any) -> Any:
        raise OSError("input/output error")

    def current(self) -> Any:
        return self

    def get(self, number: int) -> Any:
        return self


@pytest.mark.parametrize("route", ["uncertain", "extractive"])
def test_a_search_that_fails_costs_the_suggestions_and_not_the_answer(
    assistant: Assistant, route: Any
) -> None:
    shelf: Any = Unsearchable(assistant.shelf.current())
    graph = build_routed(shelf, local_engine())
    state: Any = {"messages": [HumanMessage(REVENUE)]}
    answer = graph.invoke(state, context=Context(suggest=True, route=route))["answer"]
    assert answer.status == "answered" and answer.suggestions == ()
    assert "no next questions: OSError: input/output error" in answer.gaps


def test_a_terminal_goes_without_suggestions_where_the_index_is_gone(
    assistant: Assistant, tmp_path: Path
) -> None:
    answer = assistant.ask(REVENUE)
    with Assistant(Settings(_env_file=None, home=tmp_path / "none")) as elsewhere:
        assert elsewhere.suggest(answer) == ()
