"""The relations that a company's documents hold, and how each is said."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from weakref import WeakKeyDictionary

from tools.documents.types import KINDS
from tools.evidence import Evidence
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.company_profile import DESCRIBES, NAMES_RISK
from tools.knowledge.lexicon.metric_names import tokenize
from tools.knowledge.lexicon.relation_verbs import any_relation
from tools.knowledge.lexicon.stopwords import STOP_WORDS
from tools.knowledge.lexicon.verb_forms import past_of
from tools.knowledge.types import Triplet
from tools.periods import Period
from tools.scope import Scope

VERB_WORDS = 4
"""Words of a relation's name among which its verb stands."""
_OF_WHOLE_SENTENCES = frozenset({DESCRIBES, NAMES_RISK})
"""Relations whose verb is not that of what their sentences say."""
_ACQUIRES = re.compile(
    r"(?:(?:will|plans to) )?acquired?(?: .* (?:of|in))?|"
    r"(?:has|will have|made|announced|completed|closed|(?:will|plans to) (?:make|complete|close))(?: \w+)? "
    r"acquisitions?(?: of| including)?"
)
"""A relation's name by which its head buys its tail."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_RELATIONAL = frozenset({"holds role", "works for", "took part in", "asked about"})


@lru_cache(maxsize=8192)
def content_words(text: str) -> frozenset[str]:
    """The words of a text that say what it is about."""
    return frozenset(token.word for token in tokenize(text)) - STOP_WORDS


@dataclass(frozen=True, slots=True)
class CompanyRelations:
    """Positions of the relations that a company's documents hold, ascending."""

    of_people: tuple[int, ...]
    """Roles, employers, what was taken part in and asked about."""
    by_verb: dict[str, list[int]]
    """Past form of its verb -> the others."""


_RELATIONS: WeakKeyDictionary[KnowledgeGraph, dict[str, CompanyRelations]] = WeakKeyDictionary()


def relations_of(graph: KnowledgeGraph, company: str) -> CompanyRelations:
    """The relations of a company, gathered at the first question about it and kept as long as the graph."""
    known = _RELATIONS.setdefault(graph, {})
    if company not in known:
        people: list[int] = []
        by_verb: dict[str, list[int]] = defaultdict(list)
        for position in graph.rows_of_company.get(company, ()):
            if graph.is_figure(position):
                continue
            relation = graph.tables.contexts[graph.tables.rows[position][r.CONTEXT]][0]
            if relation not in _OF_WHOLE_SENTENCES:
                (people if relation in _RELATIONAL else by_verb[_past(relation)]).append(position)
        known[company] = CompanyRelations(tuple(people), dict(by_verb))
    return known[company]


@lru_cache(maxsize=65536)
def _past(relation: str) -> str:
    """The verb of a relation's name in the past, by which forms are compared; '' for none."""
    read = any_relation(" ".join(relation.split()[:VERB_WORDS]))
    return past_of(read.base) if read is not None else ""


def acquisitions(graph: KnowledgeGraph, company: str, scope: Scope) -> list[int]:
    """Positions of the relations by which a company bought another one, or is about to: each of those once, by any
    part of its name, the latest first, those without a date last. Where periods are asked for, those of their years,
    whichever document tells of them."""
    asked = [p.fiscal_year or p.calendar_year or (p.end and p.end.year) for p in scope.periods]
    years = {str(year) for year in asked if year}
    scope = replace(scope, periods=())
    tables, own = graph.tables, graph.entity_positions.get(f"company:{company}")
    best: dict[str, tuple[str, int]] = {}
    for row in (row for rows in relations_of(graph, company).by_verb.values() for row in rows):
        fields = tables.rows[row]
        context = tables.contexts[fields[r.CONTEXT]]
        place = context[2] == "location" and context[0].endswith(" in")
        if fields[r.HEAD_ENTITY] != own or place or not _ACQUIRES.fullmatch(context[0]):
            continue
        if fields[r.TAIL_ENTITY] != own and graph.admits(row, scope):
            year, name = max(_YEAR.findall(context[9]), default=""), fields[r.TAIL].casefold()
            if not years or year in years:
                best[name] = max(best.get(name, ("", row)), (year, row))
    kept: list[tuple[set[str], int]] = []
    for name, (_, row) in sorted(best.items(), key=lambda each: each[1], reverse=True):
        words = set(name.split())
        if not any(words <= other or other <= words for other, _ in kept):
            kept.append((words, row))
    return [row for _, row in kept]


def relation_text(triplet: Triplet) -> str:
    """A sentence: 'Nigel Dally works for Morgan Stanley (AFL call ...)', or the quoted sentence of a
    spoken relation."""
    if triplet.relation == "holds role":
        kind = next((name for key, name in KINDS.items() if key == triplet.doc_type), triplet.doc_type)
        told = f", according to the {kind} for {_span(triplet.period)}" if triplet.period.is_stated else ""
        return f"{triplet.head} holds the role {triplet.tail}{told} ({triplet.quote})."
    if triplet.relation in {"works for", "took part in"}:
        return f"{triplet.head} {triplet.relation} {triplet.tail} ({triplet.quote})."
    if triplet.relation in _OF_WHOLE_SENTENCES:
        place = f" ({', '.join(triplet.path)})" if triplet.path else ""
        return f"{triplet.head} {triplet.relation}{place}: \u201c{triplet.quote}\u201d"
    if triplet.relation == "asked about":
        return f"{triplet.head} asked about {triplet.tail}: \u201c{triplet.quote}\u201d"
    return f"{triplet.head} {triplet.relation} {triplet.tail}: \u201c{triplet.quote}\u201d"


def _span(period: Period) -> str:
    said = period.describe()
    return f"the {said}" if period.end else said


def relation_evidence(triplet: Triplet, score: float) -> Evidence:
    """A relation as evidence; `score` is how well it fits, 0 to 1."""
    return Evidence(
        rank=1,
        source="graph",
        text=relation_text(triplet),
        document=triplet.document,
        document_id=triplet.document_id,
        page=triplet.page,
        score=round(min(score, 1.0), 4),
        item_id=triplet.id,
        kind="relation",
        company_key=triplet.company_key,
        company=triplet.company,
        doc_type=triplet.doc_type,
        period=triplet.period,
    )
