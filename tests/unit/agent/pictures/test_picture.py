from __future__ import annotations

from dataclasses import replace

import pytest

from agent.pictures import picture as pictures
from agent.pictures.picture import Picture, picture
from tests.drawn_graphs import HOSTILE, SENTENCE, concepts, graph, triplets
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.periods import PeriodFilter
from tools.scope import Scope

GRAPH = graph()


def around(name: str, depth: int = 1, scope: Scope | None = None, of: KnowledgeGraph = GRAPH) -> Picture:
    entities = of.find_entity(name, best=True)
    return picture(of, None, entities, scope or Scope(), depth)


def names(made: Picture) -> list[str]:
    return [node["name"] for node in made.nodes]


def lines(made: Picture) -> set[tuple[str, str, str]]:
    at = names(made)
    return {(at[edge["from"]], edge["name"], at[edge["to"]]) for edge in made.edges}


def test_a_fact_of_two_documents_is_one_line_with_both_places_and_sentences() -> None:
    made = around("Bolt Corporation")
    (bought,) = [edge for edge in made.edges if edge["name"] == "acquired"]
    (fact,) = [made.facts[at] for at in bought["facts"]]
    assert [(place["document"], place["page"]) for place in fact["places"]] == [
        ("ACME.pdf", 2),
        ("BOLT.pdf", 7),
    ]
    assert fact["places"][0]["quote"] == SENTENCE
    assert fact["words"] == "Acme Inc. — acquired → Bolt Corporation, in May 2023"
    assert fact["companies"] == ["Acme Inc.", "Bolt Corporation"]
    assert (fact["year"], fact["quarter"]) == (2023, 3)


def test_the_whole_leaves_figures_out_and_counts_them() -> None:
    made = picture(GRAPH, None, [], Scope(), 1)
    assert made.figures == 1 and not any("81,797" in name for name in names(made))
    assert ("Acme Inc.", "reports", "Net sales") in lines(made)
    told = triplets()
    (figure,) = [each for each in told if each.value]
    twice = picture(graph([*told, replace(figure, id="again", page=8)]), None, [], Scope(), 1)
    assert twice.figures == 1, "counted as facts are, equal ones once"


def test_depth_says_how_far_it_goes_and_a_figure_is_named_with_its_period() -> None:
    figure = "81,797 million USD, three months ended July 1, 2023"
    assert figure not in names(around("Acme Inc."))
    assert figure in names(around("Acme Inc.", depth=2))
    assert names(around("Net sales"))[0] == "Net sales" and figure in names(around("Net sales"))
    everything = around("Acme Inc.", depth=10**12)
    assert "Ann Lee" in names(everything) and everything == around("Acme Inc.", depth=3)


def test_filters_leave_out_what_they_do_not_admit() -> None:
    made = picture(GRAPH, None, [], Scope(periods=(PeriodFilter(fiscal_year=2022),)), 1)
    assert lines(made) == {("Ann Lee", "works for", "Bolt Corporation")}
    assert "Ann Lee" not in names(picture(GRAPH, None, [], Scope(companies=("ACME",)), 1))


def test_an_exact_name_is_drawn_without_longer_ones() -> None:
    assert [entity.name for entity in GRAPH.find_entity("Bolt", best=True)] == ["Bolt Corporation"]
    assert [entity.name for entity in GRAPH.find_entity("Sons", best=True)] == [HOSTILE]


def test_concepts_that_stand_beside_the_facts_are_drawn_with_what_they_are_kinds_of() -> None:
    made = picture(GRAPH, concepts(), [], Scope(), 1)
    at = {node["name"]: number for number, node in enumerate(made.nodes) if node["type"] == "concept"}
    assert set(at) == {"acquisition", "deal"} and made.concepts == 1
    assert (made.nodes[at["acquisition"]]["named"], made.nodes[at["deal"]]["named"]) == (True, False)
    assert ("acquisition", "is a kind of", "deal") in lines(made)
    beside = [fact["words"] for fact in made.facts if at["acquisition"] in fact["concepts"]]
    assert len(beside) == 1 and "acquired" in beside[0]


def test_of_too_many_facts_those_between_named_things_are_kept_and_the_rest_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pictures, "MAX_FACTS", 3)
    made = picture(GRAPH, None, [], Scope(), 1)
    assert len(made.facts) == 3 and made.hidden == 1
    assert not any("Net sales" in line for line in lines(made))
