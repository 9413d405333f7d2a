"""The LangGraph server, asked through its SDK: what Studio shows of a run."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from email.message import Message
from typing import Any

import pytest

from tests.endpoint import KEY, Server
from tests.scripted import Replies, script
from tests.server import Studio, asked, at_once

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
GOOD = "Calderith's total revenue for the three months ended March 30, 2024 was 1,284.6 million USD [1]."
GRAPHS = {"assistant", "ask", "vector_rag", "graph_rag", "hybrid_rag", "indexing"}
KNOBS = {
    *("engine", "route", "company", "year", "quarter", "doc_type", "document"),
    *("top_k", "graph_k", "depth", "dense_weight", "concept_weight"),
    *("context_chars", "widen"),
    *("clarify", "suggest", "kept_turns", "deadline", "threshold"),
}
ORIGIN = "https://smith.langchain.com"
WITH_MODEL = {"engine": "model"}


def test_a_question_streams_its_steps_in_order_and_ends_in_a_message_and_the_answer(studio: Studio) -> None:
    updates = studio.updates("assistant", REVENUE)
    assert [s for s, _ in updates] == [
        *("condense", "plan", "retrieve", "merge", "generate", "check", "answer"),
    ]
    shown = {name for _, fields in updates for name in fields}
    assert shown <= {"messages", "standalone_question", "route", "verdict", "answer", "usage"}
    last = updates[-1][1]
    (message,) = last["messages"]
    assert message["type"] == "ai" and "1,284.6 million USD" in message["content"]
    assert last["answer"]["status"] == "answered"
    assert [(c["document"], c["page"]) for c in last["answer"]["citations"]] == [("10Q-Q2-2024.pdf", 3)]
    assert updates[1][1]["route"]["tools"] == ["kg_search"]


def test_filters_come_as_context(studio: Studio) -> None:
    context = {"company": "HRWM", "year": 2024, "quarter": 3}
    answer = studio.updates("hybrid_rag", "What were net sales?", context=context)[-1][1]["answer"]
    assert answer["evidence"] and {e["company_key"] for e in answer["evidence"]} == {"HRWM"}


def test_the_graphs_are_listed_with_their_schemas_and_every_knob_is_described(studio: Studio) -> None:
    found = {a["graph_id"]: a for a in studio.client.assistants.search(limit=50)}
    assert set(found) == GRAPHS
    for graph in GRAPHS - {"indexing", "ask"}:
        schemas: Any = studio.client.assistants.get_schemas(found[graph]["assistant_id"])
        assert "messages" in schemas["input_schema"]["properties"]
        shown = schemas["output_schema"]["properties"]
        assert shown["answer"]["description"].startswith("The checked answer with its citations")
        knobs = schemas["context_schema"]["properties"]
        assert set(knobs) == KNOBS
        assert [name for name, knob in knobs.items() if not knob.get("description")] == []
        assert "abstractive" in json.dumps(knobs["route"]) and "model" in json.dumps(knobs["engine"])
        assert knobs["clarify"]["default"] is knobs["suggest"]["default"] is True
        assert knobs["deadline"]["default"] == 45  # as the server's settings have it
    schemas = studio.client.assistants.get_schemas(found["indexing"]["assistant_id"])
    assert "paths" in schemas["input_schema"]["properties"]


def test_the_drawing_in_studio_has_the_edges_of_the_design(studio: Studio) -> None:
    (found,) = studio.client.assistants.search(graph_id="assistant")
    drawn: Any = studio.client.assistants.get_graph(found["assistant_id"])
    edges = {(e["source"], e["target"]) for e in drawn["edges"]}
    assert edges == {
        *(("__start__", "condense"), ("condense", "plan"), ("plan", "retrieve"), ("retrieve", "merge")),
        *(("retrieve", "plan"), ("plan", "check"), ("merge", "generate"), ("generate", "check")),
        *(("check", "answer"), ("check", "revise"), ("check", "plan"), ("revise", "check")),
        ("answer", "__end__"),
        ("answer", "plan"),
    }


METHODS = ("GET", "POST", "PATCH", "PUT", "DELETE")
"""What Studio sends: runs and threads are made, changed and deleted from its page."""
SENT = "content-type, x-api-key, x-auth-scheme"
"""Headers that Studio puts on a request; any of them makes a browser ask first."""


@pytest.mark.parametrize("method", METHODS)
def test_studio_in_a_browser_may_send_requests(studio: Studio, method: str) -> None:
    status, headers = preflight(studio.address, ORIGIN, method)
    assert status == 200
    assert headers["Access-Control-Allow-Origin"] == ORIGIN
    assert headers["Access-Control-Allow-Credentials"] == "true"
    assert headers["Access-Control-Allow-Private-Network"] == "true"
    assert method in headers["Access-Control-Allow-Methods"].split(", ")
    allowed = headers["Access-Control-Allow-Headers"].lower().replace(" ", "").split(",")
    assert set(SENT.split(", ")) <= set(allowed)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("origin", ["https://elsewhere.example", "http://localhost:3000", "null"])
def test_no_other_page_in_a_browser_may_send_requests(studio: Studio, origin: str, method: str) -> None:
    status, headers = preflight(studio.address, origin, method)
    assert status == 403 and "Access-Control-Allow-Origin" not in headers


def test_studio_may_read_how_many_more_there_are(studio: Studio) -> None:
    body, sent = b"{}", {"Origin": ORIGIN, "Content-Type": "application/json"}
    request = urllib.request.Request(f"{studio.address}/assistants/search", data=body, headers=sent)
    with urllib.request.urlopen(request, timeout=10) as reply:
        assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN
        exposed = reply.headers["Access-Control-Expose-Headers"].split(", ")
    assert {"x-pagination-total", "x-pagination-next", "content-location"} == set(exposed)


def preflight(address: str, origin: str, method: str) -> tuple[int, Message]:
    """Status and headers of what a browser asks before it sends a request of a page of `origin`."""
    asking = {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": SENT,
        "Access-Control-Request-Private-Network": "true",
    }
    request = urllib.request.Request(f"{address}/threads", method="OPTIONS", headers=asking)
    try:
        with urllib.request.urlopen(request, timeout=10) as reply:
            return reply.status, reply.headers
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers


NO_QUESTION: list[tuple[dict[str, Any], str]] = [
    ({"question": "revenue?"}, "No question"),
    (asked(""), "The question is empty"),
    (asked("\x07\x08"), "The question is empty"),
    ({"messages": [{"role": "assistant", "content": "hello"}]}, "No question"),
]
MISFITS: list[tuple[dict[str, Any], str]] = [
    ({"company": "Foo"}, "No company 'Foo'"),
    ({"top_k": 0}, "'top_k' must be between 1 and 50, not 0"),
    ({"top_k": "many"}, "'top_k': Input should be a valid integer"),
    ({"route": "sideways"}, "'route': Input should be 'auto', 'extractive'"),
    ({"engine": "gpt"}, "'engine': Input should be 'auto', 'local' or 'model'"),
]


def test_a_run_without_a_question_or_with_a_knob_that_does_not_fit_fails_with_words(studio: Studio) -> None:
    def fails(given: dict[str, Any], context: dict[str, Any]) -> str:
        done: Any = studio.client.runs.wait(
            None, "assistant", input=given, context=context, raise_error=False
        )
        return str(done["__error__"])

    for (_, told), words in zip(
        NO_QUESTION, at_once(lambda case: fails(case[0], {}), NO_QUESTION), strict=True
    ):
        assert told in words and "Traceback" not in words
    for (_, told), words in zip(
        MISFITS, at_once(lambda case: fails(asked(REVENUE), case[0]), MISFITS), strict=True
    ):
        assert told in words.replace("\\'", "'")


def test_a_pasted_megabyte_is_refused_and_not_kept(studio: Studio) -> None:
    done = studio.ask(None, "Calderith revenue " * 55_000)
    assert done["answer"]["status"] == "abstained"
    assert len(json.dumps(done)) < 30_000


def test_each_run_says_which_engine_does_its_steps(studio: Studio, endpoint: Server) -> None:
    endpoint.script = [Replies(script(GOOD))]
    before = len(endpoint.chats)
    unasked: list[dict[str, Any]] = [{}, {"engine": "auto"}, {"engine": "local"}]
    for done in at_once(lambda context: studio.ask(None, REVENUE, context=context), unasked):
        assert done["answer"]["engine"] == "local"
    assert len(endpoint.chats) == before
    for graph, calls in (("assistant", 2), ("hybrid_rag", 1)):
        before = len(endpoint.chats)
        done = studio.ask(None, REVENUE, graph, context=WITH_MODEL)
        assert done["answer"]["engine"] == "model" and done["answer"]["answer"][:-4] == GOOD[:-4]
        assert done["usage"]["calls"] == len(endpoint.chats) - before == calls


def test_with_a_model_the_state_carries_what_it_cost_and_no_key_is_logged(
    studio: Studio, endpoint: Server
) -> None:
    income = "Calderith's net income for the three months ended March 30, 2024 was 200.4 million USD."
    rewritten = "What was Calderith's net income in the quarter ended March 30, 2024?"
    endpoint.script = [Replies(script([GOOD, income], condense=rewritten))]
    thread = studio.thread()
    first = studio.ask(thread, REVENUE, context=WITH_MODEL)
    assert first["usage"]["calls"] == 2 and first["usage"]["by_step"]["plan"]["calls"] == 1
    second = studio.ask(thread, "And net income?", context=WITH_MODEL)
    assert second["usage"]["by_step"]["condense"]["calls"] == 1
    assert second["standalone_question"] == rewritten and "200.4" in second["answer"]["answer"]
    assert KEY not in studio.log.read_text(encoding="utf-8")


def test_no_draft_is_seen_before_its_check_and_no_json_of_a_model_at_all(
    studio: Studio, endpoint: Server
) -> None:
    endpoint.script = [Replies(script([GOOD.replace("1,284.6", "7,777.7")], revise=GOOD))]

    def streamed(mode: Any) -> list[str]:
        given: Any = asked(REVENUE)
        parts = studio.client.runs.stream(
            studio.thread(), "assistant", input=given, stream_mode=mode, context=WITH_MODEL
        )
        return [json.dumps(part.data, ensure_ascii=False) for part in parts if part.event != "end"]

    drafted = "Calderith's total revenue for the three months"
    for seen in at_once(streamed, ("updates", "values")):
        first = next(text for text in seen if drafted in text)
        assert '"supported": false' in first and GOOD in seen[-1]
    for seen in at_once(streamed, ("messages", "messages-tuple")):
        assert GOOD in seen[-1] and not any(drafted in text for text in seen[:-1])
        assert all(word not in text for text in seen for word in ("7,777.7", "statements", "confidence"))


def test_the_state_is_stored_with_types_that_the_server_trusts(studio: Studio) -> None:
    thread = studio.thread()
    compared = "Compare Calderith's, Harrowmere's and Tilbrook's net income."
    for question in (REVENUE, "Why did Calderith's gross margin change?", "And net income?", compared):
        studio.ask(thread, question)
    history: Any = studio.client.threads.get_history(thread, limit=50)
    assert len(history) > 20
    text = studio.log.read_text(encoding="utf-8")
    for trouble in ("unregistered type", "Blocked deserialization", "pickle", "BlockingError"):
        assert [line[:300] for line in text.splitlines() if trouble in line] == []
