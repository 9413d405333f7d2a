"""Abstention precision: was it right to abstain?"""

from __future__ import annotations

from evals.datasets.types import Item
from evals.metrics.expected import is_answerable
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score


def score(item: Item, row: Row) -> Score:
    """Of a row that abstained: 1 if the question is unanswerable, 0 if it is answerable. The mean over rows is the
    share of abstentions that were right."""
    answerable = is_answerable(item)
    if answerable is None:
        return not_applicable("whether the documents hold an answer is not known")
    if row.status != "abstained":
        return not_applicable("did not abstain")
    reason = "abstained where there is an answer" if answerable else "abstained where there is none"
    return Score(value=float(not answerable), reason=reason)


ABSTENTION_PRECISION = Metric("abstention_precision", "Abstention precision", "routing", score)
