"""What leaves the machine in a run: nothing, but to an endpoint that is set and, on request, to LangSmith."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from evals.results import Results
from tests.conftest import Command, Ran
from tests.endpoint import KEY, serving

SECRET = "lsv2_invented_0123456789"
Run = Callable[..., Ran]


class Collector:
    """A server that takes what is sent to it and keeps it."""

    def __init__(self) -> None:
        self.status = 200
        self.sent: list[tuple[str, dict[str, str], bytes]] = []
        self.url = ""


@pytest.fixture
def langsmith(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """A LangSmith of the test's own, named by the environment."""
    kept = Collector()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            kept.sent.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(kept.status)
            if kept.status == 307:
                self.send_header("Location", f"{kept.url}/elsewhere")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        do_GET = do_PATCH = do_POST

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    kept.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("LANGSMITH_ENDPOINT", kept.url)
    yield kept
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def run(hybridrag: Command, sample_home: Path) -> Run:
    """Two questions of the graph pipeline."""

    def go(*words: str) -> Ran:
        usual = ("--dataset", "sample", "--home", sample_home, "--out", "out", "--pipelines", "graph")
        return hybridrag("eval", "run", *usual, "--limit", "2", "--workers", "1", *words)

    return go


def test_rows_go_to_langsmith_only_where_that_is_asked_for(
    run: Run, langsmith: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGSMITH_API_KEY", SECRET)
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    assert run().code == 0
    assert langsmith.sent == []
    sent = run("--upload-langsmith")
    assert sent.code == 0, sent.err
    [(path, headers, body)] = langsmith.sent
    assert path == "/api/v1/datasets/upload-experiment"
    assert headers["x-api-key"] == SECRET
    experiment = json.loads(body)
    results = Results.load(Path("out"))
    assert experiment["dataset_name"].startswith("hybridrag sample ")
    assert [row["inputs"]["question"] for row in experiment["results"]] == [i.question for i in results.items]
    assert [row["actual_outputs"]["answer"] for row in experiment["results"]] == [
        row.answer for row in results.rows
    ]
    assert all(
        experiment["experiment_start_time"]
        <= row["start_time"]
        <= row["end_time"]
        <= experiment["experiment_end_time"]
        for row in experiment["results"]
    )
    assert {score["key"] for score in experiment["results"][0]["evaluation_scores"]} >= {"seconds"}
    assert all(
        SECRET not in path.read_text(encoding="utf-8") for path in Path("out").iterdir() if path.is_file()
    )


def test_an_upload_without_a_key_is_refused_before_a_question_is_asked(
    run: Run, langsmith: Collector
) -> None:
    refused = run("--upload-langsmith")
    assert refused.code == 2
    assert "LANGSMITH_API_KEY" in refused.err
    assert not Path("out").exists()


def test_an_upload_in_the_clear_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_API_KEY", SECRET)
    monkeypatch.setenv("LANGSMITH_ENDPOINT", "http://langsmith.example")
    refused = run("--upload-langsmith")
    assert refused.code == 2
    assert "LANGSMITH_ENDPOINT would send" in refused.err


@pytest.mark.usefixtures("asked_here")
@pytest.mark.parametrize("status", [401, 307])
def test_an_upload_that_is_not_taken_is_told_and_the_results_stay(
    run: Run, langsmith: Collector, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("LANGSMITH_API_KEY", SECRET)
    langsmith.status = status
    ran = run("--upload-langsmith")
    assert ran.code == 1
    assert "did not take 'graph'" in ran.err
    assert SECRET not in ran.err
    assert len(langsmith.sent) == 1
    assert len(Results.load(Path("out")).rows) == 2


def test_an_endpoint_that_dies_in_the_middle_is_told_and_its_questions_can_be_asked_again(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving("Nothing of this is in the documents.") as server:
        monkeypatch.setenv("HYBRIDRAG_LLM_BASE_URL", server.base_url)
        monkeypatch.setenv("HYBRIDRAG_LLM_MODEL", "scripted")
        monkeypatch.setenv("HYBRIDRAG_LLM_API_KEY", KEY)
        monkeypatch.setenv("HYBRIDRAG_LLM_TIMEOUT", "5")
        url = server.base_url
    dead = run()
    assert dead.code == 0, dead.err
    # nothing was found for the other one: no model would have been asked
    assert "1 of 2 questions were answered by the local engine alone" in dead.err
    results = Results.load(Path("out"))
    assert {row.engine for row in results.rows} == {"local"}
    assert results.config.settings["engine"] == "model"
    assert results.config.settings["llm_base_url"] == url.removesuffix("/v1")
    assert all(
        KEY not in path.read_text(encoding="utf-8") for path in Path("out").iterdir() if path.is_file()
    )
    again = run("--retry-failed")
    assert again.code == 0
    assert Path("out/rows.jsonl").read_bytes().count(b"\n") == 3
