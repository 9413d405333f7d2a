"""Shares of what measures divide by, whatever they are of, and shares within one part of a company."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.accounts import ANNUAL, AT23, BALANCE, Y23, calculation, graph_of, line, made, result, year
from tools.calculate.shares import share_items
from tools.calculate.types import Asked, Computed
from tools.knowledge.types import Triplet

NOTE: dict[str, Any] = {"statement": "other", "page": 70}
ACCOUNTS = graph_of(
    line(ANNUAL, "Total net revenue", {Y23: "4000"}),
    line(ANNUAL, "Research and development", {Y23: "500"}),
    line(ANNUAL, "Total assets", {AT23: "5000"}, **BALANCE),
    line(ANNUAL, "Stock-based compensation", {Y23: "300"}, statement="cash_flow", page=44),
    line(ANNUAL, "Rented tools", {AT23: "50"}, **NOTE),
    line(ANNUAL, "Lodgings", {Y23: "30"}, **NOTE),
)


def share(part: str, whole: str, **more: Any) -> Asked:
    return Asked(formula="a / b", items=share_items(part, whole), shown="percent", is_share=True, **more)


def shown(found: Computed) -> list[str]:
    return [each.value for each in found.operands]


@pytest.mark.parametrize(
    ("part", "whole", "values"),
    [
        ("stock compensation", "revenue", ["300", "4000"]),
        ("stock compensation", "net sales", ["300", "4000"]),
        ("rented tools", "assets", ["50", "5000"]),
        ("rented tools", "total assets", ["50", "5000"]),
    ],
)
def test_a_share_of_a_usual_divisor_is_the_ratio_of_two_printed_lines(
    part: str, whole: str, values: list[str]
) -> None:
    assert shown(result(share(part, whole), year(2023), graph=ACCOUNTS)) == values


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("stock compensation", "research expense"),
        ("lodgings", "revenue"),  # one word that is no line item's: it may be of anything
    ],
)
def test_a_share_of_what_nothing_is_divided_by_or_of_any_word_is_none(part: str, whole: str) -> None:
    found, missing = made(share(part, whole), year(2023), graph=ACCOUNTS)
    assert found == [] and len(missing) == 1


def test_a_usual_divisor_need_not_be_printed_by_its_name() -> None:
    takings = [replace(each, concept="us-gaap:Revenues") for each in line(ANNUAL, "Takings", {Y23: "4000"})]
    pay = line(ANNUAL, "Stock-based compensation", {Y23: "300"}, statement="cash_flow", page=44)
    found = result(share("stock compensation", "sales"), year(2023), graph=graph_of(takings, pay))
    assert shown(found) == ["300", "4000"]


def by_channel(page: int, division: str, wholesale: str, total: str) -> list[Triplet]:
    """What a division sells by channel, in a table of its own."""
    place: dict[str, Any] = {**NOTE, "page": page, "title": f"{division} by channel"}
    retail = str(int(total) - int(wholesale))
    return [
        *line(ANNUAL, "Wholesale", {Y23: wholesale}, **place),
        *line(ANNUAL, "Retail", {Y23: retail}, **place),
        *line(ANNUAL, "Total", {Y23: total}, **place),
    ]


DIVISIONS = {"Northern division": ("60", "100"), "Southern division": ("450", "900")}
BY_CHANNEL = graph_of(
    line(ANNUAL, "Net sales", {Y23: "1000"}),
    *(
        line(ANNUAL, "Net sales", {Y23: total}, statement="segment", page=60, path=(name,))
        for name, (_, total) in DIVISIONS.items()
    ),
    *(by_channel(page, name, *values) for page, (name, values) in enumerate(DIVISIONS.items(), start=71)),
)


@pytest.mark.parametrize("division", DIVISIONS)
def test_a_share_within_a_part_of_a_company_is_of_that_parts_table(division: str) -> None:
    within = share("wholesale", "sales").model_copy(update={"part": division})
    found = result(within, year(2023), graph=BY_CHANNEL)
    assert shown(found) == list(DIVISIONS[division])


def test_shares_within_each_part_stand_side_by_side() -> None:
    each = share("wholesale", "sales", over="part", parts=tuple(DIVISIONS))
    found = calculation(each, year(2023), graph=BY_CHANNEL).results
    assert [(one.name, one.value) for one in found] == [
        ("Northern division", "0.6"),
        ("Southern division", "0.5"),
    ]
