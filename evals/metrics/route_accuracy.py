"""Route accuracy: was the question sent where it belongs?"""

from __future__ import annotations

from evals.datasets.types import Item
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score


def routes(row: Row) -> bool:
    """True for the pipeline that routes and checks; the baselines do neither."""
    return row.pipeline.partition("@")[0] == "agent"


def score(item: Item, row: Row) -> Score:
    """1 if the kind of route taken is the expected one, else 0."""
    if item.route is None:
        return not_applicable("no route is expected")
    if not routes(row):
        return not_applicable("this pipeline does not route")
    taken = row.route or "none"
    return Score(value=float(row.route == item.route), reason=f"{taken}, expected {item.route}")


ROUTE_ACCURACY = Metric("route_accuracy", "Route accuracy", "routing", score)
