"""Precision, recall and F1 of the first k contexts, k from 1 to 10."""

from __future__ import annotations

from functools import partial

from evals.datasets.types import Item
from evals.metrics.gold import NO_GOLD, found, gold_sentences, held_by_context
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score

DEPTHS = tuple(range(1, 11))


def precision(item: Item, row: Row, k: int) -> Score:
    """Contexts with a gold sentence among the first k, of the contexts among the first k that there are: a pipeline
    that stops where nothing more helps is not punished for what it does not show. 0 without any context."""
    if not gold_sentences(item):
        return not_applicable(NO_GOLD)
    first = held_by_context(item, row)[:k]
    relevant = sum(bool(held) for held in first)
    value = relevant / len(first) if first else 0.0
    return Score(value=value, reason=f"{relevant} of the first {len(first)} contexts hold a gold sentence")


def recall(item: Item, row: Row, k: int) -> Score:
    """Share of the gold sentences that the first k contexts hold."""
    wanted = gold_sentences(item)
    if not wanted:
        return not_applicable(NO_GOLD)
    have = found(held_by_context(item, row)[:k])
    return Score(value=have / len(wanted), reason=f"{have} of {len(wanted)} gold sentences in the first {k}")


def f1(item: Item, row: Row, k: int) -> Score:
    """Harmonic mean of precision and recall at k; 0 where both are."""
    p, r = precision(item, row, k).value, recall(item, row, k).value
    if p is None or r is None:
        return not_applicable(NO_GOLD)
    return Score(value=2 * p * r / (p + r) if p + r else 0.0, reason=f"precision {p:.2f}, recall {r:.2f}")


_OF = (("precision", "Precision", precision), ("recall", "Recall", recall), ("f1", "F1", f1))

AT_K = tuple(
    Metric(f"{name}_at_{k}", f"{title} at {k}", "retrieval", partial(score, k=k))
    for name, title, score in _OF
    for k in DEPTHS
)
"""'precision_at_1' to 'f1_at_10'."""
