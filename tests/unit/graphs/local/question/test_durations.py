from __future__ import annotations

import pytest

from graphs.local.question.durations import months_asked, months_to_date
from graphs.local.question.period_phrases import find_asks
from graphs.local.question.period_resolution import resolve_periods
from tests.filings import WITH_CALL


@pytest.mark.parametrize(
    ("question", "months"),
    [
        ("revenue for the six months ended July 1, 2023", 6),
        ("revenue of the quarter", 3),
        ("revenue for the quarter and nine months ended July 1, 2023", 9),
        ("revenue for the three and nine months ended July 1, 2023", None),
        ("revenue for six and nine months", None),
        ("annual revenue", 12),
        ("revenue for the year to January 2019", 12),
        ("revenue for the year to date", None),
        ("cash at July 1, 2023", 0),
        ("cash at the end of the quarter", 0),
        ("revenue in fiscal 2022", 12),
        ("revenue", None),
    ],
)
def test_the_one_duration_that_the_wording_asks_for(question: str, months: int | None) -> None:
    assert months_asked(question, find_asks(question), has_metric=True) == months


def test_a_bare_year_is_twelve_months_only_for_a_figure() -> None:
    assert months_asked("risks in 2022", find_asks("risks in 2022"), has_metric=False) is None


@pytest.mark.parametrize(
    ("question", "months"), [("Orla's revenue year to date", 9), ("Orla's revenue in the latest quarter", 3)]
)
def test_a_year_to_date_is_as_long_as_what_is_reported_for_its_last_day(question: str, months: int) -> None:
    asks = find_asks(question)
    resolved = resolve_periods(question, asks, WITH_CALL, ("ORLA",), named=True)
    assert months_to_date(question, 3, resolved, WITH_CALL, ("ORLA",)) == months
