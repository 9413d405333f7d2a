"""Comparisons, part by part: what each part is searched for, and what of it the answer lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from graphs.contracts import Lookup, Missing, Part, Reading
from graphs.drafts.words import content
from graphs.local.answer.fact_fit import MIN_FACT_MATCH, MIN_NAMED_MATCH
from graphs.local.question.asked_together import Asked, asked_together
from graphs.local.question.compared_parts import is_series, with_parts
from graphs.local.question.other_quarter import other_quarters
from graphs.local.question.period_phrases import find_asks
from graphs.resources import SEARCH_FAILURES, Index
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope

OWNED = 0.7
"""`Fact.match` from which a figure without a company's name in the question tells whose it is."""
SURELY = 3
"""Figures found first that are kept beside tables, however they fit."""
WORTH = 0.55
"""`Fact.match` from which a figure is kept beside the table it stands in."""
OTHERS = 2
"""Tables of another quarter that a label may mean."""
OWNED_BY = 0.05
"""How far below the best one another company's figure must not be."""

_MARKER = re.compile(r"\[(\d{1,3})\]")
Status = Literal["answered", "partial", "abstained"]


@dataclass(frozen=True, slots=True)
class Search:
    """One part's scope and what is looked up in it."""

    scope: Scope
    lookups: tuple[Lookup, ...]


def split(
    reading: Reading, index: Index, user_scope: Scope, read: Callable[[str, Scope], Reading]
) -> Reading:
    """The reading with the parts of its comparison. `read` reads a question within a scope.

    Where no company is named but every figure asked for belongs to one ('AWS revenue in Q1 and Q2'), it is the
    company of the question; where one is named with some of the figures only, the others are given their own.
    """
    if reading.out_of_scope or reading.unknown_companies or not reading.metrics:
        return with_parts(reading, index.catalog, user_scope, index.known_names)
    asked = _asked(reading.question, index.catalog, index.known_names)
    if not (reading.companies or reading.scope.companies):
        if len(asked) > 1 or len(reading.scope.periods) > 1 or is_series(reading):
            owner = _common_owner(asked, reading, index, user_scope)
            reading = read(reading.question, replace(user_scope, companies=(owner,))) if owner else reading
    elif len(reading.companies) and any(each.companies for each in asked):
        question = _with_owners(reading, asked, index, user_scope)
        reading = read(question, user_scope) if question != reading.question else reading
    return with_parts(reading, index.catalog, user_scope, index.known_names)


def _asked(question: str, catalog: Catalog, known_names: Container[str] = ()) -> list[Asked]:
    periods = [(ask.start, ask.end) for ask in find_asks(question)]
    return asked_together(question, catalog.link(question), periods, known_names)


def _with_owners(reading: Reading, asked: Sequence[Asked], index: Index, user_scope: Scope) -> str:
    """The question with its company before each figure of one that it does not name."""
    question = reading.question
    for each in asked:
        at = question.find(each.lookup.name) if each.lookup.name and not each.companies else -1
        owner = _owner(each, reading, index, user_scope) if at >= 0 else ""
        if owner and owner not in reading.companies:
            question = f"{question[:at]}{index.catalog.name(owner)}'s {question[at:]}"
    return question


def _common_owner(asked: Sequence[Asked], reading: Reading, index: Index, user_scope: Scope) -> str:
    """The one company that has all the figures, one of them alone; '' if there is none such. A figure that shares
    the name of another's ('AWS revenue and R&D') goes with it."""
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
    best = max(map(_match, found), default=0.0)
    return {item.company_key for item in found if 0 < _match(item) >= best - OWNED_BY}, best >= OWNED


def _match(item: Evidence) -> float:
    return item.fact.match if item.fact is not None else 0.0


def searches(
    scope: Scope, user_scope: Scope, reading: Reading, question: str, catalog: Catalog, *, compared: bool
) -> list[Search]:
    """What to search one by one, none of it wider than `scope` and the user's filters.

    Each part of a comparison has the dates that a label such as 'Q3 2023' means to its company. For figures
    (`compared`) the year-ago periods that a change is measured against are added, and each figure is looked up
    by itself; for passages the other companies' names are left out.
    """
    extra = reading.compared_periods if compared and not user_scope.periods else ()
    if not reading.parts:
        periods = (*scope.periods, *extra) if scope.periods else ()
        return [Search(replace(scope, periods=periods), (Lookup(name="", question=question),))]
    others = [each.lookup for each in _asked(question, catalog)] if compared else []
    own = compared and question == reading.question
    found: list[Search] = []
    for part in reading.parts:
        if scope.companies and part.company not in scope.companies:
            continue
        # widened: the periods are loosened for all
        periods = part.periods if scope == reading.scope else scope.periods
        before = [each for each in extra if _is_year_before(each, periods)]
        narrowed = replace(scope, companies=(part.company,), periods=(*periods, *before) if periods else ())
        asked = Lookup(name="", question=question_for(question, part.company, reading, catalog))
        found.append(Search(narrowed, part.lookups if own else tuple(others) or (asked,)))
    return list(dict.fromkeys(found))


def _is_year_before(period: PeriodFilter, periods: Sequence[PeriodFilter]) -> bool:
    """Other companies' year-ago periods are no part's."""
    ends = [each.end for each in periods if each.end]
    return period.end is None or not ends or any(abs((end - period.end).days - 364) <= 20 for end in ends)


def question_for(question: str, company: str, reading: Reading, catalog: Catalog) -> str:
    """The question as asked of one company of several: the others' names would turn its meaning away."""
    if len(reading.companies) < 2:
        return question
    for name in sorted(reading.company_names, key=len, reverse=True):
        if catalog.find(name) != company:
            question = question.replace(name, " ")
    return question


def looked_up(search: Search, ask: Callable[[str, Scope], list[Evidence]]) -> list[list[Evidence]]:
    """What `ask` finds for each lookup, marked with the lookup where there are several; where no figure fits one that
    shares its qualifiers with others, the company's own beside it."""
    if len(search.lookups) < 2:
        return [ask(each.question, search.scope) for each in search.lookups]
    lists: list[list[Evidence]] = []
    for each in search.lookups:
        found = [_marked(item, each.question) for item in ask(each.question, search.scope)]
        if each.bare and not any(_match(item) >= MIN_FACT_MATCH for item in found):
            found = [*(_marked(item, each.bare) for item in ask(each.bare, search.scope)), *found]
        lists.append(found)
    return lists


def _marked(item: Evidence, lookup: str) -> Evidence:
    return item.model_copy(update={"lookup": lookup})


def in_turns(lists: Sequence[Sequence[Evidence]], k: int, least: int = 1) -> list[Evidence]:
    """At most `k` pieces, or `least` a list where that is more; the lists take turns, each piece once and as the list
    found it where it fits best, renumbered."""
    unique: dict[str, Evidence] = {}
    for items in zip_longest(*lists):
        for item in items:
            if item is not None and (item.item_id not in unique or item.score > unique[item.item_id].score):
                unique[item.item_id] = item
    kept = list(unique.values())[: max(k, least * len(lists))]
    return [item.model_copy(update={"rank": rank}) for rank, item in enumerate(kept, start=1)]


def with_tables(
    found: Sequence[Evidence],
    asked: Sequence[Search],
    question: str,
    index: Index,
    most: int,
    *,
    fixed: bool = False,
) -> list[Evidence]:
    """`found`, and the tables for what it leaves open: at most `most`, or one for each of several parts that no
    figure fits well. Figures that fit worse and stand in such a table are left to it. Unless the period is `fixed`
    by the user, a label that may mean another quarter brings that one's tables, too, after the others."""
    tables = _tables(found, asked, question, index, most)
    if len(asked) == 1 and not fixed and (others := other_quarters(question, asked[0].scope, index.catalog)):
        tables += index.tables(question, replace(asked[0].scope, periods=others), most)[:OTHERS]
    if fixed:  # a table of another period prints this one for comparison
        scopes = [each.scope for each in asked]
        tables = [e for e in tables if any(s.admits(e.company_key, e.period, e.doc_type) for s in scopes)]
    pages = {(item.document_id, item.page) for item in tables}
    kept = [
        item
        for at, item in enumerate(found)
        if at < SURELY
        or item.fact is None
        or _match(item) >= WORTH
        or (_match(item) >= MIN_NAMED_MATCH and (item.document_id, item.page) not in pages)
    ]
    return [*(kept if tables else found), *tables]


def _tables(
    found: Sequence[Evidence], asked: Sequence[Search], question: str, index: Index, most: int
) -> list[Evidence]:
    if len(asked) == 1:
        return index.tables(question, asked[0].scope, most)
    open_parts = [
        each
        for each in asked
        if not any(
            _match(item) >= MIN_FACT_MATCH and each.scope.admits(item.company_key, item.period, item.doc_type)
            for item in found
        )
    ]
    lists = [index.tables(each.lookups[0].question, each.scope, 1) for each in open_parts]
    return in_turns(lists, most + 1) if lists else []


_WHY = {
    "whole": "Stated for the whole company, since nothing was found as asked",
    "not_found": "Nothing found for",
    "not_indexed": "Not in the indexed documents",
    "filtered": "Outside the filter that is set",
    "left_out": "Left out, since a comparison has at most four parts",
}


def with_missing(
    text: str, status: Status, reading: Reading, evidence: Sequence[Evidence]
) -> tuple[str, Status, str]:
    """Text and status with what a comparison lacks said in a last sentence; that sentence, '' if it lacks nothing."""
    lacking = list(reading.missing)
    if status != "abstained":
        lacking += _uncovered(text, reading, evidence)
    if not lacking:
        return text, status, ""
    told = " ".join(
        f"{opening}: {'; '.join(names).removesuffix('.')}."
        for why, opening in _WHY.items()
        if (names := list(dict.fromkeys(each.what for each in lacking if each.why == why)))
    )
    return f"{text}\n\n{told}".strip(), "abstained" if status == "abstained" else "partial", told


def _uncovered(text: str, reading: Reading, evidence: Sequence[Evidence]) -> list[Missing]:
    """Parts of which the answer cites nothing, and figures that it states for other parts alone."""
    ranks = {int(number) for number in _MARKER.findall(text)}
    cited = [item for item in evidence if item.rank in ranks]
    if not reading.parts or not cited:
        return []
    lacking: list[Missing] = []
    for part in reading.parts:
        own = _of(part, cited)
        found = {item.lookup for item in own}
        if not own:
            # a change or a range is told by its ends: what lies between was found, too
            between = any(item.company_key == part.company for item in cited)
            found_it = _of(part, [item for item in evidence if item.fact and _match(item) >= MIN_FACT_MATCH])
            lacking += [] if between and found_it else [Missing(what=part.describe(), why="not_found")]
        elif all(item.fact and item.lookup for item in own):
            lacking += [
                Missing(
                    what=f"{each.name} of {part.describe()}",
                    why="whole" if each.bare in found else "not_found",
                )
                for each in part.lookups
                if each.name
                and each.question not in found
                and not (each.bare not in found and _told(each, own))
            ]
    return lacking


def _told(lookup: Lookup, cited: Sequence[Evidence]) -> bool:
    """A figure that another's line names, too, is told with it: 'interest and dividend income'."""
    words = set(content(lookup.bare or lookup.name))
    return any(
        words & set(content(" ".join((*item.fact.path, item.fact.metric)))) for item in cited if item.fact
    )


def _of(part: Part, cited: Sequence[Evidence]) -> list[Evidence]:
    """Cited evidence of the part's company and period; running text may speak of any period."""
    own = [item for item in cited if item.company_key == part.company]
    if not part.periods or any(item.fact is None for item in own):
        return own
    return [item for item in own if any(period.admits(item.period) for period in part.periods)]
