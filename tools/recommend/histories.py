"""Events -> histories, one a user."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tools.recommend.types import Event, Histories


def histories_of(events: Iterable[Event]) -> Histories:
    """Users and items in the order in which they first come; a user's events by time, equal times as they came."""
    users: dict[str, int] = {}
    items: dict[str, int] = {}
    rows = [
        (users.setdefault(each.user, len(users)), each.time, items.setdefault(each.item, len(items)))
        for each in events
    ]
    of_user = np.array([user for user, _, _ in rows], dtype=np.int64)
    times = np.array([time for _, time, _ in rows], dtype=np.float64)
    ids = np.array([item for _, _, item in rows], dtype=np.int32)
    order = np.lexsort((times, of_user))  # stable
    starts = np.concatenate(([0], np.cumsum(np.bincount(of_user, minlength=len(users)))))
    return Histories(tuple(users), tuple(items), starts.astype(np.int64), ids[order], times[order])
