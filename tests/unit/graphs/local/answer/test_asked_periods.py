"""The periods that a question asks for, as filters."""

from __future__ import annotations

from datetime import date

import pytest

from graphs.local.answer.asked_periods import is_asked, is_single
from tools.periods import Period, PeriodFilter

SPRING = Period(end=date(2024, 6, 29), months=3, fiscal_year=2024, fiscal_quarter=2)


def test_any_period_is_asked_for_where_none_is_named() -> None:
    assert is_asked((), SPRING) and is_asked((), Period())


def test_a_period_is_asked_for_if_one_filter_admits_it() -> None:
    other = PeriodFilter(fiscal_year=2023, fiscal_quarter=2)
    assert is_asked((other, PeriodFilter(end=date(2024, 6, 29))), SPRING)
    assert not is_asked((other,), SPRING)


@pytest.mark.parametrize(
    ("wished", "single"),
    [
        (PeriodFilter(end=date(2024, 6, 29)), True),
        (PeriodFilter(fiscal_year=2024, fiscal_quarter=2), True),
        (PeriodFilter(calendar_year=2024, calendar_quarter=2), True),
        (PeriodFilter(fiscal_year=2024), False),
        (PeriodFilter(calendar_year=2024), False),
        (PeriodFilter(), False),
    ],
)
def test_a_year_as_a_whole_is_no_single_period(wished: PeriodFilter, single: bool) -> None:
    assert is_single(wished) is single
