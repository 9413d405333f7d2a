"""Comparisons, part by part: what each part is searched for, and what of it the answer lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from graphs.contracts import Missing, Part, Reading
from graphs.local.asked_together import lookups_of
from graphs.local.comparing import with_parts
from graphs.resources import Index
from tools.documents.catalog import Catalog
from tools.evidence import Evidence, Fact
from tools.knowledge.lexicon import canonical_metric
from tools.scope import Scope

OWNED = 0.7
"""`Fact.match` from which a figure without a company's name in the question tells whose it is."""
OWNED_BY = 0.05
"""How far below the best one another company's figure must not be."""

_MARKER = re.compile(r"\[(\d{1,3})\]")
Status = Literal["answered", "partial", "abstained"]


@dataclass(frozen=True, slots=True)
class Search:
    """One part's scope and what is looked up in it."""

    scope: Scope
    questions: tuple[str, ...]


def split(reading: Reading, index: Index, user_scope: Scope, read: Callable[[Scope], Reading]) -> Reading:
    """The reading with the parts of its comparison. `read` reads the question again within a scope.

    Where no company is named but every figure asked for belongs to one ('AWS revenue in Q1 and Q2'), it is the
    company of the question.
    """
    owner = _owner(reading, index, user_scope)
    if owner:
        reading = read(replace(user_scope, companies=(owner,)))
    return with_parts(reading, index.catalog, user_scope)


def _owner(reading: Reading, index: Index, user_scope: Scope) -> str:
    """The one company whose figures answer a question for several figures or periods; '' if there is none such."""
    named = reading.companies or reading.scope.companies or reading.unknown_companies
    if named or reading.out_of_scope or not reading.metrics:
        return ""
    asked = lookups_of(reading.question, ()).asked
    if len(asked) < 2 and len(reading.scope.periods) < 2:
        return ""
    owners: set[str] = set()
    for each in asked:
        found = [
            item for item in index.kg_search(each.question, user_scope, 12, 1, reading.months) if item.fact
        ]
        best = max((_match(item) for item in found), default=0.0)
        owners |= {item.company_key for item in found if _match(item) >= max(OWNED, best - OWNED_BY)}
        if best < OWNED or len(owners) > 1:
            return ""
    return owners.pop()


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
        return [
            Search(replace(scope, periods=(*scope.periods, *extra) if scope.periods else ()), (question,))
        ]
    own = compared and question == reading.question
    found: list[Search] = []
    for part in reading.parts:
        # widened: the periods are loosened for all
        periods = part.periods if scope == reading.scope else scope.periods
        narrowed = replace(scope, companies=(part.company,), periods=(*periods, *extra) if periods else ())
        asked = question if compared else question_for(question, part.company, reading, catalog)
        found.append(Search(narrowed, part.questions if own and part.questions else (asked,)))
    return list(dict.fromkeys(found))


def question_for(question: str, company: str, reading: Reading, catalog: Catalog) -> str:
    """The question as asked of one company of several: the others' names would turn its meaning away."""
    if len(reading.companies) < 2:
        return question
    for name in sorted(reading.company_names, key=len, reverse=True):
        if catalog.find(name) != company:
            question = question.replace(name, " ")
    return question


def in_turns(lists: Sequence[Sequence[Evidence]], k: int) -> list[Evidence]:
    """At most `k` pieces, or one a list where that is more; the lists take turns, each piece once, renumbered."""
    unique: dict[str, Evidence] = {}
    for items in zip_longest(*lists):
        for item in items:
            if item is not None:
                unique.setdefault(item.item_id, item)
    kept = list(unique.values())[: max(k, len(lists))]
    return [item.model_copy(update={"rank": rank}) for rank, item in enumerate(kept, start=1)]


_WHY = {
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
        f"{opening}: {'; '.join(names)}."
        for why, opening in _WHY.items()
        if (names := list(dict.fromkeys(each.what for each in lacking if each.why == why)))
    )
    return f"{text}\n\n{told}".strip(), "abstained" if status == "abstained" else "partial", told


def _uncovered(text: str, reading: Reading, evidence: Sequence[Evidence]) -> list[Missing]:
    """Parts of which the answer cites nothing, and figures that it states for other parts alone."""
    ranks = {int(number) for number in _MARKER.findall(text)}
    cited = [item for item in evidence if item.rank in ranks]
    if len(reading.parts) < 2 or not cited:
        return []
    told_of = {part: _of(part, cited) for part in reading.parts}
    metrics = {name for own in told_of.values() for item in own for name in _names(item.fact)}
    lacking: list[str] = []
    for part, own in told_of.items():
        stated = {name for item in own for name in _names(item.fact)}
        if not own:
            lacking.append(part.describe())
        elif all(item.fact for item in own):
            asked = [metric for metric in part.metrics if canonical_metric(metric) in metrics]
            lacks = [metric for metric in asked if canonical_metric(metric) not in stated]
            lacking += [f"{metric} of {part.describe()}" for metric in lacks]
    return [Missing(what=what, why="not_found") for what in lacking]


def _of(part: Part, cited: Sequence[Evidence]) -> list[Evidence]:
    """Cited evidence of the part's company and period; running text may speak of any period."""
    own = [item for item in cited if item.company_key == part.company]
    if not part.periods or any(item.fact is None for item in own):
        return own
    return [item for item in own if any(period.admits(item.period) for period in part.periods)]


def _names(fact: Fact | None) -> tuple[str, ...]:
    return () if fact is None else (canonical_metric(fact.metric, fact.path), canonical_metric(fact.metric))
