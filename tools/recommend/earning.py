"""Which level orders what comes next: the best that has earned it on the last events of these users.

Each user's last event is held out. A level is asked what comes next after the others, names three things as it would
name them to a reader, and hits where the held-out one is among them. The next level earns its place where it hits more
often than the one before and the 95 % interval of the difference leaves out 0 (paired bootstrap over users; Efron and
Tibshirani 1993, chapter 13).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tools.bootstrap import interval
from tools.recommend.held_out import without_last
from tools.recommend.ordering import Ordering
from tools.recommend.types import Histories, Past

NAMED = 3
"""Things named, as a reader is shown them."""
MAX_TRIED = 6
"""The likeliest items, of which those that can be asked are named."""
MIN_USERS = 5
"""Users whose last events tell anything."""
MAX_USERS = 1000
"""Users whose last events are looked at, drawn by the seed: what rules name is rehearsed question by question."""
Hits = NDArray[np.bool_]


class Rules(Protocol):
    """What is named without histories."""

    def after(self, item: str) -> Sequence[str]:
        """The items that rules name after this one."""
        ...

    def can_ask(self, item: str) -> bool:
        """Is it something that can be shown: a question that would be answered, or no question at all?"""
        ...


@dataclass(frozen=True, slots=True)
class Compared:
    """A level held against the one before it."""

    level: str
    against: str
    users: int
    hits: int
    hits_against: int
    low: float
    high: float
    """95 % interval of the difference of the shares."""

    @property
    def earned(self) -> bool:
        """Whether it surely hits more often."""
        return self.users >= MIN_USERS and self.low > 0

    @property
    def words(self) -> str:
        """For whoever asks why a level is in use."""
        if self.users < MIN_USERS:
            return f"{self.level} was not tried: {self.users} users have two events or more, and {MIN_USERS} are needed"
        return (
            f"{self.level} names what {self.hits} of {self.users} users did last, {self.against} what "
            f"{self.hits_against} did (difference {(self.hits - self.hits_against) / self.users:+.3f}, 95 % interval "
            f"{self.low:+.3f} to {self.high:+.3f})"
        )


@dataclass(frozen=True, slots=True)
class LastEvents:
    """What was done last, held out."""

    before: Histories
    """The histories without them; the items are all of them."""
    pasts: tuple[Past, ...]
    """Of the users that are looked at."""
    targets: tuple[int, ...]
    """What each of them did last."""


def some_users(histories: Histories, most: int, seed: int = 0) -> Histories:
    """At most so many users, drawn by the seed; the items are all of them."""
    if len(histories.users) <= most:
        return histories
    users = np.sort(np.random.default_rng(seed).choice(len(histories.users), most, replace=False)).tolist()
    pasts = [histories.past(user) for user in users]
    return Histories(
        tuple(histories.users[user] for user in users),
        histories.items,
        np.cumsum([0, *map(len, pasts)], dtype=np.int64),
        np.concatenate([past.items for past in pasts]),
        np.concatenate([past.times for past in pasts]),
    )


def last_events(histories: Histories, seed: int = 0) -> LastEvents:
    """Of users with two events or more, `MAX_USERS` at most."""
    users = np.flatnonzero(np.diff(histories.starts) > 1)
    if len(users) > MAX_USERS:
        users = np.sort(np.random.default_rng(seed).choice(users, MAX_USERS, replace=False))
    return LastEvents(
        without_last(histories, 1),
        tuple(histories.past(int(user), without_last=1) for user in users),
        tuple(int(histories.ids[histories.starts[user + 1] - 1]) for user in users),
    )


def hits_of_rules(rules: Rules, last: LastEvents) -> Iterator[bool]:
    """Of each user, one by one: a rehearsal takes its time."""
    items = last.before.items
    after = cache(rules.after)
    for past, target in zip(last.pasts, last.targets, strict=True):
        yield items[target] in after(items[int(past.items[-1])])[:NAMED]


def hits_of(ordering: Ordering, rules: Rules, last: LastEvents) -> Hits:
    """Of each user."""
    found = []
    for past, target in zip(last.pasts, last.targets, strict=True):
        likely = ordering.best(past, MAX_TRIED)
        items = [last.before.items[at] for at in likely]
        found.append(last.before.items[target] in [each for each in items if rules.can_ask(each)][:NAMED])
    return np.array(found, bool)


def compared(level: str, hits: Hits, against: str, hits_against: Hits, seed: int = 0) -> Compared:
    """The interval is the same for the same seed; of fewer than `MIN_USERS` users it is 0 to 0."""
    apart = hits.astype(np.float64) - hits_against
    low, high = interval(apart.tolist(), seed) if len(apart) >= MIN_USERS else (0.0, 0.0)
    return Compared(level, against, len(apart), int(hits.sum()), int(hits_against.sum()), low, high)
