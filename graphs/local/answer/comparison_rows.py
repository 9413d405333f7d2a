"""The rows of a comparison: for each part and each figure asked for, the fact that fits it best."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graphs.contracts import Part, Reading
from graphs.drafts.figures import fact_of
from graphs.local.answer.asked_periods import is_asked, is_single
from tools.evidence import Evidence

Choose = Callable[[Sequence[Evidence]], list[Evidence]]


def comparison_rows(
    reading: Reading, facts: Sequence[Evidence], ties: Choose, latest: Choose
) -> list[Evidence]:
    """The facts of `facts` that answer each part, in the order of the parts and of what is asked; empty for a
    question that is no comparison of single periods.

    `ties` chooses the best of facts for one period, `latest` those of the last period where none is named.
    """
    if len(reading.parts) * max((len(part.lookups) for part in reading.parts), default=0) < 2:
        return []
    if not all(is_single(period) for part in reading.parts for period in part.periods):
        return []
    found: dict[str, Evidence] = {}
    for part in reading.parts:
        own = [item for item in facts if _is_of(item, part)]
        for lookup in part.lookups:
            looked_up = [item for item in own if item.lookup in ("", lookup.question, lookup.bare)]
            if looked_up:
                best = ties(looked_up if part.periods else latest(looked_up))
                found.update((item.item_id, item) for item in best)
    return list(found.values())


def _is_of(item: Evidence, part: Part) -> bool:
    return item.company_key == part.company and is_asked(part.periods, fact_of(item).period)
