"""Recorded replies: a run with a model is recorded once and replayed without it, with the same answers."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.model_shares import main
from evals.results import Results
from graphs.model.checker import VerdictsReply
from graphs.model.planner import PlanReply
from tests.conftest import Command, Ran
from tests.endpoint import KEY, Asked, Server, serving
from tests.scripted import Replies, script
from tools.model.recorded import recorded_calls
from tools.model.structured import read

GOOD = "Calderith's total revenue for the three months ended March 30, 2024 was 1,284.6 million USD [1]."
QUESTIONS = (
    {"id": "revenue", "question": "What was Calderith's total revenue in the quarter ended March 30, 2024?"},
    {"financebench_id": "lead", "question": "Who leads Calderith?", "company": "HRWM", "answer": "nobody"},
    {"question": "What is the capital of France?"},
)


KEPT = sorted((Path(__file__).parents[2] / "evals" / "replies").glob("*/replies.jsonl"))


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
    assert len(revenue.replies) == revenue.usage.calls > 1 and len(france.replies) == 1
    assert KEY not in Path("kept/replies.jsonl").read_text(encoding="utf-8")


def test_questions_are_asked_side_by_side_of_an_endpoint_that_takes_its_time(run: Callable[..., Ran]) -> None:
    replies, both = Replies(script(GOOD)), threading.Barrier(2, timeout=60)

    def late(asked: Asked) -> Any:
        if asked.index < 2:
            both.wait()  # the first reply is not given before the second question asks
        return replies(asked)

    with serving(late) as server:
        assert run("--replies", "kept", "--workers", "2", out="out", server=server).code == 0
    assert not both.broken
    assert [row.usage.calls > 1 for row in Results.load(Path("out")).rows] == [True, True, False]


def test_what_was_recorded_before_a_stop_is_not_asked_again(run: Callable[..., Ran]) -> None:
    with serving(Replies(script(GOOD))) as server:
        run("--replies", "kept", out="whole", server=server)
        count = len(server.chats)
        lines = Path("kept/replies.jsonl").read_bytes().splitlines(keepends=True)
        Path("kept/replies.jsonl").write_bytes(b"".join(lines[:-2]) + lines[-2][:40])  # two lost, one torn
        assert run("--replies", "kept", out="again", server=server).code == 0
        assert len(server.chats) == count + 2
    assert rows("again") == rows("whole")


def test_a_request_that_was_never_recorded_fails_the_replay_and_says_how_to_record_it(
    run: Callable[..., Ran],
) -> None:
    with serving(Replies(script(GOOD))) as server:
        run("--replies", "kept", out="whole", server=server)
        lines = Path("kept/replies.jsonl").read_bytes().splitlines(keepends=True)
        Path("kept/replies.jsonl").write_bytes(b"".join(lines[:-1]))
        before = len(server.chats)
        ran = run("--replies", "kept", "--replay", out="again", server=server)
        assert len(server.chats) == before
    assert ran.code == 1 and "Replies missing in 'kept': 1" in ran.err
    assert "--replies kept" in ran.err
    assert any("--replies kept" in gap for row in Results.load(Path("again")).rows for gap in row.gaps)


def test_replies_that_a_run_no_longer_uses_are_dropped_when_it_is_told_to(run: Callable[..., Ran]) -> None:
    with serving(Replies(script(GOOD))) as server:
        run("--replies", "kept", out="first", server=server)
        whole = recorded_calls(Path("kept"))
        assert run("--replies", "kept", "--limit", "2", "--prune", out="second", server=server).code == 0
    used = {key for row in Results.load(Path("second")).rows for key in row.replies}
    assert set(recorded_calls(Path("kept"))) == used < set(whole)


@pytest.mark.parametrize("words", [("--replay",), ("--prune",), ("--replies", "nowhere")])
def test_a_replay_of_nothing_is_refused(run: Callable[..., Ran], words: tuple[str, ...]) -> None:
    ran = run(*words, out="out")
    assert ran.code == 2 and "replies" in ran.err.lower()


def test_questions_alone_need_an_index(hybridrag: Command) -> None:
    Path("asked.jsonl").write_text(json.dumps(QUESTIONS[0]), encoding="utf-8")
    ran = hybridrag("eval", "run", "--dataset", "questions", "--path", "asked.jsonl", "--pipelines", "agent")
    assert ran.code == 2 and "--home" in ran.err


def test_the_report_reads_drafts_and_costs_from_the_recording(
    run: Callable[..., Ran], capsys: pytest.CaptureFixture[str]
) -> None:
    draft = f"{GOOD} It rose by 9,999 million USD [1]."
    with serving(Replies(script(draft, revise=GOOD))) as server:
        run("--replies", "kept", out="out", server=server)
    capsys.readouterr()
    grades = {
        "id": "revenue",
        "grade": "right",
        "sentences": [
            {"text": GOOD, "sound": True},
            {"text": "It rose by 9,999 million USD.", "sound": False},
        ],
    }
    Path("grades.jsonl").write_text(json.dumps(grades), encoding="utf-8")
    assert (
        main(["out", "--replies", "kept", "--grades", "grades.jsonl", "--sheet", "sheet.jsonl", "--json"])
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    revenue = found["rows"][0]
    assert (revenue["id"], revenue["kept"]) == ("revenue", 1)
    assert [drop["text"] for drop in revenue["dropped"]] == ["It rose by 9,999 million USD."]
    assert revenue["prompt tokens"] == 100 * sum(revenue["calls"].values()) > 0
    assert found["graded"]["sound_kept"]["count"] == 1 and found["graded"]["unsound_shown"]["count"] == 0
    assert found["refused_before_any_call"] == 0
    sheet = [json.loads(line) for line in Path("sheet.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in sheet] == ["revenue", "lead", "line-3"]
    assert sheet[0]["sentences"][0]["shown"] and sheet[0]["evidence"]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.parent.name)
def test_committed_replies_are_whole_and_of_the_forms_that_are_asked_for(path: Path) -> None:
    """Whether they answer what is asked today is said by a replay: a changed prompt needs a model to be asked."""
    found = recorded_calls(path.parent).values()
    assert {call.step for call in found} >= {"plan", "generate"} and len(found) >= 20
    forms = {"PlanReply": PlanReply, "VerdictsReply": VerdictsReply}
    for call in found:
        assert call.error or (read(call.text, forms[call.form]) if call.form else call.text)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.parent.name)
def test_committed_replies_show_the_sample_documents_alone(path: Path, samples: Path) -> None:
    ours = {file.name for file in samples.rglob("*")} | {"norvane.pdf"}  # an example of a prompt
    shown = {
        name
        for call in recorded_calls(path.parent).values()
        for message in call.messages
        for name in re.findall(r"([^\s|/]+\.(?:pdf|txt|html?|md|docx|xlsx)), p\. \d", message.text)
    }
    assert shown <= ours
