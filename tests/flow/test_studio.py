"""The LangGraph server on loopback, asked through its SDK: what Studio shows."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from tests.endpoint import KEY, serving
from tests.scripted import Replies, script

ROOT = Path(__file__).resolve().parents[2]
REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
GRAPHS = {"assistant", "vector_rag", "graph_rag", "hybrid_rag", "indexing"}
STUDIO = "https://smith.langchain.com"
BOOT_SECONDS = 90


@contextmanager
def server(home: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """`langgraph dev` over `home`: its address and log; it and its children are gone afterwards.

    `folder` gets a copy of what a fresh clone has, so that the server's own files stay out of the checkout.
    """
    for name in ("agent", "graphs", "tools", "prompts", "langgraph.json", "pyproject.toml", "README.md"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, folder / name)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("LANGSMITH_", "LANGCHAIN_"))},
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGGRAPH_STRICT_MSGPACK": "true",
        "LANGSMITH_TRACING": "false",
        "HYBRIDRAG_HOME": str(home),
    }
    command = [str(Path(sys.executable).with_name("langgraph")), "dev", "--no-browser", "--no-reload"]
    log = folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_up(address, process, log)
            yield address, log
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _wait_until_up(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + BOOT_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/ok", timeout=2) as reply:
                if reply.status == 200:
                    return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"the server did not start:\n{log.read_text(encoding='utf-8')[-4000:]}")


@pytest.fixture(scope="module")
def studio(
    sample_home: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[SyncLangGraphClient, str, Path]]:
    """A client of a server over the sample home, its address, and its log."""
    with (
        server(sample_home, tmp_path_factory.mktemp("studio")) as (address, log),
        get_sync_client(url=address, api_key=None) as client,
    ):
        yield client, address, log


Studio = tuple[SyncLangGraphClient, str, Path]


def asked(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def stream(
    client: SyncLangGraphClient, graph: str, text: str, **more: Any
) -> list[tuple[str, dict[str, Any]]]:
    """(step, its visible update), in order."""
    thread = client.threads.create()["thread_id"]
    parts = client.runs.stream(thread, graph, input=asked(text), stream_mode="updates", **more)
    found: list[tuple[str, dict[str, Any]]] = []
    for part in parts:
        assert part.event != "error", part.data
        if part.event == "updates":
            found += [(step, fields or {}) for step, fields in part.data.items()]
    return found


def test_a_question_streams_its_steps_in_order_and_ends_in_a_message_and_the_answer(studio: Studio) -> None:
    client, _, _ = studio
    updates = stream(client, "assistant", REVENUE)
    assert [s for s, _ in updates] == [
        *("condense", "route", "retrieve", "merge", "generate", "check", "answer"),
    ]
    shown = {name for _, fields in updates for name in fields}
    assert shown <= {"messages", "standalone_question", "route", "verdict", "answer", "usage"}
    last = updates[-1][1]
    (message,) = last["messages"]
    assert message["type"] == "ai" and "1,284.6 million USD" in message["content"]
    assert last["answer"]["status"] == "answered"
    assert [(c["document"], c["page"]) for c in last["answer"]["citations"]] == [("10Q-Q2-2024.pdf", 3)]
    assert updates[1][1]["route"]["tools"] == ["kg_search"]


def test_a_thread_remembers_and_holds_only_the_conversation(studio: Studio) -> None:
    client, _, _ = studio
    thread = client.threads.create()["thread_id"]
    client.runs.wait(thread, "assistant", input=asked(REVENUE))
    second: Any = client.runs.wait(thread, "assistant", input=asked("And net income?"))
    assert "Calderith" in second["standalone_question"] and "200.4" in second["answer"]["answer"]
    assert [m["type"] for m in second["messages"]] == ["human", "ai"] * 2
    values: Any = client.threads.get_state(thread)["values"]
    assert [m["type"] for m in values["messages"]] == ["human", "ai"] * 2


def test_filters_come_as_context(studio: Studio) -> None:
    client, _, _ = studio
    updates = stream(
        client, "hybrid_rag", "What were net sales?", context={"company": "HRWM", "year": 2024, "quarter": 3}
    )
    answer = updates[-1][1]["answer"]
    assert answer["evidence"] and {e["company_key"] for e in answer["evidence"]} == {"HRWM"}


def test_the_five_graphs_are_listed_with_their_schemas(studio: Studio) -> None:
    client, _, _ = studio
    found = {a["graph_id"]: a for a in client.assistants.search(limit=50)}
    assert set(found) == GRAPHS
    for graph in GRAPHS - {"indexing"}:
        schemas: Any = client.assistants.get_schemas(found[graph]["assistant_id"])
        assert "messages" in schemas["input_schema"]["properties"]
        assert "answer" in schemas["output_schema"]["properties"]
        knobs = schemas["context_schema"]["properties"]
        assert {"route", "company", "year", "quarter", "top_k"} <= set(knobs)
        assert [name for name, knob in knobs.items() if not knob.get("description")] == []
        assert "abstractive" in json.dumps(knobs["route"])
    schemas = client.assistants.get_schemas(found["indexing"]["assistant_id"])
    assert "paths" in schemas["input_schema"]["properties"]


def test_the_drawing_in_studio_has_the_edges_of_the_design(studio: Studio) -> None:
    client, _, _ = studio
    (found,) = client.assistants.search(graph_id="assistant")
    drawn: Any = client.assistants.get_graph(found["assistant_id"])
    edges = {(e["source"], e["target"]) for e in drawn["edges"]}
    assert edges == {
        *(("__start__", "condense"), ("condense", "route"), ("route", "retrieve"), ("retrieve", "merge")),
        *(("retrieve", "widen"), ("widen", "route"), ("merge", "generate"), ("generate", "check")),
        *(("check", "answer"), ("check", "revise"), ("check", "widen"), ("revise", "check")),
        ("answer", "__end__"),
    }


def test_only_studios_own_origin_may_call_from_a_browser(studio: Studio) -> None:
    _, address, _ = studio
    assert _allowed_origin(address, STUDIO) == STUDIO
    assert _allowed_origin(address, "https://elsewhere.example") is None
    assert _allowed_origin(address, "http://localhost:3000") is None


def _allowed_origin(address: str, origin: str) -> str | None:
    headers = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    request = urllib.request.Request(f"{address}/threads", method="OPTIONS", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as reply:
            return str(reply.headers["Access-Control-Allow-Origin"])
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.headers["Access-Control-Allow-Origin"]


def test_a_run_without_a_question_fails_with_words(studio: Studio) -> None:
    client, _, _ = studio
    failed: Any = client.runs.wait(None, "assistant", input={"question": "revenue?"}, raise_error=False)
    assert "No question" in json.dumps(failed)


def test_an_unknown_company_or_knob_fails_with_words(studio: Studio) -> None:
    client, _, _ = studio
    bad: list[tuple[dict[str, Any], str]] = [
        ({"company": "Foo"}, "No company 'Foo'"),
        ({"top_k": 0}, "top_k"),
    ]
    for context, told in bad:
        failed: Any = client.runs.wait(
            None, "assistant", input=asked(REVENUE), context=context, raise_error=False
        )
        assert told in json.dumps(failed)


def test_the_state_is_stored_with_types_that_the_server_trusts(studio: Studio) -> None:
    client, _, log = studio
    thread = client.threads.create()["thread_id"]
    compared = "Compare Calderith's, Harrowmere's and Tilbrook's net income."
    for question in (REVENUE, "Why did Calderith's gross margin change?", "And net income?", compared):
        client.runs.wait(thread, "assistant", input=asked(question))
    history: Any = client.threads.get_history(thread, limit=50)
    assert len(history) > 20
    text = log.read_text(encoding="utf-8")
    for trouble in ("unregistered type", "Blocked deserialization", "pickle", "BlockingError"):
        assert [line[:300] for line in text.splitlines() if trouble in line] == []


def test_without_an_index_the_server_starts_and_answers_what_to_run(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    with (
        server(tmp_path / "none", folder) as (address, _),
        get_sync_client(url=address, api_key=None) as client,
    ):
        (message,) = stream(client, "assistant", REVENUE)[-1][1]["messages"]
        assert "No index at" in message["content"] and "hybridrag index PATH" in message["content"]

        (folder / "note.txt").write_text("Calderith said that revenue rose to $12.5 million.\n", "utf-8")
        paths: Any = {"paths": [str(folder / "note.txt")]}
        done: Any = client.runs.wait(None, "indexing", input=paths)
        assert done["error"] == "" and [f["state"] for f in done["files"]] == ["indexed"]
        answer = stream(client, "vector_rag", "What was said about revenue?")[-1][1]["answer"]
        assert [c["document"] for c in answer["citations"]] == ["note.txt"]


def test_with_a_model_the_state_carries_what_it_cost_and_no_json_reaches_the_chat(
    sample_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = "Calderith's total revenue for the three months ended March 30, 2024 was 1,284.6 million USD [1]."
    income = "Calderith's net income for the three months ended March 30, 2024 was 200.4 million USD."
    rewritten = "What was Calderith's net income in the quarter ended March 30, 2024?"
    folder = tmp_path / "server"
    folder.mkdir()
    with serving(Replies(script([good, income], condense=rewritten))) as model:
        monkeypatch.setenv("HYBRIDRAG_LLM_BASE_URL", model.base_url)
        monkeypatch.setenv("HYBRIDRAG_LLM_MODEL", "scripted")
        monkeypatch.setenv("HYBRIDRAG_LLM_API_KEY", KEY)
        monkeypatch.setenv("HYBRIDRAG_DEADLINE", "45")
        with (
            server(sample_home, folder) as (address, log),
            get_sync_client(url=address, api_key=None) as client,
        ):
            thread = client.threads.create()["thread_id"]
            first: Any = client.runs.wait(thread, "assistant", input=asked(REVENUE))
            parts = list(
                client.runs.stream(
                    thread, "assistant", input=asked("And net income?"), stream_mode="messages-tuple"
                )
            )
            values: Any = client.threads.get_state(thread)["values"]
            (found,) = client.assistants.search(graph_id="assistant")
            schemas: Any = client.assistants.get_schemas(found["assistant_id"])
        assert KEY not in log.read_text(encoding="utf-8")
    assert first["usage"]["calls"] == 4 and first["usage"]["by_step"]["check"]["calls"] == 2
    assert (first["answer"]["engine"], first["answer"]["answer"]) == ("model", good)
    assert values["usage"]["by_step"]["condense"]["calls"] == 1
    assert values["standalone_question"] == rewritten and "200.4" in values["answer"]["answer"]
    shown = json.dumps([part.data for part in parts])
    assert "200.4" in shown and "statements" not in shown and "extractive" not in shown
    assert schemas["context_schema"]["properties"]["deadline"]["default"] == 45
