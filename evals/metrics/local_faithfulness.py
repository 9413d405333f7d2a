"""Local faithfulness: the assistant's own verdict on what it shows."""

from __future__ import annotations

from evals.datasets.types import Item
from evals.metrics.route_accuracy import routes
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score


def score(item: Item, row: Row) -> Score:
    """Supported statements of all (Sarmah et al. 2024, 4.3), as the assistant counted them before it showed the
    answer. Of the agent alone: the baselines are not checked. An answer without statements has none to count."""
    if not routes(row):
        return not_applicable("this pipeline does not check its answers")
    if row.faithfulness is None:
        return not_applicable(f"{row.status}: no statement was checked")
    held = sum(statement.supported for statement in row.statements)
    return Score(value=row.faithfulness, reason=f"{held} of {len(row.statements)} statements supported")


LOCAL_FAITHFULNESS = Metric("local_faithfulness", "Faithfulness, own check", "answer", score)
