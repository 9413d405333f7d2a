"""Equal facts once with all their sources; figures on which documents disagree; roles by date."""

from __future__ import annotations

from datetime import date
from typing import Any

from builders import QUARTER, document, figure, filing, parsed, table

from tools.documents.types import Document, ParsedDocument, TableFact
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.graph.fusion import Conflict, conflicts, conflicts_on, fused
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.role_history import role_history
from tools.knowledge.graph.standard_concepts import standard_concept
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import Triplet
from tools.scope import Scope

EXTRACT = LocalExtractor(prose=False).extract
LATER = document(number=2, end=date(2024, 6, 29), fiscal_year=2024)


def graph_of(*documents: ParsedDocument, more: tuple[Triplet, ...] = ()) -> KnowledgeGraph:
    triplets = [triplet for item in documents for triplet in EXTRACT(item)]
    files = {LATER.id: LATER} | {item.document.id: item.document for item in documents}
    return KnowledgeGraph.build([*triplets, *more], files)


def printed(doc: Document, *facts: TableFact, statement: str = "income") -> ParsedDocument:
    return parsed(doc, table(statement, *facts))


def found(*documents: ParsedDocument, **scope: Any) -> list[Conflict]:
    return list(conflicts(graph_of(*documents), Scope(**scope)))


def test_a_figure_that_two_documents_print_is_one_fact_with_two_sources() -> None:
    graph = graph_of(filing(number=1), printed(LATER, figure("Net income", "19881")))
    (position,) = (p for p, e in enumerate(graph.entities) if e.key == "metric:ACME:net income")
    figures = [each for each in fused(graph, graph.edges_of[position]) if each.fact.period == QUARTER]
    assert [[t.document for t in each.sources] for each in figures] == [["ACME-1.pdf", "ACME-2.pdf"]]


def test_another_value_in_a_later_document_is_a_restatement_and_the_newest_is_named() -> None:
    (conflict,) = found(filing(number=1), printed(LATER, figure("Net income", "19900")))
    assert conflict.kind == "restatement"
    assert [each.fact.value for each in conflict.values] == ["19881", "19900"]
    assert (conflict.newest.document, conflict.newest.page) == ("ACME-2.pdf", 4)


def test_the_conflicts_of_some_figures_are_those_of_which_one_is_a_source() -> None:
    graph = graph_of(
        filing(number=1), printed(LATER, figure("Net income", "19900"), figure("Net sales", "3"))
    )
    (conflict,) = conflicts(graph, Scope())
    for value in conflict.values:
        assert conflicts_on(graph, {value.fact.id}) == [conflict]
    others = {t.id for t in graph.triplets()} - {t.id for v in conflict.values for t in v.sources}
    assert others and conflicts_on(graph, others) == [] and conflicts_on(graph, ()) == []


def test_the_order_in_which_documents_come_does_not_say_which_is_newest() -> None:
    earlier = document(number=1, end=date(2024, 9, 28), fiscal_year=2024)
    (conflict,) = found(
        printed(earlier, figure("Net income", "1")), printed(LATER, figure("Net income", "2"))
    )
    assert conflict.newest.value == "1"


def test_a_value_that_comes_back_is_the_newest() -> None:
    last = document(number=3, end=date(2024, 9, 28), fiscal_year=2024)
    (conflict,) = found(
        filing(number=1),
        printed(LATER, figure("Net income", "19900")),
        printed(last, figure("Net income", "19881")),
    )
    assert [each.fact.value for each in conflict.values] == ["19900", "19881"]
    assert (conflict.newest.value, conflict.newest.document) == ("19881", "ACME-3.pdf")


def test_documents_on_one_period_that_disagree_contradict_one_another() -> None:
    same = document(number=2)
    (conflict,) = found(filing(number=1), printed(same, figure("Net income", "19900")))
    assert conflict.kind == "contradiction"


def test_rounding_sign_another_unit_period_or_statement_is_no_conflict() -> None:
    first = printed(document(number=1), figure("Net income", "19881"))
    for other in (
        figure("Net income", "19.9", scale=9),
        figure("Net income", "-19881"),
        figure("Net income", "19900", unit="EUR"),
    ):
        assert found(first, printed(LATER, other)) == []
    assert found(first, printed(LATER, figure("Net income", "19900"), statement="segment")) == []


def test_a_document_that_means_several_things_by_one_line_is_left_out() -> None:
    several = printed(document(number=1), figure("Other", "5"), figure("Other", "7"))
    assert found(several, printed(LATER, figure("Other", "6"))) == []


def test_conflicts_of_another_company_stay_outside_the_scope() -> None:
    pair = (filing(number=1), printed(LATER, figure("Net income", "19900")))
    assert found(*pair, companies=("BOLT",)) == []
    assert len(found(*pair, companies=("ACME",))) == 1


def role(doc: Document, name: str, title: str) -> Triplet:
    return make_triplet(
        doc, (name, "person"), "holds role", (title, "value"), page=2, quote=f"{name}, {title}"
    )


def test_who_held_a_role_is_told_by_date_with_the_documents_that_say_so() -> None:
    first, last = document(number=1), LATER
    told = (
        role(last, "Max Wren", "Chief Financial Officer"),
        role(first, "Ada Quill", "Chief Financial Officer"),
        role(first, "Max Wren", "Treasurer"),
    )
    graph = graph_of(filing(number=1), more=told)
    (acme,) = (each for each in graph.entities if each.key == "company:ACME")
    held = role_history(graph, acme, Scope())
    assert [(each.person, each.role, each.when) for each in held] == [
        ("Ada Quill", "Chief Financial Officer", "period ended July 1, 2023"),
        ("Max Wren", "Treasurer", "period ended July 1, 2023"),
        ("Max Wren", "Chief Financial Officer", "period ended June 29, 2024"),
    ]
    (wren,) = (each for each in graph.entities if each.name == "Max Wren")
    assert [each.role for each in role_history(graph, wren, Scope())] == [
        "Treasurer",
        "Chief Financial Officer",
    ]


def test_an_analyst_is_none_of_the_companys_own_people() -> None:
    doc = document(number=1)
    works = make_triplet(doc, ("Max Wren", "person"), "works for", ("Elm Bank", "company"), page=1, quote="q")
    graph = graph_of(filing(number=1), more=(role(doc, "Max Wren", "Analyst"), works))
    (acme,) = (each for each in graph.entities if each.key == "company:ACME")
    assert role_history(graph, acme, Scope()) == []
    (wren,) = (each for each in graph.entities if each.name == "Max Wren")
    assert [(each.role, each.company) for each in role_history(graph, wren, Scope())] == [
        ("Analyst", "Elm Bank")
    ]


def test_a_line_item_has_the_concept_that_its_filer_tags_else_the_one_that_filings_print_its_name_for() -> (
    None
):
    doc = document(number=1)
    tagged = make_triplet(
        doc, ("Odd profit", "metric"), "was", ("5 USD", "value"), page=1, quote="q", period=QUARTER, value="5",
        unit="USD", concept="acme:OddProfit",
    )  # fmt: skip
    graph = graph_of(filing(number=1), more=(tagged,))
    by_name = {each.name: each for each in graph.entities if each.type == "metric"}
    assert standard_concept(graph, by_name["Odd profit"]) == "acme:OddProfit"
    assert standard_concept(graph, by_name["Net income"]).startswith("us-gaap:")
