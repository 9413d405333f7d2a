"""The temporal item transition graph (TGCL4SR, section "Temporal Item Transition Graph Construction")."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.recommend.types import Histories, Ids, Times

REACH = 4
"""An item is joined with so many that follow it in a history."""


@dataclass(frozen=True, slots=True, eq=False)
class Titg:
    """For every user an edge from each item to the next `REACH`; edges between the same items are all kept."""

    items: int
    users: int
    sources: Ids
    targets: Ids
    of_users: Ids
    source_times: Times
    target_times: Times

    def __len__(self) -> int:
        return len(self.sources)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhoods:
    """The edges of every item, seen from it: those that leave it and those that lead to it."""

    users: int
    starts: NDArray[np.int64]
    """Where each item's edges begin; one more than items."""
    neighbours: Ids
    of_users: Ids
    times: NDArray[np.float32]
    """(edges, 2): of the item itself and of its neighbour, 0 at the first event that was learned from and 1 at the
    last."""


def titg_of(histories: Histories) -> Titg:
    """An edge joins events of one user, the older first."""
    users, ids, times = histories.owners, histories.ids, histories.times
    by_step = [np.flatnonzero(users[:-step] == users[step:]) for step in range(1, REACH + 1)]
    olds, news = (
        np.concatenate(by_step),
        np.concatenate([each + step for step, each in enumerate(by_step, 1)]),
    )
    order = np.lexsort((news, olds))
    olds, news = olds[order], news[order]
    return Titg(
        len(histories.items),
        len(histories.users),
        ids[olds],
        ids[news],
        users[olds],
        times[olds],
        times[news],
    )


def neighbourhoods_of(graph: Titg) -> Neighbourhoods:
    """Edges by item, in the graph's order, first those that leave it."""
    own = np.concatenate((graph.sources, graph.targets))
    order = np.argsort(own, kind="stable")
    times = np.concatenate((graph.source_times, graph.target_times))
    begin, span = (times.min(), max(float(np.ptp(times)), 1.0)) if len(times) else (0.0, 1.0)
    other = np.concatenate((graph.target_times, graph.source_times))
    scaled = (np.stack((times, other), axis=1)[order] - begin) / span
    counts = np.bincount(own, minlength=graph.items)
    return Neighbourhoods(
        graph.users,
        np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        np.concatenate((graph.targets, graph.sources))[order],
        np.concatenate((graph.of_users, graph.of_users))[order],
        scaled.astype(np.float32),
    )
