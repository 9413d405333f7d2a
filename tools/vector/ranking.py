"""From candidates to a ranking: two scores on one scale, mixed; twins removed; variety, when asked for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]


def normalise(scores: Scores, least: float) -> Scores:
    """(s - least) / (best - least), `least` being the least that such a score can be: 1 is the best.

    Min-max by the theoretical minimum (Bruch et al. 2023, TM2C2): unlike the pool's own minimum, it does not
    blow up small differences among candidates that are all good. Zeros when no score is above the least.
    """
    best = float(scores.max(initial=least))
    if best <= least:
        return np.zeros_like(scores)
    scaled: Scores = (scores - np.float32(least)) / np.float32(best - least)
    return scaled


def mix(dense: Scores, keyword: Scores, dense_weight: float = 0.8) -> Scores:
    """(n,) in 0..1: `dense_weight` parts of the normalised cosines, the rest of normalised BM25 scores."""
    mixed: Scores = dense_weight * normalise(dense, -1.0) + (1 - dense_weight) * normalise(keyword, 0.0)
    return mixed


def best_first(scores: Scores, ids: Sequence[str]) -> list[int]:
    """Positions by falling score; ties by id, so that a ranking never depends on the order of candidates."""
    return sorted(range(len(ids)), key=lambda position: (-float(scores[position]), ids[position]))


def best_above_zero(scores: Scores, most: int) -> list[int]:
    """Positions of the `most` best scores that are above 0, best first, ties by position; not all are sorted."""
    least = np.partition(scores, -most)[-most] if len(scores) > most else np.float32(0)
    held = np.flatnonzero(scores >= least if least > 0 else scores > 0)
    best: list[int] = held[np.argsort(-scores[held], kind="stable")][:most].tolist()
    return best


def nearest_rows(
    vectors: NDArray[np.float32],
    query: NDArray[np.float32],
    limit: int,
    allowed: NDArray[np.bool_],
    wide: float,
) -> list[int]:
    """Positions of the `limit` rows of `vectors` whose inner product with `query` is greatest, best first, of equal
    ones the first; of the rows that are `allowed`. Those are gathered where they are less than a share
    of `wide` of all: they may lie on the disk."""
    inside = np.flatnonzero(allowed)
    whole = len(inside) >= wide * len(vectors)
    nearness = (vectors @ query)[inside] if whole else vectors[inside] @ query
    if len(inside) > limit:
        least = np.partition(nearness, -limit)[-limit]
        inside, nearness = inside[nearness >= least], nearness[nearness >= least]
    best: list[int] = inside[np.argsort(-nearness, kind="stable")][:limit].tolist()
    return best


def without_twins(order: Sequence[int], keys: Sequence[object]) -> list[int]:
    """The order without positions whose key came before."""
    first: dict[object, int] = {}
    for position in order:
        first.setdefault(keys[position], position)
    return list(first.values())


def diversify(
    order: Sequence[int], scores: Scores, vectors: NDArray[np.float32], k: int, diversity: float
) -> list[int]:
    """The first `k` by maximal marginal relevance (Carbonell and Goldstein 1998).

    Each pick maximises (1 - diversity) x score - diversity x cosine with the nearest pick; 0 keeps the order.
    """
    remaining, picked = list(order), list[int]()
    if diversity <= 0:
        return remaining[:k]
    nearest = np.zeros(len(scores), dtype=np.float32)
    while remaining and len(picked) < k:
        pick = max(
            remaining, key=lambda position: (1 - diversity) * scores[position] - diversity * nearest[position]
        )
        remaining.remove(pick)
        picked.append(pick)
        nearest = np.maximum(nearest, vectors @ vectors[pick])
    return picked
