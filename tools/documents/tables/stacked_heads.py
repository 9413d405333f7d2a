"""Header cells that were wrapped over lines: they stand in the middle over each other."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from tools.documents.tables.cells import Cell
from tools.documents.tables.column_dates import find_durations, has_period_words
from tools.documents.tables.header_sense import Assignment

MAX_ASIDE = 1.0
"""Characters by which the middles of parts of one cell differ."""


def are_stacked(upper: Cell, lower: Cell) -> bool:
    """True if two cells have one middle."""
    return abs(upper.center - lower.center) <= MAX_ASIDE


def join_durations(lines: Sequence[list[Cell]]) -> list[list[Cell]]:
    """The lines of a header, two of them one where only both together give lengths: 'For the three months', 'ended
    March 31,'."""
    joined: list[list[Cell]] = []
    for cells in lines:
        above = joined[-1] if joined else []
        whole = [
            replace(a, text=f"{a.text} {b.text}", start=min(a.start, b.start), end=max(a.end, b.end))
            for a, b in zip(above, cells, strict=False)
            if are_stacked(a, b) and not find_durations(a.text) and not find_durations(b.text)
        ]
        if whole and len(above) == len(cells) == len(whole) and all(find_durations(c.text) for c in whole):
            joined[-1] = whole
        else:
            joined.append(cells)
    return joined


def widen_stacked(
    lines: Sequence[Sequence[Cell]], chosen: Sequence[Assignment | None]
) -> list[Assignment | None]:
    """The columns under each header cell, those under a part of a wrapped cell being those under its other parts too,
    as far as no other cell of its line stands there. A cell over a part of two cells of several columns each is over
    all of them."""
    spans = [list(found) if found else [] for found in chosen]
    neighbours = [*itertools.pairwise(range(len(lines)))]
    for upper, lower in neighbours + neighbours[::-1]:
        for i, a in enumerate(lines[upper][: len(spans[upper])]):
            for j, b in enumerate(lines[lower][: len(spans[lower])]):
                if are_stacked(a, b) and not has_period_words(a.text) and not has_period_words(b.text):
                    _widen(spans[upper], i, spans[lower][j])
                    _widen(spans[lower], j, spans[upper][i])
            if not has_period_words(a.text):
                _widen(spans[upper], i, _over_whole(spans[upper][i], spans[lower]))
    return [tuple(found) if given else None for found, given in zip(spans, chosen, strict=True)]


def _over_whole(span: tuple[int, int], below: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The columns of a cell, widened where it cuts the cells below it on both sides."""
    first, last = span
    left = next((s for s, e in below if s < first <= e), first)
    right = next((e for s, e in below if s <= last < e), last)
    return (left, right) if left < first and last < right and (left, right) not in below else span


def _widen(spans: list[tuple[int, int]], at: int, other: tuple[int, int]) -> None:
    """Give the cell `at` of a line the columns of `other`, where these hold its own and are no other cell's."""
    first, last = other
    around = [span for k, span in enumerate(spans) if k != at]
    if (
        first <= spans[at][0]
        and spans[at][1] <= last
        and not any(s <= last and first <= e for s, e in around)
    ):
        spans[at] = other
