"""Answer rate: does an answerable question get an answer?"""

from __future__ import annotations

from evals.datasets.types import Item
from evals.metrics.expected import is_answerable
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score


def score(item: Item, row: Row) -> Score:
    """Of an answerable question: 1 if it was answered, in full or in part, else 0. Whether rightly is for others."""
    if not is_answerable(item):
        return not_applicable("not known to be answerable")
    return Score(value=float(row.status in ("answered", "partial")), reason=row.status)


ANSWER_RATE = Metric("answer_rate", "Answered", "routing", score)
