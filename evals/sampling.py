"""Which questions are asked when not all are: a seeded draw that does not depend on the pipelines."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence

from evals.datasets.types import Item


def draw(items: Sequence[Item], limit: int | None, seed: int = 0) -> tuple[Item, ...]:
    """`limit` of the items, in their order; all of them where that is None or too many.

    Stratified by `Item.kind`: each kind has its share of the draw, by largest remainder. Within a kind an item's
    place in line is the SHA-256 of seed and id, so that the same seed draws the same items, on every machine, and a
    larger limit of one kind holds the smaller one.
    """
    if limit is None or limit >= len(items):
        return tuple(items)
    kinds: dict[str, list[Item]] = defaultdict(list)
    for item in sorted(items, key=lambda item: _place(seed, item.id)):
        kinds[item.kind].append(item)
    due = {kind: len(of_kind) * limit / len(items) for kind, of_kind in kinds.items()}
    share = {kind: int(exact) for kind, exact in due.items()}
    by_remainder = sorted(due, key=lambda kind: (share[kind] - due[kind], _place(seed, kind)))
    for kind in by_remainder[: limit - sum(share.values())]:
        share[kind] += 1
    drawn = {item.id for kind, of_kind in kinds.items() for item in of_kind[: share[kind]]}
    return tuple(item for item in items if item.id in drawn)


def _place(seed: int, name: str) -> str:
    return hashlib.sha256(f"{seed}\n{name}".encode()).hexdigest()
