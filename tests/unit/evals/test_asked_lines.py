"""evals.asked_lines: lines that print the same figures."""

from __future__ import annotations

from evals.asked_lines import MAX_PRINTING, of_same_figures
from tests.accounts import ANNUAL, Y22, Y23, line
from tools.knowledge.types import Triplet


def same(*rows: list[Triplet]) -> dict[str, set[str]]:
    return of_same_figures([each for row in rows for each in row])


def test_lines_that_agree_wherever_both_have_a_figure_print_the_same() -> None:
    profit = line(ANNUAL, "Net income", {Y22: "811", Y23: "904"})
    flow = line(ANNUAL, "Net earnings", {Y23: "904"}, statement="cash_flow")
    both = {"income statement: Net income": {"cash flows: Net earnings"}}
    assert same(profit, flow) == both | {"cash flows: Net earnings": {"income statement: Net income"}}
    assert same(profit, line(ANNUAL, "Taxes", {Y22: "812", Y23: "904"})) == {}


def test_few_digits_and_amounts_of_many_lines_tell_nothing() -> None:
    assert same(line(ANNUAL, "Rent", {Y23: "900"}), line(ANNUAL, "Fuel", {Y23: "900"})) == {}
    assert same(*(line(ANNUAL, f"Line {n}", {Y23: "904"}) for n in range(MAX_PRINTING + 1))) == {}
