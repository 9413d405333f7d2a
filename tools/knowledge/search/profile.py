"""What people ask of any company, by the newest document that says it: its officers and directors, who audits it, where
it is, what it does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary

from tools.evidence import Evidence
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.role_history import last_day
from tools.knowledge.lexicon.company_profile import (
    ACQUISITIONS,
    NAMES_RISK,
    PROFILE_TITLE,
    RELATION_OF,
    ROLES_OF,
    SIGNERS,
)
from tools.knowledge.search.company_people import holders, signers
from tools.knowledge.search.company_relations import acquisitions, relation_evidence
from tools.scope import Scope

MAX_COMPANIES, MAX_LINES = 8, 16
"""Companies of a scope that are looked at, and lines of each: a board has up to so many members."""
SCORE, STEP = 0.95, 0.0001
"""Of the first line, which says what is asked for in whatever words, and how much less that of each further one is."""
SURE, MAX_GAP = 0.88, 0.015
"""Least score of a title that is the one asked for, and how far below the best another one is that answers equally
well."""


def profile_lines(graph: KnowledgeGraph, kind: str, question: str, scope: Scope) -> list[Evidence]:
    """What the newest documents within `scope` say of the companies it names, for a `kind` of
    `tools.knowledge.lexicon.company_profile`, with that kind as `Evidence.profile`; none where none says it."""
    found: list[Evidence] = []
    for company in scope.companies[:MAX_COMPANIES]:
        rows = _rows_of(graph, kind, question, scope, company)
        for place, row in enumerate(rows[:MAX_LINES]):
            line = relation_evidence(graph.triplet(row), SCORE - place * STEP)
            found.append(line.model_copy(update={"profile": kind}))
    return found


def _rows_of(graph: KnowledgeGraph, kind: str, question: str, scope: Scope, company: str) -> list[int]:
    if kind in ROLES_OF:
        return _holders(graph, kind, question, scope, company)
    if kind == SIGNERS:
        return _once_a_person(graph, _newest(graph, signers(graph, company), scope, fuller=True))
    if kind == ACQUISITIONS:
        return acquisitions(graph, company, scope)
    if kind not in RELATION_OF:
        return []
    relation = RELATION_OF[kind]
    rows = _newest(graph, _profile(graph, company).get(relation, ()), scope, fuller=relation == NAMES_RISK)
    return list({graph.tables.rows[row][r.TAIL]: row for row in reversed(rows)}.values())[::-1]


def _holders(graph: KnowledgeGraph, kind: str, question: str, scope: Scope, company: str) -> list[int]:
    """Who surely holds a role: no deputy, nobody of a part of the company."""
    rows: list[int] = []
    for role in ROLES_OF[kind]:
        scored = holders(graph, role, question, scope, company)
        least = max(SURE, max(scored.values(), default=0.0) - MAX_GAP)
        rows += [row for row, score in scored.items() if score >= least]
    return _once_a_person(graph, rows)


def _once_a_person(graph: KnowledgeGraph, rows: Sequence[int]) -> list[int]:
    """With the longest title of each."""
    fields = graph.tables.rows
    ordered = sorted(rows, key=lambda row: len(fields[row][r.TAIL]))
    longest = {fields[row][r.HEAD_ENTITY]: row for row in ordered}
    return [row for row in rows if longest[fields[row][r.HEAD_ENTITY]] == row]


def _newest(graph: KnowledgeGraph, rows: Sequence[int], scope: Scope, *, fuller: bool) -> list[int]:
    """Of positions those of the document whose period ends last, in their order in it; with `fuller` of those that say
    no less than half of what another one does: of the risks of an annual report a quarterly one names those that
    changed."""
    tables, by_day = graph.tables, defaultdict[str, list[int]](list)
    for row in rows:
        if graph.admits(row, scope):
            by_day[last_day(tables.documents[tables.rows[row][r.DOCUMENT]].period)].append(row)
    fullest = max(map(len, by_day.values()), default=0) if fuller else 0
    newest = max((day for day, own in by_day.items() if 2 * len(own) >= fullest), default="")
    return sorted(by_day[newest], key=lambda row: (tables.rows[row][r.PAGE], _place(graph, row)))


def _place(graph: KnowledgeGraph, row: int) -> int:
    """Of a risk among those that are named."""
    context = graph.tables.contexts[graph.tables.rows[row][r.CONTEXT]]
    return int(context[5][0].split()[0]) if context[0] == NAMES_RISK else 0


_PROFILES: WeakKeyDictionary[KnowledgeGraph, dict[str, dict[str, list[int]]]] = WeakKeyDictionary()


def _profile(graph: KnowledgeGraph, company: str) -> dict[str, list[int]]:
    """Relation -> positions; gathered at the first question about the company, and kept as long as the graph."""
    known = _PROFILES.setdefault(graph, {})
    if company not in known:
        known[company] = _by_relation(graph, graph.rows_of_company.get(company, ()))
    return known[company]


def _by_relation(graph: KnowledgeGraph, rows: Iterable[int]) -> dict[str, list[int]]:
    tables, found = graph.tables, dict[str, list[int]]()
    for row in rows:
        context = tables.contexts[tables.rows[row][r.CONTEXT]]
        if context[7] == PROFILE_TITLE:
            found.setdefault(context[0], []).append(row)
    return found
