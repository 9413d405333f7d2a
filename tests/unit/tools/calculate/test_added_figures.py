"""Figures that words list together, parts of measures, and lines that bear their company's name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.accounts import ANNUAL, AT22, AT23, BALANCE, PARTS, Y23, graph_of, line, made, result, year
from tools.calculate.listed_items import listed, whole_pieces
from tools.calculate.types import Asked, When
from tools.knowledge.types import Triplet

CASH = line(ANNUAL, "Cash and cash equivalents", {AT23: "30", AT22: "20"}, **BALANCE)
NOTES = line(ANNUAL, "Notes payable", {AT23: "7", AT22: "9"}, **BALANCE)
BONDS = line(ANNUAL, "Bonds", {AT23: "3", AT22: "4"}, **BALANCE)
OTHERS = line(ANNUAL, "Total equity", {AT23: "90"}, **BALANCE)
OWN = line(ANNUAL, "Total Orla stockholders' equity", {AT23: "80"}, **BALANCE)


@pytest.mark.parametrize(
    ("words", "pieces"),
    [
        ("cash and cash equivalents plus notes payable", ["cash and cash equivalents", "notes payable"]),
        ("notes payable, bonds and loans", ["notes payable", "bonds and loans"]),
        ("notes payable and bonds", ["notes payable", "bonds"]),
        ("notes payable", ["notes payable"]),
        ("plus", ["plus"]),
        ("", [""]),
    ],
)
def test_words_are_parted_where_they_are_joined_most_loosely(words: str, pieces: list[str]) -> None:
    assert listed(words) == pieces


def asked(item: str, across: str = "") -> Asked:
    return Asked.model_validate({"formula": "a", "items": {"a": item}, "across": across})


@pytest.mark.parametrize(
    ("item", "value"),
    [
        ("cash and cash equivalents plus notes payable", "37000000"),
        ("notes payable, bonds", "10000000"),
        ("cash and cash equivalents", "30000000"),
    ],
)
def test_figures_that_are_listed_together_are_added(item: str, value: str) -> None:
    found = result(asked(item), year(2023), graph=graph_of(CASH, NOTES, BONDS))
    assert found.value == value


def test_a_line_of_all_words_is_none_of_both_where_one_name_is_within_the_other() -> None:
    short, debt = (
        line(ANNUAL, name, {AT23: value}, **BALANCE)
        for name, value in (("Short-term debt", "7"), ("Debt", "30"))
    )
    assert (
        result(asked("short-term debt and debt"), year(2023), graph=graph_of(short, debt)).value == "37000000"
    )


def test_a_line_that_says_each_word_as_often_is_called_by_a_list() -> None:
    within = line(ANNUAL, "Cash equivalents", {AT23: "12"}, statement="other", page=70)
    held = line(ANNUAL, "Cash, cash equivalents and restricted cash", {AT23: "35"}, **BALANCE)
    graph = graph_of(CASH, within, held)
    assert result(asked("cash and cash equivalents"), year(2023), graph=graph).value == "30000000"
    every = asked("cash, cash equivalents and restricted cash")
    assert result(every, year(2023), graph=graph).value == "35000000"


def test_one_line_that_two_names_find_is_not_added_to_itself() -> None:
    pay = line(ANNUAL, "Wages bill", {Y23: "19"}, page=60)
    again = line(ANNUAL, "Salaries bill", {Y23: "19"}, statement="other", page=70)
    assert made(asked("wages and salaries"), year(2023), graph=graph_of(pay, again))[0] == []
    names, rights = (line(ANNUAL, name, {Y23: "12"}, page=60) for name in ("Trademarks", "Patents"))
    found = result(asked("trademarks and patents"), year(2023), graph=graph_of(names, rights))
    assert found.value == "24000000"


def test_all_that_is_listed_has_to_be_found() -> None:
    found, missing = made(asked("notes payable plus goodwill"), year(2023), graph=graph_of(CASH, NOTES))
    assert found == [] and len(missing) == 1


def test_a_change_of_a_sum_has_the_sum_in_brackets_once() -> None:
    found = result(
        asked("notes payable plus bonds", "change"), year(2022), year(2023), graph=graph_of(NOTES, BONDS)
    )
    assert found.formula == "(a_1 + a_2) - (a_1_before + a_2_before)" and found.value == "-3000000"


@pytest.mark.parametrize(("rows", "value"), [((OTHERS, OWN), "80"), ((OTHERS,), "90")])
def test_equity_is_the_owners_where_others_have_a_part(rows: tuple[list[Triplet], ...], value: str) -> None:
    income = line(ANNUAL, "Net income", {Y23: "8"})
    found = result(
        Asked(measure="return on equity", averaged=False), year(2023), graph=graph_of(income, *rows)
    )
    assert value in [each.value for each in found.operands]


def test_a_part_without_a_line_of_gross_profit_has_its_sales_less_their_cost() -> None:
    sales = line(ANNUAL, "Net sales", {Y23: "50"}, path=("Products",), **PARTS)
    cost = line(ANNUAL, "Cost of sales", {Y23: "20"}, path=("Products",), **PARTS)
    margin = Asked(measure="gross margin", part="Products")
    assert result(margin, When(), graph=graph_of(sales, cost)).value == "0.6"


def test_a_line_that_is_called_by_nothing_but_a_part_stands_under_the_line_item() -> None:
    staff = line(ANNUAL, "Europe", {Y23: "37"}, **{**PARTS, "title": "Number of people by region"})
    sales = line(ANNUAL, "Europe", {Y23: "90"}, path=("Freight revenue",), **PARTS)
    asked = Asked(formula="a", items={"a": "freight revenue"}, part="Europe")
    assert made(asked, year(2023), graph=graph_of(staff))[0] == []
    usual = Asked(formula="a", items={"a": "net sales"}, part="Europe")
    titled = line(ANNUAL, "Europe", {Y23: "41"}, **{**PARTS, "title": "Disaggregated revenues"})
    assert result(usual, year(2023), graph=graph_of(staff, titled)).value == "41000000"
    assert result(asked, year(2023), graph=graph_of(staff, sales)).value == "90000000"


def test_what_is_said_of_the_last_alone_is_meant_of_each() -> None:
    short = line(ANNUAL, "Short-term deferred fees", {AT23: "8"}, **BALANCE)
    long = line(ANNUAL, "Long-term deferred fees", {AT23: "5"}, **BALANCE)
    found = result(asked("short-term plus long-term deferred fees"), year(2023), graph=graph_of(short, long))
    assert found.value == "13000000"


def test_what_no_lines_add_up_to_is_the_line_that_is_called_by_all_of_it() -> None:
    together = line(ANNUAL, "Accrued and other dues", {AT23: "9"}, **BALANCE)
    found = result(asked("accrued plus other dues"), year(2023), graph=graph_of(together))
    assert found.value == "9000000"


def test_a_line_of_one_of_two_that_differ_in_a_small_word_is_not_their_sum() -> None:
    short = line(ANNUAL, "Short-term debt", {AT23: "8"}, **BALANCE)
    found, missing = made(asked("short-term debt plus long-term debt"), year(2023), graph=graph_of(short))
    assert found == [] and len(missing) == 1


def test_what_is_to_be_added_is_added_though_a_line_has_all_its_words() -> None:
    together = line(ANNUAL, "Notes payable plus bonds", {AT23: "-1"}, statement="other")
    found = result(asked("notes payable plus bonds"), year(2023), graph=graph_of(NOTES, BONDS, together))
    assert found.value == "10000000"


def test_parts_that_are_listed_together_share_their_line_item() -> None:
    regions = graph_of(
        line(ANNUAL, "Net revenue", {Y23: "22"}, path=("Americas",), **PARTS),
        line(ANNUAL, "Net revenue", {Y23: "11"}, path=("Europe",), **PARTS),
    )
    assert result(asked("Americas and Europe net revenue"), year(2023), graph=regions).value == "33000000"


@pytest.mark.parametrize(
    ("words", "pieces"),
    [
        ("debt, current and long-term", ["current debt", "long-term debt"]),
        ("debt, short and long term", ["short-term debt", "long-term debt"]),
        ("debt (current and non-current)", ["current debt", "non-current debt"]),
        (
            "unearned fees, both current and noncurrent portions",
            ["current unearned fees", "noncurrent unearned fees"],
        ),
        ("loans, short-term plus long-term together", ["short-term loans", "long-term loans"]),
        ("long-term debt, current portion included", ["long-term debt", "current portion of long-term debt"]),
        (
            "long-term debt and its current maturities",
            ["long-term debt", "current portion of long-term debt"],
        ),
        ("cash, current portion of long-term debt", ["cash", "current portion of long-term debt"]),
        ("goodwill, current and long-term loans", ["goodwill", "current and long-term loans"]),
    ],
)
def test_terms_that_are_said_behind_a_line_item_are_a_line_item_each(words: str, pieces: list[str]) -> None:
    assert listed(words) == pieces


@pytest.mark.parametrize(
    ("words", "pieces"),
    [
        ("short- and long-term debt", ["short-term debt", "long-term debt"]),
        ("near- and long-term unearned fees", ["near-term unearned fees", "long-term unearned fees"]),
        ("short-term and long-term debt", ["short-term debt", "long-term debt"]),
    ],
)
def test_a_term_that_is_cut_at_its_hyphen_is_a_whole_one(words: str, pieces: list[str]) -> None:
    assert whole_pieces(listed(words)) == pieces


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("debt, short and long term", "48000000"),
        ("short- and long-term debt", "48000000"),
        ("long-term debt, current portion included", "45000000"),
    ],
)
def test_debt_of_both_terms_is_added(words: str, value: str) -> None:
    graph = graph_of(
        *(
            line(ANNUAL, name, {AT23: own}, **BALANCE)
            for name, own in {
                "Short-term debt": "8",
                "Long-term debt": "40",
                "Current portion of long-term debt": "5",
            }.items()
        )
    )
    assert result(asked(words), year(2023), graph=graph).value == value


def test_a_line_item_whose_name_has_commas_is_no_list() -> None:
    running = [
        replace(each, concept="us-gaap:SellingGeneralAndAdministrativeExpense")
        for each in line(ANNUAL, "Running the shops", {Y23: "60"})
    ]
    notes = [
        line(ANNUAL, name, {Y23: value}, statement="other", page=70)
        for name, value in (("Selling", "30"), ("General and administrative", "20"))
    ]
    found = result(asked("selling, general and administrative"), year(2023), graph=graph_of(running, *notes))
    assert found.value == "60000000"
