"""tools.calculate.parts: which table's parts are ranked where a question names the set alone."""

from __future__ import annotations

from dataclasses import replace

from tests.accounts import ANNUAL, Y23, graph_of, line, made, year
from tools.calculate.parts import Ranked, parts_of
from tools.calculate.types import Asked
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.types import Triplet
from tools.scope import Scope

WHOLE = line(ANNUAL, "Total net revenue", {Y23: "4000"})
REVENUE = made(Asked(formula="a", items=(("a", "net revenue"),)), year(2023), graph=graph_of(WHOLE))[0]


def table(title: str, page: int, path: tuple[str, ...] = (), **parts: str) -> list[Triplet]:
    """A row for each part, '_' for a blank in its name."""
    names = {name.replace("_", " "): value for name, value in parts.items()}
    return [
        triplet
        for name, value in names.items()
        for triplet in line(
            ANNUAL,
            "Total net revenue",
            {Y23: value},
            statement="other",
            page=page,
            path=(*path, name),
            title=title,
        )
    ]


def total(title: str, page: int) -> list[Triplet]:
    return line(ANNUAL, "Total net revenue", {Y23: "4000"}, statement="other", page=page, title=title)


def ranked(set_words: str, graph: KnowledgeGraph, *labels: str) -> set[str]:
    whole = next(item for item in REVENUE if item.fact is not None)
    figure = Ranked(labels or ("Total net revenue",), whole)
    return set(parts_of(graph, "ORLA", (figure,), set_words, Scope()))


PLACES = table("Net revenue was as follows", 70, Europe="1000", Latin_America="3000")
KINDS = table("Net revenue was made by", 71, Valves="2900", Pumps="800", Hoses="300")


def test_a_table_of_places_is_one_of_regions_and_no_other_is() -> None:
    graph = graph_of(
        WHOLE, PLACES, KINDS, total("Net revenue was as follows", 70), total("Net revenue was made by", 71)
    )
    assert ranked("regions", graph) == {"Europe", "Latin America"}
    assert ranked("product lines", graph) == {"Valves", "Pumps", "Hoses"}


def test_a_table_that_was_read_as_one_of_segments_is_such_whatever_it_says() -> None:
    rows = table("Results were as follows", 70, Valves="2000", Pumps="1000", Hoses="100")
    assert ranked("segments", graph_of(WHOLE, rows)) == set()
    of_segments = [replace(each, statement="segment") for each in rows]
    assert ranked("segments", graph_of(WHOLE, of_segments)) == {"Valves", "Pumps", "Hoses"}


def test_as_many_places_as_are_said_are_the_regions_among_other_rows() -> None:
    rows = table("Net revenue by segment", 70, Europe="1000", Latin_America="2950", Brand_Group="50")
    graph = graph_of(WHOLE, rows, total("Net revenue by segment", 70))
    assert ranked("two geographic segments", graph) == {"Europe", "Latin America"}
    assert ranked("geographic segments", graph) == {"Europe", "Latin America", "Brand Group"}


def test_a_table_with_as_many_rows_as_are_said_is_taken_though_not_all_are_known_places() -> None:
    rows = table("Net revenue by region", 70, Europe="1000", Latin_America="2900", Overseas="100")
    graph = graph_of(WHOLE, rows, KINDS, total("Net revenue by region", 70))
    assert ranked("three regions", graph) == {"Europe", "Latin America", "Overseas"}


def test_places_among_other_rows_come_before_a_table_of_something_else_with_as_many_rows() -> None:
    rows = table(
        "Net revenue by region", 70, Europe="1000", Latin_America="2000", Asia="950", Brand_Group="50"
    )
    graph = graph_of(
        WHOLE, rows, KINDS, total("Net revenue by region", 70), total("Net revenue was made by", 71)
    )
    assert ranked("three geographies", graph) == {"Europe", "Latin America", "Asia"}


def test_parts_that_add_up_to_the_whole_come_before_others_that_do_not() -> None:
    some = table("Customers of our segments", 72, Buyer_A="500", Buyer_B="400", Buyer_C="410")
    every = table("Results of our segments", 73, Flow="1500", Motion="2500")
    assert ranked("segments", graph_of(WHOLE, some, every, total("Results of our segments", 73))) == {
        "Flow",
        "Motion",
    }
    assert ranked("segments", graph_of(WHOLE, some)) == {"Buyer A", "Buyer B", "Buyer C"}


def test_what_says_of_no_set_what_it_is_of_and_is_not_whole_is_no_table_of_segments() -> None:
    units = table("Sales of the units in Peru", 74, Lima="300", Cusco="20")
    assert ranked("segments", graph_of(WHOLE, units)) == set()
    assert ranked("units", graph_of(WHOLE, units)) == {"Lima", "Cusco"}


def test_a_row_whose_title_is_repeated_is_of_the_same_table() -> None:
    title, metric = "Net revenue by segment were", "Total net revenue"
    paths = {"Home": (title, title, metric), "Abroad": (title, metric), "Sea": (title, metric)}
    rows = [
        line(ANNUAL, name, {Y23: "300"}, statement="other", page=75, path=path, title=title)
        for name, path in paths.items()
    ]
    assert ranked("segment", graph_of(WHOLE, *rows)) == {"Home", "Abroad", "Sea"}


def test_line_items_that_reconcile_a_figure_are_no_segments() -> None:
    at = {"statement": "other", "page": 76, "title": "Reconciliation of segment net revenue"}
    costs = {"Interest expense": "100", "Selling and marketing": "900", "Income before income taxes": "3000"}
    lines = [line(ANNUAL, name, {Y23: value}, **at) for name, value in costs.items()]  # type: ignore[arg-type]
    graph = graph_of(WHOLE, *lines, line(ANNUAL, "Total net revenue", {Y23: "4000"}, **at))  # type: ignore[arg-type]
    assert ranked("segments", graph) == set()
    assert ranked("lines", graph) == set(costs)
