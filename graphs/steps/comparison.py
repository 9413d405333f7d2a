"""Comparisons, part by part: what each part is searched for, and how the findings take turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from graphs.contracts import Lookup, Reading
from graphs.drafts.figures import WHOLE_MATCH, fact_match
from graphs.protocols import Reader
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope


@dataclass(frozen=True, slots=True)
class Search:
    """One part's scope and what is looked up in it."""

    scope: Scope
    lookups: tuple[Lookup, ...]
    whole: str = ""
    """The question of several companies as it is: what speaks of another one of them says what is between the two."""
    others: tuple[str, ...] = ()
    """How it calls these."""


def searches(
    scope: Scope,
    user_scope: Scope,
    reading: Reading,
    question: str,
    catalog: Catalog,
    reader: Reader,
    *,
    compared: bool,
) -> list[Search]:
    """What to search one by one, none of it wider than `scope` and the user's filters.

    Each part of a comparison has the dates that a label such as 'Q3 2023' means to its company. For figures
    (`compared`) the year-ago periods that a change is measured against are added, and each figure is looked up
    by itself; for passages the other companies' names are left out, but where one speaks of them.
    """
    extra = reading.compared_periods if compared and not user_scope.periods else ()
    if not reading.parts:
        periods = (*scope.periods, *extra) if scope.periods else ()
        return [Search(replace(scope, periods=periods), (Lookup(name="", question=question),))]
    others = reader.lookups(question, catalog) if compared else ()
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
        if compared or asked.question == question:
            found.append(Search(narrowed, part.lookups if own else others or (asked,)))
        else:
            named = tuple(name for name in reading.company_names if catalog.find(name) != part.company)
            found.append(Search(narrowed, (asked,), question, named))
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
        found = [ask(each.question, search.scope) for each in search.lookups]
        between = ask(search.whole, search.scope) if search.others else []
        return [[each for each in between if _names(each, search.others)], *found]
    lists: list[list[Evidence]] = []
    for each in search.lookups:
        own = [_marked(item, each.question) for item in ask(each.question, search.scope)]
        if each.bare and not any(fact_match(item) >= WHOLE_MATCH for item in own):
            own = [*(_marked(item, each.bare) for item in ask(each.bare, search.scope)), *own]
        lists.append(own)
    return lists


def _names(item: Evidence, others: Sequence[str]) -> bool:
    return any(name.casefold() in item.text.casefold() for name in others)


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
