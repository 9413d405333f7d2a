"""Relations for a question: who holds which role, who works for whom, who asked about what, and neighbours
of names."""

from __future__ import annotations

import heapq
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from weakref import WeakKeyDictionary

from tools.documents.types import KINDS
from tools.evidence import Evidence
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.graph.role_history import last_day
from tools.knowledge.lexicon.company_profile import DESCRIBES, NAMES_RISK
from tools.knowledge.lexicon.metric_names import canonical_metric, find_metrics, tokenize
from tools.knowledge.lexicon.relation_verbs import any_relation, verb_base
from tools.knowledge.lexicon.stopwords import STOP_WORDS
from tools.knowledge.lexicon.verb_forms import base_form, past_of
from tools.knowledge.search.line_items import own_names
from tools.knowledge.search.reach import admitted, path_between, personalised_pagerank
from tools.knowledge.search.roles import (
    LISTED_BONUS,
    RoleHeld,
    latest,
    once_a_person,
    role_held,
    role_words,
    title_words,
)
from tools.knowledge.types import Triplet
from tools.periods import Period
from tools.scope import Scope

_WHO = re.compile(
    r"(?i:\b(?:who|whom|whose)\b|\b(?:which|what|name|list)\b[^?]{0,40}\b(?:analysts?|executives?|people|persons?|participants?|"
    r"speakers?|officers?)\b|\b(?:which|what)\s+(?:firm|bank|company|employer|brokerage|house)\b[^?]*\b(?:work|from|represent)|"
    r"\b(?:role|title|position|job|employer)\b|\bwork(?:s|ed)?\s+for\b|\brepresents?\b)|\bis\s+[A-Z]\w+\s+[A-Z]\w+\?",
)
_AMOUNT = re.compile(r"\bhow (?:much|many)\b|\bwhat (?:amount|number)\b", re.IGNORECASE)
"""Asks for a figure, which a relation's sentence may state for any period."""
_ASKED = re.compile(r"\b(?:ask(?:s|ed)?|question(?:s|ed)?|inquired?|raised?)\b", re.IGNORECASE)
_FIRM = re.compile(r"\b(?:firm|bank|employer|brokerage|work(?:s|ed)?|represents?|from)\b", re.IGNORECASE)
_EARLIER = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|prior|past|predecessors?|ever|before|since|until|earlier|outgoing|first|when|"
    r"was|were|did|had|have\s+been|has\s+been|used\s+to|left|resign\w*|step(?:s|ped)?\s+down|retir\w*|replac\w*|"
    r"succe\w+)\b",
    re.IGNORECASE,
)
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
VERB_WORDS = 4
"""Words of a relation's name among which its verb stands."""
VERB_SCORE = 0.9
"""Of a relation with a verb of the question whose sentence has all its words."""
_OF_WHOLE_SENTENCES = frozenset({DESCRIBES, NAMES_RISK})
"""Relations whose verb is not that of what their sentences say."""
_RELATIONAL = frozenset({"holds role", "works for", "took part in", "asked about"})


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
        for row, score in _by_role(graph, question, scope, companies).items():
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
    rows = list(admitted(graph, graph.edges_of.get(position, ()), scope))
    if len(rows) <= MAX_LOOKED_AT:
        return rows
    # a stem tells 'companies' from nothing else that matters here, and is found without taking sentences apart
    stems = [word.removesuffix("y") for word in _content(question)]
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
            if graph.tables.rows[row][r.VALUE] is None:
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
    own = {f"company:{document.company_key}" for document in graph.tables.documents}
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
                p
                for p in positions
                if graph.tables.entities[p].key not in own and _touched(graph, p, scope, allowed)
            ]
            if touched:
                found += [(p, 1.0 if length > 1 else 0.9) for p in touched[:8]]
                index += length - 1
                break
        index += 1
    return found


def _touched(graph: KnowledgeGraph, position: int, scope: Scope, companies: set[str]) -> bool:
    tables = graph.tables
    return any(
        tables.documents[tables.rows[row][r.DOCUMENT]].company_key in companies
        for row in admitted(graph, graph.edges_of.get(position, ()), scope)
    )


@lru_cache(maxsize=8192)
def _content(text: str) -> frozenset[str]:
    return frozenset(token.word for token in tokenize(text)) - STOP_WORDS


def _beyond(graph: KnowledgeGraph, question: str, position: int) -> frozenset[str]:
    """What a question says beyond the entity's own name."""
    return _content(question) - _content(graph.tables.entities[position].name)


def _fit(graph: KnowledgeGraph, row: int, question: str, asked: frozenset[str]) -> float:
    """Relevance of a neighbour: the words of `asked` that it shares, and its kind."""
    fields = graph.tables.rows[row]
    relation = graph.tables.contexts[fields[r.CONTEXT]][0]
    shared = len(asked & _content(f"{fields[r.HEAD]} {relation} {fields[r.TAIL]} {fields[r.QUOTE]}"))
    score = 0.35 + 0.55 * (shared / len(asked) if asked else 0.5)
    if relation == "works for" and _FIRM.search(question):
        return 0.97
    if relation == "holds role":
        who = bool(re.search(r"\b(?:who|role|title|position|job)\b", question, re.IGNORECASE))
        return 0.95 if who and not _ASKED.search(question) else max(score, 0.6)
    if relation == "asked about":
        return min(0.96, score + 0.35) if _ASKED.search(question) else score * 0.8
    return score * 0.6 if relation == "took part in" else score


def _by_role(
    graph: KnowledgeGraph, question: str, scope: Scope, companies: Sequence[str]
) -> dict[int, float]:
    """Rows of people who hold the role asked for, of analysts, or of those who asked about a metric."""
    wanted = _people_wanted(graph, question, companies)
    scored: dict[int, float] = {}
    for company in companies:
        scored |= _people_of(graph, wanted, scope, company)
    return scored


def holders(graph: KnowledgeGraph, role: str, question: str, scope: Scope, company: str) -> dict[int, float]:
    """Row -> score of those who hold a role of a company now, whatever the words of the question."""
    wanted = _PeopleWanted(question, title_words(role), False, set(), frozenset(), now=True)
    return _people_of(graph, wanted, scope, company)


def signers(graph: KnowledgeGraph, company: str) -> list[int]:
    """Positions of the roles of those who signed the company's reports."""
    tables, found = graph.tables, list[int]()
    for row in _relations_of(graph, company).of_people:
        fields = tables.rows[row]
        signed = not fields[r.CHUNK] and tables.documents[fields[r.DOCUMENT]].doc_type != "call"
        if signed and tables.contexts[fields[r.CONTEXT]][0] == "holds role":
            found.append(row)
    return found


def _people_of(graph: KnowledgeGraph, wanted: _PeopleWanted, scope: Scope, company: str) -> dict[int, float]:
    scored: dict[int, float] = {}
    roles: list[RoleHeld] = []
    own = own_names(graph, company)
    for row in _relations_of(graph, company).of_people:
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
    asking, role = bool(_ASKED.search(question)), role_words(question)
    own = {w for key in companies for name in own_names(graph, key) for w in name.split()}
    return _PeopleWanted(
        question=question,
        role=role,
        asking=asking,
        metrics={mention.canonical for mention in find_metrics(question)} if asking else set(),
        topic=_content(question) - own - {"analyst", "ask", "asked", "question", "call"},
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
        shared = wanted.topic & _content(fields[r.QUOTE])
        return 0.3 + 0.4 * len(shared) / max(1, len(wanted.topic)) if shared else 0.0
    if relation == "took part in" and not wanted.role and not wanted.metrics:
        return 0.62
    if relation == "works for" and wanted.role == {"analyst"} and "nalyst" in fields[r.QUOTE]:
        return 0.85
    return None


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
    content = _content(question) - own
    found: dict[int, float] = {}
    for by_verb in (_relations_of(graph, company).by_verb for company in companies if asked):
        for row in (row for verb in asked for row in by_verb.get(verb, ()) if graph.admits(row, scope)):
            shared = content & _content(graph.tables.rows[row][r.QUOTE])
            found[row] = VERB_SCORE * (0.7 + 0.3 * len(shared) / max(1, len(content)))
    return found


@dataclass(frozen=True, slots=True)
class _CompanyRelations:
    """Positions of the relations that a company's documents hold, ascending."""

    of_people: tuple[int, ...]
    """Roles, employers, what was taken part in and asked about."""
    by_verb: dict[str, list[int]]
    """Past form of its verb -> the others."""


_RELATIONS: WeakKeyDictionary[KnowledgeGraph, dict[str, _CompanyRelations]] = WeakKeyDictionary()


def _relations_of(graph: KnowledgeGraph, company: str) -> _CompanyRelations:
    """The relations of a company, gathered at the first question about it and kept as long as the graph."""
    known = _RELATIONS.setdefault(graph, {})
    if company not in known:
        people: list[int] = []
        by_verb: dict[str, list[int]] = defaultdict(list)
        for position in graph.rows_of_company.get(company, ()):
            fields = graph.tables.rows[position]
            relation = graph.tables.contexts[fields[r.CONTEXT]][0]
            if fields[r.VALUE] is None and relation not in _OF_WHOLE_SENTENCES:
                (people if relation in _RELATIONAL else by_verb[_past(relation)]).append(position)
        known[company] = _CompanyRelations(tuple(people), dict(by_verb))
    return known[company]


@lru_cache(maxsize=65536)
def _past(relation: str) -> str:
    """The verb of a relation's name in the past, by which forms are compared; '' for none."""
    read = any_relation(" ".join(relation.split()[:VERB_WORDS]))
    return past_of(read.base) if read is not None else ""


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
