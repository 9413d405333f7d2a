"""The people of a company: who holds a role, signed, took part, or asked about something."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.role_history import last_day
from tools.knowledge.lexicon.metric_names import canonical_metric, find_metrics
from tools.knowledge.search.company_relations import content_words, relations_of
from tools.knowledge.search.line_items import own_names
from tools.knowledge.search.roles import (
    LISTED_BONUS,
    RoleHeld,
    latest,
    once_a_person,
    role_held,
    role_words,
    title_words,
)
from tools.scope import Scope

ASKED = re.compile(r"\b(?:ask(?:s|ed)?|question(?:s|ed)?|inquired?|raised?)\b", re.IGNORECASE)
"""Asks who asked, or what."""
_EARLIER = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|prior|past|predecessors?|ever|before|since|until|earlier|outgoing|first|when|"
    r"was|were|did|had|have\s+been|has\s+been|used\s+to|left|resign\w*|step(?:s|ped)?\s+down|retir\w*|replac\w*|"
    r"succe\w+)\b",
    re.IGNORECASE,
)


def people_by_role(
    graph: KnowledgeGraph, question: str, scope: Scope, companies: Sequence[str]
) -> dict[int, float]:
    """Rows of people who hold the role asked for, of analysts, or of those who asked about a metric."""
    wanted = _people_wanted(graph, question, companies)
    scored: dict[int, float] = {}
    for company in companies:
        scored |= _people_of(graph, wanted, scope, company)
    return scored


def holders(graph: KnowledgeGraph, role: str, question: str, scope: Scope, company: str) -> dict[int, float]:
    """Row -> score of those who hold a role of a company, whatever the words of the question: now, or in the periods
    of `scope`."""
    wanted = _PeopleWanted(question, title_words(role), False, set(), frozenset(), now=True)
    return _people_of(graph, wanted, scope, company)


def signers(graph: KnowledgeGraph, company: str) -> list[int]:
    """Positions of the roles of those who signed the company's reports."""
    tables, found = graph.tables, list[int]()
    for row in relations_of(graph, company).of_people:
        fields = tables.rows[row]
        signed = not fields[r.CHUNK] and tables.documents[fields[r.DOCUMENT]].doc_type != "call"
        if signed and tables.contexts[fields[r.CONTEXT]][0] == "holds role":
            found.append(row)
    return found


def _people_of(graph: KnowledgeGraph, wanted: _PeopleWanted, scope: Scope, company: str) -> dict[int, float]:
    scored: dict[int, float] = {}
    roles: list[RoleHeld] = []
    own = own_names(graph, company)
    for row in relations_of(graph, company).of_people:
        if not graph.admits(row, scope):
            continue
        fields = graph.tables.rows[row]
        relation = graph.tables.contexts[fields[r.CONTEXT]][0]
        if relation == "holds role" and wanted.role and not wanted.metrics:
            roles.append(_role_of(graph, row, wanted, own))
        elif (score := _score_without_role(fields, relation, wanted)) is not None:
            scored[row] = score
    return scored | once_a_person(latest(roles) if wanted.now and not scope.periods else roles)


@dataclass(frozen=True, slots=True)
class _PeopleWanted:
    """By what a question asks for people."""

    question: str
    role: set[str]
    """Words of a role."""
    asking: bool
    """It asks who asked about something."""
    metrics: set[str]
    """Metrics that were asked about."""
    topic: frozenset[str]
    """Other words that were asked about."""
    now: bool
    """It asks who holds a role, not who held it before, nor who asks on calls."""


def _people_wanted(graph: KnowledgeGraph, question: str, companies: Sequence[str]) -> _PeopleWanted:
    asking, role = bool(ASKED.search(question)), role_words(question)
    own = {w for key in companies for name in own_names(graph, key) for w in name.split()}
    return _PeopleWanted(
        question=question,
        role=role,
        asking=asking,
        metrics={mention.canonical for mention in find_metrics(question)} if asking else set(),
        topic=content_words(question) - own - {"analyst", "ask", "asked", "question", "call"},
        now=not asking and "analyst" not in role and not _EARLIER.search(question),
    )


def _role_of(graph: KnowledgeGraph, row: int, wanted: _PeopleWanted, own: Collection[str]) -> RoleHeld:
    """How well the role in a `holds role` row is the one wanted."""
    fields = graph.tables.rows[row]
    document = graph.tables.documents[fields[r.DOCUMENT]]
    quote = fields[r.QUOTE]
    before = quote[: max(0, quote.find(fields[r.HEAD]))]
    person = fields[r.HEAD_ENTITY]
    held = role_held(wanted.role, fields[r.TAIL], wanted.question, own, before=before, row=row, person=person)
    listed = not fields[r.CHUNK]
    score = min(1.0, held.score + LISTED_BONUS) if held.score and listed else held.score
    return replace(held, score=score, listed=listed, day=last_day(document.period))


def _score_without_role(fields: r.Row, relation: str, wanted: _PeopleWanted) -> float | None:
    """Fit of a row about a person other than by the role; None where it says nothing of what is wanted."""
    if relation == "asked about" and wanted.asking:
        if canonical_metric(fields[r.TAIL]) in wanted.metrics:
            return 0.9
        shared = wanted.topic & content_words(fields[r.QUOTE])
        return 0.3 + 0.4 * len(shared) / max(1, len(wanted.topic)) if shared else 0.0
    if relation == "took part in" and not wanted.role and not wanted.metrics:
        return 0.62
    if relation == "works for" and wanted.role == {"analyst"} and "nalyst" in fields[r.QUOTE]:
        return 0.85
    return None
