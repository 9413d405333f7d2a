"""What is learned from in one step: histories in rows, what came next, and edges of all items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.recommend.presets import Settings
from tools.recommend.sampling import Edges, disturbed, drawn, stacked
from tools.recommend.sequences import NOBODY, filled_up, packed, portions
from tools.recommend.titg import Neighbourhoods
from tools.recommend.types import Histories, Ids, Past

VIEWS = 2
EVENTS = 4
"""Of a history; a batch has no more histories than it has room for ones so long."""
ROOM = 1.25
"""Rows of a batch, more than its places need: a history is not cut to fill one."""
LEARNT_FROM = 4
"""Batches that all users make at least, where there is a graph: a batch leaves out the edges of its own users."""
COMPARED = 256
"""Places of a batch whose items are compared with their views."""


class Piece(NamedTuple):
    """Events of a user in a row; each is followed by the next."""

    user: int
    past: Past
    nexts: Ids


class Batch(NamedTuple):
    """Shapes are the same for every batch of a training."""

    items: NDArray[np.int32]
    gaps: NDArray[np.int32]
    owners: NDArray[np.int32]
    """(rows, length), as in `sequences.Rows`."""
    filled: NDArray[np.int64]
    """(places,) among all places of the rows those that hold an event; the rest are 0 with no weight."""
    nexts: Ids
    """(places,) items."""
    weights: NDArray[np.float32]
    """(places,) 1, or 0 where nothing is."""
    edges: tuple[Edges, Edges] | None
    """Of all items at both depths, for each view: those of `VIEWS` samples, then the same with times disturbed."""
    compared: NDArray[np.int64]
    """Places whose items are compared with their views."""


def pieces_of(histories: Histories, length: int) -> Iterator[Piece]:
    """All but the last event of each user, the last pieces whole; what had but one event left has none."""
    for user in range(len(histories.users)):
        past = histories.past(user, 1)
        for end in range(len(past) - 1, 0, -length):
            begin = max(end - length, 0)
            yield Piece(
                user, Past(past.items[begin:end], past.times[begin:end]), past.items[begin + 1 : end + 1]
            )


def batches(
    pieces: Sequence[Piece], settings: Settings, around: Neighbourhoods | None, draw: np.random.Generator
) -> Iterator[Batch]:
    """Every piece once, in an order that is drawn; without edges where nothing is around."""
    order = draw.permutation(len(pieces))
    counts = [len(pieces[k].nexts) for k in order]
    places = settings.first_places if around is None else settings.places
    rows = int(ROOM * places / settings.length) + 1
    owners = places // EVENTS
    if around is not None:
        owners = min(owners, max(len({piece.user for piece in pieces}) // LEARNT_FROM, 1))
    for portion in portions(counts, settings.length, rows, places, owners):
        some = [pieces[k] for k in order[portion]]
        edges = None if around is None else _edges(some, settings, around, draw)
        yield _batch(some, (rows, places), settings, edges, draw)


def _batch(
    pieces: Sequence[Piece],
    size: tuple[int, int],
    settings: Settings,
    edges: tuple[Edges, Edges] | None,
    draw: np.random.Generator,
) -> Batch:
    pasts = [piece.past for piece in pieces]
    rows = packed(pasts, settings.interval_scale, settings.interval_highest, settings.length)
    rows = filled_up(rows, size[0])
    filled = np.flatnonzero(rows.owners.ravel() != NOBODY)
    missing = (0, size[1] - len(filled))
    nexts = np.concatenate([piece.nexts for piece in pieces])
    return Batch(
        rows.items,
        rows.gaps,
        rows.owners,
        np.pad(filled, missing),
        np.pad(nexts, missing),
        np.pad(np.ones(len(filled), np.float32), missing),
        edges,
        draw.choice(filled, COMPARED),
    )


def _edges(
    pieces: Sequence[Piece], settings: Settings, around: Neighbourhoods, draw: np.random.Generator
) -> tuple[Edges, Edges]:
    """As in a batch. What a history's own user went on to is not among them: it would tell what is asked."""
    left_out = np.zeros(around.users, np.bool_)
    left_out[[piece.user for piece in pieces]] = True
    first, second = (
        [drawn(around, settings.neighbours, draw, left_out) for _ in range(VIEWS)] for _ in range(2)
    )
    if settings.ablation not in ("dgcl", "titconv"):  # without times nothing is disturbed
        first += [disturbed(each, settings.sigma, draw) for each in first]
        second += second
    return stacked(first), stacked(second)
