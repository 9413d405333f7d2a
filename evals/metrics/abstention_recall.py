"""Abstention recall: does an unanswerable question go unanswered?"""

from __future__ import annotations

from evals.datasets.types import Item
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score


def score(item: Item, row: Row) -> Score:
    """Of an unanswerable question: 1 if the row abstained, else 0; to fail is not to abstain. The mean over rows is
    the share of unanswerable questions that were refused."""
    if item.answerable is not False:
        return not_applicable("not known to be unanswerable")
    return Score(value=float(row.status == "abstained"), reason=f"{row.status}; there is no answer")


ABSTENTION_RECALL = Metric("abstention_recall", "Abstention recall", "routing", score)
