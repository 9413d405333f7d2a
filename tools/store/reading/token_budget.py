"""What a run may spend on model endpoints: room is taken before a call, and what the call used is told after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

Settle = Callable[[int], None]
"""Told once how many tokens a call used, nothing included: the rest of its room is free again."""
NoRoom = Literal["wait", "spent"]
"""Calls under way may leave some; there is none, whatever they leave."""


class TokenBudget(Protocol):
    """Tokens, prompts and replies together."""

    @property
    def limit(self) -> int | None:
        """Hard; None for none."""

    @property
    def poll(self) -> float | None:
        """Seconds after which to look again; None: room comes only where a call of this process ends."""

    def take(self, tokens: int) -> Settle | NoRoom:
        """Room for one call, if there is some. The store's errors."""

    @property
    def used(self) -> int:
        """By calls that have ended. The store's errors."""


class OwnBudget:
    """Of a run within this process; a `TokenBudget` that is used by one thread at a time."""

    poll = None

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self._used = self._taken = 0

    @property
    def used(self) -> int:
        """See `TokenBudget.used`."""
        return self._used

    def take(self, tokens: int) -> Settle | NoRoom:
        """See `TokenBudget.take`."""
        if self.limit is not None and self._used + self._taken + tokens > self.limit:
            return "wait" if self._taken else "spent"
        self._taken += tokens

        def settle(used: int) -> None:
            self._taken -= tokens
            self._used += used

        return settle
