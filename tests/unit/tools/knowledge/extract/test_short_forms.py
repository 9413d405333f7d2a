"""Short forms that sentences define, as triplets, so that both names are one node."""

from __future__ import annotations

import pytest
from builders import document, parsed, prose

from tools.knowledge.extract.defined_terms import definitions
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.mentions import SHORT_FOR


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("The Bureau of Quiet Waters (BQW) fined us.", [("BQW", "Bureau of Quiet Waters")]),
        ("Elmont Group Corp, or Elmont, sold it.", [("Elmont", "Elmont Group Corp")]),
        (
            "Elmont Corporation of Ohio (“Elmont Ohio”) sold it.",
            [("Elmont Ohio", "Elmont Corporation of Ohio")],
        ),
        ("We met Kestrel Inc.’s (“Kestrel”) officers.", [("Kestrel", "Kestrel Inc.")]),
        ("Sales rose in Ohio (USA) by half.", []),
        ("Elm Bank, or Dogwood, may sell it.", []),
    ],
)
def test_a_definition_is_a_beginning_or_initials_of_the_name_before_it(
    sentence: str, found: list[tuple[str, str]]
) -> None:
    assert list(definitions(sentence)) == found


def test_what_a_sentence_defines_is_one_node_with_the_page_that_says_so() -> None:
    doc = document()
    text = (
        "We acquired Kestrel Pumps LLC (“Kestrel”) in May of last year. Kestrel opened a plant in Ohio in June. "
        "Our Quality Improvement Plan (“QIP”) goes on."
    )
    triplets = LocalExtractor().extract(parsed(doc, chunks=(prose(doc, text),)))
    defined = [(t.head, t.tail, t.page) for t in triplets if t.relation == SHORT_FOR]
    assert defined == [("Kestrel", "Kestrel Pumps LLC", 1)], "and nothing that no relation is about"
    graph = KnowledgeGraph.build(triplets, {doc.id: doc})
    (node,) = (each for each in graph.entities if each.name.startswith("Kestrel"))
    assert {alias for alias, _ in node.aliases} == {"Kestrel", "Kestrel Pumps LLC"}
