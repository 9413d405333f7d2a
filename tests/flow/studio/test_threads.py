"""Threads of the LangGraph server: remembered, interrupted, cancelled, shared, and gone back to."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk.errors import ConflictError

from agent.threads.server_file import FILE, threads_with
from tests.endpoint import Asked, Server
from tests.scripted import Replies, script
from tests.server import Studio, asked

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
GOOD = "Calderith's total revenue for the three months ended March 30, 2024 was 1,284.6 million USD [1]."
OPEN = "What was net income?"


def conversation(studio: Studio, thread: str) -> list[tuple[str, str]]:
    """Its messages: (type, text)."""
    values: Any = studio.client.threads.get_state(thread)["values"]
    return [(message["type"], message["content"]) for message in values["messages"]]


def test_a_thread_remembers_and_holds_only_the_conversation(studio: Studio) -> None:
    thread = studio.thread()
    studio.ask(thread, REVENUE)
    second = studio.ask(thread, "And net income?")
    assert "Calderith" in second["standalone_question"] and "200.4" in second["answer"]["answer"]
    assert [m["type"] for m in second["messages"]] == ["human", "ai"] * 2
    assert [kind for kind, _ in conversation(studio, thread)] == ["human", "ai"] * 2


@pytest.mark.parametrize("reply", ["2", "Harrowmere"])
def test_a_question_that_fits_two_companies_is_asked_back_and_the_reply_goes_on_with_it(
    studio: Studio, reply: str
) -> None:
    thread = studio.thread()
    stopped = studio.ask(thread, OPEN)
    (asked_back,) = stopped["__interrupt__"]
    first, second = asked_back["value"]["options"]
    assert "Calderith" in first and "Harrowmere" in second and asked_back["value"]["question"]
    assert "answer" not in stopped and studio.client.threads.get(thread)["status"] == "interrupted"
    done: Any = studio.client.runs.wait(thread, "assistant", command={"resume": reply})
    assert "Harrowmere" in done["answer"]["answer"] and done["answer"]["citations"]
    assert [kind for kind, _ in conversation(studio, thread)] == ["human", "ai"]


def test_the_question_asked_back_is_streamed_and_another_question_may_be_asked_instead(
    studio: Studio,
) -> None:
    thread, given = studio.thread(), asked(OPEN)
    parts = list(studio.client.runs.stream(thread, "assistant", input=given, stream_mode="updates"))
    assert "Which company" in json.dumps(parts[-1].data["__interrupt__"])
    done = studio.ask(thread, REVENUE)
    assert "1,284.6" in done["answer"]["answer"] and "__interrupt__" not in done
    assert studio.client.threads.get(thread)["status"] == "idle"


def test_without_clarify_the_answer_names_the_options(studio: Studio) -> None:
    answer = studio.ask(None, OPEN, context={"clarify": False})["answer"]
    assert (answer["status"], answer["reason"]) == ("abstained", "ambiguous")
    assert "Calderith" in answer["answer"] and "Harrowmere" in answer["answer"]


def test_a_run_cancelled_midway_leaves_a_thread_that_answers_the_next_question(
    studio: Studio, endpoint: Server
) -> None:
    gate = threading.Event()
    replies = Replies(script(GOOD))

    def slow(request: Asked) -> Any:
        gate.wait(20)
        return replies(request)

    endpoint.script = [slow]
    before, thread = len(endpoint.chats), studio.thread()
    context: Any = {"engine": "model"}
    run = studio.client.runs.create(thread, "assistant", input=asked(REVENUE), context=context)
    end = time.monotonic() + 15
    while len(endpoint.chats) == before and time.monotonic() < end:
        time.sleep(0.05)
    assert len(endpoint.chats) > before
    studio.client.runs.cancel(thread, run["run_id"])
    studio.client.runs.join(thread, run["run_id"])
    assert studio.client.runs.get(thread, run["run_id"])["status"] == "interrupted"
    done = studio.ask(thread, "What was Harrowmere's net income?")
    gate.set()  # the model's answer to the question given up comes now
    assert "59 million USD" in done["answer"]["answer"]
    assert [m["type"] for m in done["messages"]] == ["human", "human", "ai"]
    followed = studio.ask(thread, "And gross profit?")
    assert "Harrowmere" in followed["standalone_question"] and followed["answer"]["citations"]
    assert [kind for kind, _ in conversation(studio, thread)] == ["human", "human", "ai", "human", "ai"]


def test_a_thread_is_run_again_from_an_earlier_checkpoint(studio: Studio) -> None:
    thread = studio.thread()
    first = studio.ask(thread, REVENUE)
    studio.ask(thread, "And net income?")
    history = studio.client.threads.get_history(thread, limit=50)
    for step in ("merge", "plan"):
        past = [state for state in history if state["next"] == [step]][-1]
        again: Any = studio.client.runs.wait(
            thread, "assistant", input=None, checkpoint_id=past["checkpoint"]["checkpoint_id"]
        )
        assert again["answer"]["answer"] == first["answer"]["answer"]
        assert [text for _, text in conversation(studio, thread)] == [REVENUE, first["answer"]["answer"]]


def test_a_thread_is_forked_with_another_question(studio: Studio) -> None:
    thread = studio.thread()
    studio.ask(thread, REVENUE)
    studio.ask(thread, "And net income?")
    history = studio.client.threads.get_history(thread, limit=50)
    before = next(state for state in history if state["next"] == ["condense"])
    values: Any = before["values"]
    changed: Any = {**values["messages"][-1], "content": "And gross profit?"}
    fork: Any = studio.client.threads.update_state(
        thread,
        {"messages": [changed]},
        checkpoint_id=before["checkpoint"]["checkpoint_id"],
        as_node="__start__",
    )
    done: Any = studio.client.runs.wait(
        thread, "assistant", input=None, checkpoint_id=fork["checkpoint"]["checkpoint_id"]
    )
    assert "695.9" in done["answer"]["answer"] and "Calderith" in done["standalone_question"]
    assert [text for _, text in conversation(studio, thread)][::2] == [REVENUE, "And gross profit?"]


def test_two_runs_at_once_on_one_thread_follow_one_another_or_the_second_is_refused(studio: Studio) -> None:
    thread, first, second = studio.thread(), asked(REVENUE), asked("And net income?")
    studio.client.runs.create(thread, "assistant", input=first)
    with pytest.raises(ConflictError):
        studio.client.runs.create(thread, "assistant", input=second, multitask_strategy="reject")
    done: Any = studio.client.runs.wait(thread, "assistant", input=second, multitask_strategy="enqueue")
    assert "200.4" in done["answer"]["answer"] and "Calderith" in done["standalone_question"]
    assert [kind for kind, _ in conversation(studio, thread)] == ["human", "ai"] * 2


def test_questions_on_several_threads_at_once_are_kept_apart(studio: Studio) -> None:
    questions = [REVENUE, "What was Harrowmere's net income?"] * 3
    threads = [studio.thread() for _ in questions]
    runs = [
        studio.client.runs.create(thread, "assistant", input=asked(question))
        for thread, question in zip(threads, questions, strict=True)
    ]
    for thread, run, question in zip(threads, runs, questions, strict=True):
        done: Any = studio.client.runs.join(thread, run["run_id"])
        assert [m["content"] for m in done["messages"]][::2] == [question]
        assert ("1,284.6" if question == REVENUE else "59 million") in done["answer"]["answer"]


def test_threads_that_hold_a_document_are_told_and_a_deleted_one_leaves_no_byte(
    studio: Studio, readable: Path
) -> None:
    home, thread, mark = readable.with_name("home"), studio.thread(), "Vexillology"
    document = studio.ask(thread, REVENUE)["answer"]["citations"][0]["document"]
    studio.ask(thread, f"What did it say about {mark}?")
    assert thread in threads_with(home, [document]) and threads_with(home, ["no such document"]) == []
    assert threads_with(home, [mark]) == [thread]
    studio.client.threads.delete(thread)
    studio.thread()  # a request later
    assert threads_with(home, [mark]) == []
    assert not [path for path in home.glob(f"{FILE}*") if mark.encode() in path.read_bytes()]
