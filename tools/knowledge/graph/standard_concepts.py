"""Line items and the standard concepts that filers tag them with."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.lexicon.concept_labels import concept_of
from tools.knowledge.types import Entity

if TYPE_CHECKING:
    from tools.knowledge.graph.knowledge_graph import KnowledgeGraph


def standard_concept(graph: KnowledgeGraph, entity: Entity) -> str:
    """The concept of a line item: that most of its tags name, else that filings print its name for; '' where neither
    says."""
    tags: Counter[str] = Counter()
    for row in graph.edges_of.get(graph.entity_positions[entity.key], ()):
        tags[graph.tables.contexts[graph.tables.rows[row][r.CONTEXT]][8]] += 1
    del tags[""]
    if tags:
        return min(tags, key=lambda concept: (-tags[concept], concept))
    return next((found for name, _ in entity.aliases if (found := concept_of(name))), "")
