"""The entry point: one figure for a question that the lexical search found no fitting line item for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.evidence import Evidence
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.hits import MIN_FACT_MATCH
from tools.knowledge.search.kg_search import fact_evidence
from tools.knowledge.search.line_items import company_facts, own_names
from tools.knowledge.search.linking import link_question
from tools.knowledge.search.ranker.candidates import Candidate, find_candidates, without_frame
from tools.knowledge.search.ranker.features import Floats, features, unit_asked
from tools.knowledge.search.ranker.line_item_model import best_figure, load_ranker
from tools.periods import PeriodFilter
from tools.scope import Scope

_NO_FIGURE = re.compile(
    r"\b(?:why|explain\w*|describe\w*|summar\w+|discuss\w*|reasons?|drove|drivers?|driven|because|outlook|strateg\w+|"
    r"risks?|overview|compar\w+|versus|vs|chang\w+|grow\w*|grew|growth|increas\w+|decreas\w+|declin\w+|rose|fell|"
    r"expects?|expecting|guid\w+|forecast\w*|said|say|says|think|opinion|who|how\s+(?:does|do|is|are))\b",
    re.IGNORECASE,
)
"""Asks for more or other than one reported figure."""

_UNITS = {"per share": "USD/share", "shares": "shares"}
"""Units that a fact must have where the question asks for them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The line items in scope of one company's question."""

    candidates: tuple[Candidate, ...]
    table: Floats
    """(candidates, features)."""


def choices(graph: KnowledgeGraph, question: str, scope: Scope, months: int | None) -> Choice | None:
    """What the ranker chooses from; None unless the question is about one company and something is in scope."""
    if len(scope.companies) != 1:
        return None
    key = scope.companies[0]
    facts, names = company_facts(graph, key), own_names(graph, key)
    found = find_candidates(graph, facts, scope, months)
    if not found:
        return None
    requests = link_question(question, facts, names)
    table = features(question, without_frame(question, names), found, requests, months)
    return Choice(tuple(found), table)


def second_look(
    graph: KnowledgeGraph, question: str, scope: Scope, months: int | None, found: Sequence[Evidence]
) -> list[Evidence]:
    """`found`, led by the figure that the ranker takes the question to ask for, if it is sure enough.

    Only where `found` has no fitting fact, the question names one company and one period, and asks for one
    figure. The new fact's `match` says no more than that it fits; its line item is printed with it.
    """
    unit = _UNITS.get(unit_asked(question))
    fits = any(
        item.fact is not None and item.fact.match >= MIN_FACT_MATCH and unit in (None, item.fact.unit)
        for item in found
    )
    if fits or not any(map(_definite, scope.periods)) or _NO_FIGURE.search(question):
        return list(found)
    choice = choices(graph, question, scope, months)
    if choice is None:
        return list(found)
    ranker = load_ranker()
    shares, _ = ranker.scores(choice.table)
    best, share = best_figure(choice.candidates, shares)
    if share < ranker.threshold:
        return list(found)
    fact = fact_evidence(
        graph.triplet(best.row), round(MIN_FACT_MATCH + (1 - MIN_FACT_MATCH) * share * 0.9, 4)
    )
    rest = [item for item in found if item.item_id != fact.item_id]
    return [item.model_copy(update={"rank": rank}) for rank, item in enumerate((fact, *rest), start=1)]


def _definite(period: PeriodFilter) -> bool:
    return period.end is not None or period.fiscal_quarter is not None or period.calendar_quarter is not None
