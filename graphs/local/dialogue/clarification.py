"""Which of several companies a question means: asked back before anything is searched for it. See `clarified` for
the reply."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphs.contracts import Clarification, Reading
from graphs.drafts.refusals import MAX_COMPANIES_NAMED
from graphs.index import SEARCH_FAILURES, Index
from graphs.local.answer.fact_selection import fitting_companies
from graphs.local.dialogue.clarified import asked_office
from graphs.local.question.overviews import asks_results
from graphs.local.question.question_forms import asks_who_asked
from graphs.local.question.router import LocalRouter
from tools.documents.metadata.catalog import Catalog
from tools.knowledge.search.kg_search import UNNAMED_COMPANY_FACTOR

MAX_COMPANIES_A_SEARCH = 8
"""Companies whose people or figures are looked up at once: a search returns a limited number."""
MAX_COMPANIES_LOOKED_AT = 80
"""Companies that are all looked at to offer those that have what is asked for; of more, only as many are looked for as
are named."""
FIRST_LOOKED_AT = 24
"""Of more companies, those looked at before the likeliest: what most have is found there, and soon."""
MAX_BARE_WORDS = 4
"""Words of a question that may be no more than a metric's name: 'net income?'"""
MIN_ROLE_SCORE = 0.6
"""Least score of a relation that says who holds a role."""

_ROUTER = LocalRouter()
_SEVERAL = re.compile(
    r"\b(?:all|each|every|both|any|which|what|whose|other|most|many|several|these|those|two|three|four|five|per|by)\s+"
    r"(?:of\s+)?(?:the\s+)?(?:\w+\s+)?(?:compan(?:y|ies)|firms?|filers?|business(?:es)?|issuers?|corporations?)\b|"
    r"\bcompar\w+|\bversus\b|\bvs\b|\bacross\b|\bamong\b|\brank\w*|\bwho(?:se)?\s+(?:has|had|have|reported|earned|made|"
    r"posted|spent|paid|grew|sold)\b|\b(?:highest|lowest|largest|smallest|biggest|best|worst|least)\b|"
    r"\bmost\b(?!\s+recent)",
    re.IGNORECASE,
)
"""Asks about several companies, or for one among them: there is no need to ask which."""


def is_open(reading: Reading, catalog: Catalog) -> bool:
    """True if the question asks for one company's figure, officer or results and does not say which one's; nothing
    is searched for."""
    refused = reading.out_of_scope or reading.unknown_companies or reading.unknown_periods
    whose = reading.companies or reading.scope.companies or reading.parts
    if refused or whose or len(catalog.companies) < 2 or _SEVERAL.search(reading.question):
        return False
    if asks_results(reading):
        return True
    if not (reading.metrics or asked_office(reading.question)) or asks_who_asked(reading.question):
        return False
    bare = bool(reading.metrics) and len(reading.question.split()) <= MAX_BARE_WORDS
    return _ROUTER.route(reading).kind in (("extractive", "uncertain") if bare else ("extractive",))


def clarification(reading: Reading, index: Index) -> Clarification | None:
    """What to ask back; None where at most one company of the index has what an open question asks for.

    The options are companies that the index can answer for, by name, at most nine; how many more there are is said,
    unless the index has too many companies for all to be looked at. None also where the index can't be searched: the
    search for the answer will fail, too, and say so.
    """
    catalog = index.catalog
    everyone = _may_hold(reading, catalog)
    all_of_them = len(everyone) <= MAX_COMPANIES_LOOKED_AT
    wanted = len(everyone) if all_of_them else MAX_COMPANIES_NAMED + 1
    if len(everyone) < 2:
        return None
    found: dict[str, None] = {}
    try:
        for key in _holders(reading, index, everyone, wanted):
            found[key] = None
            if len(found) == wanted:
                break
    except SEARCH_FAILURES:
        return None
    if len(found) < 2:
        return None
    keys = sorted(found, key=lambda key: (catalog.name(key).lower(), key))
    return Clarification(
        question=f"Which company do you mean?{_more(len(keys) - MAX_COMPANIES_NAMED, counted=all_of_them)}",
        options=tuple(map(catalog.name, keys[:MAX_COMPANIES_NAMED])),
    )


def _more(number: int, *, counted: bool) -> str:
    if not counted:
        return " There may be more: you may name any."
    if number < 1:
        return ""
    return f" There {'is' if number == 1 else 'are'} {number} more: you may name any."


def _may_hold(reading: Reading, catalog: Catalog) -> list[str]:
    """Keys of the companies with documents in scope, and figures of the periods where those are asked for."""
    scope = reading.scope
    everyone = catalog.holding(scope)
    if not (reading.metrics and scope.periods) or asks_results(reading):
        return everyone
    return [
        key
        for key in everyone
        if any(each.admits(period) for period in catalog.fact_periods(key) for each in scope.periods)
    ]


def _holders(reading: Reading, index: Index, everyone: Sequence[str], wanted: int) -> Iterator[str]:
    """Keys of those of these companies that have what is asked for, some of them twice: all there are, or so many as
    far as they are among the first and the likeliest ones."""
    scope = reading.scope
    if asks_results(reading):
        for key in everyone:
            periods = index.catalog.document_periods(key)
            if not scope.periods or any(each.admits(period) for each in scope.periods for period in periods):
                yield key
        return
    slices = [
        everyone[start : start + MAX_COMPANIES_A_SEARCH]
        for start in range(0, len(everyone), MAX_COMPANIES_A_SEARCH)
    ]
    if not reading.metrics:
        for some in slices:
            for item in index.kg_search(reading.question, replace(scope, companies=tuple(some)), 40, 1, None):
                if item.kind == "relation" and item.score >= MIN_ROLE_SCORE:
                    yield item.company_key
        return
    first = [] if wanted == len(everyone) else slices[: FIRST_LOOKED_AT // MAX_COMPANIES_A_SEARCH]
    for some in (*first, everyone):
        within = replace(scope, companies=tuple(some))
        found = index.kg_search(reading.question, within, 4 * min(len(some), wanted), 1, reading.months)
        yield from fitting_companies(found, UNNAMED_COMPANY_FACTOR)
