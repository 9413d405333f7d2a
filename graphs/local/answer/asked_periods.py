"""The periods that a question asks for, as filters: whether one of them is meant, also by a sentence, and whether it
is a single one."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.contracts import Reading
from graphs.drafts.sentences import Sentence
from graphs.local.text.period_mentions import find_mentions, fits_period
from tools.periods import Period, PeriodFilter


def is_asked(periods: Sequence[PeriodFilter], period: Period) -> bool:
    """True if one of `periods` admits it, or none is asked for."""
    return not periods or any(each.admits(period) for each in periods)


def is_single(wished: PeriodFilter) -> bool:
    """True for a quarter or one that ends on a given day: a year or a half as a whole holds several."""
    return wished.end is not None or wished.fiscal_quarter is not None or wished.calendar_quarter is not None


def is_of_asked_period(sentence: Sentence, reading: Reading) -> bool:
    """The sentence's document reports on a period asked for, or the sentence itself names one: what was found by
    widening to the year is no answer for another quarter."""
    item, scope = sentence.item, reading.scope
    if is_asked(scope.periods, item.period):
        return True
    asked = [Period(w.end, None, w.fiscal_year, w.fiscal_quarter) for w in scope.periods]
    return any(fits_period(m, period) for m in find_mentions(sentence.text) for period in asked)
