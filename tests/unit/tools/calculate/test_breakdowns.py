"""Parts that add up to a figure: they are a table's breakdown, whatever its heading says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.accounts import (
    ANNUAL,
    AT22,
    AT23,
    BALANCE,
    PARTS,
    Y22,
    Y23,
    ended,
    graph_of,
    line,
    made,
    result,
    year,
)
from tools.calculate.breakdowns import breakdowns_of, part_called, rows_alike
from tools.calculate.types import Asked
from tools.evidence import Evidence
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.kg_search import fact_evidence
from tools.knowledge.types import Triplet
from tools.periods import Period

NOTE: dict[str, Any] = {"statement": "other", "page": 70, "title": "Accrued charges"}
ACCRUED = [
    *line(ANNUAL, "Accrued charges", {AT23: "100", AT22: "80"}, **BALANCE),
    *line(ANNUAL, "Rebates to dealers", {AT23: "60", AT22: "30"}, **NOTE),
    *line(ANNUAL, "Deferred revenue", {AT23: "25", AT22: "20"}, **NOTE),
    *line(ANNUAL, "Taxes payable", {AT23: "15", AT22: "30"}, **NOTE),
    *line(ANNUAL, "Total accrued charges", {AT23: "100", AT22: "80"}, **NOTE),
]
SPLIT: dict[str, Any] = {"statement": "segment", "page": 71, "title": "Changes in goodwill"}
GOODWILL = [
    *line(ANNUAL, "Goodwill", {AT23: "900"}, **BALANCE),
    *line(ANNUAL, "Balance at year-end", {AT23: "700"}, path=("Northern segment",), **SPLIT),
    *line(ANNUAL, "Balance at year-end", {AT23: "200"}, path=("Overseas",), **SPLIT),
    *line(ANNUAL, "Balance at year-end", {AT23: "900"}, path=("Total",), **SPLIT),
    *line(ANNUAL, "Northern segment", {AT23: "5"}, statement="other", page=80, title="Staff funds"),
]


def whole(graph: KnowledgeGraph, label: str) -> Evidence:
    row = next(t for t in map(graph.triplet, range(len(graph))) if t.head == label and t.period == AT23)
    return fact_evidence(row, 1.0)


def test_rows_that_add_up_to_a_figure_are_its_parts() -> None:
    graph = graph_of(ACCRUED)
    (found,) = breakdowns_of(graph, whole(graph, "Accrued charges"))
    assert set(found.parts) == {"Rebates to dealers", "Deferred revenue", "Taxes payable"}


def test_columns_that_add_up_to_a_figure_are_its_parts() -> None:
    graph = graph_of(GOODWILL)
    (found,) = breakdowns_of(graph, whole(graph, "Goodwill"))
    assert set(found.parts) == {"Northern segment", "Overseas"}


def test_rows_that_do_not_add_up_are_no_parts() -> None:
    graph = graph_of(ACCRUED[:-4], line(ANNUAL, "Total accrued charges", {AT23: "101"}, **NOTE))
    assert list(breakdowns_of(graph, whole(graph, "Accrued charges"))) == []


def test_a_figure_of_the_same_amount_and_time_is_alike_whatever_its_sign() -> None:
    paid = line(ANNUAL, "Spending", {Y23: "-70", Y22: "-60"}, statement="cash_flow")
    table = line(ANNUAL, "Spending on plant", {Y23: "70"}, statement="other", page=80)
    graph = graph_of(paid, table)
    item = fact_evidence(next(t for t in map(graph.triplet, range(3)) if t.value == "70"), 1.0)
    assert {graph.triplet(row).value for row in rows_alike(graph, item)} == {"70", "-70"}


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("rebates", "60"),
        ("dealers' rebates", "60"),
        ("taxes owed", None),
        ("charges for rebates", "60"),
        ("sitting with dealers abroad", None),
        ("outside rebates", None),
        ("wages", None),
    ],
)
def test_a_part_is_the_one_whose_name_has_all_of_the_words(words: str, value: str | None) -> None:
    graph = graph_of(ACCRUED)
    (table,) = breakdowns_of(graph, whole(graph, "Accrued charges"))
    row = part_called(table, words)
    assert (None if row is None else graph.triplet(row).value) == value


def test_the_parts_that_add_up_are_ranked_where_the_heading_names_none() -> None:
    asked = Asked(formula="a", items={"a": "accrued charges"}, across="change", over="part", pick="highest")
    found, missing = made(asked, year(2023), graph=graph_of(ACCRUED))
    assert missing == () and found[0].calculation is not None
    values = {each.name: each.value for each in found[0].calculation.results}
    assert values == {
        "Rebates to dealers": "30000000",
        "Deferred revenue": "5000000",
        "Taxes payable": "-15000000",
    }


@pytest.mark.parametrize(
    ("set_words", "many"), [("the three regions", 3), ("the four regions", 0), ("regions", 3)]
)
def test_a_set_of_so_many_is_a_table_of_so_many(set_words: str, many: int) -> None:
    asked = Asked(formula="a", items={"a": "net revenue"}, over="part", pick="highest", set_words=set_words)
    found, _ = made(asked, year(2023))
    assert len(found[0].calculation.results if found and found[0].calculation else ()) == many


@pytest.mark.parametrize(("set_words", "many"), [("regions", 0), ("products", 2), ("segments", 2)])
def test_products_are_no_regions_and_segments_may_be_either(set_words: str, many: int) -> None:
    table: dict[str, Any] = {**PARTS, "title": "Net revenue by product"}
    graph = graph_of(
        line(ANNUAL, "Net revenue", {Y23: "15"}, **{**table, "path": ("Lamps",)}),
        line(ANNUAL, "Net revenue", {Y23: "25"}, **{**table, "path": ("Chairs",)}),
    )
    asked = Asked(formula="a", items={"a": "net revenue"}, over="part", pick="highest", set_words=set_words)
    found, _ = made(asked, year(2023), graph=graph)
    assert len(found[0].calculation.results if found and found[0].calculation else ()) == many


def share(a: str, b: str, said: str = "") -> Asked:
    items = {"a": f"{a} {b}|{b} {a}|{a}", "b": b}
    return Asked(formula="a / b", items=items, shown="percent", is_share=True, said=said)


def test_the_part_of_a_share_is_the_one_that_adds_up_and_not_a_line_of_the_same_name_elsewhere() -> None:
    found = result(share("Northern segment", "goodwill"), year(2023), graph=graph_of(GOODWILL))
    assert [each.value for each in found.operands] == ["700", "900"]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Hill towns as a share of Overseas net revenue?", "400"),
        ("Hill towns as a share of Orla's net revenue?", "1000"),
    ],
)
def test_a_share_is_of_the_total_whose_heading_the_question_names(said: str, value: str) -> None:
    table: dict[str, Any] = {**PARTS, "title": "Net revenue by market"}
    graph = graph_of(
        line(ANNUAL, "Total net revenue", {Y23: "1000"}),
        line(ANNUAL, "Hill towns", {Y23: "150"}, **{**table, "path": ("Overseas",)}),
        line(ANNUAL, "Total", {Y23: "400"}, **{**table, "path": ("Overseas",)}),
    )
    found = result(share("Hill towns", "net revenue", said), year(2023), graph=graph)
    assert [each.value for each in found.operands] == ["150", value]


def test_an_earlier_year_is_read_from_a_table_that_calls_the_line_otherwise() -> None:
    spent = {"statement": "cash_flow", "page": 44}
    graph = graph_of(
        line(ANNUAL, "Capital expenditures", {Y23: "-121", Y22: "-110"}, **spent),  # type: ignore[arg-type]
        line(
            ANNUAL,
            "Capital expenditures included in net cash used in investing",
            {Y23: "-121", year_of(2020): "-100"},
            statement="other",
            page=20,
        ),
    )
    asked = Asked(formula="a", items={"a": "capital expenditures"}, across="growth")
    found = result(asked, year(2020), year(2023), graph=graph)
    assert found.value == "0.21" and {each.page for each in found.operands} == {44, 20}


def year_of(number: int) -> Any:
    return Y23.__class__(Y23.end.replace(year=number) if Y23.end else None, 12, number, 4)


@pytest.mark.parametrize("third", ["Mirrors", "Tables"])  # the second is a word that names no line by itself
def test_parts_are_held_against_one_another_at_one_time(third: str) -> None:
    table: dict[str, Any] = {**PARTS, "title": "Net revenue by product"}
    graph = graph_of(
        line(ANNUAL, "Net revenue", {Y23: "15", Y22: "14"}, **{**table, "path": ("Lamps",)}),
        line(ANNUAL, "Net revenue", {Y23: "25"}, **{**table, "path": ("Chairs",)}),
        line(ANNUAL, "Net revenue", {Y22: "99"}, **{**table, "path": (third,)}),
    )
    asked = Asked(formula="a", items={"a": "net revenue"}, over="part", pick="highest", set_words="products")
    found, missing = made(asked, graph=graph)
    assert found[0].calculation is not None
    assert {each.name: each.value for each in found[0].calculation.results if each.value} == {
        "Lamps": "15000000",
        "Chairs": "25000000",
    }
    (fault,) = [each.fault for each in found[0].calculation.results if each.name == third]
    assert fault.endswith("was not found") and missing == ()


DUES: dict[str, Any] = {"statement": "other", "page": 72, "title": "Fees and rents received in advance"}


def in_advance(heading: str, services: str, tools: str, total: str) -> list[list[Triplet]]:
    """Parts of the same names under a heading of their own, their total beside them."""
    own: dict[str, Any] = {**DUES, "path": (heading,)}
    return [
        line(ANNUAL, "Services", {AT23: services}, **own),
        line(ANNUAL, "Tools", {AT23: tools}, **own),
        line(ANNUAL, f"Total {heading.lower()}", {AT23: total}, **DUES),
    ]


def test_parts_of_the_same_names_under_two_headings_add_up_under_each() -> None:
    graph = graph_of(
        line(ANNUAL, "Fees in advance", {AT23: "100"}, **BALANCE),
        line(ANNUAL, "Rents in advance", {AT23: "250"}, **BALANCE),
        *in_advance("Fees", "60", "40", "100"),
        *in_advance("Rents", "180", "70", "250"),
    )
    for label, parts in (
        ("Fees in advance", {"Services": "60", "Tools": "40"}),
        ("Rents in advance", {"Services": "180", "Tools": "70"}),
    ):
        found = [
            {name: graph.triplet(row).value for name, row in each.parts.items()}
            for each in breakdowns_of(graph, whole(graph, label))
        ]
        assert parts in found and all(each == parts for each in found)


STOCK: dict[str, Any] = {"statement": "other", "page": 73, "title": "Stocks"}


def stocks(own: Period, other: Period) -> KnowledgeGraph:
    """A balance, and what a table of two periods breaks it down into."""
    return graph_of(
        line(ANNUAL, "Inventories", {AT23: "100"}, **BALANCE),
        line(ANNUAL, "Raw hides", {own: "40"}, **STOCK),
        line(ANNUAL, "Shoes", {other: "60"}, **STOCK),
        line(ANNUAL, "Total", {own: "100"}, **STOCK),
    )


@pytest.mark.parametrize(
    ("own", "other", "parts"),
    [
        (Y23, Y23, ["Raw hides", "Shoes"]),
        (Y23, ended(2023, months=None), ["Raw hides", "Shoes"]),
        (Y23, ended(2023, months=3), None),
        (Y23, Y22, None),
        (Y22, Y22, None),
    ],
)
def test_a_table_headed_by_years_breaks_a_balance_down(
    own: Period, other: Period, parts: list[str] | None
) -> None:
    graph = stocks(own, other)
    found = [sorted(each.parts) for each in breakdowns_of(graph, whole(graph, "Inventories"))]
    assert found == ([parts] if parts else [])


def test_a_share_in_a_balance_is_of_a_part_from_a_table_headed_by_years() -> None:
    found = result(share("Shoes", "inventories"), year(2023), graph=stocks(Y23, Y23))
    assert [each.value for each in found.operands] == ["60", "100"]


def test_figures_of_another_unit_are_no_parts() -> None:
    graph = graph_of(
        line(ANNUAL, "Inventories", {AT23: "100"}, **BALANCE),
        line(ANNUAL, "Raw hides", {AT23: "40"}, **STOCK),
        line(ANNUAL, "Shoes", {AT23: "60"}, unit="EUR", **STOCK),
        line(ANNUAL, "Total", {AT23: "100"}, **STOCK),
    )
    assert list(breakdowns_of(graph, whole(graph, "Inventories"))) == []
