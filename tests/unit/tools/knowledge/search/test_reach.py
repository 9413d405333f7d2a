"""How far a walk from the named things reaches, and over which relations."""

from __future__ import annotations

from datetime import date

import pytest
from builders import document

from tools.documents.types import Document
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.search import reach
from tools.knowledge.search.reach import path_between, personalised_pagerank
from tools.knowledge.search.relations import MAX_LOOKED_AT, search_relations
from tools.knowledge.types import Triplet
from tools.scope import Scope

ACME, BOLT = document("ACME"), document("BOLT", number=2, end=date(2021, 7, 3))
FILES = {each.id: each for each in (ACME, BOLT)}
ALL = Scope()


def said(
    head: str, relation: str, tail: str, doc: Document = ACME, *, quote: str = "", page: int = 1
) -> Triplet:
    sentence = quote or f"{head} {relation} {tail}."
    return make_triplet(doc, (head, "company"), relation, (tail, "product"), page=page, quote=sentence)


def graph_of(*triplets: Triplet) -> KnowledgeGraph:
    return KnowledgeGraph.build(triplets, FILES)


def place(graph: KnowledgeGraph, name: str) -> int:
    return next(n for n, entity in enumerate(graph.entities) if entity.name == name)


CHAIN = graph_of(
    said("Orla Mills", "sells", "Lanternade"),
    said("Kestrel Foods", "distributes", "Lanternade"),
    said("Kestrel Foods", "makes", "Harbor Soap"),
    said("Zephyr Lines", "makes", "Velvet Rope"),
    said("Orla Mills", "makes", "Velvet Rope", BOLT),
)


def test_what_is_nearer_is_visited_more_and_what_no_admitted_relation_joins_is_not_at_all() -> None:
    start = place(CHAIN, "Orla Mills")
    mass = personalised_pagerank(CHAIN, {start: 1.0}, Scope(companies=("ACME",)))
    near = [mass[place(CHAIN, name)] for name in ("Orla Mills", "Lanternade", "Kestrel Foods", "Harbor Soap")]
    assert near == sorted(near, reverse=True)
    assert place(CHAIN, "Velvet Rope") not in mass  # of another company's document
    assert place(CHAIN, "Velvet Rope") in personalised_pagerank(CHAIN, {start: 1.0}, ALL)
    assert sum(mass.values()) <= 1.0


def test_two_walks_meet_where_both_start() -> None:
    starts = {place(CHAIN, "Orla Mills"): 1.0, place(CHAIN, "Harbor Soap"): 1.0}
    mass = personalised_pagerank(CHAIN, starts, Scope(companies=("ACME",)))
    between = place(CHAIN, "Kestrel Foods")
    assert mass[between] > personalised_pagerank(CHAIN, {place(CHAIN, "Orla Mills"): 1.0}, ALL)[between]


def test_a_path_is_the_shortest_one_of_admitted_relations() -> None:
    ends = place(CHAIN, "Orla Mills"), place(CHAIN, "Harbor Soap")
    rows = path_between(CHAIN, *ends, ALL)
    assert [CHAIN.triplet(row).relation for row in rows] == ["sells", "distributes", "makes"]
    assert path_between(CHAIN, *ends, Scope(companies=("BOLT",))) == []
    assert (
        path_between(CHAIN, place(CHAIN, "Orla Mills"), place(CHAIN, "Zephyr Lines"), Scope(("ACME",))) == []
    )


def hub(size: int) -> KnowledgeGraph:
    """Somebody who sells the same thing on each of so many pages, in spring on one."""
    rows = [
        said("Orla Mills", "sells", "Lanternade", page=n, quote=f"Orla Mills sold Lanternade in lot {n}.")
        for n in range(1, size)
    ]
    spring = said(
        "Orla Mills", "sells", "Lanternade", quote="Kestrel's spring festival sold Lanternade.", page=size
    )
    return graph_of(*rows, spring, said("Orla Mills", "makes", "Harbor Soap"))


def test_of_a_hub_the_triplet_that_shares_the_question_s_words_is_found() -> None:
    graph = hub(3 * MAX_LOOKED_AT)
    found = search_relations(graph, "What about Lanternade at the spring festival?", ALL, ["ACME"], 1).found
    assert "spring festival" in found[0].text


def test_a_hub_is_not_walked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "LEAST_MASS", 0.01)
    graph = hub(200)
    assert personalised_pagerank(graph, {place(graph, "Lanternade"): 1.0}, ALL) == {}


@pytest.mark.parametrize(("depth", "reached"), [(1, False), (2, True)])
def test_the_second_hop_is_taken_at_depth_two_alone(depth: int, reached: bool) -> None:
    found = search_relations(CHAIN, "And soap with Lanternade?", ALL, ["ACME", "BOLT"], depth)
    assert any("Harbor Soap" in each.text for each in found.found) is reached


def test_of_forty_names_the_relations_between_the_first_are_found() -> None:
    names = [f"Maker{chr(97 + n % 26)}{chr(97 + n // 26)} Works" for n in range(40)]
    graph = graph_of(*(said(name, "sells", f"Ware {n // 2}") for n, name in enumerate(names)))
    found = search_relations(graph, f"How are {', '.join(names)} related?", ALL, ["ACME"], 2).found
    assert sorted(each.text.split(":")[0] for each in found) == [
        f"{name} sells Ware {n // 2}" for n, name in enumerate(names[:4])
    ]
