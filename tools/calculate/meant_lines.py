"""The printed line that words mean where no label says them: the nearest one as learnt, if it is near enough and no
other figure is nearly as near."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.evidence import Evidence, fact_of
from tools.knowledge.lexicon.word_forms import words_of
from tools.knowledge.search.nearest_figures import Encoder, line_text

MIN_NEARNESS = 0.5
"""Cosine of words and line from which the line is what they mean; and by how much more than any line of another figure:
chosen on filings of authors left out (`python -m evals.learn_line_items --try`)."""
MIN_LEAD = 0.1
MIN_NAME = 0.4
"""The same of the name of a part: there are few to choose among."""
MIN_NAME_IN_PART = 0.65
"""The same where name and words share some words and not others: 'shipping costs' are no 'cost of sales'."""
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
        name = names[int(near.argmax())]
        least = MIN_NAME_IN_PART if words_of(words) & words_of(name) else MIN_NAME
        return name if first >= least and first - second >= MIN_LEAD else ""

    def meant(self, words: str, figures: Sequence[Evidence], least: float = MIN_NEARNESS) -> list[Evidence]:
        """The figures that the words mean, of one line or of one amount, the nearest first; [] where that is not sure,
        or none is as near as `least`. The same line at another time is no rival. ModelFileError on missing, altered or
        damaged files."""
        figures = [each for each in figures[:MAX_LINES] if fact_of(each).value]
        if not figures:
            return []
        texts = [line_text(fact_of(each)) for each in figures]
        near = self._encoder.vectors(texts) @ self._encoder.vectors([words])[0]
        order = np.argsort(-near, kind="stable")
        best, text = figures[order[0]], texts[order[0]]

        def is_meant(at: int) -> bool:
            at_another_time = texts[at] == text and figures[at].period != best.period
            return at_another_time or _same(figures[at], best)

        rival = next((near[at] for at in order if not is_meant(at)), -1.0)
        if near[order[0]] < least or near[order[0]] - rival < MIN_LEAD:
            return []
        return [figures[at] for at in order if near[at] > rival and is_meant(at)]


def _same(one: Evidence, other: Evidence) -> bool:
    """Of one amount and time, whatever its sign."""
    first, second = fact_of(one), fact_of(other)
    amounts = [abs(float(each.value)) * 10.0**each.scale for each in (first, second)]
    return amounts[0] == amounts[1] and (first.unit, one.period) == (second.unit, other.period)
