"""What a company's newest covers say of it, where that comes near to what a question asks: an address answers 'Where is
it based?'."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from tools.evidence import Evidence
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.role_history import last_day
from tools.knowledge.lexicon.cover_relations import COVER_TITLE
from tools.knowledge.search.figure_candidates import without_frame
from tools.knowledge.search.line_items import own_names
from tools.knowledge.search.nearest_figures import Encoder
from tools.knowledge.search.relations import MIN_SCORE, relation_evidence
from tools.scope import Scope

MIN_NEARNESS = 0.45
"""Cosine of a question and a relation's name from which it may be meant: of 16 questions about covers 14 come so near,
of 18 others 5."""
MAX_COMPANIES, MAX_LINES = 2, 2
"""Companies of a scope that are looked at, and relations of each."""


def cover_lines(graph: KnowledgeGraph, question: str, scope: Scope, encoder: Encoder) -> list[Evidence]:
    """The relations of the companies that `scope` names which come nearest to the question, of the newest cover within
    it; their score says that nothing tells yet whether they answer. Raises what the encoder raises."""
    found: list[Evidence] = []
    for company in scope.companies[:MAX_COMPANIES]:
        told = _told(graph, company, scope)
        if not told:
            continue
        asked = without_frame(question, own_names(graph, company))
        nearness = encoder.vectors(list(told)) @ encoder.vectors([asked])[0]
        near = sorted(zip(nearness.tolist(), told.values(), strict=True), key=lambda pair: -pair[0])
        rows = [row for share, own in near[:MAX_LINES] if share >= MIN_NEARNESS for row in own]
        found += [relation_evidence(graph.triplet(row), MIN_SCORE) for row in rows]
    return found


def _told(graph: KnowledgeGraph, company: str, scope: Scope) -> dict[str, list[int]]:
    """Relation -> positions, of the document whose period ends last."""
    tables = graph.tables
    newest: dict[str, str] = {}
    found: dict[str, list[int]] = {}
    for row in _rows_of_covers(graph, company):
        if not graph.admits(row, scope):
            continue
        fields = tables.rows[row]
        relation, day = (
            tables.contexts[fields[r.CONTEXT]][0],
            last_day(tables.documents[fields[r.DOCUMENT]].period),
        )
        if day > newest.get(relation, ""):
            newest[relation], found[relation] = day, []
        if day == newest[relation]:
            found[relation].append(row)
    return found


_COVERS: WeakKeyDictionary[KnowledgeGraph, dict[str, list[int]]] = WeakKeyDictionary()


def _rows_of_covers(graph: KnowledgeGraph, company: str) -> list[int]:
    """Gathered at the first question about the company, and kept as long as the graph."""
    known = _COVERS.setdefault(graph, {})
    if company not in known:
        tables = graph.tables
        known[company] = [
            row
            for row in graph.rows_of_company.get(company, ())
            if tables.contexts[tables.rows[row][r.CONTEXT]][7] == COVER_TITLE
        ]
    return known[company]
