"""The catalogue of measures: whole, without doubles, and found by the names that people use."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal

import pytest

from tools.calculate.expressions import Amount, evaluate, names_in
from tools.calculate.measures import (
    CATALOGUE,
    Measure,
    catalogue,
    is_called,
    is_divisor,
    is_made_of,
    labels_above,
    labels_below,
    measure_called,
    measure_mention,
    measure_named,
)
from tools.calculate.resolving import DAYS

EVERY = pytest.mark.parametrize("measure", catalogue().measures, ids=lambda each: each.name)


@EVERY
def test_a_formula_names_items_of_the_catalogue_alone(measure: Measure) -> None:
    for averaged in (None, True, False):
        names = names_in(measure.formula_with(averaged=averaged))
        assert names and set(names) - {DAYS} <= catalogue().items.keys()


@EVERY
def test_a_formula_computes_with_amounts_of_the_units_its_items_have(measure: Measure) -> None:
    bare = {"employees": "", DAYS: "", "shares_outstanding": "shares"}
    for averaged in (None, True, False):
        formula = measure.formula_with(averaged=averaged)
        amounts = {name: Amount(Decimal(7), bare.get(name, "USD")) for name in names_in(formula)}
        unit = evaluate(formula, amounts).unit
        assert bool(unit) == (measure.shown == "amount")


@EVERY
def test_a_measure_is_found_by_each_of_its_names_however_they_are_written(measure: Measure) -> None:
    for name in (measure.name, *measure.names):
        for written in (name, name.upper(), f" {name.replace('-', ' ')} "):
            assert measure_called(written) == measure
        assert measure_named(f"What was Orla's {name} in 2023?") == measure.name


def test_what_stands_in_for_an_item_is_a_formula_over_items() -> None:
    instead = {name: item.instead for name, item in catalogue().items.items() if item.instead}
    assert instead
    for name, formula in instead.items():
        assert set(names_in(formula)) <= catalogue().items.keys() - {name}


def test_an_item_has_labels_and_one_of_the_three_statements_or_none() -> None:
    for item in catalogue().items.values():
        assert item.labels and len(set(item.labels)) == len(item.labels)
        assert item.statement in ("", "income", "balance", "cash_flow")


def test_the_data_has_no_item_no_measure_and_no_name_twice() -> None:
    text = CATALOGUE.read_text(encoding="utf-8")
    keys: list[str] = []
    data = json.loads(text, object_pairs_hook=lambda pairs: keys.extend(k for k, _ in pairs) or dict(pairs))
    assert Counter(keys)["revenue"] == 1  # json keeps the last of two equal keys without a word
    assert all(Counter(keys)[name] == 1 for name in data["items"])
    names = [name for each in catalogue().measures for name in {each.name.lower(), *each.names}]
    folded = Counter(name.replace("-", " ").replace("/", " ") for name in names)
    shared = {name for name, n in folded.items() if n > 1}
    owners = [
        {each.name for each in catalogue().measures if name in _folded(each)} for name in sorted(shared)
    ]
    assert all(len(own) == 1 for own in owners)
    assert all(name == name.lower() for each in catalogue().measures for name in each.names)


def _folded(measure: Measure) -> set[str]:
    return {name.lower().replace("-", " ").replace("/", " ") for name in (measure.name, *measure.names)}


@pytest.mark.parametrize(
    ("name", "averaged", "formula"),
    [
        ("inventory turnover", None, "cost_of_revenue / average(inventory)"),
        ("inventory turnover", False, "cost_of_revenue / inventory"),
        ("inventory turnover", True, "cost_of_revenue / average(inventory)"),
        ("current ratio", None, "current_assets / current_liabilities"),
        ("current ratio", True, "average(current_assets) / average(current_liabilities)"),
        ("net margin", True, "net_income / revenue"),
        ("days inventory", False, "inventory / cost_of_revenue * days"),
    ],
)
def test_balances_are_taken_as_the_question_wants_them(
    name: str, averaged: bool | None, formula: str
) -> None:
    measure = measure_called(name)
    assert measure is not None and measure.formula_with(averaged=averaged) == formula


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What was the free cash flow margin?", "free cash flow margin"),
        ("What was the free cash flow?", "free cash flow"),
        ("Give me the pre-tax margin.", "pretax margin"),
        ("D/E of Orla", "debt to equity"),
        ("its debt-to-equity, please", "debt to equity"),
        ("How high is R&D intensity?", "R&D to revenue"),
        ("What was the Acid-Test ratio?", "quick ratio"),
        ("What was Orla's net sales?", ""),
        ("", ""),
        ("Was the scurrent ratios idea dropped?", ""),
        ("How did the fcfs do?", ""),
    ],
)
def test_a_text_calls_the_measure_of_the_longest_name_in_it(text: str, name: str) -> None:
    assert measure_named(text) == name


@pytest.mark.parametrize("name", ["", "margin", "ratio", "gross", "Orla", "free cash"])
def test_half_a_name_calls_no_measure(name: str) -> None:
    assert measure_called(name) is None


def test_the_items_of_a_measure_are_those_that_stand_in_too() -> None:
    gross = measure_called("gross margin")
    assert gross is not None
    assert all(is_made_of(gross, each) for each in ("gross profit", "cost of sales", "total net revenue"))
    assert not any(is_made_of(gross, each) for each in ("total assets", "operating income", ""))


def test_a_line_item_stands_above_or_below_in_a_measure_by_its_labels() -> None:
    returns = measure_called("return on assets")
    assert returns is not None
    assert is_called("net income", labels_above(returns)) and not is_called(
        "net income", labels_below(returns)
    )
    assert is_called("assets", labels_below(returns)) and not is_called("assets", labels_above(returns))
    assert not is_called("operating income", labels_above(returns))


def test_a_measure_is_called_by_its_name_in_the_plural_too() -> None:
    assert measure_named("the operating margins of both segments") == "operating margin"
    assert measure_named("two current ratios") == "current ratio"


@pytest.mark.parametrize(
    ("line_item", "divides"),
    [
        ("revenue", True),
        ("net sales", True),
        ("total assets", True),
        ("assets", True),
        ("research expense", False),
        ("capital expenditures", False),
        ("stock compensation", False),
        ("total", False),
        ("income", False),
    ],
)
def test_a_usual_divisor_is_what_some_measure_divides_by(line_item: str, divides: bool) -> None:
    assert is_divisor(line_item) is divides


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Orla's quick ratios, please", "quick ratios"),
        ("the days-of-inventory at Orla", "days-of-inventory"),
        ("EBITDA and its EBITDA margin", "EBITDA margin"),
        ("the scurrent ratio", ""),
        ("", ""),
    ],
)
def test_a_measure_is_found_where_the_text_names_it(text: str, name: str) -> None:
    span = measure_mention(text)
    assert (text[slice(*span)] if span else "") == name
