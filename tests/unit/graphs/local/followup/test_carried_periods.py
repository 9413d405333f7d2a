from __future__ import annotations

import pytest

from graphs.local.followup.carried_periods import as_flow, balance_before, carried, moved_to, spelled
from graphs.local.followup.slots import Slots, find_slots
from tests.filings import WITH_CALL
from tools.documents.metadata.catalog import Catalog

INCOME = "What was Orla's net income in the quarter ended July 1, 2023?"
CASH = "What was Orla's cash at July 1, 2023?"


def slots(text: str) -> Slots:
    return find_slots(text, WITH_CALL, frozenset())


def after(question: str, turn: str, catalog: Catalog | None = WITH_CALL) -> str:
    return carried(slots(turn), slots(question), catalog)


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("and the quarter before?", "in the quarter ended April 1, 2023"),
        ("and a year earlier?", "in the quarter ended July 2, 2022"),
        ("and the next quarter?", "in fiscal Q4 2023"),
        ("and for nine months?", "for the nine months ended July 1, 2023"),
        ("and just the quarter?", "for the three months ended July 1, 2023"),
        ("and year to date?", "for the nine months ended July 1, 2023"),
        ("and in Q2?", "in Q2 2023"),
        ("the same quarter of 2022?", "in the quarter ended July 2, 2022"),
        ("and in fiscal 2022?", "in fiscal 2022"),
        ("and revenue?", ""),
    ],
)
def test_a_relative_period_is_counted_from_the_one_before(turn: str, expected: str) -> None:
    assert after(INCOME, turn) == expected


def test_without_a_catalog_the_words_of_both_are_put_together() -> None:
    expected = "in the quarter before the quarter ended July 1, 2023"
    assert after(INCOME, "and in the quarter before?", None) == expected
    assert (
        after("What was Orla's net income in fiscal Q3 2023?", "and in Q2?", None) == "in Q2 of fiscal 2023"
    )


def test_one_before_is_the_quarter_before_and_the_same_period_goes_without_saying() -> None:
    assert spelled("and the one before?") == "and the quarter before?"
    assert spelled("Revenue in the same quarter?") == "Revenue?"
    assert spelled("In the same quarter?") == "In the same quarter?"


def test_a_period_moves_to_another_company_s_nearest_day() -> None:
    assert moved_to("TILB", slots(INCOME), WITH_CALL) == "in the quarter ended June 30, 2023"
    assert moved_to("TILB", slots(CASH), WITH_CALL) == "at June 30, 2023"
    assert moved_to("KEST", slots(INCOME), WITH_CALL) == ""
    assert moved_to("TILB", slots("What was Orla's net income in Q3 2023?"), WITH_CALL) == ""


def test_a_balance_s_day_is_the_quarter_for_a_flow_and_counts_back_to_the_balance_before() -> None:
    assert as_flow(slots(CASH)) == "in the quarter ended July 1, 2023"
    assert as_flow(slots(INCOME)) == "in the quarter ended July 1, 2023"
    assert balance_before(slots(CASH), WITH_CALL) == "September 24, 2022"
    assert balance_before(slots(INCOME), WITH_CALL) == ""
