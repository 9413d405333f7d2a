"""What a metric is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from evals.datasets.types import Item
from evals.rows import Row, Score

Group = Literal["retrieval", "answer", "routing", "cost", "judged"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A named score of one row. A failed row is scored as one that retrieved and answered nothing: it counts against
    its pipeline wherever the metric applies to the question."""

    name: str
    """Key in `Row.scores`, a column of results.csv: 'context_precision'."""
    title: str
    """'Context precision'."""
    group: Group
    score: Callable[[Item, Row], Score]
    better: Literal["higher", "lower"] = "higher"
    unit: str = ""
    """'' for a share 0..1, else 'seconds', 'tokens', 'calls', 'characters'."""


def not_applicable(why: str) -> Score:
    """No score, and why."""
    return Score(value=None, reason=why)
