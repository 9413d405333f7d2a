"""Answer number recall: does the answer state the figures that a right answer states?"""

from __future__ import annotations

from evals.datasets.types import Item
from evals.metrics.evidence_number_recall import named
from evals.metrics.metric_figures import is_stated
from evals.metrics.stated import stated_figures
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score


def score(item: Item, row: Row) -> Score:
    """Share of `Item.numbers` that the answer states, as `figures.is_stated` compares them: rounded further than
    expected is not stated. 0 for an answer that was withheld."""
    if not item.numbers:
        return not_applicable("no figure is expected")
    if row.status in ("abstained", "failed"):
        return Score(value=0, reason=f"{row.status}; {len(item.numbers)} figures expected")
    sized = stated_figures(row.answer)
    missing = [n for n in item.numbers if not is_stated(n.quantity, sized)]
    have = len(item.numbers) - len(missing)
    reason = f"{have} of {len(item.numbers)} expected figures in the answer"
    if missing:
        reason += f"; not {', '.join(named(n) for n in missing[:5])}"
    return Score(value=have / len(item.numbers), reason=reason)


ANSWER_NUMBER_RECALL = Metric("answer_number_recall", "Figures in the answer", "answer", score)
