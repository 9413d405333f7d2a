"""Line items and the standard concepts that filers tag them with."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.lexicon.concept_labels import concept_of
from tools.knowledge.types import Entity

if TYPE_CHECKING:
    from tools.knowledge.graph.knowledge_graph import KnowledgeGraph

STATEMENTS = frozenset({"income", "balance", "cash_flow", "equity", "comprehensive_income"})


def standard_concept(graph: KnowledgeGraph, entity: Entity) -> str:
    """The concept of a line item: that most of its tags name, those in a statement before others, else that filings
    print its name for; '' where neither says."""
    tags: dict[str, Counter[bool]] = defaultdict(Counter)
    for row in graph.edges_of.get(graph.entity_positions[entity.key], ()):
        context = graph.tables.contexts[graph.tables.rows[row][r.CONTEXT]]
        if concept := context[8]:
            tags[concept][context[6] in STATEMENTS] += 1
    if tags:
        return min(tags, key=lambda each: (-tags[each][True], -tags[each][False], each))
    return next((found for name, _ in entity.aliases if (found := concept_of(name))), "")
