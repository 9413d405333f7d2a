"""The printed line that words mean where no label says them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.engines import LINE_ITEMS
from tests.accounts import ANNUAL, AT23, BALANCE, CATALOG, Y22, Y23, graph_of, line, year
from tools.calculate.compute import compute
from tools.calculate.meant_lines import MIN_NEARNESS, SHARPNESS, MeantLines, share_of
from tools.calculate.operands import MIN_IN_STATEMENT, Figures
from tools.calculate.types import Asked
from tools.evidence import Evidence
from tools.knowledge.search.kg_search import fact_evidence
from tools.knowledge.types import Triplet
from tools.scope import Scope


class Fixed:
    """Texts to vectors that were given: a word's place in the plane by its nearness to the words asked."""

    def __init__(self, **near: float) -> None:
        self._near = {"asked": 1.0, **near}

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        nears = [next((n for word, n in self._near.items() if word in text), 0.0) for text in texts]
        return np.array([(n, (1 - n * n) ** 0.5) for n in nears], np.float32)


def evidence(*rows: list[Triplet]) -> list[Evidence]:
    return [fact_evidence(each, 1.0) for row in rows for each in row]


FUEL, RENT = line(ANNUAL, "Fuel", {Y23: "30"}), line(ANNUAL, "Rent", {Y23: "20"})
AGAIN = line(ANNUAL, "Fueling", {Y23: "30"}, statement="other", page=70)
SURE, CLOSE = MIN_NEARNESS + 0.2, MIN_NEARNESS + 0.15


@pytest.mark.parametrize(
    ("near", "labels"),
    [
        ({"Fuel": SURE}, ["Fuel", "Fueling"]),
        ({"Fueling": SURE, "Fuel": CLOSE}, ["Fueling", "Fuel"]),
        ({"Fueling": 0.0, "Fuel": SURE, "Rent": SURE}, []),
        ({"Fueling": 0.0, "Fuel": SURE, "Rent": CLOSE}, ["Fuel"]),
        ({"Fuel": MIN_NEARNESS - 0.05}, []),
    ],
)
def test_a_line_is_meant_that_is_near_and_alone(near: dict[str, float], labels: list[str]) -> None:
    figures = evidence(FUEL, RENT, AGAIN)
    found = MeantLines(Fixed(**near)).meant("asked", figures)
    assert [each.fact.metric for each in found if each.fact] == labels


def test_the_share_of_lines_is_that_of_the_softmax() -> None:
    near = {"one": 0.5, "two": 0.5, "far": 0.5 - 1 / SHARPNESS}
    whole = 2 + 1 / np.e
    assert share_of({"one"}, near) == pytest.approx(1 / whole)
    assert share_of({"one", "two"}, near) == pytest.approx(2 / whole)


def test_a_fact_without_a_figure_is_none() -> None:
    lines = MeantLines(Fixed(Fuel=SURE))
    assert len(lines.meant("asked", evidence(FUEL, RENT, line(ANNUAL, "Fuel", {Y22: ""})))) == 1


def test_of_no_figures_none_is_meant() -> None:
    assert MeantLines(Fixed()).meant("asked", []) == []


def operands(items: dict[str, str], near: dict[str, float]) -> list[str]:
    """Labels of what is computed with."""
    graph = graph_of(FUEL, RENT, line(ANNUAL, "Stocks", {AT23: "50"}, **BALANCE))
    asked = Asked(formula=" / ".join(items), items=tuple(items.items()))
    figures = Figures(graph, Scope(), Fixed(**near))
    found, _ = compute(asked, figures, CATALOG, ["ORLA"], {"ORLA": [year(2023)]})
    return [
        x.label for each in found if each.calculation for r in each.calculation.results for x in r.operands
    ]


def test_a_figure_that_no_label_says_is_the_one_that_is_meant() -> None:
    assert operands({"a": "asked", "b": "rent"}, {"Fuel": SURE}) == ["Fuel", "Rent"]
    assert operands({"a": "asked", "b": "rent"}, {}) == []
    assert operands({"a": "ARR asked", "b": "rent"}, {"Fuel": SURE}) == []  # which the line does not say


def test_a_figure_that_stands_for_another_line_already_is_not_meant() -> None:
    assert operands({"a": "fuel", "b": "asked"}, {"Fuel": SURE}) == []


def test_what_another_page_says_again_is_no_second_figure() -> None:
    figures = Figures(graph_of(FUEL, AGAIN), Scope(), Fixed(Fueling=SURE))
    asked = Asked(formula="a + b", items=(("a", "fuel"), ("b", "asked")))
    assert compute(asked, figures, CATALOG, ["ORLA"], {"ORLA": [year(2023)]})[0] == []


def test_a_figure_of_another_period_is_not_meant() -> None:
    old = line(ANNUAL, "Freight", {Y22: "9"})
    figures = Figures(graph_of(old), Scope(), Fixed(Freight=SURE))
    asked = Asked(formula="a", items=(("a", "asked"),))
    assert compute(asked, figures, CATALOG, ["ORLA"], {"ORLA": [year(2023)]})[0] == []


@pytest.mark.parametrize(
    ("near", "value"), [(MIN_IN_STATEMENT - 0.02, "0.5"), (MIN_IN_STATEMENT + 0.02, "0.875")]
)
def test_a_line_that_may_be_missing_is_one_that_comes_near_enough(near: float, value: str) -> None:
    graph = graph_of(
        line(ANNUAL, "Long-term debt", {AT23: "40"}, **BALANCE),
        line(ANNUAL, "Total equity", {AT23: "80"}, **BALANCE),
        line(ANNUAL, "Owed soon", {AT23: "30"}, **BALANCE),
    )
    figures = Figures(graph, Scope(), Fixed(Owed=near, Current=1.0, Short=1.0))
    found, _ = compute(Asked(measure="debt to equity"), figures, CATALOG, ["ORLA"], {"ORLA": [year(2023)]})
    assert found[0].calculation and found[0].calculation.results[0].value == value


def test_a_line_of_the_statement_goes_before_one_of_a_note_that_has_the_very_words() -> None:
    graph = graph_of(
        line(ANNUAL, "Total net revenue", {Y23: "1000"}),
        line(ANNUAL, "Earnings before taxes and ventures", {Y23: "260"}),
        line(ANNUAL, "Earnings before income taxes", {Y23: "20"}, statement="other", page=70),
    )
    figures = Figures(graph, Scope(), Fixed(ventures=SURE, Income=1.0))
    found, _ = compute(Asked(measure="pretax margin"), figures, CATALOG, ["ORLA"], {"ORLA": [year(2023)]})
    assert found[0].calculation and found[0].calculation.results[0].value == "0.26"


def test_what_counts_things_is_no_amount_of_money() -> None:
    graph = graph_of(
        line(ANNUAL, "Total net revenue", {Y23: "1000"}),
        line(ANNUAL, "Employees", {Y23: "500"}, statement="other", page=70),
    )
    figures = Figures(graph, Scope(), Fixed(Employees=1.0, revenue=1.0))
    asked = Asked(measure="revenue per employee")
    assert compute(asked, figures, CATALOG, ["ORLA"], {"ORLA": [year(2023)]})[0] == []


def test_a_measure_itself_is_not_guessed() -> None:
    graph = graph_of(
        line(ANNUAL, "Long-term debt", {AT23: "40"}, **BALANCE),
        line(ANNUAL, "Total equity", {AT23: "80"}, **BALANCE),
        line(ANNUAL, "Fuel", {AT23: "30"}, **BALANCE),
    )
    figures = Figures(graph, Scope(), Fixed(Fuel=MIN_IN_STATEMENT - 0.02, debt=1.0, ratio=1.0))
    found, _ = compute(Asked(measure="debt to equity"), figures, CATALOG, ["ORLA"], {"ORLA": [year(2023)]})
    assert found[0].calculation and found[0].calculation.results[0].value == "0.5"
    assert found[0].calculation.printed is None


@pytest.mark.parametrize(
    ("words", "name"), [("taxes owed", "Taxes payable"), ("shipping costs", ""), ("earned abroad", "Foreign")]
)
def test_a_part_that_shares_a_word_with_what_is_asked_must_be_nearer_in_meaning(
    words: str, name: str
) -> None:
    parts = ("Taxes payable", "Cost of sales", "Foreign")
    assert MeantLines(LINE_ITEMS).nearest_name(words, parts) == name
