"""Costs and shares of a run's drafts, from rows and calls made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.errors import UsageError
from evals.asked_questions import Graded, asked_of, read_grades
from evals.model_shares import describe, summarize
from evals.rows import Row
from graphs.contracts import Statement
from tests.eval_runs import row
from tools.model.recorded import Call

DRAFT = "Sales rose to 300 million USD [1]. Costs fell by 20 million USD [2]."


def call(step: str, text: str = "", tokens: int = 100, form: str = "") -> Call:
    return Call("m", step, (), form, None, text, "stop", tokens, 10)


CALLS = {
    "a": call("route", tokens=50, form="Choice"),
    "b": call("generate", DRAFT, 400),
    "c": call("generate", "Sales rose.", 300),
}


def first(**more: Any) -> Row:
    """An answer that shows one of the draft's two sentences."""
    lost = Statement(
        text="Costs fell by 20 million USD", supported=False, reason="number 20 isn't in 'x, p. 3'"
    )
    fields = {"answer": "Sales rose to 300 million USD [1].", "engine": "model", "statements": (lost,)}
    return row("agent", 1, replies=("a", "b", "c"), **{**fields, **more})


REFUSED = row("agent", 2, status="abstained", reason="out_of_scope", answer="")


def test_costs_are_counted_by_question_and_by_step() -> None:
    found = summarize(asked_of([first(), REFUSED], CALLS))
    assert found["a_question"]["calls"] == {"median": 1.5, "p95": 3, "total": 3}
    assert found["a_question"]["prompt tokens"]["total"] == 750
    assert set(found["steps"]) == {"route (Choice)", "generate"}
    assert found["steps"]["generate"]["calls"] == 2 and found["steps"]["generate"]["questions"] == 1
    assert found["steps"]["generate"]["prompt tokens"] == {"median": 350, "p95": 400, "total": 700}
    assert (found["refused_before_any_call"], found["statuses"]) == (1, {"answered": 1, "abstained": 1})


def test_sentences_of_the_first_draft_are_shown_or_dropped_for_a_reason() -> None:
    found = summarize(asked_of([first()], CALLS))
    assert (found["drafts"], found["draft_sentences"], found["kept"]) == (1, 2, 1)
    assert found["reasons_dropped"] == {"number # isn't in '...'": 1}


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (
            {"status": "abstained", "reason": "unsupported", "statements": ()},
            "nothing was shown: unsupported",
        ),
        ({"engine": "local", "statements": (), "gaps": ("x: no; the local engine's was used",)}, "x: no"),
        ({"statements": ()}, "in other words, or left out"),
    ],
)
def test_a_dropped_sentence_without_a_verdict_is_explained_by_the_answer(
    more: dict[str, Any], why: str
) -> None:
    dropped = summarize(asked_of([first(**more)], CALLS))["rows"][0]["dropped"]
    assert dropped and dropped[-1]["why"].startswith(why)


def test_grades_give_shares_with_intervals() -> None:
    told = (
        {"text": "Sales rose to 300 million USD.", "sound": True},
        {"text": "Costs fell by 20 million USD.", "sound": False},
    )
    grades = {"q1": Graded.model_validate({"id": "q1", "grade": "partly", "sentences": told})}
    found = summarize(asked_of([first(), REFUSED], CALLS), grades)
    assert found["graded"]["partly"] == {"count": 1, "of": 1, "low": 1.0, "high": 1.0}
    assert (found["graded"]["ungraded"], found["graded"]["right"]["count"]) == (1, 0)
    assert found["graded"]["sound_kept"]["count"] == found["graded"]["sound_kept"]["of"] == 1
    assert (found["graded"]["unsound_shown"]["count"], found["graded"]["unsound_shown"]["of"]) == (0, 1)
    told_lines = describe(found, show=True)
    assert "sound kept: 1 of 1" in told_lines and "refused before any call: 1 of 2" in told_lines


def test_a_recording_of_another_run_is_refused() -> None:
    with pytest.raises(UsageError, match="another run"):
        asked_of([first()], {})


@pytest.mark.parametrize(
    "line", ['{"id": "q9", "grade": "right"}', '{"id": "q1", "grade": "good"}', "no json"]
)
def test_a_bad_grade_is_refused_by_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "grades.jsonl"
    path.write_text(f'\n{line}\n{{"id": "q1", "grade": "right"}}', encoding="utf-8")
    with pytest.raises(UsageError, match="line 2"):
        read_grades(path, ["q1"])
