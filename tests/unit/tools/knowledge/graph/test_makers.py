"""Whose a product is."""

from __future__ import annotations

from builders import document

from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.makers import maker
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import EntityType
from tools.scope import Scope

DOCUMENTS = {key: document(key) for key in ("ACME", "BOLT")}


def told(*facts: tuple[str, str, str, str], scope: Scope | None = None) -> dict[str, str]:
    """Product -> maker, of facts (whose document, head, relation, product)."""
    triplets = [
        make_triplet(DOCUMENTS[key], (head, "company"), relation, (name, "product"), page=2, quote="q")
        for key, head, relation, name in facts
    ]
    kind: EntityType = "product"
    graph = KnowledgeGraph.build(triplets, {each.id: each for each in DOCUMENTS.values()})
    return {e.name: maker(graph, e, scope or Scope())[0] for e in graph.entities if e.type == kind}


def test_a_product_is_of_the_company_that_calls_it_its_own() -> None:
    assert told(("ACME", "Acme Inc.", "has", "Vela"), ("BOLT", "Bolt Corporation", "sold", "Vela")) == {
        "Vela": "Acme Inc."
    }


def test_a_product_that_carries_a_companys_name_is_its_own_whoever_says_so() -> None:
    facts = (("BOLT", "Bolt Corporation", "has", "Acme Vela"), ("ACME", "Acme Inc.", "sold", "Orla"))
    assert told(*facts) == {"Acme Vela": "Acme Inc.", "Orla": ""}


def test_what_two_companies_call_theirs_has_no_maker() -> None:
    both = (("ACME", "Acme Inc.", "has", "Vela"), ("BOLT", "Bolt Corporation", "has", "Vela"))
    assert told(*both) == {"Vela": ""}
    assert told(*both, scope=Scope(companies=("ACME",))) == {"Vela": "Acme Inc."}
