"""Whole questions with the model engine: what the user sees of each fault, whose words they are, and how often the
endpoint was asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from langchain_core.messages import HumanMessage

from agent.assistant import Assistant
from agent.engines import local_engine
from agent.settings import Settings
from graphs.contracts import Answer
from graphs.routed import build_routed
from tests import endpoint
from tests.endpoint import serving
from tests.model_turns import (
    FALSE,
    GOOD,
    LOOKUP,
    REVENUE,
    STRAIGHT,
    ask,
    is_right,
    quick_engine,
)
from tests.scripted import (
    ROUTE,
    Script,
    planned,
    script,
)


@dataclass(frozen=True)
class Case:
    """A fault at one place and what is to be seen of it."""

    name: str
    told: Script
    engine: str
    reason: str
    """Part of the answer's reason; '' for none."""
    steps: list[str]
    """Requests, by prompt."""
    model: str = endpoint.MODEL


CASES = [
    Case(
        "prose for a plan",
        script(GOOD, plan="I would look for its revenue."),
        "model",
        "plan: ",
        ["plan", *STRAIGHT],
    ),
    Case(
        "a plan repaired",
        script(GOOD, plan=["It asks.", {**ROUTE, **LOOKUP}]),
        "model",
        "",
        ["plan", *STRAIGHT],
    ),
    Case("an unknown kind", script(GOOD, plan={"kind": "delete"}), "model", "plan: ", ["plan", *STRAIGHT]),
    Case("a plan without lookups", script(GOOD, plan=ROUTE), "model", "", STRAIGHT),
    Case("an answer in JSON", script('```json\n{"answer": "' + GOOD + '"}\n```'), "model", "", STRAIGHT),
    Case("no marker", script(GOOD.replace(" [1]", "")), "model", "", STRAIGHT),
    Case("a source in words", script(GOOD.replace("[1]", "[Source: 10-Q]")), "model", "", STRAIGHT),
    Case("an invented marker", script(GOOD.replace("[1]", "[57]")), "model", "1 citation", STRAIGHT),
    Case("an unsupported number, mended", script(FALSE, revise=GOOD), "model", "", [*STRAIGHT, "revise"]),
    Case("a refusal", script(endpoint.REFUSAL), "local", "generate: ", STRAIGHT),
    Case("a refusal in words", script("I'm sorry, but I can't help."), "local", "generate: ", STRAIGHT),
    Case("a filtered reply", script(endpoint.FILTERED), "local", "generate: ", STRAIGHT),
    Case("a tool call", script(endpoint.TOOL_CALL), "local", "generate: ", STRAIGHT),
    Case(
        "a tool call in words",
        script('<tool_call>{"name": "rm", "arguments": {"path": "x"}}</tool_call>'),
        "local",
        "generate: ",
        STRAIGHT,
    ),
    Case("nothing but thought", script(endpoint.ALL_THOUGHT), "local", "generate: ", STRAIGHT),
    Case("the question repeated", script(REVENUE), "local", "generate: ", STRAIGHT),
    Case("an empty choice", script(endpoint.NO_CHOICE), "local", "from here on", ["plan", *["answer"] * 3]),
    Case("a broken reply", script(endpoint.CUT_JSON), "local", "from here on", ["plan", *["answer"] * 3]),
    Case("a server error", script(endpoint.fault(503)), "local", "from here on", ["plan", *["answer"] * 3]),
    Case(
        "too long",
        script(endpoint.CONTEXT_ERRORS["openai"]),
        "local",
        "generate: ",
        ["plan", "answer", "answer"],
    ),
    Case(
        "too long once",
        script([endpoint.CONTEXT_ERRORS["vllm"], GOOD]),
        "model",
        "left out",
        ["plan", "answer", "answer"],
    ),
    Case("a wrong key", script(GOOD, plan=endpoint.fault(401, "bad key")), "local", "plan: ", ["plan"]),
    Case(
        "an unknown model",
        script(GOOD, plan=endpoint.fault(404, "no such model")),
        "local",
        "another",
        ["plan"],
        "missing",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_whatever_the_model_does_the_answer_is_right_and_says_whose_it_is(
    assistant: Assistant, case: Case
) -> None:
    asked = ask(assistant, case.told, llm_model=case.model)
    answer = asked.answer
    assert is_right(answer), answer.answer
    assert "999.9" not in asked.shown
    assert (answer.engine, asked.steps) == (case.engine, case.steps)
    if case.reason:
        assert answer.reason is not None and case.reason in answer.reason and answer.reason in asked.shown
    else:
        assert answer.reason is None
    assert len(asked.server.chats) == len(case.steps)
    if case.engine == "local":
        assert unmarked(answer) == unmarked(assistant_alone(assistant))


def unmarked(answer: Answer) -> str:
    """Its words; after widening the same evidence has another number."""
    return re.sub(r"\[\d+\]", "", answer.answer)


def assistant_alone(assistant: Assistant) -> Answer:
    """What the local engine says."""
    found = build_routed(assistant.shelf, local_engine()).invoke({"messages": [HumanMessage(REVENUE)]})
    answer: Answer = found["answer"]
    return answer


@pytest.fixture
def closed_port() -> Iterator[str]:
    """A base URL at which nobody listens."""
    with serving() as server:
        url = server.base_url
    yield url


def test_with_the_endpoint_down_the_local_engine_answers_and_says_why(
    assistant: Assistant, closed_port: str
) -> None:
    settings = Settings(_env_file=None, llm_base_url=closed_port, llm_model="m")
    graph = build_routed(assistant.shelf, quick_engine(settings))
    answer: Answer = graph.invoke({"messages": [HumanMessage(REVENUE)]})["answer"]
    assert is_right(answer) and answer.engine == "local"
    assert (
        answer.reason is not None and answer.reason.startswith("plan: ") and "from here on" in answer.reason
    )
    assert len(answer.gaps) == 1 and answer.usage.calls == 0


@pytest.mark.parametrize("revised", [FALSE, "NOT_IN_EVIDENCE", "I'm sorry, I can't."])
def test_a_figure_that_no_evidence_has_is_not_shown_and_no_other_words_take_its_place(
    assistant: Assistant, revised: str
) -> None:
    asked = ask(assistant, script(FALSE, revise=revised))
    assert (asked.answer.status, asked.answer.reason, asked.answer.engine) == (
        "abstained",
        "unsupported",
        "model",
    )
    assert "999.9" not in asked.answer.answer and asked.steps == [*STRAIGHT, "revise"]


def test_after_a_failure_the_next_question_of_a_thread_asks_the_endpoint_again(assistant: Assistant) -> None:
    told = script(GOOD, plan=[endpoint.fault(401), planned])
    asked = ask(assistant, told, REVENUE, REVENUE)
    assert asked.answer.engine == "model" and asked.answer.reason is None
    assert asked.steps == ["plan", *STRAIGHT]  # a whole question needs no rewriting
