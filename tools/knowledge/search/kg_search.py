"""kg_search: the facts and relations of the entities that a question names, within a scope."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from tools.evidence import Evidence, Fact
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.candidate_lines import lines_by_lack
from tools.knowledge.search.hits import MIN_FACT_MATCH, Hit, prefer_statements, without_duplicates
from tools.knowledge.search.likely_companies import likely_companies
from tools.knowledge.search.line_items import (
    CompanyFacts,
    LineItem,
    companies_named,
    company_facts,
    own_names,
)
from tools.knowledge.search.linking import Request, link_question
from tools.knowledge.search.matching import MISSING_WORD_FACTOR, duration_match, item_match
from tools.knowledge.search.relations import search_relations
from tools.knowledge.types import Triplet
from tools.quantities import render_quantity
from tools.scope import Scope

MIN_EVIDENCE_MATCH = 0.3
"""Facts that fit less are no answer and no help."""
FILING_PROSE_FACTOR = 0.85
"""A filing's sentences speak of the segment or period their section is about; its tables, and the pairs that
`figure_pairs` reads, say which."""
NEAR_BEST = 0.85
"""Share of the best line's score from which a line's durations count among those that are reported."""
LEAST_COMPANIES, COMPANIES_A_HIT = 40, 3
"""Companies whose line items are looked at for a question, at most: so many, or so many for each hit wanted."""
COMPANIES_AT_ONCE = 6
"""Of more than that, the likeliest first, until no other can have better hits: a company in which many lines have the
question's words takes some milliseconds."""
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
    named = companies_named(graph, question)
    companies = _companies(graph, scope, named)
    duration = months if months is not None else _months_of(scope)
    several = len(graph.rows_of_company) > 1
    factor = UNNAMED_COMPANY_FACTOR if several and not scope.companies and not named else 1.0
    relations = search_relations(graph, question, scope, companies, depth)
    facts: list[Evidence] = []
    if not relations.only:
        most = max(LEAST_COMPANIES, COMPANIES_A_HIT * k)
        likely = likely_companies(graph, question, scope, companies, most)
        at_once = COMPANIES_AT_ONCE if len(companies) > most else len(likely)
        facts = [
            fact_evidence(graph.triplet(hit.row), round(min(1.0, hit.match), 4))
            for hit in _Figures(graph, question, scope, duration, k).best(likely, at_once, named, factor)
        ]
    found = sorted([*facts, *relations.found], key=lambda evidence: -evidence.score)
    return [item.model_copy(update={"rank": rank}) for rank, item in enumerate(found[:k], start=1)]


def _companies(graph: KnowledgeGraph, scope: Scope, named: Sequence[str]) -> Sequence[str]:
    """Companies to look at: those of the scope that the question names, else all of the scope."""
    held = graph.rows_of_company
    allowed = [key for key in scope.companies if key in held] if scope.companies else graph.companies
    return ([key for key in allowed if key in named] if named else ()) or allowed


def _months_of(scope: Scope) -> int | None:
    wished = {p.months for p in scope.periods if p.months is not None}
    return wished.pop() if len(wished) == 1 else None


LEAST_SURE = MISSING_WORD_FACTOR / NEAR_BEST
"""Lines that lack a term of the request score `MISSING_WORD_FACTOR` at most. Where a line scores more than this, they
change nothing about it."""


@dataclass(frozen=True, slots=True)
class _Figures:
    """The search for figures of one question."""

    graph: KnowledgeGraph
    question: str
    scope: Scope
    months: int | None
    k: int

    def best(self, companies: Sequence[str], at_once: int, named: Sequence[str], factor: float) -> list[Hit]:
        """Hits for every figure asked for, the requests and companies taking turns; duplicates removed. `factor`
        lowers every match. Lines that lack something asked for are scored only where others leave room; companies
        after the first `at_once`, and each further so many, only where those have not all hits wanted without fault."""
        others = frozenset[str]().union(*(own_names(self.graph, company) for company in named))
        asked: list[Sequence[_Scored]] = []
        lists: list[list[Hit]] = []
        sure: list[Hit] = []
        for start in range(0, len(companies), max(1, at_once)):
            looked_at = [self._asked(company, others) for company in companies[start : start + at_once]]
            asked += filter(None, looked_at)
            lists += [hits for requests in looked_at if requests for hits in self._lists(requests, factor)]
            sure = _in_turns(lists, self.k)
            if len(sure) == self.k and round(sure[-1].match, 2) >= round(factor, 2):
                return sure
        if len(sure) == self.k and round(sure[-1].match, 2) > round(LEAST_SURE * factor, 2):
            return sure
        for requests in asked:
            for each in requests:
                each.score(each.lacking, self.months)
        return _in_turns([hits for requests in asked for hits in self._lists(requests, factor)], self.k)

    def _asked(self, company: str, others: frozenset[str]) -> list[_Scored]:
        """What the question asks of a company, with the lines that have all of it scored; of an enumeration also those
        that lack something."""
        own, facts = own_names(self.graph, company), company_facts(self.graph, company)
        requests = link_question(self.question, facts, own | others if others else own)
        found = []
        for request in requests:
            full, lacking = lines_by_lack(request, facts)
            scored = _Scored(request, facts, lacking)
            scored.score(full, self.months)
            if len(requests) > 1:
                scored.score(lacking, self.months)
                scored.lacking = []
            found.append(scored)
        return found

    def _lists(self, requests: Sequence[_Scored], factor: float) -> list[list[Hit]]:
        """Hits for each request, their matches lowered by `factor`; those for the parts of an enumeration in place of
        those for all of it at once."""
        ranked = [self._rank(each.lines) for each in requests]
        if len(ranked) > 1 and ranked[0] and ranked[0][0].match >= MIN_FACT_MATCH:
            ranked = ranked[:1]
        elif len(ranked) > 1:
            ranked = ranked[1:]
        if factor != 1.0:
            ranked = [[replace(hit, match=hit.match * factor) for hit in hits] for hits in ranked]
        return [hits for hits in ranked if hits]

    def _rank(self, scored: list[tuple[LineItem, float]]) -> list[Hit]:
        if not scored:
            return []
        durations = _durations(self.graph, scored, self.scope)
        hits = [
            hit
            for item, score in scored
            for hit in _period_hits(self.graph, item, score, self.scope, self.months, durations)
        ]
        hits = [hit for hit in hits if hit.match >= MIN_EVIDENCE_MATCH]
        hits = prefer_statements(hits)
        hits.sort(key=lambda hit: _order(self.graph, hit))
        return without_duplicates(hits, self.k)


@dataclass(slots=True)
class _Scored:
    """A request and the lines scored for it so far."""

    request: Request
    facts: CompanyFacts
    lacking: list[int]
    """Items that lack a term of it."""
    lines: list[tuple[LineItem, float]] = field(default_factory=list)

    def score(self, indexes: Iterable[int], months: int | None) -> None:
        """Add those of these items that fit at all."""
        for item in (self.facts.items[at] for at in indexes):
            score = item_match(self.request, item, months)
            if score >= MIN_EVIDENCE_MATCH:
                self.lines.append((item, score))


def _in_turns(lists: list[list[Hit]], k: int) -> list[Hit]:
    """At most `k` hits, the best first, of equal ones those that come first in their lists."""
    lists = sorted(lists, key=lambda hits: -hits[0].match)
    best = [hits[turn] for turn in range(k) for hits in lists if turn < len(hits)]
    unique: dict[int, Hit] = {}
    for hit in best:
        unique.setdefault(hit.row, hit)
    return sorted(unique.values(), key=lambda hit: -round(hit.match, 2))[:k]


def _order(graph: KnowledgeGraph, hit: Hit) -> tuple[float, int, int, int, str]:
    end = hit.period.end or date.min
    row = graph.tables.rows[hit.row]
    return (-round(hit.match, 2), -end.toordinal(), hit.lag, int(row[r.PAGE]), str(row[r.ID]))


Durations = dict[tuple[str, date | None], set[int | None]]
"""(canonical metric, period end) -> durations in months for which it is reported."""


def _durations(graph: KnowledgeGraph, scored: list[tuple[LineItem, float]], scope: Scope) -> Durations:
    found: Durations = defaultdict(set)
    best = max((score for _, score in scored), default=0.0)
    for item, score in scored:
        for position in item.rows if score >= NEAR_BEST * best else ():
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
        document = tables.documents[row[r.DOCUMENT]]
        annual, stated = document.doc_type == "10-K", document.period_end
        fit = duration_match(period.months, months, available, item.canonical, annual=annual)
        lag = abs((stated - period.end).days) if stated and period.end else 0
        loose = item.statement == "prose" and not item.title
        filing = loose and document.doc_type in {"10-Q", "10-K"}
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
