"""What was learned and what was counted, mixed: each finds what the other misses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.recommend.held_out import TOP, last_ranks, ndcg, without_last
from tools.recommend.transitions import Transitions
from tools.recommend.types import Histories, NextItem, Past, Scores

SHARES = (0.0, 0.2, 0.35, 0.5, 0.65, 0.8)
"""Of the counts, from which `best_share` chooses."""


class Mixed:
    """How likely an item is next: (1 - share) of what the learned model says (the softmax of its scores) and `share` of
    what was counted (its scores, divided by their sum; 0 where nothing leads on)."""

    def __init__(self, learned: NextItem, counted: Transitions, share: float) -> None:
        """Both of the same items."""
        self._learned, self._counted, self.share = learned, counted, share

    @property
    def name(self) -> str:
        return self._learned.name

    def scores(self, pasts: Sequence[Past]) -> Scores:
        """(pasts, items), each row's sum at most 1."""
        learned = self._learned.scores(pasts)
        likely: Scores = np.exp(learned - learned.max(axis=1, keepdims=True, initial=-np.inf))
        likely *= (1 - self.share) / likely.sum(axis=1, keepdims=True)
        if self.share:
            counted = self._counted.scores(pasts)
            total = counted.sum(axis=1, keepdims=True)
            likely += counted * (self.share / np.where(total > 0, total, 1))
        return likely


def best_share(learned: NextItem, histories: Histories, norm: tuple[float, float], most: int) -> float:
    """Of SHARES, the one with which the last events of at most so many users are found best (NDCG at 10, seen items
    masked) by what was learned and counted without them; the first of equals."""
    counted = Transitions(without_last(histories, 1), norm=norm)
    found = [
        ndcg(last_ranks(Mixed(learned, counted, share), histories, most).masked, TOP).mean()
        for share in SHARES
    ]
    return SHARES[int(np.argmax(found))]
