"""Evidence number recall: do the contexts hold the figures that a right answer states?"""

from __future__ import annotations

from evals.datasets.types import ExpectedNumber, Item
from evals.metrics.metric_figures import figures_of, is_stated
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score
from tools.quantities import render_quantity


def score(item: Item, row: Row) -> Score:
    """Share of `Item.numbers` that some context prints, as `figures.is_stated` compares them."""
    if not item.numbers:
        return not_applicable("no figure is expected")
    sized = [one for context in row.contexts for one in figures_of(context.text)]
    missing = [n for n in item.numbers if not is_stated(n.quantity, sized)]
    have = len(item.numbers) - len(missing)
    reason = f"{have} of {len(item.numbers)} expected figures in the contexts"
    if missing:
        reason += f"; not {', '.join(named(n) for n in missing[:5])}"
    return Score(value=have / len(item.numbers), reason=reason)


def named(number: ExpectedNumber) -> str:
    """'81,797 million USD'."""
    return render_quantity(str(number.value), number.unit, number.scale)


EVIDENCE_NUMBER_RECALL = Metric("evidence_number_recall", "Figures in the evidence", "retrieval", score)
