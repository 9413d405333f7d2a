"""Events gathered line by line and joined with those that are there, as arrays: some 16 bytes an event."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tools.recommend.types import Event, Histories, Ids, Times

NO_HISTORIES = Histories((), (), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float64))


class Gathered:
    """Events in the order in which they came; every user and item is kept once."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._users: dict[str, int] = {}
        self._items: dict[str, int] = {}
        self._of_user, self._ids, self._times = array("i"), array("i"), array("d")
        for each in events:
            self.add(each.user, each.time, each.item)

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, user: str, time: float, item: str) -> None:
        """`time`: Unix seconds."""
        self._of_user.append(self._users.setdefault(user, len(self._users)))
        self._ids.append(self._items.setdefault(item, len(self._items)))
        self._times.append(time)

    def joined(self, before: Histories = NO_HISTORIES) -> Histories:
        """`before` and these. An event of the same user, time and item as an earlier one is left out, so that what is
        joined twice adds nothing; equal times keep the order in which they came."""
        users, own_users = _numbered(before.users, self._users)
        items, own_items = _numbered(before.items, self._items)
        of_user = np.concatenate((before.owners, own_users[np.asarray(self._of_user)]))
        ids = np.concatenate((before.ids, own_items[np.asarray(self._ids)]))
        times = np.concatenate((before.times, np.asarray(self._times, np.float64)))
        kept = np.sort(_firsts(of_user, times, ids))
        return _histories(users, items, of_user[kept], ids[kept], times[kept])


def chosen(histories: Histories, keep: NDArray[np.bool_]) -> Histories:
    """These events alone, and the users and items that have any."""
    users, of_user = np.unique(histories.owners[keep], return_inverse=True)
    items, ids = np.unique(histories.ids[keep], return_inverse=True)
    return _histories(
        tuple(histories.users[at] for at in users),
        tuple(histories.items[at] for at in items),
        of_user,
        ids.astype(np.int32),
        histories.times[keep],
    )


def without_user(histories: Histories, user: str) -> Histories:
    """All but this user's events, and but the items that nobody else did."""
    return chosen(histories, histories.owners != histories.users.index(user))


def of_items(histories: Histories, items: Sequence[str]) -> Histories:
    """The events of these items alone; the place of an item among them is its id. All users keep theirs."""
    places = {item: at for at, item in enumerate(items)}
    ids = np.array([places.get(item, -1) for item in histories.items], np.int32)[histories.ids]
    keep = ids >= 0
    starts = np.concatenate(([0], np.cumsum(keep)))[histories.starts]
    return Histories(histories.users, tuple(items), starts, ids[keep], histories.times[keep])


def users_of_items(histories: Histories) -> NDArray[np.int64]:
    """How many different users did each item, one an item."""
    owners, ids = histories.owners, histories.ids
    order = np.lexsort((owners, ids))
    owners, ids = owners[order], ids[order]
    first = np.ones(len(ids), bool)
    first[1:] = (ids[1:] != ids[:-1]) | (owners[1:] != owners[:-1])
    return np.bincount(ids[first], minlength=len(histories.items))


def _numbered(known: tuple[str, ...], new: dict[str, int]) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """All names, those known first, and the place among them of each new one."""
    places = {name: at for at, name in enumerate(known)}
    numbers = np.fromiter((places.setdefault(name, len(places)) for name in new), np.int32, len(new))
    return tuple(places), numbers


def _firsts(of_user: Ids, times: Times, ids: Ids) -> NDArray[np.int64]:
    """The places of the events of which no earlier one is the same."""
    order = np.lexsort((ids, times, of_user))  # stable
    first = np.ones(len(order), bool)
    first[1:] = False
    for values in (of_user, times, ids):
        sorted_values = values[order]
        first[1:] |= sorted_values[1:] != sorted_values[:-1]
    return order[first]


def _histories(
    users: tuple[str, ...],
    items: tuple[str, ...],
    of_user: NDArray[np.integer],
    ids: Ids,
    times: Times,
) -> Histories:
    order = np.lexsort((times, of_user))
    starts = np.concatenate(([0], np.cumsum(np.bincount(of_user, minlength=len(users)))))
    return Histories(users, items, starts.astype(np.int64), ids[order], times[order])
