"""Where many companies are indexed, a question without a company's name is held against the likeliest ones."""

from __future__ import annotations

import gc
import weakref
from datetime import date

import pytest
from builders import END, QUARTER, document, figure, parsed, table

from tools.documents.types import ParsedDocument
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search import kg_search as searching
from tools.knowledge.search.kg_search import kg_search
from tools.knowledge.search.likely_companies import likely_companies
from tools.knowledge.search.line_items import CompanyFacts
from tools.periods import Period, PeriodFilter
from tools.scope import Scope

EARLIER = date(2021, 7, 3)
EVERYTHING = Scope()


def company(key: str, label: str, period: Period = QUARTER, heading: tuple[str, ...] = ()) -> ParsedDocument:
    own = document(key, end=period.end)
    return parsed(
        own, table("income", figure("Net income", "7", period), figure(label, "5", period, heading))
    )


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    documents = [
        company("AAA", "Gravel"),
        company("BBB", "Total revenues"),
        company("CCC", "Sales", Period(EARLIER, 3, 2021, 3)),
        company("DDD", "Royalties", heading=("Licensing of patents",)),
        company("EEE", "Royalties"),
    ]
    triplets = [triplet for each in documents for triplet in LocalExtractor().extract(each)]
    return KnowledgeGraph.build(triplets, {each.document.id: each.document for each in documents})


def test_a_graph_that_was_asked_is_let_go_of() -> None:
    each = company("AAA", "Gravel")
    asked = KnowledgeGraph.build(LocalExtractor().extract(each), {each.document.id: each.document})
    likely(asked, "What was gravel?", 0)
    held = weakref.ref(asked)
    del asked
    gc.collect()
    assert held() is None


def likely(graph: KnowledgeGraph, question: str, most: int, scope: Scope = EVERYTHING) -> list[str]:
    return likely_companies(graph, question, scope, sorted(graph.rows_of_company), most)


def test_a_label_with_the_words_of_the_question_comes_before_the_first_name(graph: KnowledgeGraph) -> None:
    assert likely(graph, "What were royalties?", 2) == ["DDD", "EEE"]


def test_a_heading_counts_as_a_label_does(graph: KnowledgeGraph) -> None:
    assert likely(graph, "What did licensing bring in royalties?", 1) == ["DDD"]


def test_a_metric_is_found_by_whatever_name_its_line_has(graph: KnowledgeGraph) -> None:
    assert likely(graph, "What was revenue?", 2) == ["BBB", "CCC"]


def test_a_company_without_a_figure_in_scope_takes_nobodys_place(graph: KnowledgeGraph) -> None:
    within = Scope(periods=(PeriodFilter(end=END),))
    assert likely(graph, "What was revenue?", 2, within) == ["BBB", "AAA"]


def test_of_equal_companies_the_first_are_taken(graph: KnowledgeGraph) -> None:
    assert likely(graph, "What was net income?", 3) == ["AAA", "BBB", "CCC"]


def test_few_companies_are_all_looked_at(graph: KnowledgeGraph) -> None:
    assert likely(graph, "zebras", 5) == sorted(graph.rows_of_company)


def test_no_more_companies_are_looked_at_than_are_needed_for_sure_hits(
    graph: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[str] = []
    real = searching.company_facts

    def noting(graph: KnowledgeGraph, key: str) -> CompanyFacts:
        looked_at.append(key)
        return real(graph, key)

    monkeypatch.setattr(searching, "company_facts", noting)
    monkeypatch.setattr(searching, "COMPANIES_AT_ONCE", 1)
    assert kg_search(graph, "What was net income?", EVERYTHING, k=1)
    assert len(set(looked_at)) == 5, "all of few"
    monkeypatch.setattr(searching, "LEAST_COMPANIES", 4)
    looked_at.clear()
    (one,) = kg_search(graph, "What was net income?", EVERYTHING, k=1)
    assert looked_at == [one.company_key]
    looked_at.clear()
    assert kg_search(graph, "What were zebras?", EVERYTHING, k=1) == [] and len(looked_at) == 4


def test_a_line_without_fault_is_found_however_many_companies_have_one_that_comes_near(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(searching, "COMPANIES_AT_ONCE", 2)
    monkeypatch.setattr(searching, "LEAST_COMPANIES", 5)
    monkeypatch.setattr(searching, "COMPANIES_A_HIT", 1)
    near = [company(f"A{number}", "Gravel royalty payments to owners") for number in range(4)]
    documents = [*near, company("ZZZ", "Gravel royalty"), company("YYY", "Sand")]
    triplets = [triplet for each in documents for triplet in LocalExtractor().extract(each)]
    graph = KnowledgeGraph.build(triplets, {each.document.id: each.document for each in documents})
    found = kg_search(graph, "What was gravel royalty?", EVERYTHING, k=2)
    assert found[0].company_key == "ZZZ"


def test_the_search_finds_what_only_one_of_many_companies_reports(
    graph: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "LEAST_COMPANIES", 1)
    monkeypatch.setattr(searching, "COMPANIES_A_HIT", 1)
    found = kg_search(graph, "What were sales of gravel?", EVERYTHING, k=1)
    assert [item.company_key for item in found] == ["AAA"]
    named = kg_search(graph, "What was EEE's net income?", EVERYTHING, k=1)
    assert [item.company_key for item in named] == ["EEE"]
