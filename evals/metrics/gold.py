"""Gold sentences: what of a question's gold passages must be found, and which context holds which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from evals.datasets.types import Item
from evals.rows import Row

LONGER_THAN = 40
"""Characters of a sentence that counts: a shorter one ('Thank you for the question.') stands anywhere."""
_END = re.compile(r"(?<=[.!?])\s+")

NO_GOLD = "no gold sentence of over 40 characters"


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """`text` with every run of white space as one space."""
    return " ".join(text.split())


def gold_sentences(item: Item) -> tuple[str, ...]:
    """The sentences of `Item.gold` that count, white space folded, each once, in order.

    A sentence ends at '.', '!' or '?' followed by white space, nothing cleverer: both sides of a comparison are cut
    alike, and 'U.S. sales' cut in two costs one short piece.
    """
    return _sentences(item.gold)


def held_by_context(item: Item, row: Row) -> tuple[frozenset[int], ...]:
    """For each context in prompt order, the indices of the gold sentences that it holds whole, word for word. Halves
    of a sentence in two contexts count in neither."""
    return _held(item.gold, tuple(context.text for context in row.contexts))


def found(held: Sequence[frozenset[int]]) -> int:
    """Different gold sentences in these contexts."""
    return len(frozenset().union(*held))


@lru_cache(maxsize=4096)
def _sentences(passages: tuple[str, ...]) -> tuple[str, ...]:
    pieces = (piece for passage in passages for piece in _END.split(fold(passage)))
    return tuple(dict.fromkeys(piece for piece in pieces if len(piece) > LONGER_THAN))


@lru_cache(maxsize=256)
def _held(passages: tuple[str, ...], texts: tuple[str, ...]) -> tuple[frozenset[int], ...]:
    wanted = _sentences(passages)
    return tuple(frozenset(n for n, one in enumerate(wanted) if one in fold(text)) for text in texts)
