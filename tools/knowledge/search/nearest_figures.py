"""The printed figures whose lines come nearest to what a question asks for, whatever words it uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tools.evidence import Evidence
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.figure_candidates import find_candidates, without_frame
from tools.knowledge.search.kg_search import fact_evidence
from tools.knowledge.search.line_items import company_facts, own_names
from tools.scope import Scope
from tools.vector.line_item_encoder import row_text

MAX_COMPANIES = 3
"""Of a scope, that are looked at."""


class Encoder(Protocol):
    """Texts to unit vectors."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(len(texts), width)."""
        ...


def nearest_figures(
    graph: KnowledgeGraph, question: str, scope: Scope, months: int | None, k: int, encoder: Encoder
) -> list[Evidence]:
    """At most `k` figures of tables for each company that `scope` names, one for each line item, the nearest lines'
    first; their match is 0: nearness does not say that they answer. Raises what the encoder raises."""
    found: list[Evidence] = []
    for key in scope.companies[:MAX_COMPANIES]:
        candidates = find_candidates(graph, company_facts(graph, key), scope, months)
        if not candidates:
            continue
        items = [each.item for each in candidates]
        lines = encoder.vectors([row_text(item.label, item.path, item.statement) for item in items])
        nearness = lines @ encoder.vectors([without_frame(question, own_names(graph, key))])[0]
        order = np.argsort(-nearness, kind="stable")[:k]
        found += [fact_evidence(graph.triplet(candidates[at].row), 0.0) for at in order]
    return found
