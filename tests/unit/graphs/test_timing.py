"""Seconds and model usage by step; the turn that a step runs in."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from graphs.state import Context, Span, this_turn
from graphs.steps.timing import notes_of, seconds_by_step, timed, usage_by_step
from tools.model.turn import current_turn


def span(step: str, start: float, end: float) -> Span:
    return Span(step=step, start=start, end=end)


def test_retrieval_is_the_gap_between_route_and_the_next_step() -> None:
    spans = [span("condense", 0, 1), span("route", 1, 2), span("merge", 5, 6), span("generate", 6, 8)]
    assert seconds_by_step(spans, 0.0)["retrieve"] == 3


def test_a_step_that_ran_twice_is_summed() -> None:
    spans = [span("check", 1, 2), span("revise", 2, 3), span("check", 3, 5)]
    assert seconds_by_step(spans, 0.0)["check"] == 3


def test_a_new_turn_forgets_the_spans_of_the_last() -> None:
    old = [span("condense", 0, 1), span("answer", 1, 2)]
    new = this_turn(old, [span("condense", 5, 6)])
    assert [s["start"] for s in new] == [5]
    assert len(this_turn(new, [span("route", 6, 7)])) == 2


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
    assert usage_by_step([span("route", 0, 1)], None).calls == 0


def test_notes_are_told_once_each_in_order() -> None:
    assert notes_of([spent("route", 1, "b"), span("merge", 0, 1), spent("check", 1, "a", "b")]) == ["b", "a"]


def ran(step: str, state: Any, node: Any, deadline: float = 60) -> Span:
    runtime: Any = SimpleNamespace(context=Context(deadline=deadline))
    (made,) = timed(step, node)(state, runtime=runtime)["spans"]
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
    before = time.monotonic()
    ran("condense", {"turn_start": 100.0, "spans": []}, node, 30)  # the last turn's start
    assert before + 30 <= seen[1][1] <= time.monotonic() + 30


def test_an_endpoint_found_down_stays_so_until_the_next_question() -> None:
    seen: list[str] = []

    def node(state: Any, context: Context) -> dict[str, Any]:
        seen.append(current_turn().down)
        if state.get("fails"):
            current_turn().down = "gone"
        return {}

    start: dict[str, Any] = {"turn_start": 0.0, "spans": [], "fails": True}
    spans = [ran("route", start, node)]
    spans.append(ran("generate", {"turn_start": 0.0, "spans": spans}, node))
    ran("check", {"turn_start": 0.0, "spans": spans}, node)
    ran("condense", {"turn_start": 0.0, "spans": spans}, node)
    assert seen == ["", "gone", "gone", ""]
