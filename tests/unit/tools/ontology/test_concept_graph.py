"""Walking from a concept to its neighbours."""

from __future__ import annotations

from tools.ontology import types
from tools.ontology.concept_graph import MAX_VISITED, ConceptGraph
from tools.ontology.types import Concept, Link


def graph_of(*links: tuple[str, str, str], properties: dict[str, str] | None = None) -> ConceptGraph:
    names = sorted({name for one, _, other in links for name in (one, other)})
    concepts = [Concept(f"ex:{name}", "class", name) for name in names]
    concepts += [Concept(iri, "property", label) for iri, label in (properties or {}).items()]
    return ConceptGraph(
        concepts, [Link(f"ex:{one}", relation, f"ex:{other}") for one, relation, other in links]
    )


def reached(graph: ConceptGraph, start: str) -> dict[str, tuple[float, tuple[str, ...]]]:
    found = graph.around(graph.place[f"ex:{start}"])
    return {graph.concepts[each.concept].label: (round(each.weight, 3), each.steps) for each in found}


def test_what_falls_under_a_concept_weighs_more_than_what_it_falls_under() -> None:
    graph = graph_of(("swap", types.NARROWER, "derivative"), ("derivative", types.NARROWER, "instrument"))
    found = reached(graph, "derivative")
    assert found["derivative"] == (1.0, ("derivative",))
    assert found["swap"] == (0.8, ("derivative", "is broader than", "swap"))
    assert found["instrument"] == (0.4, ("derivative", "is a kind of", "instrument"))


def test_a_property_relates_both_ways_by_its_label() -> None:
    graph = graph_of(("bond", "ex:hasIssuer", "issuer"), properties={"ex:hasIssuer": "has issuer"})
    assert reached(graph, "bond")["issuer"] == (0.35, ("bond", "has issuer", "issuer"))
    assert reached(graph, "issuer")["bond"] == (0.35, ("issuer", "has issuer", "bond"))


def test_concepts_that_fall_under_one_another_end() -> None:
    graph = graph_of(("one", types.NARROWER, "two"), ("two", types.NARROWER, "one"))
    assert set(reached(graph, "one")) == {"one", "two"}


def test_a_hub_costs_no_more_than_a_walk_may_take() -> None:
    graph = graph_of(*((f"kind {n}", types.NARROWER, "hub") for n in range(2 * MAX_VISITED)))
    assert len(reached(graph, "hub")) == MAX_VISITED
