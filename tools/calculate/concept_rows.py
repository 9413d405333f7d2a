"""Figures of the primary statements by the concepts that their filers tagged them with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph

_TAGGED: WeakKeyDictionary[KnowledgeGraph, dict[str, dict[tuple[str, str], list[int]]]] = WeakKeyDictionary()


def tagged_rows(graph: KnowledgeGraph, company: str, statement: str, concepts: Sequence[str]) -> list[int]:
    """Positions of a company's figures in a statement that are tagged with the first of these concepts (local names)
    that any is; gathered once a company."""
    companies = _TAGGED.setdefault(graph, {})
    if company not in companies:
        found: dict[tuple[str, str], list[int]] = defaultdict(list)
        for row in graph.rows_of_company.get(company, ()):
            context = graph.tables.contexts[graph.tables.rows[row][r.CONTEXT]]
            if context[8] and graph.may_answer(row):
                found[context[6], context[8].rpartition(":")[2]].append(row)
        companies[company] = dict(found)
    return next(filter(None, (companies[company].get((statement, each)) for each in concepts)), [])
