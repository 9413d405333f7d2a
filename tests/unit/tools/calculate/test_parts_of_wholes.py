"""Parts that a question calls otherwise than the page: found in the tables that break their whole down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.accounts import ANNUAL, CATALOG, GRAPH, Y22, Y23, calculation, graph_of, line, result, year
from tools.calculate.compute import compute
from tools.calculate.listed_items import parted
from tools.calculate.measures import Item
from tools.calculate.operands import Figures
from tools.calculate.questions import of_one
from tools.calculate.shares import share_items
from tools.calculate.types import Asked, Computed
from tools.evidence import fact_of
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.scope import Scope

SEGMENT: dict[str, Any] = {"statement": "segment", "page": 70, "title": "Segment results"}
MARKETS: dict[str, Any] = {"statement": "other", "page": 81, "title": "Revenue by market"}
TOTAL = line(ANNUAL, "Total net revenue", {Y23: "4000", Y22: "3200"})
BY_MARKET = graph_of(
    TOTAL,
    line(ANNUAL, "Valves", {Y23: "3000"}, **MARKETS),
    line(ANNUAL, "Compact valves", {Y23: "1800"}, **MARKETS),
    line(ANNUAL, "Heavy valves", {Y23: "1200"}, **MARKETS),
    line(ANNUAL, "Pumps", {Y23: "1000"}, **MARKETS),
    line(ANNUAL, "Total net revenue", {Y23: "4000"}, **MARKETS),
)
BY_SEGMENT = graph_of(
    TOTAL,
    *(
        line(ANNUAL, label, {Y23: value}, path=(name,), **SEGMENT)
        for name, own in {"Home market": ("1000", "90"), "Other lands": ("3000", "60")}.items()
        for label, value in zip(("Total net revenue", "Operating income"), own, strict=True)
    ),
    line(ANNUAL, "Operating income", {Y23: "150"}),
)


class Near:
    """Every text lies where the first of the known words in it does."""

    def __init__(self, **places: tuple[float, float]) -> None:
        self._places = places

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found = (next((x for word, x in self._places.items() if word in each), (0.0, -1.0)) for each in texts)
        return np.array([np.array(each) / np.hypot(*each) for each in found], np.float32)


def made(asked: Asked, graph: KnowledgeGraph, encoder: Near | None = None) -> Computed | None:
    found, _ = compute(asked, Figures(graph, Scope(), encoder), CATALOG, ("ORLA",), {"ORLA": (year(2023),)})
    return found[0].calculation.results[0] if found and found[0].calculation else None


def share(part: str, whole: str) -> Asked:
    return Asked(formula="a / b", items=share_items(part, whole), shown="percent", is_share=True)


def shown(found: Computed | None) -> list[str]:
    return [each.value for each in found.operands] if found else []


def test_a_sum_of_some_parts_is_a_part_of_the_whole_on_another_page() -> None:
    assert shown(made(share("valves market", "net revenue"), BY_MARKET)) == ["3000", "4000"]


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("What part of Overseas net revenue did Peru bring in?", "100"),
        ("What part of net revenue did Peru bring in overseas?", "4000"),
    ],
)
def test_a_name_in_the_title_of_a_parts_table_is_of_the_whole(question: str, whole: str) -> None:
    place: dict[str, Any] = {"statement": "other", "page": 82, "title": "Overseas net revenue by market"}
    rows = [line(ANNUAL, name, {Y23: value}, **place) for name, value in (("Peru", "20"), ("Total", "100"))]
    asked = share("Peru", "net revenue").model_copy(update={"said": question})
    assert shown(made(asked, graph_of(TOTAL, *rows))) == ["20", whole]


def test_listed_parts_of_a_share_are_parts_of_its_whole_each() -> None:
    assert shown(made(share("compact and heavy valves", "net revenue"), BY_MARKET)) == [
        "1800",
        "1200",
        "4000",
    ]
    of_no_whole = Asked(formula="a / whole", items=(("a", "compact valves and pumps"),), is_share=True)
    found, missing = compute(
        of_no_whole, Figures(BY_MARKET, Scope()), CATALOG, ("ORLA",), {"ORLA": (year(2023),)}
    )
    assert not found and missing == ("the total that compact valves and pumps are parts of",)


def test_a_part_that_may_not_be_seen_gives_way_to_one_of_a_later_table() -> None:
    figures = Figures(BY_MARKET, Scope())
    whole = figures.find("ORLA", Item(labels=("net revenue",)), year(2023).periods, 12)
    assert whole is not None
    part = figures.part_of(whole, "valves")
    assert part is not None and fact_of(part.first).value == "3000"
    assert figures.part_of(whole, "valves", {part.first.item_id}) is None


def test_a_part_is_found_by_what_its_name_means() -> None:
    meant = Near(taps=(1.0, 0.3), Valves=(1.0, 0.2), Pumps=(0.2, 1.0), alves=(0.3, 1.0))
    growth = Asked(formula="a", items=(("a", "taps net revenue"),))
    assert shown(made(growth, BY_MARKET, meant)) == ["3000"]
    unsure = Near(taps=(1.0, 0.3), Valves=(1.0, 0.2), Pumps=(1.0, 0.2), alves=(0.3, 1.0))
    assert made(growth, BY_MARKET, unsure) is None
    assert made(growth, BY_MARKET) is None


def test_what_the_company_is_called_means_no_part_of_it() -> None:
    parts = {"Orla Home": "3000", "Orla Abroad": "1000"}
    lines = [line(ANNUAL, name, {Y23: value}, **MARKETS) for name, value in parts.items()]
    graph = graph_of(TOTAL, *lines, line(ANNUAL, "Total net revenue", {Y23: "4000"}, **MARKETS))
    places = {"pumps": (1.0, 0.1), "Orla Home": (1.0, 0.2), "Home": (0.1, 1.0), "Abroad": (-1.0, 0.2)}
    figures = Figures(graph, Scope(), Near(**places))
    whole = figures.find("ORLA", Item(labels=("net revenue",)), year(2023).periods, 12)
    assert whole is not None and figures.part_of(whole, "pumps") is None


def test_what_a_part_is_not_names_none() -> None:
    meant = Near(taps=(1.0, 0.3), Valves=(1.0, 0.2), Pumps=(0.2, 1.0), alves=(0.3, 1.0))
    assert made(Asked(formula="a", items=(("a", "outside taps net revenue"),)), BY_MARKET, meant) is None


def test_figures_of_a_part_stand_under_the_heading_of_the_first_one() -> None:
    near = {"abroad": (1.0, 0.1), "Other lands: Operating": (1.0, 0.2), "lands": (0.5, 1.0)}
    abroad = Near(**near)
    margin = Asked(measure="operating margin", part="abroad")
    assert shown(made(margin, BY_SEGMENT, abroad)) == ["60", "3000"]


def test_a_line_item_of_a_segment_is_no_part_of_its_revenue() -> None:
    found = made(share("Other lands operating income", "operating income"), BY_SEGMENT)
    assert shown(found) == ["60", "150"]


def test_what_is_compared_with_a_part_is_of_its_kind() -> None:
    items = (("a", "Europe net revenue"), ("b", "Asia Pacific"))
    found = result(Asked(formula="a - b", items=items), year(2023))
    assert shown(found) == ["1100", "700"]


@pytest.mark.parametrize(
    ("words", "label", "rest"),
    [
        ("brick-and-mortar revenue", "Total net revenue", "brick-and-mortar"),
        ("capital expenditures U.S. segment", "Capital expenditures", "U.S. segment"),
        ("revenue", None, "revenue"),
        ("valves in stock", None, "valves in stock"),
    ],
)
def test_words_are_parted_into_a_line_item_and_what_they_name_besides(
    words: str, label: str | None, rest: str
) -> None:
    item, own = parted(words)
    assert (item.labels[0] if item else None, own) == (label, rest)


def test_words_of_several_clauses_are_names_for_the_same_the_last_first() -> None:
    question = (
        "How far did Orla cut its ad budget? Change of advertising expense, the consumer part, in percent."
    )
    assert of_one(question, ["ad budget", "advertising expense"]) == "advertising expense|ad budget"
    assert of_one(question, ["advertising expense", "consumer part"]) == "advertising expense consumer part"
    assert of_one(question, ["Orla", "Orla"]) == "Orla"
    assert of_one(question, ["ad", "ad budget"]) == "ad budget"
    covered = "Did cash flow, after capital expenditures, cover the dividends paid?"
    assert (
        of_one(covered, ["capital expenditures", "dividends paid"])
        == "capital expenditures plus dividends paid"
    )
    assert (
        of_one("How much revenue in the U.S. came from services?", ["revenue", "services"])
        == "revenue services"
    )


def test_a_share_of_the_accounts_is_still_a_share() -> None:
    found = calculation(share("Europe", "net revenue"), year(2023), graph=GRAPH)
    assert found.results[0].value == "0.275"


def test_sales_of_a_place_are_no_part_of_another_line_item() -> None:
    places = {"statement": "segment", "page": 70, "title": "Segments"}
    graph = graph_of(
        line(ANNUAL, "Segment operating income", {Y23: "150"}, page=70),
        line(ANNUAL, "Peru", {Y23: "90"}, path=("Net sales by segment",), **places),
    )
    assert shown(made(share("Peru", "segment operating income"), graph)) == []
    within = graph_of(
        line(ANNUAL, "Segment operating income", {Y23: "150"}, page=70),
        line(ANNUAL, "Peru", {Y23: "90"}, path=("Operating income by segment",), **places),
    )
    assert shown(made(share("Peru", "segment operating income"), within)) == ["90", "150"]


LEASES: dict[str, Any] = {**SEGMENT, "path": ("Leases",)}
LET = [
    line(ANNUAL, "Net revenue", {Y23: "1000"}, **LEASES),
    line(ANNUAL, "Cost of revenue", {Y23: "200"}, **LEASES),
]
LEASE_MARGIN = Asked(measure="gross margin", part="Leases")


def test_a_cost_line_that_words_come_near_is_no_gross_profit_of_a_part() -> None:
    near_cost = Near(Gross=(1.0, 0.1), Cost=(1.0, 0.12))
    assert shown(made(LEASE_MARGIN, graph_of(*LET), near_cost)) == ["1000", "200"]
    printed = line(ANNUAL, "Gross profit", {Y23: "750"}, **LEASES)
    assert shown(made(LEASE_MARGIN, graph_of(*LET, printed), near_cost)) == ["750", "1000"]


def test_the_gross_profit_of_all_is_none_of_a_part() -> None:
    of_all = line(ANNUAL, "Gross profit", {Y23: "1600"}, statement="other", page=90)
    near_profit = Near(Gross=(1.0, 0.1), Cost=(0.1, 1.0))
    assert shown(made(LEASE_MARGIN, graph_of(*LET, of_all), near_profit)) == ["1000", "200"]


def test_the_part_of_a_usual_divisor_may_be_a_line_that_its_words_mean() -> None:
    grants: dict[str, Any] = {"statement": "other", "page": 91, "title": "Stock grants"}
    graph = graph_of(
        TOTAL,
        line(ANNUAL, "Pay", {Y23: "300"}, **grants),
        line(ANNUAL, "Crew wages", {Y23: "900"}, statement="other", page=92),
    )
    meant = Near(**{"stock pay": (1.0, 0.1), "Pay": (1.0, 0.12), "wages": (0.1, 1.0)})
    assert shown(made(share("stock pay", "net revenue"), graph, meant)) == ["300", "4000"]
    assert shown(made(share("stock pay", "crew wages"), graph, meant)) == []
    another = Near(**{"stock options": (1.0, 0.1), "Pay": (1.0, 0.12), "wages": (0.1, 1.0)})
    assert shown(made(share("stock options", "net revenue"), graph, another)) == []


def test_a_measure_is_of_the_part_that_words_mean() -> None:
    own = {"Home market": ("1000", "90"), "Far lands": ("3000", "60"), "Rivers": ("500", "50")}
    rows = [
        line(ANNUAL, label, {Y23: value}, path=(name,), **SEGMENT)
        for name, values in own.items()
        for label, value in zip(("Total net revenue", "Operating income"), values, strict=True)
    ]
    graph = graph_of(line(ANNUAL, "Total net revenue", {Y23: "4500"}), *rows)
    margin = Asked(measure="operating margin", part="lands at sea")
    assert shown(made(margin, graph, Near(sea=(1.0, 0.1), lands=(1.0, 0.2)))) == ["60", "3000"]
    unsure = Near(sea=(1.0, 0.1), lands=(1.0, 0.2), Rivers=(1.0, 0.2))
    assert shown(made(margin, graph, unsure)) == []
    other = margin.model_copy(update={"part": "seas"})  # no word of which is a part's
    assert shown(made(other, graph, Near(seas=(1.0, 0.1), lands=(1.0, 0.2)))) == []
