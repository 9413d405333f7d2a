"""A question that fits several companies is asked back once, and the reply answered."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from agent.assistant import Assistant
from agent.engines import local_engine
from agent.settings import Settings
from graphs.contracts import Answer, Plan, Reading
from graphs.local.question.planner import LocalPlanner
from graphs.routed import build_routed
from graphs.state import Context
from tools.documents.metadata.catalog import Catalog
from tools.scope import Scope

OPEN = "What was total revenue in the most recent quarter?"
CALDERITH, HARROWMERE = "Calderith Semiconductor Corporation", "Harrowmere Stores, Inc."
ASKING = Context(clarify=True)


class Counting(LocalPlanner):
    """A planner that counts how often it is asked, as one that is paid for would be."""

    asked = 0

    def plan(self, reading: Reading, catalog: Catalog, within: Scope) -> Plan:
        self.asked += 1
        return super().plan(reading, catalog, within)


class Chat:
    """One thread; what is returned is an answer, or the options that are asked back."""

    def __init__(self, assistant: Assistant, saver: InMemorySaver | None = None) -> None:
        engine = local_engine()
        self.planner = Counting()
        self.saver = saver or InMemorySaver()
        self.graph = build_routed(assistant.shelf, replace(engine, planner=self.planner), self.saver)
        self.config: Any = {"configurable": {"thread_id": str(uuid4())}}

    def ask(self, question: str, context: Context = ASKING) -> Answer | list[str]:
        return self._told({"messages": [HumanMessage(question)]}, context)

    def reply(self, text: str, context: Context = ASKING) -> Answer | list[str]:
        return self._told(Command(resume=text), context)

    def _told(self, given: Any, context: Context) -> Answer | list[str]:
        made = self.graph.invoke(given, self.config, context=context)
        if "__interrupt__" in made:
            return list(made["__interrupt__"][0].value["options"])
        answer: Answer = made["answer"]
        return answer


def answered(chat: Chat, reply: str, context: Context = ASKING) -> Answer:
    answer = chat.reply(reply, context)
    assert isinstance(answer, Answer)
    return answer


def test_an_open_question_is_asked_back_before_anything_is_paid_for(assistant: Assistant) -> None:
    chat = Chat(assistant)
    assert chat.ask(OPEN) == [CALDERITH, HARROWMERE]
    assert chat.planner.asked == 0
    answer = answered(chat, "1")
    assert chat.planner.asked == 1
    assert answer.status == "answered" and "1,284.6 million USD" in answer.answer
    assert answer.question == OPEN
    assert answer.standalone_question == f"{OPEN[:-1]} for Calderith Semiconductor?"


@pytest.mark.parametrize(
    "reply", ["2", "harrowmere", "HRWM", "the second one", HARROWMERE, "I mean Harrowmer"]
)
def test_a_reply_may_be_a_number_or_a_name(assistant: Assistant, reply: str) -> None:
    chat = Chat(assistant)
    chat.ask(OPEN)
    answer = answered(chat, reply)
    assert answer.status == "answered" and {e.company_key for e in answer.evidence} == {"HRWM"}


def test_both_are_answered_as_a_comparison(assistant: Assistant) -> None:
    chat = Chat(assistant)
    chat.ask(OPEN)
    answer = answered(chat, "both")
    cited = {c.document for c in answer.citations}
    assert answer.status == "answered" and len(cited) == 2


def test_a_reply_that_is_another_question_takes_the_place_of_the_first(assistant: Assistant) -> None:
    chat = Chat(assistant)
    chat.ask(OPEN)
    answer = answered(chat, "Who is the CFO of Harrowmere?")
    assert answer.standalone_question == "Who is the CFO of Harrowmere?"
    assert "Lucinda Farrow-Bates" in answer.answer


@pytest.mark.parametrize("reply", ["I do not know", "", "99", "What was net income?"])
def test_a_turn_asks_back_once_at_most(assistant: Assistant, reply: str) -> None:
    chat = Chat(assistant)
    chat.ask(OPEN)
    answer = answered(chat, reply)
    assert (answer.status, answer.reason) == ("abstained", "ambiguous")
    assert CALDERITH in answer.answer and HARROWMERE.rstrip(".") in answer.answer


def test_an_officer_of_nobody_in_particular_is_asked_back(assistant: Assistant) -> None:
    chat = Chat(assistant)
    assert chat.ask("Who is the CFO?") == [CALDERITH, HARROWMERE]
    answer = answered(chat, "calderith")
    assert "Tobias Lindqvist" in answer.answer and "Farrow" not in answer.answer


def test_without_clarify_the_options_are_in_the_text(assistant: Assistant) -> None:
    answer = assistant.ask(OPEN)
    assert (answer.status, answer.reason) == ("abstained", "ambiguous")
    assert CALDERITH in answer.answer and "Which company do you mean?" in answer.answer


@pytest.mark.parametrize(
    "question",
    [
        "What was Calderith's net income in the most recent quarter?",
        "Which company had the highest net income?",
        "Compare the net income of all companies",
        "Who asked about gross margin?",
        "Why did margins change?",
        "What was merchandise inventory?",
        "What is the capital of France?",
    ],
)
def test_what_is_not_open_is_not_asked_back(assistant: Assistant, question: str) -> None:
    assert isinstance(Chat(assistant).ask(question), Answer)


def test_a_filter_settles_whose_figure_is_meant(assistant: Assistant) -> None:
    answer = Chat(assistant).ask(OPEN, Context(clarify=True, company="HRWM"))
    assert isinstance(answer, Answer) and answer.status == "answered"


class Graphless:
    """An index whose knowledge graph can't be read."""

    def __init__(self, index: Any) -> None:
        self.index = index

    def __getattr__(self, name: str) -> Any:
        return getattr(self.index, name)

    def kg_search(self, *asked: Any) -> Any:
        raise OSError("input/output error")

    def current(self) -> Any:
        return self

    def get(self, number: int) -> Any:
        return self


def test_a_graph_that_cannot_be_read_is_a_gap_and_no_crash(assistant: Assistant) -> None:
    broken: Any = SimpleNamespace(shelf=Graphless(assistant.shelf.current()))
    answer = Chat(broken).ask("What was net income?")
    assert isinstance(answer, Answer)
    assert any("kg_search failed" in gap for gap in answer.gaps)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """The monotonic clock stands still but for the seconds that a test lets pass."""
    now = 1e7
    monkeypatch.setattr(time, "monotonic", lambda: now)

    def passes(seconds: float) -> None:
        nonlocal now
        now += seconds

    return passes


def test_the_users_thinking_is_not_the_questions_time(
    assistant: Assistant, later: Callable[[float], None]
) -> None:
    chat, context = Chat(assistant), Context(clarify=True, deadline=30)
    chat.ask(OPEN, context)
    later(3600)
    answer = answered(chat, "1", context)
    assert (answer.status, answer.seconds["total"]) == ("answered", 0.0)


@pytest.mark.parametrize("seconds", [1e6, -1e6])
def test_a_reply_in_another_process_is_answered_in_its_own_time(
    sample_home: Any,
    assistant: Assistant,
    later: Callable[[float], None],
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
) -> None:
    first = Chat(assistant)
    first.ask(OPEN)
    monkeypatch.setattr("graphs.steps.timing.CLOCK", "another process")
    later(seconds)
    with Assistant(Settings(_env_file=None, home=sample_home)) as reopened:
        second = Chat(reopened, first.saver)
        second.config = first.config
        answer = answered(second, "2", Context(clarify=True, deadline=60))
    assert (answer.status, answer.seconds["total"]) == ("answered", 0.0)


@pytest.mark.parametrize(
    ("reply", "understood"),
    [
        (
            "Calderith net income in the quarter ended March 30, 2024",
            "Calderith net income in the quarter ended March 30, 2024",
        ),
        (
            "in the quarter ended March 30, 2024",
            "What was total revenue in the quarter ended March 30, 2024?",
        ),
    ],
)
def test_a_reply_that_fits_no_option_is_asked_as_a_question_of_its_own(
    assistant: Assistant, reply: str, understood: str
) -> None:
    chat = Chat(assistant)
    chat.ask(OPEN)
    answer = answered(chat, reply)
    assert (answer.question, answer.standalone_question) == (reply, understood)
    said = chat.graph.get_state(chat.config).values["messages"]
    assert [message.text for message in said] == [OPEN, reply, answer.answer]
