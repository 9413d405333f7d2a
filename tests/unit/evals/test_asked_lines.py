"""evals.asked_lines: lines that print the same figures, words of computed questions and the lines of their operands."""

from __future__ import annotations

from typing import Any

import pytest

from evals.asked_lines import MAX_PRINTING, _operands, of_same_figures
from evals.computed import Computed
from tests.accounts import ANNUAL, Y22, Y23, line
from tools.calculate.types import Asked
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


PROFIT = line(ANNUAL, "Net income", {Y22: "811", Y23: "904"})
RENT = line(ANNUAL, "Rent", {Y22: "18", Y23: "20"})
NAME = PROFIT[0].document
TWO_YEARS = "(o1 - o2) / o2", (904, 811)


def words_and_lines(
    asked: Asked, formula: str, amounts: tuple[int, ...]
) -> list[tuple[str, tuple[str, ...]]]:
    """Of a question about one document; each amount is said to be printed on the page where it is."""
    pages = {904: PROFIT[0].page, 811: PROFIT[0].page, 20: RENT[0].page}
    operands = tuple({"value": each, "source": "X", "page": pages[each]} for each in amounts)
    computed = Computed(id="x", question="?", formula=formula, operands=operands)
    found = _operands(computed, asked, {"X": NAME}, {NAME: [*PROFIT, *RENT]}, {NAME: "ORLA"})
    return [(each.words, each.right) for each in found]


def test_words_for_one_figure_mean_the_line_of_all_operands() -> None:
    bottom = Asked(formula="a", across="growth", items=(("a", "bottom line"),), part="Home")
    assert words_and_lines(bottom, *TWO_YEARS) == [("Home bottom line", ("income statement: Net income",))]
    assert words_and_lines(bottom, "(o1 - o2) / o2", (904, 20)) == [("Home bottom line", ())]


def test_words_for_two_figures_mean_the_lines_of_the_formula_s_sides() -> None:
    asked = Asked(formula="a / b", items=(("a", "what rooms cost"), ("b", "profit|net profit")))
    found = words_and_lines(asked, "o1 / o2 * 100", (20, 904))
    assert [words for words, _ in found] == ["what rooms cost", "profit"]
    assert [line for _, (line,) in found] == ["income statement: Rent", "income statement: Net income"]
    assert words_and_lines(asked, "o1 + o2", (20, 904)) == []


@pytest.mark.parametrize(
    "change", [{"over": "part"}, {"measure": "net margin"}, {"items": (("x", "profit"),)}]
)
def test_nothing_is_known_of_parts_measures_and_other_formulas(change: dict[str, Any]) -> None:
    asked = Asked(formula="a", items=(("a", "profit"),)).model_copy(update=change)
    assert words_and_lines(asked, *TWO_YEARS) == []
