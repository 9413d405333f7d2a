"""What is done next, counted: no training, and a reason in plain figures for whatever it puts first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.recommend.held_out import TOP, last_ranks, ndcg, without_last
from tools.recommend.titg import REACH
from tools.recommend.types import Histories, Ids, Past, Scores

LENGTH = 50
"""Newest events of a past that have a say, as in the learned models."""
NORMS = ((0.0, 0.0), (0.5, 0.0), (0.5, 0.25))
"""Powers of the degrees of the item before and the item after by which a count may be divided. A popular item goes
with everything: what to make of that differs from data to data, so `best_norm` asks held-out events."""

Floats = NDArray[np.float64]
Keys = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Reason:
    """'Of `users` who did this item, `went_on` went on to the other one.'"""

    item: int
    """One of the past."""
    went_on: int
    """Users who did the other one within `REACH` events after it."""
    users: int


class Transitions:
    """Scores an item by how often it stood near the items of the past: over pairs at most `REACH` events apart, in
    either order, of 1 / distance; the past's items weigh 1 / recency, the newest 1.

    The counts are kept as compressed rows: of item i, `columns[starts[i]:starts[i + 1]]` and as many `values`.
    """

    name = "transitions"

    def __init__(
        self,
        histories: Histories,
        length: int = LENGTH,
        norm: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self._histories = histories
        self._length = length
        self.norm = norm
        count = len(histories.items)
        keys, values = _weighted_pairs(histories)
        before, after = keys // max(count, 1), keys % max(count, 1)
        degrees = np.bincount(before, weights=values, minlength=count)
        self._starts = np.concatenate(([0], np.cumsum(np.bincount(before, minlength=count)))).astype(np.int64)
        self._columns = after
        self._values = values / degrees[before] ** norm[0] / degrees[after] ** norm[1]
        self._order = np.argsort(histories.ids, kind="stable")
        """Where each item stands in the histories, item by item and there user by user."""
        self._users = histories.owners
        self._item_starts = np.concatenate(([0], np.cumsum(np.bincount(histories.ids, minlength=count))))

    def scores(self, pasts: Sequence[Past]) -> Scores:
        """(pasts, items); 0 for an item that never stood near any of the past."""
        found = np.zeros((len(pasts), len(self._histories.items)), np.float32)
        for row, past in enumerate(pasts):
            items, recency = self._newest(past)
            where, lengths = _spans(self._starts, items)
            weights = self._values[where] * np.repeat(recency, lengths)
            found[row] = np.bincount(self._columns[where], weights, found.shape[1])
        return found

    def reason(self, past: Past, item: int, least: int = 1) -> Reason | None:
        """Why the item is likely: of the past's items from which at least `least` users went on to it, the one with the
        greatest part in its score. None where there is none."""
        items, recency = self._newest(past)
        parts: dict[int, float] = {}
        for source, weight in zip(items.tolist(), recency.tolist(), strict=True):
            begin, end = self._starts[source], self._starts[source + 1]
            place = begin + np.searchsorted(self._columns[begin:end], item)
            if source != item and place < end and self._columns[place] == item:
                parts[source] = parts.get(source, 0.0) + weight * float(self._values[place])
        for source in sorted(parts, key=lambda each: -parts[each]):
            reason = self._went_on(source, item)
            if reason.went_on >= least:
                return reason
        return None

    def _newest(self, past: Past) -> tuple[Ids, Floats]:
        items = past.items[-self._length :]
        return items, 1.0 / np.arange(len(items), 0, -1)

    def _went_on(self, source: int, item: int) -> Reason:
        ids, users = self._histories.ids, self._users
        places = self._order[self._item_starts[source] : self._item_starts[source + 1]]
        follows = np.zeros(len(places), bool)
        for distance in range(1, REACH + 1):
            after = np.minimum(places + distance, len(ids) - 1)
            follows |= (ids[after] == item) & (users[after] == users[places]) & (after > places)
        return Reason(source, _different(users[places[follows]]), _different(users[places]))


def _different(users: Ids) -> int:
    """How many, of a row in order."""
    return int(np.count_nonzero(np.diff(users, prepend=-1)))


def best_norm(histories: Histories) -> tuple[float, float]:
    """Of NORMS, the one that finds best (NDCG at 10, seen items masked) every user's last event in those before it,
    having counted those before it alone; the first of equals."""
    part = without_last(histories, 1)
    if not len(part.ids):
        return NORMS[0]
    found = [ndcg(last_ranks(Transitions(part, norm=norm), histories).masked, TOP).mean() for norm in NORMS]
    return NORMS[int(np.argmax(found))]


def _weighted_pairs(histories: Histories) -> tuple[Keys, Floats]:
    """Sorted keys item * items + other item, both ways round, and the sum of 1 / distance over their pairs."""
    count = len(histories.items)
    ids = histories.ids.astype(np.int64)
    users = histories.owners
    keys, values = np.zeros(0, np.int64), np.zeros(0)
    for distance in range(1, REACH + 1):
        together = users[:-distance] == users[distance:]
        first, last = ids[:-distance][together], ids[distance:][together]
        near, times = np.unique(
            np.concatenate((first * count + last, last * count + first)), return_counts=True
        )
        keys, values = _summed(np.concatenate((keys, near)), np.concatenate((values, times / distance)))
    return keys, values


def _summed(keys: Keys, values: Floats) -> tuple[Keys, Floats]:
    """Each key once, in order, with the sum of its values."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[first], np.add.reduceat(values[order], first) if len(first) else values


def _spans(starts: Keys, rows: Ids) -> tuple[Keys, Keys]:
    """Places of all that stands in these compressed rows, one row after the other, and how much each has."""
    lengths = starts[rows + 1] - starts[rows]
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(starts[rows] - (ends - lengths), lengths), lengths
