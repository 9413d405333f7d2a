from __future__ import annotations

from datetime import date

import pytest

from graphs.local.question.other_quarter import other_quarters
from tests.filings import CATALOG
from tools.periods import PeriodFilter
from tools.scope import Scope

FISCAL = Scope(companies=("ORLA",), periods=(PeriodFilter(end=date(2023, 4, 1)),))
"""What 'Q2 2023' is read as."""


def test_a_label_may_mean_the_calendar_quarter_too() -> None:
    assert other_quarters("Orla's revenue in Q2 2023", FISCAL, CATALOG) == (
        PeriodFilter(end=date(2023, 7, 1)),
    )


@pytest.mark.parametrize(
    "question",
    [
        "Orla's revenue in fiscal Q2 2023",
        "Orla's revenue in Q2",
        "Orla's revenue in Q2 2023 and Q1 2023",
        "Orla's revenue in the latest quarter",
    ],
)
def test_nothing_else_may_be_meant_where_the_question_says_which(question: str) -> None:
    assert other_quarters(question, FISCAL, CATALOG) == ()


def test_a_quarter_that_the_scope_admits_is_no_other() -> None:
    both = Scope(companies=("ORLA",), periods=(*FISCAL.periods, PeriodFilter(end=date(2023, 7, 1))))
    assert other_quarters("Orla's revenue in Q2 2023", both, CATALOG) == ()
    several = Scope(companies=("ORLA", "TILB"), periods=FISCAL.periods)
    assert other_quarters("Revenue in Q2 2023", several, CATALOG) == ()
