"""Changes of measures: of what pages print for both times, and of the same lines at both."""

from __future__ import annotations

import pytest

from tests.accounts import (
    ANNUAL,
    AT22,
    AT23,
    BALANCE,
    graph_of,
    line,
    made,
    result,
    year,
)
from tools.calculate.types import Asked

LONG = line(ANNUAL, "Long-term debt", {AT23: "80", AT22: "70"}, **BALANCE)
SHORT = line(ANNUAL, "Short-term debt", {AT23: "20", AT22: "25"}, **BALANCE)
SHORT_NOW = SHORT[:1]
TOTAL = line(ANNUAL, "Total debt", {AT23: "110", AT22: "100"}, statement="other", page=70)
TOTAL_NOW = TOTAL[:1]
YEARS = year(2022), year(2023)


def debt(across: str) -> Asked:
    return Asked.model_validate({"measure": "total debt", "across": across})


@pytest.mark.parametrize(("across", "value"), [("change", "10000000"), ("growth", "0.1"), ("times", "1.1")])
def test_total_debt_that_is_printed_for_both_times_changes_from_the_one_to_the_other(
    across: str, value: str
) -> None:
    found = result(debt(across), *YEARS, graph=graph_of(LONG, SHORT, TOTAL))
    assert found.value == value
    assert [each.label for each in found.operands] == ["Total debt", "Total debt"]


def test_total_debt_that_is_printed_for_one_time_changes_as_it_is_added_up() -> None:
    found = result(debt("change"), *YEARS, graph=graph_of(LONG, SHORT, TOTAL_NOW))
    assert found.value == "5000000"
    assert [each.value for each in found.operands] == ["80", "20", "70", "25"]


@pytest.mark.parametrize("across", ["change", "growth"])
def test_what_has_a_line_more_at_one_time_is_not_said_to_have_changed(across: str) -> None:
    assert made(debt(across), *YEARS, graph=graph_of(LONG, SHORT_NOW))[0] == []
