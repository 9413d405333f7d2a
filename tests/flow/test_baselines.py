"""The baselines: fixed tools, one draft, no check."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from agent.assistant import Assistant
from agent.engines import local_engine
from graphs.baselines import PIPELINES, build_baseline
from graphs.index import Index
from graphs.routed import build_routed
from graphs.state import Context
from tools.evidence import Evidence
from tools.scope import Scope

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
WHY = "Why did Calderith's gross margin change?"
STEPS = ["condense", "plan", "retrieve", "merge", "generate", "answer"]


@pytest.mark.parametrize("question", [REVENUE, WHY])
@pytest.mark.parametrize(
    ("pipeline", "tools"),
    [
        ("vector", ("vector_search",)),
        ("graph", ("kg_search",)),
        ("hybrid", ("vector_search", "kg_search")),
    ],
)
def test_a_baseline_asks_its_own_tools_whatever_the_question(
    assistant: Assistant, pipeline: str, tools: tuple[str, ...], question: str
) -> None:
    answer = assistant.ask(question, pipeline=pipeline)
    assert answer.route.tools == tools
    assert answer.pipeline == pipeline
    sources = {"vector_search": "vector", "kg_search": "graph"}
    assert {e.source for e in answer.evidence} <= {sources[tool] for tool in tools}
    assert answer.faithfulness.statements == () and answer.faithfulness.score is None
    assert [step for step, _ in assistant.stream(question, pipeline=pipeline)] == STEPS


def test_the_fixed_concatenation_puts_the_vector_context_first(assistant: Assistant) -> None:
    evidence = assistant.ask(REVENUE, pipeline="hybrid").evidence
    sources = [e.source for e in evidence]
    assert sources == ["vector"] * sources.count("vector") + ["graph"] * sources.count("graph")
    assert 0 < sources.count("vector") < len(sources)
    assert [e.rank for e in evidence] == list(range(1, len(evidence) + 1))


def test_the_figure_is_right_in_every_pipeline_that_sees_facts(assistant: Assistant) -> None:
    for pipeline in ("graph", "hybrid"):
        answer = assistant.ask(REVENUE, pipeline=pipeline)
        assert answer.status == "answered" and "1,284.6 million USD" in answer.answer
        assert [(c.document, c.page) for c in answer.citations] == [("10Q-Q2-2024.pdf", 3)]


def test_the_vector_baseline_quotes_and_cites(assistant: Assistant) -> None:
    answer = assistant.ask(WHY, pipeline="vector")
    assert answer.status == "answered" and answer.citations
    assert "Data Infrastructure" in answer.answer


@pytest.mark.parametrize("pipeline", ["vector", "graph", "hybrid"])
def test_a_baseline_obeys_the_filters_and_looks_up_whatever_is_asked(
    assistant: Assistant, pipeline: str
) -> None:
    answer = assistant.ask("What was revenue?", pipeline=pipeline, company="HRWM", year=2024)
    assert {e.company_key for e in answer.evidence} <= {"HRWM"}
    off_topic = assistant.ask("What is the capital of France?", pipeline=pipeline)
    assert off_topic.route.tools == PIPELINES[pipeline]
    assert (off_topic.status, off_topic.reason) == ("abstained", "no_evidence")


@pytest.mark.parametrize("pipeline", ["vector", "graph", "hybrid"])
def test_a_baseline_is_drawn_as_a_straight_line(pipeline: str) -> None:
    nothing: Any = None
    drawn = build_baseline(pipeline, nothing, nothing).get_graph()
    path = ["__start__", *STEPS, "__end__"]
    assert {(e.source, e.target) for e in drawn.edges} == set(pairwise(path))


class Noting:
    """A real index that notes how it is asked to rank."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.spoken: list[bool] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.index, name)

    def current(self) -> Any:
        return self

    def get(self, number: int) -> Any:
        return self

    def vector_search(
        self, question: str, scope: Scope, k: int, dense_weight: float, spoken: bool = False
    ) -> list[Evidence]:
        self.spoken.append(spoken)
        return self.index.vector_search(question, scope, k, dense_weight, spoken)


SPOKEN = (
    "Thanks for taking my question. Could you talk about what you see in gross margin at Calderith this year, "
    "and what you mentioned on pricing?"
)


def test_a_baseline_ranks_plainly_and_answers_from_all_it_finds(assistant: Assistant) -> None:
    told = {}
    for name, build in (("vector", lambda s, e: build_baseline("vector", s, e)), ("agent", build_routed)):
        index = Noting(assistant.current())
        state: Any = {"messages": [HumanMessage(SPOKEN)]}
        context = Context(context_chars=1_000, route="abstractive")
        answer = build(index, local_engine()).invoke(state, context=context)["answer"]
        told[name] = (set(index.spoken), sum(len(item.text) for item in answer.evidence))
    assert told["vector"][0] == {False} and told["vector"][1] > 2_000
    assert told["agent"][0] == {True} and told["agent"][1] < told["vector"][1] / 2
