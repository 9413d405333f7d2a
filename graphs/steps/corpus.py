"""Questions of which companies something is true: each company's documents are looked through for what says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphs.contracts import TOOLS_OF, Plan, Reading, Route
from graphs.index import Index
from graphs.protocols import CompanyJudge, Ranker
from graphs.state import Context
from tools.evidence import Evidence
from tools.model.turn import current_turn
from tools.ranking.company_fit import promising
from tools.scope import Scope

PASSAGES, RELATIONS, LISTED = 5, 3, 8
"""Of each company, among which the line is that says so: passages by their meaning and as many by their words,
relations, and lines of what is listed of any company."""
BUSINESS = "business"
"""What is always looked at of a company: what it is."""
MOST_READ = 100
"""Companies whose relations are searched and whose lines are read, the most promising by their passages and lists."""
PERHAPS = 5
"""Lines of a company that a judge is shown."""
MAX_COMPANIES = 30
"""Companies shown of which something is true."""
LOOKED_THROUGH = " companies looked through"
"""What the tool says of their number."""
NEAREST = 20
"""Passages of all companies by which it is decided who is looked through first."""
LEFT_FOR_ANSWER = 5.0
"""Seconds of the question's time that are kept for what comes after."""


def put_to_all(
    reading: Reading, made: Plan, user_scope: Scope, ranker: Ranker | None
) -> tuple[Reading, Plan]:
    """The reading and plan of a question that asks for companies: all within the user's filters, and the periods and
    documents that it names, are looked through, unless there is something to compute. Names in it are looked for,
    whoever they are."""
    computes = any(not each.asked.derived for each in made.calculations)
    if ranker is None or (computes and not ranker.is_listed(reading)):
        return reading.model_copy(update={"of_companies": ""}), made
    reason = "asks of which companies something is true"
    route = Route(kind="corpus", tools=TOOLS_OF["corpus"], reason=reason, confidence=made.route.confidence)
    scope = replace(reading.scope, companies=user_scope.companies)
    others = dict.fromkeys(("companies", "company_names", "unknown_companies", "nearest_companies"), ())
    known = reading.model_copy(update=others | {"scope": scope})
    return known, Plan(route=route, form=made.form)


def looked_through(
    index: Index, reading: Reading, scope: Scope, ranker: Ranker, context: Context, perhaps: int = 0
) -> tuple[list[Evidence], int, int]:
    """Evidence for each company of the scope of which surely is true what the question asks, the surest first; how many
    companies were looked through, those whose passages come nearest first, and for how many the question's time was too
    short. `perhaps`: see `Ranker.of_companies`.

    Raises what the index's searches raise, and ModelFileError where the ranker's files are not there."""
    asked, found = reading.of_companies, list[list[Evidence]]()
    near = index.vector_search(asked, scope, NEAREST, context.dense_weight)
    companies = list(dict.fromkeys([*(each.company_key for each in near), *index.catalog.holding(scope)]))
    scopes = [replace(scope, companies=(company,)) for company in companies]
    kinds = ranker.profile_kinds(reading)
    for own in scopes:
        if _is_late():
            break
        found.append(_said_of(index, asked, own, kinds))
    seen = [ranker.seen_of_company(reading, evidence, read=False) for evidence in found]
    unread = 0
    for at in promising(seen)[:MOST_READ]:
        if _is_late():
            unread += 1
        else:
            found[at] = _with_relations(index, asked, scopes[at], found[at])
            seen[at] = ranker.seen_of_company(reading, found[at])
    likely = ranker.of_companies(reading, list(zip(seen, found, strict=True)), perhaps)
    reached = len(found) - unread
    return likely, reached, len(companies) - reached


def true_of(
    reading: Reading, found: Sequence[Evidence], said: Sequence[str], judge: CompanyJudge | None
) -> tuple[list[Evidence], str, list[str]]:
    """The evidence of the companies of which it is true, at most `MAX_COMPANIES`; of how many of how many it is; and
    what is left out. `said`: what the tool said of its search."""
    kept = list(found) if judge is None else judge.true_of(reading, found)
    reached = next((line.removesuffix(LOOKED_THROUGH) for line in said if line.endswith(LOOKED_THROUGH)), "0")
    lacking = [line for line in said if not line.endswith(LOOKED_THROUGH)]
    if len(kept) > MAX_COMPANIES:
        lacking.append(f"{len(kept) - MAX_COMPANIES} more companies found, and not shown")
    return kept[:MAX_COMPANIES], f"of {len(kept)} of {reached}", lacking


def _is_late() -> bool:
    left = current_turn().seconds_left()
    return left is not None and left < LEFT_FOR_ANSWER


def evidence_of_company(index: Index, asked: str, scope: Scope, kinds: Sequence[str]) -> list[Evidence]:
    """What of a scope's company may say that `asked` is true of it, or that it is not."""
    return _with_relations(index, asked, scope, _said_of(index, asked, scope, kinds))


def _said_of(index: Index, asked: str, scope: Scope, kinds: Sequence[str]) -> list[Evidence]:
    """The passages of a scope's company, and what is listed of it."""
    listed = [
        line
        for kind in dict.fromkeys((*kinds, BUSINESS))
        for line in index.profile_lines(kind, asked, scope)[:LISTED]
    ]
    return [*index.passages_about(asked, scope, PASSAGES), *listed]


def _with_relations(index: Index, asked: str, scope: Scope, found: Sequence[Evidence]) -> list[Evidence]:
    """What was found of a scope's company, with its relations that are not listed."""
    listed = {item.item_id for item in found}
    relations = index.kg_search(asked, scope, RELATIONS, 1, None)
    return [*found, *(each for each in relations if each.item_id not in listed)]
