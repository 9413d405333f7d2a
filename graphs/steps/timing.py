"""Seconds and model usage by step, measured around the nodes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol
from uuid import uuid4

from langgraph.runtime import Runtime

from graphs.contracts import StepUsage, Usage
from graphs.state import Context, Span, State
from tools.model.turn import turn

PAUSE = 0.25
"""Seconds between two steps from which on the time is not the question's: the user was asked back, or the turn was
resumed or forked later. The graph itself takes milliseconds."""
SEARCHES_END = 5.0
"""Seconds after the deadline at which a retrieval has surely ended."""
CLOCK = uuid4().hex
"""This process: another one's monotonic clock may have started at another time."""

Node = Callable[[State, Context], dict[str, Any]]


class GraphNode(Protocol):
    """A node in the shape LangGraph calls."""

    def __call__(self, state: State, *, runtime: Runtime[Context]) -> dict[str, Any]: ...


def timed(step: str, node: Node) -> GraphNode:
    """Wrap a node: give it its context (defaults where the caller gave none) and a `Turn` that ends at the
    question's deadline, and note when it ran and what it spent.

    Once an endpoint is found down, the turn's later steps know from the start.
    """

    def run(state: State, *, runtime: Runtime[Context]) -> dict[str, Any]:
        now = time.monotonic()
        context = runtime.context or Context()
        begins = step == "condense"
        began = now if begins else turn_began(state, context, now, after_retrieval=_searched(step))
        down = "" if begins else next((s["down"] for s in state["spans"] if s.get("down")), "")
        with turn(step, deadline=began + context.deadline, down=down) as spent:
            update = node(state if begins else {**state, "turn_start": began}, context)
        span = Span(
            step=step,
            start=now - began,
            end=time.monotonic() - began,
            calls=spent.calls,
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            notes=spent.notes,
            down=spent.down,
        )
        moved = begins or began != state["turn_start"]
        return {**update, **({"turn_start": began, "clock": CLOCK} if moved else {}), "spans": [span]}

    run.__name__ = step
    return run


def _searched(step: str) -> bool:
    """True for a step that retrieval, which is not timed itself, runs before."""
    return step in ("merge", "plan")


def turn_began(
    state: Mapping[str, Any] | State, context: Context, now: float, *, after_retrieval: bool
) -> float:
    """Second of this process's clock at which the turn began, without what was waited since the last step.

    A node that asks the user back runs again when the reply is there, perhaps in another process or after the
    machine was started anew; a turn may be forked from a checkpoint of long ago.
    """
    start: float = state["turn_start"]
    spans = state.get("spans") or ()
    if not spans:
        return start
    worked: float = spans[-1]["end"]
    searched = after_retrieval and spans[-1]["step"] == "plan"
    longest = context.deadline + SEARCHES_END if searched else PAUSE
    known = state.get("clock", CLOCK) == CLOCK
    return start if known and 0 <= now - start - worked <= longest else now - worked


def seconds_by_step(spans: Sequence[Span], turn_start: float) -> dict[str, float]:
    """Seconds of this turn by step, and 'total'. Retrieval runs in LangGraph's own node: its time is the gap
    between the step before it and the step after it."""
    seconds: dict[str, float] = {}
    for i, span in enumerate(spans):
        seconds[span["step"]] = seconds.get(span["step"], 0.0) + span["end"] - span["start"]
        follows_retrieval = _searched(span["step"]) and i > 0 and spans[i - 1]["step"] == "plan"
        if follows_retrieval:
            seconds["retrieve"] = seconds.get("retrieve", 0.0) + span["start"] - spans[i - 1]["end"]
    seconds["total"] = time.monotonic() - turn_start
    return {step: round(value, 4) for step, value in seconds.items()}


def usage_by_step(spans: Sequence[Span], prices: tuple[float, float] | None) -> Usage:
    """Model calls and tokens of this turn; their cost where `prices` (USD per million input and output tokens)
    are known."""
    steps: dict[str, StepUsage] = {}
    for span in spans:
        if span.get("calls"):
            steps[span["step"]] = _plus(steps.get(span["step"], StepUsage()), span)
    calls, given, taken = (
        sum(getattr(used, name) for used in steps.values())
        for name in ("calls", "input_tokens", "output_tokens")
    )
    cost = None if prices is None else round((given * prices[0] + taken * prices[1]) / 1e6, 6)
    return Usage(calls=calls, input_tokens=given, output_tokens=taken, by_step=steps, cost=cost)


def _plus(used: StepUsage, span: Span) -> StepUsage:
    return StepUsage(
        calls=used.calls + span.get("calls", 0),
        input_tokens=used.input_tokens + span.get("input_tokens", 0),
        output_tokens=used.output_tokens + span.get("output_tokens", 0),
    )


def notes_of(spans: Sequence[Span]) -> list[str]:
    """What the steps of this turn have to say about the model, in order, once each."""
    return list(dict.fromkeys(note for span in spans for note in span.get("notes", ())))


def overdue(state: State, context: Context) -> bool:
    """The question has taken its time: no further search or draft is begun."""
    now = time.monotonic()
    return now - turn_began(state, context, now, after_retrieval=True) > context.deadline
