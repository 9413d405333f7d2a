"""Citation precision: do the citations point at what answers the question?"""

from __future__ import annotations

from evals.datasets.types import Item
from evals.metrics.citing import is_right, standard
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score


def score(item: Item, row: Row) -> Score:
    """Share of the answer's citations that are right, as `citing.is_right` says. An answer that cites nothing scores
    0, for every answer has to; one that abstains has nothing to cite."""
    against = standard(item)
    if against is None or item.answerable is False:
        return not_applicable("no place and no gold sentence is known")
    if row.status == "abstained":
        return not_applicable("abstained: nothing to cite")
    if not row.citations:
        return Score(value=0, reason="nothing is cited")
    right = sum(is_right(item, row, citation) for citation in row.citations)
    total = len(row.citations)
    return Score(value=right / total, reason=f"{right} of {total} citations right, by {against}")


CITATION_PRECISION = Metric("citation_precision", "Citation precision", "answer", score)
