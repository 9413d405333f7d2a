"""Recorded replies: a run with a model is recorded once and replayed without it, with the same answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.results import Results
from tests.conftest import Command, Ran
from tests.endpoint import KEY, Server, serving
from tests.scripted import Replies, script
from tools.model.recorded import recorded_calls

GOOD = "Calderith's total revenue for the three months ended March 30, 2024 was 1,284.6 million USD [1]."
QUESTIONS = (
    {"id": "revenue", "question": "What was Calderith's total revenue in the quarter ended March 30, 2024?"},
    {"financebench_id": "lead", "question": "Who leads Calderith?", "company": "HRWM", "answer": "nobody"},
    {"question": "What is the capital of France?"},
)


@pytest.fixture
def run(hybridrag: Command, sample_home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """A run over three questions with the sample documents' index, of the server given, if any."""
    monkeypatch.setenv("HYBRIDRAG_RERANK", "off")

    def go(*words: str | Path, out: str, server: Server | None = None) -> Ran:
        Path("asked.jsonl").write_text("\n".join(json.dumps(line) for line in QUESTIONS), encoding="utf-8")
        for name in ("LLM_BASE_URL", "LLM_MODEL", "LLM_API_KEY"):
            monkeypatch.delenv(f"HYBRIDRAG_{name}", raising=False)
        if server is not None:
            monkeypatch.setenv("HYBRIDRAG_LLM_BASE_URL", server.base_url)
            monkeypatch.setenv("HYBRIDRAG_LLM_MODEL", "scripted")
            monkeypatch.setenv("HYBRIDRAG_LLM_API_KEY", KEY)
        asked = ("--dataset", "questions", "--path", "asked.jsonl", "--home", sample_home)
        return hybridrag("eval", "run", *asked, "--pipelines", "agent", "--out", out, *words)

    return go


def rows(out: str) -> list[dict[str, Any]]:
    """The rows of a run without what a clock decides."""
    return [row.model_dump(exclude={"seconds", "scores"}) for row in Results.load(Path(out)).rows]


def test_a_recorded_run_is_replayed_without_a_server_to_the_same_answers(run: Callable[..., Ran]) -> None:
    with serving(Replies(script(GOOD))) as server:
        assert run("--replies", "kept", out="first", server=server).code == 0
        assert len(server.chats) == len(recorded_calls(Path("kept"))) > 0
    ran = run("--replies", "kept", out="second")
    assert ran.code == 0, ran.err
    assert rows("second") == rows("first")
    revenue, lead, france = Results.load(Path("second")).rows
    assert (revenue.engine, revenue.answer) == ("model", GOOD)
    assert [revenue.id, lead.id, france.id] == ["revenue", "lead", "line-3"]
    assert len(revenue.replies) == revenue.usage.calls > 1 and france.replies == ()
    assert KEY not in Path("kept/replies.jsonl").read_text(encoding="utf-8")
