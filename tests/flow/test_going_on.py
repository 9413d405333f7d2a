"""Turns that go on where another process left them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from agent.assistant import Assistant
from agent.engines import local_engine
from agent.settings import Settings
from graphs.contracts import Answer
from graphs.input_error import InputError
from graphs.routed import build_routed
from graphs.state import Context
from tools.store.errors import IndexReplacedError

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
THREAD: Any = {"configurable": {"thread_id": "t"}}


def left_after(step: str, home: Path) -> InMemorySaver:
    """The checkpoints of a turn whose process was gone after `step`."""
    saver = InMemorySaver()
    with Assistant(Settings(_env_file=None, home=home)) as first:
        graph = build_routed(first.shelf, local_engine(), saver)
        state: Any = {"messages": [HumanMessage(REVENUE)]}
        for update in graph.stream(state, THREAD, stream_mode="updates", durability="sync"):
            if step in update:
                break
    return saver


@pytest.mark.parametrize("step", ["condense", "plan", "retrieve", "check"])
def test_a_turn_goes_on_in_another_process(step: str, sample_home: Path) -> None:
    saver = left_after(step, sample_home)
    with Assistant(Settings(_env_file=None, home=sample_home)) as second:
        answer: Answer = build_routed(second.shelf, local_engine(), saver).invoke(None, THREAD)["answer"]
    assert "1,284.6" in answer.answer and answer.status == "answered"


def test_a_turn_whose_index_is_gone_asks_for_the_question_again(home_copy: Callable[[str], Path]) -> None:
    home = home_copy("home")
    saver = left_after("condense", home)
    with Assistant(Settings(_env_file=None, home=home)) as second:
        second.remove("HRWM")
        graph = build_routed(second.shelf, local_engine(), saver)
        with pytest.raises(IndexReplacedError, match="Ask the question again"):
            graph.invoke(None, THREAD)
        again: Any = {"messages": [HumanMessage(REVENUE)]}
        answer: Answer = graph.invoke(again, THREAD)["answer"]
    assert "1,284.6" in answer.answer


def test_turns_beyond_those_kept_leave_the_conversation_and_the_last_ones_are_still_understood(
    assistant: Assistant,
) -> None:
    graph = build_routed(assistant.shelf, local_engine(), InMemorySaver())
    asked = [REVENUE, "And net income?", "And gross profit?"]
    for question in asked:
        state: Any = {"messages": [HumanMessage(question)]}
        answer: Answer = graph.invoke(state, THREAD, context=Context(kept_turns=2))["answer"]
        assert "Calderith" in answer.standalone_question
    messages = graph.get_state(THREAD).values["messages"]
    assert [message.text for message in messages][::2] == asked[-2:]


def test_a_pasted_megabyte_is_refused_and_does_not_stay_in_the_conversation(assistant: Assistant) -> None:
    graph = build_routed(assistant.shelf, local_engine(), InMemorySaver())
    state: Any = {"messages": [HumanMessage("Calderith revenue " * 60_000)]}
    answer: Answer = graph.invoke(state, THREAD)["answer"]
    asked, told = graph.get_state(THREAD).values["messages"]
    assert (answer.status, answer.route.tools) == ("abstained", ()), "nothing was looked for"
    assert len(asked.text) < 5_000 and told.text == answer.answer


@pytest.mark.parametrize("text", ["", "  \n", "\x07\x08"])
def test_a_question_that_says_nothing_is_refused(text: str, assistant: Assistant) -> None:
    state: Any = {"messages": [HumanMessage(text)]}
    with pytest.raises(InputError, match="The question is empty"):
        build_routed(assistant.shelf, local_engine()).invoke(state)
