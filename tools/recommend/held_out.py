"""Leave one out: the last event of every user, to be found among all items in the events before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.recommend.errors import DivergedError
from tools.recommend.types import Histories, NextItem

Ranks = NDArray[np.int64]
"""Counted from 1."""
TOP = 10
"""Names among which the last item is looked for where a model is chosen."""
_CELLS = 6_000_000
"""Scores held at once: 24 MB, whatever the number of users."""


@dataclass(frozen=True, slots=True, eq=False)
class LastRanks:
    """Where a model put the last event of each user who has an event before it."""

    users: NDArray[np.int64]
    """Places in `Histories.users`, ascending."""
    masked: Ranks
    """Items of the past are left out of the order; a last item that is one of them can't be found: it comes last."""
    unmasked: Ranks
    """Among all items."""


def without_last(histories: Histories, count: int) -> Histories:
    """Every user without the last `count` events, those with fewer without any: users and items keep their places."""
    lengths = np.diff(histories.starts)
    kept = np.maximum(lengths - count, 0)
    within = np.arange(len(histories.ids)) - np.repeat(histories.starts[:-1], lengths)
    keep = within < np.repeat(kept, lengths)
    starts = np.concatenate(([0], np.cumsum(kept))).astype(np.int64)
    return Histories(histories.users, histories.items, starts, histories.ids[keep], histories.times[keep])


def last_ranks(model: NextItem, histories: Histories, most: int | None = None) -> LastRanks:
    """The rank of every user's last item in what `model` makes of the events before it, in full: over all items.

    It is one more than the number of items with a higher score, or with an equal score and an earlier place in
    `Histories.items` (the order in which items first come in the file). With `most`, of at most so many users, evenly
    spread. DivergedError for scores that are no numbers, which have no order.
    """
    users = np.flatnonzero(np.diff(histories.starts) >= 2)
    users = users[:: len(users) // most + 1 if most else 1]
    found = [_ranks(model, histories, part) for part in _parts(users, len(histories.items))]
    masked, unmasked = np.concatenate(found, axis=1) if found else np.zeros((2, 0), np.int64)
    return LastRanks(users, masked, unmasked)


def hits(ranks: Ranks, k: int) -> NDArray[np.float64]:
    """HR at k of each user: 1 where the last item is among the first k."""
    return (ranks <= k).astype(np.float64)


def ndcg(ranks: Ranks, k: int) -> NDArray[np.float64]:
    """NDCG at k of each user: 1 / log2(rank + 1) where the last item is among the first k (one item is relevant)."""
    return np.where(ranks <= k, 1.0 / np.log2(ranks + 1.0), 0.0)


def _parts(users: NDArray[np.int64], items: int) -> Iterator[NDArray[np.int64]]:
    step = max(1, _CELLS // items)
    for start in range(0, len(users), step):
        yield users[start : start + step]


def _ranks(model: NextItem, histories: Histories, users: NDArray[np.int64]) -> Ranks:
    """(2, users): masked, unmasked."""
    pasts = [histories.past(int(user), without_last=1) for user in users]
    targets = histories.ids[histories.starts[users + 1] - 1]
    scores = model.scores(pasts)
    if np.isnan(scores).any():
        raise DivergedError(f"{model.name} gave scores that are no numbers")
    own = scores[np.arange(len(users)), targets][:, None]
    before = scores > own
    before |= (scores == own) & (np.arange(scores.shape[1]) < targets[:, None])
    places = before.sum(axis=1)
    masked = np.array(
        [
            scores.shape[1] if target in past.items else place + 1 - row[np.unique(past.items)].sum()
            for place, row, past, target in zip(places, before, pasts, targets, strict=True)
        ]
    )
    return np.stack((masked, places + 1))
