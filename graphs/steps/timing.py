"""Seconds by step, measured around the nodes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from langgraph.runtime import Runtime

from graphs.state import Context, Span, State

Node = Callable[[State, Context], dict[str, Any]]


class GraphNode(Protocol):
    """A node in the shape LangGraph calls."""

    def __call__(self, state: State, *, runtime: Runtime[Context]) -> dict[str, Any]: ...


def timed(step: str, node: Node) -> GraphNode:
    """Wrap a node: give it its context (defaults where the caller gave none) and note when it ran."""

    def run(state: State, *, runtime: Runtime[Context]) -> dict[str, Any]:
        start = time.monotonic()
        update = node(state, runtime.context or Context())
        return {**update, "spans": [Span(step=step, start=start, end=time.monotonic())]}

    run.__name__ = step
    return run


def seconds_by_step(spans: Sequence[Span], turn_start: float) -> dict[str, float]:
    """Seconds of this turn by step, and 'total'. Retrieval runs in LangGraph's own node: its time is the gap
    between the step before it and the step after it."""
    seconds: dict[str, float] = {}
    for i, span in enumerate(spans):
        seconds[span["step"]] = seconds.get(span["step"], 0.0) + span["end"] - span["start"]
        follows_retrieval = span["step"] in ("merge", "widen") and i > 0 and spans[i - 1]["step"] == "route"
        if follows_retrieval:
            seconds["retrieve"] = seconds.get("retrieve", 0.0) + span["start"] - spans[i - 1]["end"]
    seconds["total"] = time.monotonic() - turn_start
    return {step: round(value, 4) for step, value in seconds.items()}


def overdue(state: State, context: Context) -> bool:
    """The question has taken its time: no further search or draft is begun."""
    return time.monotonic() - state["turn_start"] > context.deadline
