"""hybridrag eval run --judge: scores of a model beside the others, paid for once, and a judge that fails."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from evals.results import Results
from tests.conftest import Command, Ran
from tests.endpoint import KEY, MODEL, Asked, Fault, fault, serving
from tests.ragas_judge import reply

pytestmark = pytest.mark.skipif(
    find_spec("ragas") is None, reason="the extra `judge` has an environment of its own: make test-judged"
)

Run = Callable[..., Ran]
NAMES = (
    "judged_faithfulness",
    "judged_answer_relevancy",
    "judged_context_precision",
    "judged_context_recall",
)


@pytest.fixture
def run(hybridrag: Command, sample_home: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Two questions of the sample set, one of them judged, by the judge at `url`."""
    monkeypatch.setenv("HYBRIDRAG_ENGINE", "local")

    def go(url: str = "", *words: str | Path) -> Ran:
        if url:
            monkeypatch.setenv("HYBRIDRAG_JUDGE_BASE_URL", url)
            monkeypatch.setenv("HYBRIDRAG_JUDGE_MODEL", MODEL)
            monkeypatch.setenv("HYBRIDRAG_JUDGE_API_KEY", KEY)
        usual = ("--pipelines", "agent,graph", "--limit", "3", "--workers", "1", "--judge-sample", "2")
        asked = ("eval", "run", "--dataset", "sample", "--home", sample_home, "--out", "out")
        return hybridrag(*asked, *usual, *words)

    return go


def judged(results: Results) -> list[Any]:
    return [row.scores[name] for row in results.rows for name in NAMES]


def test_a_judged_run_has_the_four_scores_and_says_what_they_cost(run: Run) -> None:
    with serving(reply) as server:
        ran = run(server.base_url)
        assert ran.code == 0, ran.err
        calls = len(server.chats)
        assert calls > 0
        assert all(asked.headers["authorization"] == f"Bearer {KEY}" for asked in server.chats)
        results = Results.load(Path("out"))
        summary = results.summaries["agent"]
        assert set(NAMES) <= set(summary)
        counted = summary["judged_answer_relevancy"]
        assert counted.scored >= 1 and counted.scored + counted.not_applicable == 3 and not counted.failed
        left_out = [score for score in judged(results) if score.reason == "not in the judged sample"]
        assert len(left_out) == 2 * len(NAMES), "one of three questions, of both pipelines"
        assert counted.mean is not None and 0 < counted.mean <= 1
        told = " ".join(results.notes)
        assert f"{calls} calls" in told and f"{110 * calls:,} tokens" in told
        again = run(server.base_url)
        assert again.code == 0, again.err
        assert len(server.chats) == calls, "a second run is free"
        assert judged(Results.load(Path("out"))) == judged(results)
    left = b"".join(path.read_bytes() for path in Path("out").rglob("*") if path.is_file())
    assert KEY.encode() not in left


@pytest.mark.usefixtures("asked_here")
def test_a_judge_that_dies_ends_the_run_with_a_message_and_the_next_run_goes_on(run: Run) -> None:
    def dying(asked: Asked) -> str | Fault:
        return reply(asked) if asked.index < 1 else fault(401, "no such key")

    with serving(dying) as server:
        ran = run(server.base_url)
        assert ran.code == 0, ran.err
        results = Results.load(Path("out"))
        assert any(score.failed for score in judged(results))
        assert any(summary["judged_answer_relevancy"].failed for summary in results.summaries.values())
        assert "Run again to go on" in " ".join(results.notes)
        server.script = [reply]
        assert run(server.base_url).code == 0
        assert not any(score.failed for score in judged(Results.load(Path("out"))))


def test_no_judge_or_no_ragas_is_told_before_anything_is_asked(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run()
    assert ran.code == 2
    assert "HYBRIDRAG_JUDGE_BASE_URL" in ran.err
    real: Callable[..., Any] = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "ragas":
            raise ImportError(f"No module named '{name}'")
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    ran = run("http://127.0.0.1:9/v1")
    assert ran.code == 2
    assert "pip install 'hybridrag[judge]'" in ran.err
