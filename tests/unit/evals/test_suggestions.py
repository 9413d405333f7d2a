"""What is counted of suggested questions."""

from __future__ import annotations

from pathlib import Path

from agent.assistant import Assistant
from evals.suggestions import Question, Suggested, describe, questions_for, summarize, tried


def made(reason: str | None, *suggestions: str, failed: tuple[tuple[str, str], ...] = ()) -> Suggested:
    return Suggested(id="1", question="q", reason=reason, suggestions=suggestions, failed=failed, ms=1.0)


def test_a_suggestion_that_is_not_answered_counts_against_the_share() -> None:
    summary = summarize(
        [made(None, "a", "b", "c"), made("no_evidence", "d", failed=(("d", "abstained: no"),))]
    )
    assert (summary["suggested"], summary["with_three"], len(summary["failed"])) == (4, 1, 1)
    assert "75.0 %" in describe(summary)


def test_questions_that_are_none_for_documents_are_counted_apart() -> None:
    summary = summarize([made(None, "a", "b", "c"), made("out_of_scope")])
    assert (summary["meant_for_documents"], summary["with_three"]) == (1, 1)
    assert summary["suggested_elsewhere"] == 0


def test_held_questions_are_not_asked(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('{"id": "1", "question": "a", "half": "held"}\n{"id": "2", "question": "b"}\n', "utf-8")
    assert [question.id for question in questions_for(set(), path)] == ["2"]


def test_each_suggestion_is_asked(assistant: Assistant) -> None:
    found = tried(assistant, Question(id="1", question="What was Calderith's net income in Q2 2024?"))
    assert len(found.suggestions) == 3 and found.failed == ()
