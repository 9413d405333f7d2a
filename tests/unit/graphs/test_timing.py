"""Seconds by step."""

from __future__ import annotations

from graphs.state import Span, this_turn
from graphs.steps.timing import seconds_by_step


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
