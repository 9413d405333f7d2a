"""Relations for a question: who holds which role, who works for whom, who asked about what, and neighbours
of names."""

from __future__ import annotations

import heapq
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tools.evidence import Evidence
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.lexicon.relation_verbs import verb_base
from tools.knowledge.lexicon.stopwords import STOP_WORDS
from tools.knowledge.lexicon.verb_forms import base_form, past_of
from tools.knowledge.search.company_people import ASKED, people_by_role
from tools.knowledge.search.company_relations import content_words, relation_evidence, relations_of
from tools.knowledge.search.line_items import own_names
from tools.knowledge.search.reach import path_between, personalised_pagerank
from tools.scope import Scope

_WHO = re.compile(
    r"(?i:\b(?:who|whom|whose)\b|\b(?:which|what|name|list)\b[^?]{0,40}\b(?:analysts?|executives?|people|persons?|participants?|"
    r"speakers?|officers?)\b|\b(?:which|what)\s+(?:firm|bank|company|employer|brokerage|house)\b[^?]*\b(?:work|from|represent)|"
    r"\b(?:role|title|position|job|employer)\b|\bwork(?:s|ed)?\s+for\b|\brepresents?\b)|\bis\s+[A-Z]\w+\s+[A-Z]\w+\?",
)
_AMOUNT = re.compile(r"\bhow (?:much|many)\b|\bwhat (?:amount|number)\b", re.IGNORECASE)
"""Asks for a figure, which a relation's sentence may state for any period."""
_FIRM = re.compile(r"\b(?:firm|bank|employer|brokerage|work(?:s|ed)?|represents?|from)\b", re.IGNORECASE)
_MAX_NAME_WORDS = 6
_FIGURE_VERBS = frozenset(
    {"report", "record", "post", "generate", "provide", "increase", "grow", "reduce", "raise", "cut"}
)
"""Verbs that ask for a figure."""
_ASKS = re.compile(r"\b(?:what|who|whom|which|did|does|has)\b", re.IGNORECASE)
MIN_SCORE = 0.5
"""Relations that fit less say something else of what the question names."""
MAX_RELATIONS = 40
MAX_LOOKED_AT = 400
"""Triplets of one entity that are compared with the question word by word."""
MAX_REACHED = 24
"""Entities beyond those named whose relations are looked at, for each hop beyond the first."""
MAX_JOINED = 4
"""Named entities between which paths are looked for."""
PATH_SCORE = 0.7
"""Of a relation on a path between two named things: it says how they are related, whatever its words."""
VERB_SCORE = 0.9
"""Of a relation with a verb of the question whose sentence has all its words."""


@dataclass(frozen=True, slots=True)
class Relations:
    """What was found, and whether the question asks for nothing else."""

    found: list[Evidence]
    only: bool


def search_relations(
    graph: KnowledgeGraph, question: str, scope: Scope, companies: Sequence[str], depth: int
) -> Relations:
    """Relations within `scope` that fit `question`, best first; `only` for a question about people alone."""
    about_people = bool(_WHO.search(question))
    scored: dict[int, float] = {}
    named = _named_entities(graph, question, scope, companies)
    for position, weight in named:
        asked = _beyond(graph, question, position)
        for row in filter(graph.may_answer, _around(graph, question, position, scope)):
            scored[row] = max(scored.get(row, 0.0), weight * _fit(graph, row, question, asked))
    if depth > 1:
        for row, score in _reached(graph, question, dict(named), scope, depth).items():
            scored[row] = max(scored.get(row, 0.0), score)
    if about_people and not any(graph.tables.entities[p].type == "person" for p, _ in named):
        for row, score in people_by_role(graph, question, scope, companies).items():
            scored[row] = max(scored.get(row, 0.0), score)
    for row, score in _by_verb(graph, question, scope, companies).items():
        scored[row] = max(scored.get(row, 0.0), min(score, 0.5) if _AMOUNT.search(question) else score)
    order = sorted(
        (row for row in scored if scored[row] >= MIN_SCORE), key=lambda row: (-round(scored[row], 3), row)
    )
    found = [relation_evidence(graph.triplet(row), scored[row]) for row in order[:MAX_RELATIONS]]
    return Relations(_distinct(found), about_people and any(e.score >= 0.6 for e in found))


def _around(graph: KnowledgeGraph, question: str, position: int, scope: Scope) -> list[int]:
    """The admitted triplets of an entity; of a hub's those whose sentences share most words with the question."""
    rows = list(graph.admitted(graph.edges_of.get(position, ()), scope))
    if len(rows) <= MAX_LOOKED_AT:
        return rows
    # a stem tells 'companies' from nothing else that matters here, and is found without taking sentences apart
    stems = [word.removesuffix("y") for word in content_words(question)]
    shared = {
        row: sum(stem in text for stem in stems)
        for row in rows
        if (text := graph.tables.rows[row][r.QUOTE].lower())
    }
    return sorted(heapq.nsmallest(MAX_LOOKED_AT, shared, key=lambda row: (-shared[row], row)))


def _reached(
    graph: KnowledgeGraph, question: str, named: Mapping[int, float], scope: Scope, depth: int
) -> dict[int, float]:
    """Relations of the entities that a walk from the named ones visits most, and those on a path between two."""
    if not named:
        return {}
    mass = personalised_pagerank(graph, named, scope)
    nearest = heapq.nsmallest(MAX_REACHED * (depth - 1), mass, key=lambda node: (-mass[node], node))
    most = max(mass.values(), default=1.0)
    found: dict[int, float] = {}
    for position in nearest:
        asked = _beyond(graph, question, position)
        for row in filter(graph.may_answer, _around(graph, question, position, scope)):
            if not graph.is_figure(row):
                score = _fit(graph, row, question, asked) * (0.8 + 0.2 * mass[position] / most)
                found[row] = max(found.get(row, 0.0), score)
    for start, end in combinations(list(named)[:MAX_JOINED], 2):
        for row in path_between(graph, start, end, scope):
            found[row] = max(found.get(row, 0.0), PATH_SCORE)
    return found


def _distinct(found: list[Evidence]) -> list[Evidence]:
    seen: set[tuple[str, str]] = set()
    kept = []
    for evidence in found:
        key = (evidence.company_key, evidence.text)
        if key not in seen:
            seen.add(key)
            kept.append(evidence)
    return kept


def _named_entities(
    graph: KnowledgeGraph, question: str, scope: Scope, companies: Sequence[str]
) -> list[tuple[int, float]]:
    """(entity position, weight) of names in the question that an admitted triplet touches; longest names
    win."""
    words = fold_name(question).split()
    allowed = set(companies)
    found: list[tuple[int, float]] = []
    index = 0
    while index < len(words):
        for length in range(min(_MAX_NAME_WORDS, len(words) - index), 0, -1):
            name = " ".join(words[index : index + length])
            if length == 1 and (name in STOP_WORDS or len(name) < 3):
                continue
            positions = graph.names.get(name) or (graph.surnames.get(name) if length == 1 else None) or []
            touched = [
                p for p in positions if not _is_indexed(graph, p) and _touched(graph, p, scope, allowed)
            ]
            if touched:
                found += [(p, 1.0 if length > 1 else 0.9) for p in touched[:8]]
                index += length - 1
                break
        index += 1
    return found


def _is_indexed(graph: KnowledgeGraph, position: int) -> bool:
    """Whether this is a company with documents."""
    kind, _, key = graph.tables.entities[position].key.partition(":")
    return kind == "company" and key in graph.rows_of_company


def _touched(graph: KnowledgeGraph, position: int, scope: Scope, companies: set[str]) -> bool:
    tables = graph.tables
    return any(
        tables.documents[tables.rows[row][r.DOCUMENT]].company_key in companies
        for row in graph.admitted(graph.edges_of.get(position, ()), scope)
    )


def _beyond(graph: KnowledgeGraph, question: str, position: int) -> frozenset[str]:
    """What a question says beyond the entity's own name."""
    return content_words(question) - content_words(graph.tables.entities[position].name)


def _fit(graph: KnowledgeGraph, row: int, question: str, asked: frozenset[str]) -> float:
    """Relevance of a neighbour: the words of `asked` that it shares, and its kind."""
    fields = graph.tables.rows[row]
    relation = graph.tables.contexts[fields[r.CONTEXT]][0]
    shared = len(asked & content_words(f"{fields[r.HEAD]} {relation} {fields[r.TAIL]} {fields[r.QUOTE]}"))
    score = 0.35 + 0.55 * (shared / len(asked) if asked else 0.5)
    if relation == "works for" and _FIRM.search(question):
        return 0.97
    if relation == "holds role":
        who = bool(re.search(r"\b(?:who|role|title|position|job)\b", question, re.IGNORECASE))
        return 0.95 if who and not ASKED.search(question) else max(score, 0.6)
    if relation == "asked about":
        return min(0.96, score + 0.35) if ASKED.search(question) else score * 0.8
    return score * 0.6 if relation == "took part in" else score


def _by_verb(
    graph: KnowledgeGraph, question: str, scope: Scope, companies: Sequence[str]
) -> dict[int, float]:
    """Rows whose relation has a verb of a 'what/who/which did ...' question about one or two companies, by what part of
    its words their sentences share."""
    if len(companies) > 2 or not _ASKS.search(question):
        return {}
    words = re.findall(r"[a-z]+", question.lower())
    bases = {
        verb_base(word) or base_form(word) for word in words if verb_base(word) or word not in STOP_WORDS
    }
    asked = sorted({past_of(base) for base in bases - _FIGURE_VERBS - {"be", "have", "do"}})
    own = {word for key in companies for name in own_names(graph, key) for word in name.split()}
    content = content_words(question) - own
    found: dict[int, float] = {}
    for by_verb in (relations_of(graph, company).by_verb for company in companies if asked):
        for row in (row for verb in asked for row in by_verb.get(verb, ()) if graph.admits(row, scope)):
            shared = content & content_words(graph.tables.rows[row][r.QUOTE])
            found[row] = VERB_SCORE * (0.7 + 0.3 * len(shared) / max(1, len(content)))
    return found
