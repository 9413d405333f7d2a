"""Questions of which companies something is true: each company's documents are looked through for what says so."""

from __future__ import annotations

from dataclasses import replace

from graphs.contracts import TOOLS_OF, Plan, Reading, Route
from graphs.index import Index
from graphs.protocols import Ranker
from graphs.state import Context
from tools.evidence import Evidence
from tools.model.turn import current_turn
from tools.scope import Scope

PASSAGES, RELATIONS = 4, 2
"""Of each company, among which the line is that says so."""
NEAREST = 20
"""Passages of all companies by which it is decided who is looked through first."""
LEFT_FOR_ANSWER = 5.0
"""Seconds of the question's time that are kept for what comes after."""


def put_to_all(reading: Reading, made: Plan) -> tuple[Reading, Plan]:
    """The reading and plan of a question that asks for companies: all within its filters are looked through, unless
    there is something to compute. Names in it are looked for, whoever they are."""
    if any(not each.asked.derived for each in made.calculations):
        return reading.model_copy(update={"of_companies": ""}), made
    reason = "asks of which companies something is true"
    route = Route(kind="corpus", tools=TOOLS_OF["corpus"], reason=reason, confidence=made.route.confidence)
    known = reading.model_copy(update={"unknown_companies": (), "nearest_companies": ()})
    return known, Plan(route=route, form=made.form)


def looked_through(
    index: Index, reading: Reading, scope: Scope, ranker: Ranker, context: Context
) -> tuple[list[Evidence], int, int]:
    """One piece of evidence for each company of the scope of which surely is true what the question asks, the surest
    first; how many companies were looked through, those whose passages come nearest first, and for how many the
    question's time was too short.

    Raises what the index's searches raise, and ModelFileError where the ranker's files are not there."""
    asked, found = reading.of_companies, list[Evidence]()
    near = index.vector_search(asked, scope, NEAREST, context.dense_weight)
    companies = list(dict.fromkeys([*(each.company_key for each in near), *index.catalog.holding(scope)]))
    for reached, company in enumerate(companies):
        left = current_turn().seconds_left()
        if left is not None and left < LEFT_FOR_ANSWER:
            return _surest_first(found), reached, len(companies) - reached
        own = replace(scope, companies=(company,))
        evidence = index.vector_search(asked, own, PASSAGES, context.dense_weight)
        evidence += index.kg_search(asked, own, RELATIONS, 1, None)
        best = ranker.of_company(reading, evidence) if evidence else None
        found += [best] if best is not None else []
    return _surest_first(found), len(companies), 0


def _surest_first(found: list[Evidence]) -> list[Evidence]:
    return sorted(found, key=lambda each: (-each.lines[0].chance, each.company_key))
