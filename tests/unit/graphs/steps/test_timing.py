"""Seconds and model usage by step; the turn that a step runs in."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from graphs.state import Context, Span, this_turn
from graphs.steps.timing import CLOCK, notes_of, overdue, seconds_by_step, timed, usage_by_step
from tools.model.turn import current_turn

NOW = 5_000.0


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The monotonic clock stands still."""
    monkeypatch.setattr(time, "monotonic", lambda: NOW)


def span(step: str, start: float, end: float) -> Span:
    return Span(step=step, start=start, end=end)


def test_retrieval_is_the_gap_between_plan_and_the_next_step() -> None:
    spans = [span("condense", 0, 1), span("plan", 1, 2), span("merge", 5, 6), span("generate", 6, 8)]
    assert seconds_by_step(spans, 0.0)["retrieve"] == 3


def test_a_step_that_ran_twice_is_summed() -> None:
    spans = [span("check", 1, 2), span("revise", 2, 3), span("check", 3, 5)]
    assert seconds_by_step(spans, 0.0)["check"] == 3


def test_a_new_turn_forgets_the_spans_of_the_last() -> None:
    old = [span("condense", 0, 1), span("answer", 1, 2)]
    new = this_turn(old, [span("condense", 5, 6)])
    assert [s["start"] for s in new] == [5]
    assert len(this_turn(new, [span("plan", 6, 7)])) == 2


def spent(step: str, calls: int, *notes: str) -> Span:
    return Span(
        step=step,
        start=0,
        end=1,
        calls=calls,
        input_tokens=calls * 100,
        output_tokens=calls * 10,
        notes=list(notes),
    )


def test_usage_is_summed_by_step_and_costs_what_the_prices_say() -> None:
    spans = [
        span("condense", 0, 1),
        spent("route", 1),
        spent("check", 2),
        spent("revise", 0),
        spent("check", 2),
    ]
    usage = usage_by_step(spans, (1.0, 10.0))
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (5, 500, 50)
    assert {step: used.calls for step, used in usage.by_step.items()} == {"route": 1, "check": 4}
    assert usage.cost == pytest.approx((500 * 1 + 50 * 10) / 1e6)
    assert usage_by_step(spans, None).cost is None
    assert usage_by_step([span("plan", 0, 1)], None).calls == 0


def test_notes_are_told_once_each_in_order() -> None:
    assert notes_of([spent("route", 1, "b"), span("merge", 0, 1), spent("check", 1, "a", "b")]) == ["b", "a"]


def updated(step: str, state: Any, node: Any, deadline: float = 60) -> dict[str, Any]:
    runtime: Any = SimpleNamespace(context=Context(deadline=deadline))
    return timed(step, node)(state, runtime=runtime)


def ran(step: str, state: Any, node: Any, deadline: float = 60) -> Span:
    (made,) = updated(step, state, node, deadline)["spans"]
    return made  # type: ignore[no-any-return]


def test_a_step_runs_in_a_turn_with_the_questions_deadline() -> None:
    seen: list[Any] = []

    def node(state: Any, context: Context) -> dict[str, Any]:
        turn = current_turn()
        seen.append((turn.step, turn.deadline))
        turn.spend(7, 3)
        turn.note("n")
        return {}

    made = ran("check", {"turn_start": 100.0, "spans": []}, node, 30)
    assert seen == [("check", 130.0)]
    assert (made["calls"], made["input_tokens"], made["output_tokens"], made["notes"]) == (1, 7, 3, ["n"])
    ran("condense", {"turn_start": 100.0, "spans": []}, node, 30)  # the last turn's start
    assert seen[1] == ("condense", NOW + 30)


def test_an_endpoint_found_down_stays_so_until_the_next_question() -> None:
    seen: list[str] = []

    def node(state: Any, context: Context) -> dict[str, Any]:
        seen.append(current_turn().down)
        if state.get("fails"):
            current_turn().down = "gone"
        return {}

    start: dict[str, Any] = {"turn_start": 0.0, "spans": [], "fails": True}
    spans = [ran("plan", start, node)]
    spans.append(ran("generate", {"turn_start": 0.0, "spans": spans}, node))
    ran("check", {"turn_start": 0.0, "spans": spans}, node)
    ran("condense", {"turn_start": 0.0, "spans": spans}, node)
    assert seen == ["", "gone", "gone", ""]


def no_work(state: Any, context: Context) -> dict[str, Any]:
    return {}


def test_what_was_waited_for_the_user_counts_neither_as_seconds_nor_against_the_deadline() -> None:
    deadlines: list[float] = []

    def node(state: Any, context: Context) -> dict[str, Any]:
        deadlines.append(current_turn().deadline or 0.0)
        return {}

    asked = {"turn_start": NOW - 3600, "clock": CLOCK, "spans": [span("condense", 0, 2)]}
    made = updated("plan", asked, node, 30)
    assert deadlines == [NOW + 28]
    assert seconds_by_step(made["spans"], made["turn_start"])["total"] == 2
    assert made["spans"][0]["start"] == 2


@pytest.mark.parametrize("start", [1e9, -1e9])
def test_a_turn_resumed_in_another_process_goes_on_where_its_last_step_ended(start: float) -> None:
    state: Any = {"turn_start": start, "clock": "another process", "spans": [span("generate", 1, 4)]}
    assert not overdue(state, Context(deadline=5))
    assert overdue(state, Context(deadline=3))
    made = updated("check", state, no_work)
    assert made["clock"] == CLOCK
    assert made["turn_start"] == NOW - 4


def test_a_slow_retrieval_is_time_of_the_question() -> None:
    state: Any = {"turn_start": NOW - 9, "clock": CLOCK, "spans": [span("plan", 1, 2)]}
    assert overdue(state, Context(deadline=8))
    made = updated("merge", state, no_work, 8)
    assert seconds_by_step([*state["spans"], *made["spans"]], state["turn_start"])["retrieve"] == 7
