"""What one step of one question spends on the model and what it has to say about it.

The step's wrapper opens a `Turn`; the client writes to it. It travels by a context variable, so that steps and
clients stay free of bookkeeping arguments and questions that run side by side do not mix.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class Turn:
    """Spending and notes of one step."""

    step: str = ""
    deadline: float | None = None
    """Monotonic seconds after which no request is begun or waited for."""
    down: str = ""
    """Why the endpoint is not to be asked again for this question; '' while it may be."""
    calls: int = 0
    """Logical calls that got a reply."""
    input_tokens: int = 0
    output_tokens: int = 0
    notes: list[str] = field(default_factory=list)
    """Fallbacks taken and evidence left out, for the answer's trace."""

    def spend(self, input_tokens: int, output_tokens: int) -> None:
        """Count one call."""
        self.calls += 1
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens

    def note(self, text: str) -> None:
        """Something a reader of the trace should know."""
        if text not in self.notes:
            self.notes.append(text)

    def seconds_left(self) -> float | None:
        """Until the deadline; None without one."""
        return None if self.deadline is None else self.deadline - time.monotonic()


_current: ContextVar[Turn | None] = ContextVar("model_turn", default=None)


def current_turn() -> Turn:
    """The open turn; a fresh one that nobody reads where none is open."""
    return _current.get() or Turn()


@contextmanager
def turn(step: str, *, deadline: float | None = None, down: str = "") -> Iterator[Turn]:
    """Open a turn for what runs inside."""
    opened = Turn(step, deadline, down)
    token = _current.set(opened)
    try:
        yield opened
    finally:
        _current.reset(token)
