"""Histories side by side in rows: short ones share a row, so that little of it is empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.recommend.types import Past

GAP_UNIT = 60_000.0
"""Seconds; gaps far below fall into the first interval (the paper's c)."""
NOBODY = -1


class Rows(NamedTuple):
    """Parts of histories; all but `ends` (rows, length)."""

    items: NDArray[np.int32]
    gaps: NDArray[np.int32]
    """The interval since the event before, by `intervals`; 0 for a first one."""
    owners: NDArray[np.int32]
    """Whose place this is, counted from 0; `NOBODY`: empty."""
    ends: NDArray[np.int64]
    """For each owner its last place, counted over all rows."""


def intervals(times: NDArray[np.float64], scale: float, highest: int) -> NDArray[np.int32]:
    """floor(scale * log(gap / c + 1)) of each event to the one before it, at most `highest`."""
    gaps = np.diff(times, prepend=times[:1])
    return np.minimum(scale * np.log1p(np.maximum(gaps, 0) / GAP_UNIT), highest).astype(np.int32)


def packed(pasts: Sequence[Past], scale: float, highest: int, length: int) -> Rows:
    """The last `length` events of each, in the order given. None is empty."""
    taken = [min(len(past), length) for past in pasts]
    places, row, column = [], 0, 0
    for count in taken:
        if column + count > length:
            row, column = row + 1, 0
        places.append((row, column))
        column += count
    items = np.zeros((row + 1, length), np.int32)
    gaps, owners = np.zeros_like(items), np.full_like(items, NOBODY)
    for owner, (past, count, (row, column)) in enumerate(zip(pasts, taken, places, strict=True)):
        filled = slice(column, column + count)
        items[row, filled] = past.items[-count:]
        gaps[row, filled] = intervals(past.times[-count:], scale, highest)
        owners[row, filled] = owner
    ends = np.array(
        [row * length + column + count - 1 for (row, column), count in zip(places, taken, strict=True)]
    )
    return Rows(items, gaps, owners, ends.astype(np.int64))


def portions(counts: Sequence[int], length: int, rows: int, places: int, owners: int) -> Iterator[slice]:
    """Runs of neighbours that `packed` lays into at most so many rows, that fill at most so many places and are at most
    so many."""
    begin, row, column, taken = 0, 0, 0, 0
    for end, count in enumerate(counts):
        if column + count > length:
            row, column = row + 1, 0
        if row == rows or taken + count > places or end - begin == owners:
            yield slice(begin, end)
            begin, row, column, taken = end, 0, 0, 0
        column, taken = column + count, taken + count
    yield slice(begin, len(counts))


def filled_up(rows: Rows, count: int) -> Rows:
    """With empty rows below, so many in all."""
    missing = ((0, count - len(rows.items)), (0, 0))
    return Rows(
        np.pad(rows.items, missing),
        np.pad(rows.gaps, missing),
        np.pad(rows.owners, missing, constant_values=NOBODY),
        rows.ends,
    )
