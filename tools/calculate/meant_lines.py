"""The printed line that words mean where no label says them: the nearest one as learnt, if it is near enough and lines
of other figures are not."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import exp

import numpy as np

from tools.evidence import Evidence, fact_of
from tools.knowledge.lexicon.word_forms import words_of
from tools.knowledge.search.nearest_figures import Encoder, line_text

MIN_NEARNESS = 0.5
"""Cosine of words and line from which the line is what they mean;"""
SHARPNESS, MIN_SHARE = 15.0, 0.5
"""and its part of the softmax over all lines in which cosines are multiplied so: of companies left out, of which
`python -m evals.learn_line_items --without` tells, nine in ten taken are right."""
MIN_NAME, MIN_LEAD = 0.4, 0.1
"""Cosine of words and the name of a part, and by how much more than the next name's: there are few to choose among."""
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

        meant = [at for at in order if is_meant(at)]
        if (
            near[order[0]] < least
            or share_of({texts[at] for at in meant}, dict(zip(texts, near, strict=True))) < MIN_SHARE
        ):
            return []
        rival = next((near[at] for at in order if at not in meant), -1.0)
        return [figures[at] for at in meant if near[at] > rival]


def share_of(own: Collection[str], near: Mapping[str, float]) -> float:
    """The part of some lines in the softmax over the nearness of all."""
    best = max(near.values())
    weights = {line: exp(SHARPNESS * (each - best)) for line, each in near.items()}
    return sum(weights[line] for line in own) / sum(weights.values())


def _same(one: Evidence, other: Evidence) -> bool:
    """Of one amount and time, whatever its sign."""
    first, second = fact_of(one), fact_of(other)
    amounts = [abs(float(each.value)) * 10.0**each.scale for each in (first, second)]
    return amounts[0] == amounts[1] and (first.unit, one.period) == (second.unit, other.period)
