"""Neighbours of every item: drawn evenly, with times disturbed, or all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.recommend.titg import Neighbourhoods
from tools.recommend.types import Ids

DISTURBED = 0.5
"""The share of edges whose times a copy disturbs."""
PLACES_AT_ONCE = 60_000
"""Edges that are looked at together where all are."""


class Edges(NamedTuple):
    """So many edges of each of n items; all (n, width)."""

    neighbours: Ids
    of_users: Ids
    times: NDArray[np.float32]
    """(n, width, 2): of the item and of its neighbour."""
    present: NDArray[np.bool_]


def drawn(
    around: Neighbourhoods, width: int, draw: np.random.Generator, left_out: NDArray[np.bool_] | None = None
) -> Edges:
    """`width` edges of every item, each drawn evenly; those of users `left_out` are not present. There is an edge.

    What a user did next is an edge of the graph, too: with it, learning would only have to look it up.
    """
    counts = np.diff(around.starts)
    chosen = around.starts[:-1, None] + (draw.random((len(counts), width)) * counts[:, None]).astype(np.int64)
    edges = _edges(around, chosen, np.broadcast_to(counts[:, None] > 0, chosen.shape))
    return edges if left_out is None else edges._replace(present=edges.present & ~left_out[edges.of_users])


def disturbed(edges: Edges, sigma: float, draw: np.random.Generator) -> Edges:
    """The same edges; of a `DISTURBED` share the times are moved by a normal amount (1 is the span learned from)."""
    moved = draw.random(edges.present.shape) < DISTURBED
    by = draw.normal(0, sigma, edges.times.shape) * moved[..., None]
    return edges._replace(times=(edges.times + by).astype(np.float32))


def stacked(several: Sequence[Edges]) -> Edges:
    """Each array with a first axis more."""
    return Edges(*(np.stack(each) for each in zip(*several, strict=True)))


def everyone(around: Neighbourhoods) -> Iterator[tuple[NDArray[np.int64], Edges]]:
    """Items and all their edges, those with equally many together."""
    counts = np.diff(around.starts)
    order = np.argsort(counts, kind="stable")
    begin = 0
    while begin < len(order):
        end = begin + 1
        while end < len(order) and (end + 1 - begin) * counts[order[end]] <= PLACES_AT_ONCE:
            end += 1
        items = order[begin:end]
        column = np.arange(max(counts[items[-1]], 1))
        present = column < counts[items][:, None]
        yield items, _edges(around, np.where(present, around.starts[items][:, None] + column, 0), present)
        begin = end


def _edges(around: Neighbourhoods, chosen: NDArray[np.int64], present: NDArray[np.bool_]) -> Edges:
    chosen = np.minimum(chosen, len(around.neighbours) - 1)  # of an item without edges
    return Edges(around.neighbours[chosen], around.of_users[chosen], around.times[chosen], present)
