"""Whose figures a question asks for: companies that it does not name, found by what they alone report, or by the
products, people and places of which they alone speak."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import replace

from graphs.contracts import Reading
from graphs.drafts.figures import fact_match
from graphs.index import SEARCH_FAILURES, Index
from graphs.local.question.asked_together import Asked, asked_together
from graphs.local.question.compared_parts import is_series, with_parts
from graphs.local.question.period_phrases import find_asks
from graphs.local.question.unknown_names import capitalised_spans
from tools.documents.metadata.catalog import Catalog
from tools.scope import Scope

MIN_OWNER_MATCH = 0.7
"""`Fact.match` from which a figure without a company's name in the question tells whose it is."""
MAX_OWNER_GAP = 0.05
"""How far below the best one another company's figure must not be."""
MAX_NAMES, PASSAGES = 4, 20
"""Names of a question that are looked for, and passages and relations for each."""
MIN_PASSAGES, MIN_SHARE = 2, 0.75
"""Passages and relations with a name, and the share of them that is one company's, from which it tells whose it is."""


def with_owners_and_parts(
    reading: Reading, index: Index, user_scope: Scope, read: Callable[[str, Scope], Reading]
) -> Reading:
    """The reading with the parts of its comparison. `read` reads a question within a scope.

    Where no company is named but every figure asked for belongs to one ('Valves revenue in Q1 and Q2'), it is the
    company of the question; where one is named with some of the figures only, the others are given their own.
    """
    if not (reading.out_of_scope or reading.companies or reading.scope.companies):
        reading = _with_owner_of_names(reading, index, user_scope, read)
    if reading.out_of_scope or reading.unknown_companies or not reading.metrics:
        return with_parts(reading, index.catalog, user_scope, index.known_names)
    asked = asked_figures(reading.question, index.catalog, index.known_names)
    if not (reading.companies or reading.scope.companies):
        if len(asked) > 1 or len(reading.scope.periods) > 1 or is_series(reading):
            owner = _common_owner(asked, reading, index, user_scope)
            reading = read(reading.question, replace(user_scope, companies=(owner,))) if owner else reading
    elif len(reading.companies) and any(each.companies for each in asked):
        question = _with_owners(reading, asked, index, user_scope)
        reading = read(question, user_scope) if question != reading.question else reading
    return with_parts(reading, index.catalog, user_scope, index.known_names)


def _with_owner_of_names(
    reading: Reading, index: Index, user_scope: Scope, read: Callable[[str, Scope], Reading]
) -> Reading:
    """The reading within the one company of whose passages the question's names tell ('Converse sales'); a name that
    some passage holds is no unknown company's."""
    spans = (span.text for span in capitalised_spans(reading.question, ()))
    names = list(dict.fromkeys([*reading.unknown_companies, *reading.entities, *spans]))[:MAX_NAMES]
    try:
        held = {name: _speakers(name, index, user_scope) for name in names}
    except SEARCH_FAILURES:
        return reading
    most = [(*found.most_common(1)[0], found.total()) for found in held.values() if found]
    owners = {company for company, count, whole in most if count >= max(MIN_PASSAGES, MIN_SHARE * whole)}
    if len(owners) != 1:
        return reading
    reading = read(reading.question, replace(user_scope, companies=tuple(owners)))
    unknown = tuple(name for name in reading.unknown_companies if not held.get(name))
    return reading.model_copy(update={"unknown_companies": unknown})


def _speakers(name: str, index: Index, scope: Scope) -> Counter[str]:
    """Company -> how many of the passages and relations nearest to a name hold it."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    found = index.vector_search(name, scope, PASSAGES, 0.0)
    found += [item for item in index.kg_search(name, scope, PASSAGES, 1, None) if item.kind == "relation"]
    return Counter(item.company_key for item in found if word.search(item.text))


def asked_figures(question: str, catalog: Catalog, known_names: Container[str] = ()) -> list[Asked]:
    """The figures that a text asks for, each with the companies it names for it."""
    periods = [(ask.start, ask.end) for ask in find_asks(question)]
    return asked_together(question, catalog.link(question), periods, known_names)


def _with_owners(reading: Reading, asked: Sequence[Asked], index: Index, user_scope: Scope) -> str:
    """The question with its company before each figure of one that it does not name."""
    question = reading.question
    for each in asked:
        named = (
            re.search(r"[A-Z]", each.lookup.name) is not None
        )  # 'closing inventories' are the company's own
        at = question.find(each.lookup.name) if named and not each.companies else -1
        owner = _owner(each, reading, index, user_scope) if at >= 0 else ""
        if owner and owner not in reading.companies:
            question = f"{question[:at]}{index.catalog.name(owner)}'s {question[at:]}"
    return question


def _common_owner(asked: Sequence[Asked], reading: Reading, index: Index, user_scope: Scope) -> str:
    """The one company that has all the figures, one of them alone; '' if there is none such. A figure that shares
    the name of another's ('Valves revenue and R&D') goes with it."""
    found = [_owners(each, reading, index, user_scope) for each in asked]
    alone = {company for own, sure in found if sure and len(own) == 1 for company in own}
    besides = [own for each, (own, _) in zip(asked, found, strict=True) if not each.lookup.bare]
    return alone.pop() if len(alone) == 1 and all(alone <= own for own in besides) else ""


def _owner(asked: Asked, reading: Reading, index: Index, user_scope: Scope) -> str:
    """The one company that has the figure; '' if several do, or none."""
    owners, sure = _owners(asked, reading, index, user_scope)
    return owners.pop() if sure and len(owners) == 1 else ""


def _owners(asked: Asked, reading: Reading, index: Index, user_scope: Scope) -> tuple[set[str], bool]:
    """The companies whose figures fit best, and whether those fit well; none where the search fails: the one that
    follows will fail, too, and say so."""
    try:
        found = index.kg_search(asked.lookup.question, user_scope, 12, 1, reading.months)
    except SEARCH_FAILURES:
        return set(), False
    best = max(map(fact_match, found), default=0.0)
    return {
        item.company_key for item in found if 0 < fact_match(item) >= best - MAX_OWNER_GAP
    }, best >= MIN_OWNER_MATCH
