"""The periods that a question asks for, as filters: whether one of them is meant, and whether it is a single one."""

from __future__ import annotations

from collections.abc import Sequence

from tools.periods import Period, PeriodFilter


def is_asked(periods: Sequence[PeriodFilter], period: Period) -> bool:
    """True if one of `periods` admits it, or none is asked for."""
    return not periods or any(each.admits(period) for each in periods)


def is_single(wished: PeriodFilter) -> bool:
    """True for a quarter or one that ends on a given day: a year or a half as a whole holds several."""
    return wished.end is not None or wished.fiscal_quarter is not None or wished.calendar_quarter is not None
