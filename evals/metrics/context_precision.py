"""Context precision: do the contexts that help stand before those that do not?"""

from __future__ import annotations

from evals.datasets.types import Item
from evals.metrics.gold import NO_GOLD, gold_sentences, held_by_context
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score


def score(item: Item, row: Row) -> Score:
    """Mean over the ranks of relevant contexts of precision at that rank (Sarmah et al. 2024, 5.3, with gold sentences
    in place of a judge); a context is relevant if it holds a gold sentence. 0 where none is."""
    if not gold_sentences(item):
        return not_applicable(NO_GOLD)
    ranks = [rank for rank, held in enumerate(held_by_context(item, row), start=1) if held]
    value = sum(n / rank for n, rank in enumerate(ranks, start=1)) / len(ranks) if ranks else 0.0
    return Score(value=value, reason=f"{len(ranks)} of {len(row.contexts)} contexts hold a gold sentence")


CONTEXT_PRECISION = Metric("context_precision", "Context precision", "retrieval", score)
