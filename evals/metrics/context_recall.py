"""Context recall: how much of what answers the question was retrieved?"""

from __future__ import annotations

from evals.datasets.types import Item
from evals.metrics.gold import NO_GOLD, found, gold_sentences, held_by_context
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score


def score(item: Item, row: Row) -> Score:
    """Share of the gold sentences that some context holds (Sarmah et al. 2024, 5.3, word for word in place of a
    judge)."""
    wanted = gold_sentences(item)
    if not wanted:
        return not_applicable(NO_GOLD)
    have = found(held_by_context(item, row))
    return Score(value=have / len(wanted), reason=f"{have} of {len(wanted)} gold sentences in the contexts")


CONTEXT_RECALL = Metric("context_recall", "Context recall", "retrieval", score)
