"""Judged metrics against a scripted endpoint: ragas' own steps and formulas, our client and its failures."""

from __future__ import annotations

import builtins
import json
import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agent.endpoint.limits import Pace
from agent.errors import UsageError
from agent.settings import Settings, SettingsError
from evals.datasets.types import Item
from evals.judged import Judge, judge_rows, judged_metrics, open_judge
from evals.judged.judging import DOWN_IN_A_ROW, sampled
from evals.rows import RetrievedContext, Row, Score
from tests.endpoint import Asked, Fault, Said, Server, fault, serving
from tests.ragas_judge import given, kind_of, reply
from tools.vector.embeddings import Vectors

pytestmark = pytest.mark.skipif(
    find_spec("ragas") is None, reason="the extra `judge` has an environment of its own: make test-judged"
)
FAST = Pace(sleep=lambda _: None)
NAMES = (
    "judged_faithfulness",
    "judged_answer_relevancy",
    "judged_context_precision",
    "judged_context_recall",
)


class Letters:
    """Embeds by letters: a question put twice is the same direction."""

    id = "letters"
    dimension = 26

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.array([[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], dtype=float)
        unit: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        return unit

    def embed_query(self, text: str) -> Vectors:
        row: Vectors = self.embed([text])[0]
        return row


ITEM = Item(id="q1", question="How did Tarn's revenue move?", answer="It went up by a tenth.")


def row(pipeline: str = "agent", **more: Any) -> Row:
    texts = ("The lake froze in winter.", "Revenue went up by a tenth.")
    contexts = tuple(RetrievedContext(text=t, source="vector", document="t.pdf", page=1) for t in texts)
    answer = "Revenue went up by a tenth [2]. The lake did not freeze [1]."
    filled = {
        "id": "q1",
        "question": ITEM.question,
        "status": "answered",
        "answer": answer,
        "contexts": contexts,
    }
    return Row(pipeline=pipeline, **{**filled, **more})


def judge_of(server: Server, folder: Path, **more: Any) -> Judge:
    return open_judge(server.settings(**more), folder, Letters(), FAST)


def judged(server: Server, folder: Path, rows: Sequence[Row], **more: Any) -> tuple[list[Row], Judge]:
    judge = judge_of(server, folder)
    items = {each.id: ITEM.model_copy(update={"id": each.id}) for each in rows}
    try:
        return judge_rows(items, rows, judge, **more), judge
    finally:
        judge.close()


def values(found: Row) -> list[float | None]:
    return [found.scores[name].value for name in NAMES]


def test_the_four_metrics_are_computed_from_the_judges_replies(tmp_path: Path) -> None:
    with serving(reply) as server:
        (found,), judge = judged(server, tmp_path, [row()])
    faithfulness, relevancy, precision, recall = values(found)
    assert faithfulness == 0.5, "one of two statements"
    assert relevancy == pytest.approx(1.0)
    assert precision == pytest.approx(0.5), "the second of two contexts is useful"
    assert recall == 0.5
    assert judge.usage.calls == len(server.chats) == 2 + 3 + 2 + 1
    assert judge.usage.input_tokens == 100 * 8 and judge.usage.output_tokens == 10 * 8
    assert "ragas 0.4.3" in judge.name


def test_markers_are_not_shown_to_the_judge(tmp_path: Path) -> None:
    with serving(reply) as server:
        judged(server, tmp_path, [row()])
        assert not any(re.search(r"\[[12]\]", json.dumps(given(asked.prompt))) for asked in server.chats)


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    with serving(reply) as server:
        first, _ = judged(server, tmp_path, [row(), row("vector", answer="It went down [1].")])
        asked = len(server.chats)
        second, judge = judged(server, tmp_path, [row(), row("vector", answer="It went down [1].")])
        assert second == first
        assert len(server.chats) == asked
        assert judge.usage.calls == 0


def test_a_run_that_was_cut_off_pays_for_no_reply_twice(tmp_path: Path) -> None:
    with serving(lambda asked: reply(asked) if asked.index < 3 else fault(401)) as server:
        cut, _ = judged(server, tmp_path, [row()])
        assert any(score.failed for score in cut[0].scores.values())
        before = len(server.chats)
        server.script = [reply]
        (found,), judge = judged(server, tmp_path, [row()])
        assert None not in values(found)
        assert len(server.chats) - before == judge.usage.calls == 8 - 3


def test_a_pipeline_that_retrieved_nothing_or_failed_scores_0_and_the_judge_is_not_asked(
    tmp_path: Path,
) -> None:
    with serving(reply) as server:
        (empty, failed), _ = judged(
            server,
            tmp_path,
            [
                row("graph", status="abstained", answer="Not in the documents.", contexts=()),
                row("vector", status="failed", error="E: x", answer="", contexts=()),
            ],
        )
        assert server.chats == []
    assert values(empty) == [None, None, 0.0, 0.0]
    assert values(failed) == [None, 0.0, 0.0, 0.0]
    assert not any(score.failed for found in (empty, failed) for score in found.scores.values())


def test_without_an_expected_answer_the_contexts_cannot_be_judged(tmp_path: Path) -> None:
    with serving(reply) as server:
        judge = judge_of(server, tmp_path)
        (found,) = judge_rows({"q1": ITEM.model_copy(update={"answer": None})}, [row()], judge)
        judge.close()
    assert values(found)[2:] == [None, None]
    assert found.scores["judged_context_recall"].reason == "no expected answer"


def test_an_answer_without_statements_is_not_applicable(tmp_path: Path) -> None:
    def nothing(asked: Asked) -> str:
        return '{"statements": []}' if kind_of(asked.prompt) == "statement" else reply(asked)

    with serving(nothing) as server:
        (found,), _ = judged(server, tmp_path, [row()])
    score = found.scores["judged_faithfulness"]
    assert (score.value, score.failed) == (None, False)


@pytest.mark.parametrize(
    ("kind", "bad", "lost"),
    [
        ("verdicts", "I would say that all of them hold.", "judged_faithfulness"),
        ("verdicts", '{"statements": []}', "judged_faithfulness"),
        ("useful", '{"reason": "r", "verdict": 7}', "judged_context_precision"),
        ("recall", '{"classifications": []}', "judged_context_recall"),
        ("question", '{"question": "What?"}', "judged_answer_relevancy"),
    ],
)
def test_a_reply_that_cannot_be_used_is_asked_for_again_then_counted_as_the_judges_failure(
    tmp_path: Path, kind: str, bad: str, lost: str
) -> None:
    def once_bad(asked: Asked) -> str:
        if kind_of(asked.messages[0]["content"]) != kind or len(asked.messages) > 1:
            return reply(Asked(asked.path, {"messages": asked.messages[:1]}, {}))
        return bad

    with serving(once_bad) as server:
        (found,), _ = judged(server, tmp_path / "mended", [row()])
        assert found.scores[lost].value is not None
    with serving(
        lambda asked: bad if kind_of(asked.messages[0]["content"]) == kind else reply(asked)
    ) as server:
        (found,), judge = judged(server, tmp_path / "lost", [row()])
    assert found.scores[lost].failed and found.scores[lost].value is None
    assert sum(score.failed for score in found.scores.values()) == 1
    assert judge.stopped == ""


def test_a_judges_failure_is_asked_again_by_the_next_run(tmp_path: Path) -> None:
    broken = {"recall"}

    def some(asked: Asked) -> str | Said:
        return "no" if kind_of(asked.messages[0]["content"]) in broken else reply(asked)

    with serving(some) as server:
        judged(server, tmp_path, [row()])
        before = len(server.chats)
        broken.clear()
        (found,), _ = judged(server, tmp_path, [row()])
        assert values(found)[3] == 0.5
        assert len(server.chats) == before + 1, "and nothing else"


def test_an_endpoint_that_dies_is_left_alone_and_a_rerun_goes_on(tmp_path: Path) -> None:
    rows = [
        row(id=f"q{n}", answer=f"Up by {n} [1].", contexts=(context.model_copy(update={"text": f"Up {n}."}),))
        for n, context in enumerate(row().contexts * 6)
    ]

    def dying(asked: Asked) -> str | Fault:
        return reply(asked) if asked.index < 20 else fault(503)

    with serving(dying) as server:
        found, judge = judged(server, tmp_path, rows)
        lost = [score for each in found for score in each.scores.values() if score.failed]
        assert lost
        assert all(score.value is None and score.reason for score in lost)
        assert "Run again to go on" in judge.stopped
        most = 20 + 3 * (DOWN_IN_A_ROW + judge.at_once)
        assert len(server.chats) <= most, "three requests for each of the calls under way, then none"
        server.script = [reply]
        again, judge = judged(server, tmp_path, rows)
        assert not any(score.failed for each in again for score in each.scores.values())
        assert judge.stopped == ""


def test_a_score_begun_before_an_endpoint_died_does_not_forgive_it(tmp_path: Path) -> None:
    begun, over = threading.Event(), threading.Event()

    def slow_then_dead(asked: Asked) -> str | Fault:
        if asked.index:
            return fault(503)
        begun.set()
        over.wait(30)
        return reply(asked)

    def score(judge: Judge, text: str) -> Score:
        contexts = tuple(each.model_copy(update={"text": text}) for each in row().contexts)
        return judge.score("judged_context_recall", ITEM, row(contexts=contexts))

    with serving(slow_then_dead) as server, ThreadPoolExecutor(1) as beside:
        judge = judge_of(server, tmp_path)
        slow = beside.submit(score, judge, "The slow one.")
        assert begun.wait(30)
        for n in range(DOWN_IN_A_ROW - 1):
            assert score(judge, f"Number {n}.").failed
        over.set()
        assert not slow.result().failed
        assert judge.stopped == ""
        assert score(judge, "The last one.").failed
        assert "Run again to go on" in judge.stopped
        judge.close()


def test_a_passing_failure_is_retried_by_one_layer_alone(tmp_path: Path) -> None:
    with serving(fault(503)) as server:
        judge = judge_of(server, tmp_path, llm_concurrency=1)
        scores = [judge.score("judged_context_recall", ITEM, row())]
        assert len(server.chats) == 3
        assert scores[0].failed
        judge.close()


def test_a_sample_is_of_questions_the_same_for_all_pipelines(tmp_path: Path) -> None:
    rows = [row(pipeline, id=f"q{n}") for pipeline in ("agent", "vector") for n in range(5)]
    seen: list[tuple[int, int]] = []
    with serving(reply) as server:
        found, _ = judged(
            server, tmp_path, rows, sample=2, seed=3, on_progress=lambda done, of: seen.append((done, of))
        )
    chosen = {each.pipeline: set[str]() for each in found}
    for each in found:
        if each.scores["judged_context_recall"].value is not None:
            chosen[each.pipeline].add(each.id)
    assert len(chosen["agent"]) == 2 and chosen["agent"] == chosen["vector"]
    assert [each.id for each in found] == [each.id for each in rows]
    assert seen == [(n, 2 * 2 * 4) for n in range(1, 17)]
    left_out = [each for each in found if each.id not in chosen["agent"]]
    assert all(
        score.reason == "not in the judged sample" for each in left_out for score in each.scores.values()
    )


def test_a_larger_sample_holds_the_smaller_one() -> None:
    ids = [f"q{n}" for n in range(50)]
    assert sampled(ids, 5, 1) < sampled(ids, 20, 1)
    assert sampled(ids, 5, 1) != sampled(ids, 5, 2)
    assert sampled(ids, None, 1) == sampled(ids, 99, 1) == set(ids)


def test_what_two_pipelines_have_in_common_is_judged_once(tmp_path: Path) -> None:
    with serving(reply) as server:
        found, _ = judged(server, tmp_path, [row("agent"), row("hybrid"), row("vector")])
        assert len(server.chats) == 8
    assert values(found[0]) == values(found[1]) == values(found[2])


def test_other_scores_of_a_row_stay(tmp_path: Path) -> None:
    with serving(reply) as server:
        (found,), _ = judged(server, tmp_path, [row(scores={"rouge": {"value": 0.5, "reason": "r"}})])
    assert found.scores["rouge"].value == 0.5
    (metric, *_) = judged_metrics()
    assert metric.score(ITEM, found).value == 0.5
    assert metric.score(ITEM, row()).value is None


def test_no_key_and_no_document_text_reaches_the_journal_in_the_clear_except_the_judges_words(
    tmp_path: Path,
) -> None:
    with serving(reply) as server:
        judged(server, tmp_path, [row()])
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()).decode()
    assert "sk-scripted" not in kept
    assert "The lake froze in winter" not in kept


def test_without_a_judge_or_without_ragas_the_error_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SettingsError, match="HYBRIDRAG_JUDGE_BASE_URL"):
        open_judge(Settings(_env_file=None), tmp_path, Letters())
    real: Callable[..., Any] = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "ragas":
            raise ImportError(f"No module named '{name}'")
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    settings = Settings(_env_file=None, judge_base_url="http://127.0.0.1:1/v1", judge_model="j")
    with pytest.raises(UsageError, match=r"pip install 'hybridrag\[judge\]'"):
        open_judge(settings, tmp_path, Letters())


def test_nothing_is_reported_home(tmp_path: Path) -> None:
    with serving(reply) as server:
        judged(server, tmp_path, [row()])
    from ragas._analytics import do_not_track

    assert do_not_track()
