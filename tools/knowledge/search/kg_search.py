"""kg_search: the facts and relations of the entities that a question names, within a scope."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

from tools.documents.metadata.company_names import name_variants
from tools.evidence import Evidence, Fact
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.search.hits import MIN_FACT_MATCH, Hit, prefer_statements, without_duplicates
from tools.knowledge.search.line_items import CompanyFacts, LineItem, company_facts, own_names
from tools.knowledge.search.linking import Request, link_question
from tools.knowledge.search.matching import duration_match, item_match, kinds_of
from tools.knowledge.search.relations import search_relations
from tools.knowledge.types import Triplet
from tools.quantities import render_quantity
from tools.scope import Scope

MIN_EVIDENCE_MATCH = 0.3
"""Facts that fit less are no answer and no help."""
FILING_PROSE_FACTOR = 0.85
"""A filing's sentences speak of the segment or period their section is about; its tables, and the pairs that
`figure_pairs` reads, say which."""
UNNAMED_COMPANY_FACTOR = 0.78
"""Factor where the question names no company and the index holds several."""


def kg_search(
    graph: KnowledgeGraph,
    question: str,
    scope: Scope,
    k: int = 12,
    depth: int = 1,
    months: int | None = None,
) -> list[Evidence]:
    """At most `k` facts and relations for `question`, best first, none outside `scope`.

    `months` is the duration asked for, if the question says one (0 is a balance). `depth` is how far
    relations are followed from the entities the question names (the paper's DFS depth, 1). `Fact.match` is
    set as described in `matching`. Figures for one metric and period that disagree between documents are
    all kept.
    """
    companies = _companies(graph, question, scope)
    duration = months if months is not None else _months_of(scope)
    named = _companies_named(graph, question)
    several = len({d.company_key for d in graph.tables.documents}) > 1
    factor = UNNAMED_COMPANY_FACTOR if several and not scope.companies and not named else 1.0
    relations = search_relations(graph, question, scope, companies, depth)
    facts: list[Evidence] = []
    if not relations.only:
        facts = [
            fact_evidence(graph.triplet(hit.row), round(min(1.0, hit.match), 4))
            for hit in _search_facts(graph, question, scope, companies, duration, factor, k)
        ]
    found = sorted([*facts, *relations.found], key=lambda evidence: -evidence.score)
    return [item.model_copy(update={"rank": rank}) for rank, item in enumerate(found[:k], start=1)]


def _companies_named(graph: KnowledgeGraph, question: str) -> list[str]:
    """Company keys whose name the question holds, or their ticker in capitals: Apple's 'Mac' is no company."""
    text = f" {fold_name(question)} "
    words = frozenset(re.findall(r"\w+", question))
    called: dict[str, set[str]] = {}
    for document in graph.tables.documents:
        names = called.setdefault(document.company_key, set())
        names.update(" ".join(variant) for variant in name_variants(document.company))
    found = []
    for key, names in sorted(called.items()):
        spoken = own_names(graph, key) - ({key.lower()} - names)
        if key in words or any(len(name) > 1 and f" {name} " in text for name in spoken):
            found.append(key)
    return found


def _companies(graph: KnowledgeGraph, question: str, scope: Scope) -> list[str]:
    """Companies to look at: those of the scope that the question names, else all of the scope."""
    held = {document.company_key for document in graph.tables.documents}
    allowed = [key for key in scope.companies if key in held] if scope.companies else sorted(held)
    named = set(_companies_named(graph, question))
    return [key for key in allowed if key in named] or allowed


def _months_of(scope: Scope) -> int | None:
    wished = {p.months for p in scope.periods if p.months is not None}
    return wished.pop() if len(wished) == 1 else None


def _search_facts(
    graph: KnowledgeGraph,
    question: str,
    scope: Scope,
    companies: list[str],
    months: int | None,
    factor: float,
    k: int,
) -> list[Hit]:
    """Hits for every figure asked for, the requests and companies taking turns; duplicates removed."""
    lists: list[list[Hit]] = []
    others = frozenset().union(*(own_names(graph, company) for company in _companies_named(graph, question)))
    for company in companies:
        facts = company_facts(graph, company)
        requests = link_question(question, facts, own_names(graph, company) | others)
        ranked = [_rank(graph, request, facts, scope, months, k) for request in requests]
        if len(ranked) > 1 and ranked[0] and ranked[0][0].match >= MIN_FACT_MATCH:
            ranked = ranked[:1]
        elif len(ranked) > 1:
            ranked = ranked[1:]
        lists += [hits for hits in ranked if hits]
    if factor != 1.0:
        lists = [[replace(hit, match=hit.match * factor) for hit in hits] for hits in lists]
    lists.sort(key=lambda hits: -hits[0].match)
    best: list[Hit] = []
    for turn in range(k):
        best += [hits[turn] for hits in lists if turn < len(hits)]
    unique = {hit.row: hit for hit in reversed(best)}
    return sorted(unique.values(), key=lambda hit: (-round(hit.match, 2), best.index(hit)))[:k]


def _rank(
    graph: KnowledgeGraph, request: Request, facts: CompanyFacts, scope: Scope, months: int | None, k: int
) -> list[Hit]:
    scored = [
        (facts.items[index], item_match(request, facts.items[index], months))
        for index in _candidates(request, facts)
    ]
    scored = [(item, score) for item, score in scored if score >= MIN_EVIDENCE_MATCH]
    durations = _durations(graph, scored, scope)
    hits = [
        hit for item, score in scored for hit in _period_hits(graph, item, score, scope, months, durations)
    ]
    hits = [hit for hit in hits if hit.match >= MIN_EVIDENCE_MATCH]
    hits = prefer_statements(hits)
    hits.sort(key=lambda hit: _order(graph, hit))
    return without_duplicates(hits)[:k]


def _order(graph: KnowledgeGraph, hit: Hit) -> tuple[float, int, int, int, str]:
    end = hit.period.end or date.min
    row = graph.tables.rows[hit.row]
    return (-round(hit.match, 2), -end.toordinal(), hit.lag, int(row[r.PAGE]), str(row[r.ID]))


def _candidates(request: Request, facts: CompanyFacts) -> set[int]:
    """Line items that hold at least one term of the request."""
    found: set[int] = set()
    for term in request.terms:
        for canonical in (term.canonical, *kinds_of(term.canonical)):
            found.update(facts.by_canonical.get(canonical, ()))
        words = sorted((facts.by_word.get(word, []) for word in term.words), key=len)
        if words and words[0]:
            found.update(set(words[0]).intersection(*words[1:]))
    return found


Durations = dict[tuple[str, date | None], set[int | None]]
"""(canonical metric, period end) -> durations in months for which it is reported."""


def _durations(graph: KnowledgeGraph, scored: list[tuple[LineItem, float]], scope: Scope) -> Durations:
    found: Durations = defaultdict(set)
    best = max((score for _, score in scored), default=0.0)
    for item, score in scored:
        for position in item.rows if score >= 0.85 * best else ():
            if graph.admits(position, scope):
                period = graph.tables.periods[graph.tables.rows[position][r.PERIOD]]
                found[(item.canonical, period.end)].add(period.months)
    return found


def _period_hits(
    graph: KnowledgeGraph,
    item: LineItem,
    score: float,
    scope: Scope,
    months: int | None,
    durations: Durations,
) -> Iterator[Hit]:
    """The item's admitted figures, each with its period's fit."""
    tables = graph.tables
    for position in item.rows:
        if not graph.admits(position, scope):
            continue
        row = tables.rows[position]
        period = tables.periods[row[r.PERIOD]]
        available = durations.get((item.canonical, period.end), {period.months})
        fit = duration_match(period.months, months, available, item.canonical)
        stated = tables.documents[row[r.DOCUMENT]].period_end
        lag = abs((stated - period.end).days) if stated and period.end else 0
        loose = item.statement == "prose" and not item.title
        filing = loose and tables.documents[row[r.DOCUMENT]].doc_type in {"10-Q", "10-K"}
        match = score * fit * (1.0 if lag == 0 else 0.995) * (FILING_PROSE_FACTOR if filing else 1.0)
        yield Hit(position, item, match, period, lag, r.row_amount(tables, row))


def figures_of(graph: KnowledgeGraph, chunks: Iterable[str], scope: Scope) -> list[Evidence]:
    """The figures within `scope` that these chunks print and that may answer, in the order of the chunks; their
    match is 0: nothing says yet that they fit."""
    rows = [row for chunk in dict.fromkeys(chunks) for row in graph.rows_of_chunk.get(chunk, ())]
    triplets = (graph.triplet(row) for row in rows if graph.may_answer(row) and graph.admits(row, scope))
    return [fact_evidence(triplet, 0.0) for triplet in triplets if triplet.value is not None]


def fact_evidence(triplet: Triplet, match: float) -> Evidence:
    """A figure as evidence; `match` is `Fact.match` and the score."""
    fact = Fact(
        metric=triplet.head,
        path=triplet.path,
        value=triplet.value or "",
        unit=triplet.unit,
        scale=triplet.scale,
        printed=triplet.printed,
        period=triplet.period,
        statement=triplet.statement,
        concept=triplet.concept,
        match=match,
    )
    return Evidence(
        rank=1,
        source="graph",
        text=fact_text(triplet),
        document=triplet.document,
        document_id=triplet.document_id,
        page=triplet.page,
        score=match,
        item_id=triplet.id,
        kind="fact",
        company_key=triplet.company_key,
        company=triplet.company,
        doc_type=triplet.doc_type,
        period=triplet.period,
        section=triplet.title,
        fact=fact,
    )


def fact_text(triplet: Triplet) -> str:
    """'Apple Inc., Total net sales, three months ended July 1, 2023: 81,797 million USD (CONDENSED ...)'; a spoken
    figure is followed by its sentence instead of a title."""
    quantity = render_quantity(triplet.value or "", triplet.unit, triplet.scale, triplet.printed)
    parts = (triplet.company, *triplet.path, triplet.head, triplet.period.describe())
    name = ", ".join(filter(None, parts))
    if triplet.statement == "prose":
        relation = "" if triplet.relation == "was" else f"{triplet.relation} "
        return f"{name}: {relation}{quantity}. \u201c{triplet.quote}\u201d"
    return f"{name}: {quantity} ({triplet.title})" if triplet.title else f"{name}: {quantity}"
