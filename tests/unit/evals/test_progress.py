"""What is told while a run runs."""

from __future__ import annotations

from evals.progress import FAILURES_TO_WARN, Means, Streaks, board
from evals.rows import Row, Score
from graphs.contracts import StepUsage


def row(status: str = "answered", calls: int = 0, engine: str = "local", **scores: float | None) -> Row:
    return Row.model_validate(
        {
            "pipeline": "agent",
            "id": "q",
            "question": "Why?",
            "status": status,
            "error": "OSError: the index is gone" if status == "failed" else "",
            "engine": engine,
            "usage": StepUsage(calls=calls),
            "scores": {name: Score(value=value, reason="") for name, value in scores.items()},
        }
    )


def test_running_means_leave_out_what_does_not_apply() -> None:
    means = Means()
    assert means.describe() == ""
    means.add(row(context_precision=1.0, context_recall=None))
    means.add(row(context_precision=0.5, context_recall=0.25))
    assert means.describe() == "agent CP 0.75 CR 0.25"


def test_failures_in_a_row_are_told_once_with_what_to_do() -> None:
    streaks = Streaks(asks_model=False)
    told = [streaks.add(row("failed")) for _ in range(FAILURES_TO_WARN + 5)]
    assert [bool(text) for text in told].index(True) == FAILURES_TO_WARN - 1
    assert sum(map(bool, told)) == 1
    assert "the index is gone" in told[FAILURES_TO_WARN - 1]
    assert "--retry-failed" in told[FAILURES_TO_WARN - 1]


def test_an_answer_between_failures_ends_the_row() -> None:
    streaks = Streaks(asks_model=False)
    for _ in range(3):
        assert not any(streaks.add(row("failed")) for _ in range(FAILURES_TO_WARN - 1))
        assert not streaks.add(row())


def test_a_model_that_gives_no_reply_is_told_and_one_that_does_is_not() -> None:
    silent, spoken = Streaks(asks_model=True), Streaks(asks_model=True)
    assert "the model gave no reply" in [silent.add(row()) for _ in range(FAILURES_TO_WARN)][-1]
    assert not any(Streaks(asks_model=True).add(row("abstained")) for _ in range(FAILURES_TO_WARN))
    assert not any(spoken.add(row(calls=2)) for _ in range(FAILURES_TO_WARN * 2))
    assert not any(Streaks(asks_model=False).add(row()) for _ in range(FAILURES_TO_WARN))


def test_without_a_terminal_the_end_is_a_line() -> None:
    lines: list[str] = []
    with board(3, [row(context_recall=1.0)], 1, lines.append) as advance:
        advance(row(context_recall=0.0))
        assert lines == []
        advance(row(context_recall=0.5))
    assert lines == ["[3/3] agent CR 0.50"]
