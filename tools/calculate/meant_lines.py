"""The printed line that words mean where no label says them: the nearest one as learnt, if it is near enough and no
other figure is nearly as near."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.evidence import Evidence, fact_of
from tools.knowledge.search.nearest_figures import Encoder, line_text

MIN_NEARNESS = 0.5
"""Cosine of words and line from which the line is what they mean; and by how much more than any line of another figure:
chosen on filings of authors left out (`python -m evals.learn_line_items --try`)."""
MIN_LEAD = 0.1
MIN_NAME = 0.2
"""The same of the name of a part: there are few to choose among."""
MAX_LINES = 3_000
"""Lines of one company and period that are looked at."""


class MeantLines:
    """Tells which of some printed figures words mean."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def nearest_name(self, words: str, names: Sequence[str]) -> str:
        """Which of the parts of one figure words mean; '' where that is not sure. ModelFileError on missing, altered or
        damaged files."""
        if not names:
            return ""
        near = self._encoder.vectors(names) @ self._encoder.vectors([words])[0]
        first, second = [*np.sort(near)[::-1], -1.0][:2]
        return names[int(near.argmax())] if first >= MIN_NAME and first - second >= MIN_LEAD else ""

    def meant(self, words: str, figures: Sequence[Evidence]) -> list[Evidence]:
        """The figures that the words mean, of one amount, the nearest first; [] where that is not sure. ModelFileError
        on missing, altered or damaged files."""
        figures = [each for each in figures[:MAX_LINES] if fact_of(each).value]
        if not figures:
            return []
        lines = self._encoder.vectors([line_text(fact_of(each)) for each in figures])
        near = lines @ self._encoder.vectors([words])[0]
        order = np.argsort(-near, kind="stable")
        best = figures[order[0]]
        rival = next((near[at] for at in order if not _same(figures[at], best)), -1.0)
        if near[order[0]] < MIN_NEARNESS or near[order[0]] - rival < MIN_LEAD:
            return []
        return [figures[at] for at in order if near[at] > rival and _same(figures[at], best)]


def _same(one: Evidence, other: Evidence) -> bool:
    """Of one amount and time, whatever its sign."""
    first, second = fact_of(one), fact_of(other)
    amounts = [abs(float(each.value)) * 10.0**each.scale for each in (first, second)]
    return amounts[0] == amounts[1] and (first.unit, one.period) == (second.unit, other.period)
