"""Threads over HTTP: asked, followed, stopped, gone on with, found again."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from agent.threads.sessions import Session, Sessions
from agent.threads.thread_records import ThreadsUnusableError
from agent.threads.turn_parts import Event, Step
from agent.web.turns import Turn, Turns
from tests.web_page import Served, serving_page

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
UNCLEAR = "What was total revenue in the most recent quarter?"


@pytest.fixture(scope="module")
def served(untouched_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = Path(shutil.copytree(untouched_home, tmp_path_factory.mktemp("web") / "home"))
    with serving_page(home) as started:
        yield started


def kinds(events: list[dict[str, object]]) -> list[object]:
    return [event["kind"] for event in events]


def test_a_question_streams_its_steps_and_its_answer_with_citations(served: Served) -> None:
    thread = served.thread(REVENUE)
    events = served.ask(thread, REVENUE)
    assert kinds(events)[0] == "begin" and kinds(events)[-1] == "answer"
    steps = [word for event in events if event["kind"] == "step" for word in event["words"]]
    assert any("evidence" in word for word in steps) and any("checking 1 statement" in word for word in steps)
    turn = events[-1]["turn"]
    assert "1,284.6" in turn["answer"] and turn["status"] == "answered"
    assert [each["where"] for each in turn["citations"]] == ["p. 3"]
    assert turn["statements"][0]["supported"] and turn["evidence"]
    found = served.client.get(f"/api/threads/{thread}").json()
    assert found["turns"] == [turn] and not found["running"]
    assert REVENUE.startswith(found["thread"]["name"].removesuffix(" ..."))
    with Sessions(served.page.assistant) as sessions:  # as `hybridrag chat` sees it
        assert sessions.store.get(thread) is not None


def test_what_is_asked_back_is_answered_by_one_of_its_options(served: Served) -> None:
    thread = served.thread("unclear")
    asked = served.ask(thread, UNCLEAR)[-1]
    assert asked["kind"] == "asked_back" and len(asked["options"]) == 2
    assert served.client.get(f"/api/threads/{thread}").json()["pending"]["options"] == asked["options"]
    assert (
        "Calderith"
        in served.lines(f"/api/threads/{thread}/reply", text=asked["options"][0])[-1]["turn"]["answer"]
    )


def test_a_whole_question_typed_as_a_reply_stands_over_its_own_answer(served: Served) -> None:
    thread = served.thread("another")
    served.ask(thread, UNCLEAR)
    events = served.lines(f"/api/threads/{thread}/reply", text=REVENUE)
    assert events[-1]["turn"]["question"] == REVENUE and "1,284.6" in events[-1]["turn"]["answer"]
    assert [t["question"] for t in served.client.get(f"/api/threads/{thread}").json()["turns"]] == [REVENUE]


def test_what_is_asked_back_may_be_dropped(served: Served) -> None:
    thread = served.thread("dropped")
    served.ask(thread, UNCLEAR)
    served.client.post(f"/api/threads/{thread}/drop")
    assert served.client.get(f"/api/threads/{thread}").json()["pending"] is None


def test_two_pages_on_one_thread_follow_the_same_answer_and_the_second_may_not_ask(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread, begun, go_on = served.thread("two"), threading.Event(), threading.Event()
    real = Session.ask

    def slow(self: Session, *given: object, **more: object) -> Iterator[object]:
        begun.set()
        go_on.wait(60)
        yield from real(self, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "ask", slow)
    found: list[list[dict[str, object]]] = []
    first = threading.Thread(target=lambda: found.append(served.ask(thread, REVENUE)))
    first.start()
    assert begun.wait(60)
    refused = served.client.post(f"/api/threads/{thread}/ask", json={"question": "And net income?"})
    assert refused.status_code == 409 and "stop it" in refused.json()["detail"]
    assert served.client.get(f"/api/threads/{thread}").json()["running"]
    with served.client.stream("GET", f"/api/threads/{thread}/follow") as second:
        go_on.set()
        told = [json.loads(line) for line in second.iter_lines()]
    first.join()
    assert told == found[0] and told[-1]["kind"] == "answer"


def test_stopping_drops_the_question_and_the_thread_goes_on(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = served.thread("stopped")
    real, turns = Session.ask, served.page.turns

    def stopped(self: Session, *given: object, **more: object) -> Iterator[object]:
        for event in real(self, *given, **more):  # type: ignore[arg-type]
            if isinstance(event, Step) and event.name == "plan":
                served.client.post(f"/api/threads/{thread}/stop")
            yield event

    with monkeypatch.context() as patch:
        patch.setattr(Session, "ask", stopped)
        assert served.ask(thread, REVENUE)[-1]["kind"] == "stopped"
    assert turns.of(thread) is None
    found = served.client.get(f"/api/threads/{thread}").json()
    assert (found["turns"], found["unfinished"], found["pending"]) == ([], None, None)
    assert served.ask(thread, REVENUE)[-1]["kind"] == "answer"


def test_a_page_that_goes_away_costs_no_answer(served: Served) -> None:
    thread = served.thread("gone")
    with served.client.stream("POST", f"/api/threads/{thread}/ask", json={"question": REVENUE}) as reply:
        next(reply.iter_lines())
    told = served.client.get(f"/api/threads/{thread}/follow").text.splitlines()
    assert not told or json.loads(told[-1])["kind"] == "answer"
    assert len(served.client.get(f"/api/threads/{thread}").json()["turns"]) == 1


def test_a_question_that_a_server_could_not_end_goes_on_with_the_next(
    untouched_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Path(shutil.copytree(untouched_home, tmp_path / "home"))
    real = Session.ask

    def cut_off(self: Session, *given: object, **more: object) -> Iterator[object]:
        for event in real(self, *given, **more):  # type: ignore[arg-type]
            running = served.page.turns.of(self.thread.id)
            assert isinstance(running, Turn)
            running.leaving = True
            running.stopped.set()
            yield event

    with serving_page(home) as served, monkeypatch.context() as patch:
        patch.setattr(Session, "ask", cut_off)
        thread = served.thread("cut off")
        assert "answer" not in kinds(served.ask(thread, REVENUE))
    with serving_page(home) as served:
        assert served.client.get(f"/api/threads/{thread}").json()["unfinished"] == REVENUE
        assert "1,284.6" in served.lines(f"/api/threads/{thread}/resume")[-1]["turn"]["answer"]


def test_threads_are_found_by_their_words_renamed_exported_and_deleted(served: Served) -> None:
    thread = served.thread("Margins of 100% <b>bold</b>")
    served.ask(thread, REVENUE)

    def found(words: str) -> list[str]:
        return [each["id"] for each in served.client.get("/api/threads", params={"q": words}).json()]

    assert thread in found("1,284.6 MARGINS") and thread in found("100%") and found("100_") == []
    assert found("nowhere at all") == []
    umlauts = served.thread("ÄRGER mit Öl")
    assert found("ärger") == [umlauts]
    renamed = served.client.patch(f"/api/threads/{thread}", json={"text": "Q2 review"})
    assert renamed.json()["name"] == "Q2 review" and thread in found("review")
    taken = served.client.patch(f"/api/threads/{served.thread('other')}", json={"text": "Q2 review"})
    assert taken.status_code == 400 and "already" in taken.json()["detail"]
    exported = served.client.get(f"/api/threads/{thread}/export", params={"as": "md"})
    assert "1,284.6" in exported.text and exported.headers["content-disposition"].endswith("''Q2%20review.md")
    assert json.loads(served.client.get(f"/api/threads/{thread}/export", params={"as": "json"}).text)
    assert served.client.delete(f"/api/threads/{thread}").status_code == 200
    assert served.client.get(f"/api/threads/{thread}").status_code == 404


def test_filters_bind_and_stay_with_the_thread(served: Served) -> None:
    thread = served.thread("pinned")
    pinned = {"company": "HRWM", "year": None, "quarter": None, "doc_type": None, "document": None}
    assert served.client.put(f"/api/threads/{thread}/filters", json=pinned).status_code == 200
    assert served.client.get(f"/api/threads/{thread}").json()["thread"]["filters"] == pinned
    answer = served.ask(thread, UNCLEAR, company="HRWM")[-1]["turn"]
    assert answer["evidence"] and all("Harrowmere" in each["company"] for each in answer["evidence"])
    assert answer["limits"] == "Harrowmere Stores, Inc."
    exported = served.client.get(f"/api/threads/{thread}/export", params={"as": "md"}).text
    assert " UTC · Limited to: Harrowmere Stores, Inc. · answered · " in exported
    wrong = served.ask(thread, UNCLEAR, company="Nobody")[-1]
    assert wrong["kind"] == "error" and "Nobody" in wrong["text"]
    refused = served.client.put(f"/api/threads/{thread}/filters", json={"company": "Nobody"})
    assert refused.status_code == 400 and "Nobody" in refused.json()["detail"]
    assert served.client.get(f"/api/threads/{thread}").json()["thread"]["filters"] == pinned


def test_a_type_and_a_document_are_offered_bind_and_stay_with_the_thread(served: Served) -> None:
    state = served.client.get("/api/state").json()
    (one,) = [each for each in state["documents"] if each["name"] == "10Q-Q2-2024.pdf"]
    assert (one["company"], one["type"], one["last_year"]) == ("CDTH", "10-Q", 2024)
    assert "2024" in one["period"]
    assert {each["type"] for each in state["documents"]} == {"10-Q", "call"}
    thread, pinned = served.thread("one document"), {"doc_type": "10-Q", "document": one["id"]}
    assert served.client.put(f"/api/threads/{thread}/filters", json=pinned).status_code == 200
    kept = served.client.get(f"/api/threads/{thread}").json()["thread"]["filters"]
    assert {name: kept[name] for name in pinned} == pinned
    turn = served.ask(thread, UNCLEAR, **pinned)[-1]["turn"]  # nothing is asked back: the document says whose
    assert {each["document"] for each in turn["evidence"]} == {"10Q-Q2-2024.pdf"} and "1,284.6" in turn[
        "answer"
    ]
    assert served.client.get(f"/api/threads/{thread}/suggestions", params=pinned).json()
    for wrong, words in (
        ({"doc_type": "10-G"}, "mean 10-Q?"),
        ({**pinned, "doc_type": "call"}, "leave it out"),
    ):
        refused = served.client.put(f"/api/threads/{thread}/filters", json=wrong)
        assert refused.status_code == 400 and words in refused.json()["detail"]
        assert words in served.ask(thread, UNCLEAR, **wrong)[-1]["text"]


@pytest.mark.parametrize(
    "sent", [b"", b"{", b"[]", b'{"question": 3}', b'{"question": "x", "year": 5}', b'{"text": "x"}', b"\xff"]
)
def test_a_request_that_cannot_be_read_is_a_mistake_in_words(served: Served, sent: bytes) -> None:
    refused = served.client.post(f"/api/threads/{served.thread()}/ask", content=sent)
    assert refused.status_code == 400 and refused.json()["detail"]


def test_a_question_of_a_hundred_thousand_letters_gets_an_answer(served: Served) -> None:
    last = served.ask(served.thread("long"), "What was revenue? " * 5_600)[-1]
    assert last["kind"] in ("answer", "asked_back") or last["mistake"]


def test_the_graph_that_an_answer_used_names_each_edges_page(served: Served) -> None:
    thread = served.thread("graph")
    served.ask(thread, REVENUE)
    drawn = served.client.get(f"/api/threads/{thread}/turns/1/graph").json()
    cited = [edge for edge in drawn["edges"] if edge["cited"]]
    names = {node["id"]: node["name"] for node in drawn["nodes"]}
    assert any(names[edge["from"]] == "Calderith Semiconductor Corporation" for edge in cited)
    assert {(edge["document"], edge["page"]) for edge in cited} == {("10Q-Q2-2024.pdf", 3)}
    assert drawn["gone"] == 0


def test_next_questions_are_suggested_after_an_answer(served: Served) -> None:
    thread = served.thread("next")
    assert served.client.get(f"/api/threads/{thread}/suggestions").json() == []
    served.ask(thread, REVENUE)
    found = served.client.get(f"/api/threads/{thread}/suggestions").json()
    assert len(found) == 3 and all(each["question"] and each["why"] == "" for each in found)


@pytest.mark.parametrize(
    ("failure", "text"), [(OSError("the disk"), "the disk"), (KeyError("k"), "terminal says why")]
)
def test_a_failure_is_told_even_where_its_question_can_not_be_given_up(failure: Exception, text: str) -> None:
    looks = iter([False])

    def is_busy(thread: object) -> bool:
        """Of a database that goes away after the first look."""
        for look in looks:
            return look
        raise ThreadsUnusableError("there", "it is away", "Wait.")

    def fail() -> Generator[Event, None, None]:
        raise failure
        yield

    async def told() -> list[bytes]:
        turn = Turn(cast(Session, SimpleNamespace(thread=None)), REVENUE)
        turns = Turns(cast(Sessions, SimpleNamespace(is_busy=is_busy)))
        with nullcontext() if isinstance(failure, OSError) else pytest.raises(KeyError):
            turns._answer(turn, fail)
        turn.channel.end()
        return [line async for line in turn.channel.follow()]

    (line,) = asyncio.run(told())
    assert text in json.loads(line)["text"]
