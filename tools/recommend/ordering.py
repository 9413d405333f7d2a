"""A model of what comes next, asked about items by name; only what several users did is ever named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tools.recommend.gathering import users_of_items
from tools.recommend.transitions import Transitions
from tools.recommend.types import Histories, NextItem, Past

MIN_USERS_OF_AN_ITEM = 5
"""Users who did something, from which it is shown to others."""


class Ordering:
    """What comes next, by one model."""

    def __init__(self, model: NextItem, items: Sequence[str], histories: Histories) -> None:
        """`items`: those that the model was learned from, whose places are its ids; `histories`: all there are now, by
        which an item may be shown."""
        self._model = model
        self.items = tuple(items)
        self._ids = {item: at for at, item in enumerate(items)}
        users = dict(zip(histories.items, users_of_items(histories).tolist(), strict=True))
        self._users = np.array([users.get(item, 0) for item in self.items], np.int64)
        self._counts = isinstance(model, Transitions)

    def past(self, done: Sequence[tuple[str, float]]) -> Past:
        """Items and their times in Unix seconds as the model knows them; what it does not know is left out."""
        known = sorted(
            ((self._ids[item], when) for item, when in done if item in self._ids), key=lambda each: each[1]
        )
        return Past(
            np.array([item for item, _ in known], np.int32), np.array([when for _, when in known], np.float64)
        )

    def best(self, past: Past, most: int) -> list[int]:
        """The likeliest items, the best first: what at least five users did and the past does not hold. None after
        nothing; by counts none to which nothing leads."""
        if not len(past):
            return []
        scores = self._model.scores([past])[0]
        shown = self._may_be_shown(scores)
        shown[past.items] = False
        places = np.flatnonzero(shown)
        order = np.argsort(-scores[places], kind="stable")[:most]
        return [int(at) for at in places[order]]

    def _may_be_shown(self, scores: NDArray[np.float32]) -> NDArray[np.bool_]:
        many = self._users >= MIN_USERS_OF_AN_ITEM
        return many & (scores > 0) if self._counts else many

    def users(self, item: int) -> int:
        """How many users did it."""
        return int(self._users[item])
