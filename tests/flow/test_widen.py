"""Widening: both tools once more with a larger k; loosens a period read from the question, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from agent.assistant import Assistant
from agent.engines import local_engine
from graphs.contracts import Answer
from graphs.index import Index
from graphs.local.question.figure_owners import PASSAGES
from graphs.routed import build_routed
from graphs.state import Context
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"


@dataclass
class Watched:
    """A real index that notes what it is asked, and finds nothing the first `blind` times."""

    index: Index
    blind: int = 0
    calls: list[tuple[str, Scope, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.number, self.catalog = self.index.number, self.index.catalog
        self.known_names, self.notice = self.index.known_names, self.index.notice
        self.place_of = self.index.place_of

    def current(self) -> Index:
        return self

    def get(self, number: int) -> Index:
        return self

    def kg_search(
        self, question: str, scope: Scope, k: int, depth: int, months: int | None
    ) -> list[Evidence]:
        self.calls.append(("kg_search", scope, k))
        if len(self.calls) <= self.blind:
            return []
        return self.index.kg_search(question, scope, k, depth, months)

    def vector_search(
        self, question: str, scope: Scope, k: int, dense_weight: float, spoken: bool = False
    ) -> list[Evidence]:
        self.calls.append(("vector_search", scope, k))
        if len(self.calls) <= self.blind:
            return []
        return self.index.vector_search(question, scope, k, dense_weight, spoken)

    def concepts_of(self, question: str) -> tuple[str, ...]:
        return self.index.concepts_of(question)

    def figures_of(self, chunks: Sequence[str], scope: Scope) -> list[Evidence]:
        return self.index.figures_of(chunks, scope)

    def with_doubts(
        self, question: str, scope: Scope, months: int | None, found: Sequence[Evidence]
    ) -> list[Evidence]:
        return self.index.with_doubts(question, scope, months, found)

    def profile_lines(self, kind: str, question: str, scope: Scope) -> list[Evidence]:
        return self.index.profile_lines(kind, question, scope)

    def nearest_figures(self, question: str, scope: Scope, months: int | None, k: int) -> list[Evidence]:
        return self.index.nearest_figures(question, scope, months, k) if len(self.calls) > self.blind else []

    def tables(self, question: str, scope: Scope, k: int) -> list[Evidence]:
        return self.index.tables(question, scope, k) if len(self.calls) > self.blind else []


def ask(index: Watched, question: str, **context: Any) -> tuple[list[str], Answer]:
    graph = build_routed(index, local_engine())
    steps: list[str] = []
    answer: Answer | None = None
    state: Any = {"messages": [HumanMessage(question)]}
    for update in graph.stream(state, context=Context(**context), stream_mode="updates"):
        for step, fields in update.items():
            steps.append(step)
            answer = (fields or {}).get("answer", answer)
    assert answer is not None
    return steps, answer


def test_what_one_tool_did_not_find_both_are_asked_for_with_three_times_the_k(assistant: Assistant) -> None:
    index = Watched(assistant.current(), blind=1)
    steps, answer = ask(index, REVENUE, graph_k=10, top_k=6)
    assert steps == [
        *["condense", "plan", "retrieve", "plan", "retrieve"],
        *["merge", "generate", "check", "answer"],
    ]
    assert index.calls[0][0] == "kg_search" and index.calls[0][2] == 10
    assert sorted((tool, k) for tool, _, k in index.calls[1:]) == [("kg_search", 30), ("vector_search", 18)]
    assert answer.route.widened and set(answer.route.tools) == {"kg_search", "vector_search"}
    assert "1,284.6" in answer.answer


def test_widening_happens_once(assistant: Assistant) -> None:
    index = Watched(assistant.current(), blind=99)
    steps, answer = ask(index, REVENUE)
    assert steps.count("plan") == 2
    assert [tool for tool, scope, _ in index.calls if scope.periods].count("vector_search") == 1
    assert len(index.calls) == 4
    assert (answer.status, answer.reason) == ("abstained", "no_evidence")
    assert "total revenue" in answer.answer


def test_a_period_read_from_the_question_loosens_to_its_year_and_its_company_stays(
    assistant: Assistant,
) -> None:
    index = Watched(assistant.current(), blind=99)
    ask(index, REVENUE)
    first, *widened = [scope for _, scope, _ in index.calls]
    assert date(2024, 3, 30) in [period.end for period in first.periods]
    assert all(scope.companies == first.companies == ("CDTH",) for scope in widened)
    assert [tool for tool, scope, _ in index.calls if not scope.periods] == ["vector_search"]
    for scope in (scope for scope in widened if scope.periods):
        assert set(scope.periods) == {PeriodFilter(calendar_year=2024), PeriodFilter(fiscal_year=2024)}


@pytest.mark.parametrize(
    "filters",
    [
        {"company": "CDTH"},
        {"company": "CDTH", "year": 2024},
        {"year": 2024, "quarter": 2},
        {"company": "calderith", "year": 2024, "quarter": 2},
    ],
)
def test_what_the_user_set_never_loosens(assistant: Assistant, filters: dict[str, Any]) -> None:
    index = Watched(assistant.current(), blind=99)
    ask(index, "What was total revenue?", **filters)
    first, *widened = [scope for _, scope, _ in index.calls]
    assert len(widened) == 2
    for scope in widened:
        assert scope.companies == first.companies
        if "year" in filters:
            assert scope.periods == first.periods != ()
        if "company" in filters:
            assert scope.companies == ("CDTH",)


def test_a_fact_of_another_period_found_by_widening_is_not_stated_as_the_answer(assistant: Assistant) -> None:
    index = Watched(assistant.current(), blind=1)
    _, answer = ask(index, REVENUE)
    for citation in answer.citations:
        item = next(e for e in answer.evidence if e.rank == citation.marker)
        if item.fact is not None:
            assert item.fact.period.end == date(2024, 3, 30)


@pytest.mark.parametrize(
    "question",
    ["What is the capital of France?", "What was Apple's revenue?", "Calderith's revenue in 2019?"],
)
def test_what_cannot_be_there_is_not_looked_for_twice(assistant: Assistant, question: str) -> None:
    index = Watched(assistant.current(), blind=99)
    steps, answer = ask(index, question)
    assert answer.status == "abstained"
    assert steps.count("plan") <= (1 if "France" in question else 2)
    asked = [call for call in index.calls if call[2] != PASSAGES]  # else who is called so
    assert len(asked) <= (0 if "France" in question else 3)


def test_widening_can_be_switched_off(assistant: Assistant) -> None:
    index = Watched(assistant.current(), blind=99)
    steps, answer = ask(index, REVENUE, widen=False)
    assert steps.count("plan") == 1 and len(index.calls) == 1
    assert answer.status == "abstained"


def test_an_answer_from_other_periods_than_the_one_asked_for_says_so(assistant: Assistant) -> None:
    answer = assistant.ask("Why did Calderith's revenue grow in the quarter ended January 27, 2024?")
    assert answer.status == "answered" and answer.route.widened
    assert answer.reason is not None
    assert answer.reason.startswith("nothing was found for the period ended January 27, 2024")
    whole = assistant.ask("Why did Calderith's revenue grow in the quarter ended March 30, 2024?")
    assert whole.reason is None
