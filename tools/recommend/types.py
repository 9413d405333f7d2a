"""What is learned from: who did what when; and the contract of what orders what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Times = NDArray[np.float64]
"""Unix seconds."""
Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Event:
    """Somebody did something at some time."""

    user: str
    time: float
    """Unix seconds."""
    item: str


@dataclass(frozen=True, slots=True)
class Past:
    """What one user did, oldest first."""

    items: Ids
    times: Times
    """As long as `items`."""

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True, eq=False)
class Histories:
    """The events of all users, each user's in the order of their times; equal times keep the order they came in."""

    users: tuple[str, ...]
    items: tuple[str, ...]
    """The place of an item is its id."""
    starts: NDArray[np.int64]
    """Where each user's events begin in `ids` and `times`; one more than users: the last is where all end."""
    ids: Ids
    times: Times

    @property
    def owners(self) -> Ids:
        """The user of each event, by place in `users`."""
        return np.repeat(np.arange(len(self.users), dtype=np.int32), np.diff(self.starts))

    def past(self, user: int, without_last: int = 0) -> Past:
        """Of the user at this place, all but the last so many events."""
        begin, end = int(self.starts[user]), int(self.starts[user + 1]) - without_last
        return Past(self.ids[begin : max(begin, end)], self.times[begin : max(begin, end)])


class NextItem(Protocol):
    """Orders the items that may come next. Never asked about an empty past."""

    @property
    def name(self) -> str:
        """As the evaluation and the report name it."""
        ...

    def scores(self, pasts: Sequence[Past]) -> Scores:
        """One row a past, one column an item of the histories it was learned from: the higher, the likelier next."""
        ...
