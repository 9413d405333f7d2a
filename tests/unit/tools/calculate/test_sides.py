"""Two figures that are put to one another: of one table under the same heads, of lines neither of which is a part of
the other, over as many days as the question counts."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.accounts import ANNUAL, AT22, AT23, BALANCE, Y23, graph_of, line, result, year
from tools.calculate.shares import share_items
from tools.calculate.types import Asked

STATES: dict[str, Any] = {"statement": "segment", "page": 60, "title": "Operations by state"}


def test_two_parts_of_a_table_are_compared_under_the_same_heads() -> None:
    table = [
        line(ANNUAL, state, {Y23: value}, path=(head,), **STATES)
        for state, head, value in (
            ("Sylda", "Total operating revenues", "80"),
            ("Borduria", "Operating revenues, water", "30"),
            ("Borduria", "Total operating revenues", "50"),
        )
    ]
    asked = Asked(
        formula="a - b", items={"a": "Sylda total operating revenues", "b": "Borduria operating revenues"}
    )
    found = result(asked, year(2023), graph=graph_of(*table))
    assert [each.value for each in found.operands] == ["80", "50"]


def test_one_line_of_two_parts_is_compared_as_it_is_headed() -> None:
    asked = Asked(formula="a - b", items={"a": "Americas net revenue", "b": "Europe net revenue"})
    assert result(asked, year(2023)).value == "1100000000"


def test_nothing_of_the_time_asked_for_is_what_is_printed() -> None:
    lent = line(ANNUAL, "Short-term borrowings", {AT23: "0", AT22: "70"}, **BALANCE)
    graph = graph_of(lent, line(ANNUAL, "Total assets", {AT23: "500", AT22: "400"}, **BALANCE))
    asked = Asked(formula="a / b", items={"a": "short-term borrowings", "b": "total assets"})
    assert Decimal(result(asked, year(2023), graph=graph).value) == 0


def test_a_share_of_two_lines_of_their_own_may_be_more_than_all() -> None:
    """Though the whole stands once more under the part's words."""
    flows: dict[str, Any] = {"statement": "cash_flow", "page": 44}
    graph = graph_of(
        line(ANNUAL, "Net income", {Y23: "40"}),
        line(ANNUAL, "Net income", {Y23: "40"}, path=("Licence receipts",), **flows),
        line(ANNUAL, "Licence receipts in cash", {Y23: "70"}, **flows),
    )
    asked = Asked(formula="a / b", items=share_items("licence receipts", "net income"), is_share=True)
    assert Decimal(result(asked, year(2023), graph=graph).value) == Decimal("1.75")


def test_days_are_as_many_as_the_question_counts() -> None:
    graph = graph_of(
        line(ANNUAL, "Total net revenue", {Y23: "1000"}),
        line(ANNUAL, "Accounts receivable, net", {AT23: "100"}, **BALANCE),
    )
    asked = Asked(measure="days sales outstanding", averaged=False)
    found = [result(asked.model_copy(update={"days": days}), year(2023), graph=graph) for days in (0, 360)]
    assert [Decimal(each.value) for each in found] == [Decimal("36.5"), Decimal(36)]


def test_two_known_line_items_are_no_line_of_one_under_the_heading_of_the_other() -> None:
    graph = graph_of(
        line(ANNUAL, "Cash and cash equivalents", {AT23: "30"}, **BALANCE),
        line(ANNUAL, "Short-term investments", {AT23: "12"}, **BALANCE),
        line(ANNUAL, "Cash", {AT23: "7"}, path=("Short-term investments",), statement="other", page=70),
    )
    asked = Asked(formula="a", items={"a": "cash and short-term investments"})
    assert result(asked, year(2023), graph=graph).value == "42000000"
