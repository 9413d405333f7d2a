"""Which facts answer a question: the best of each company and period asked for, their conflicts and
comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from graphs.contracts import Reading
from graphs.drafts.figures import fact_match, fact_of, is_from_text, quantity_of
from graphs.drafts.words import content
from graphs.local.answer.asked_periods import is_single
from graphs.local.answer.comparison_rows import comparison_rows
from graphs.local.answer.fact_fit import MIN_RIVAL_MATCH, is_alongside, is_primary
from graphs.local.text.same_figures import figure_key
from tools.evidence import Evidence
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.values import same_amount

MAX_TIE_GAP = 0.03
"""Facts whose match differs by less are equally good."""
MAX_TABLE_ROWS = 8
"""Rows that a table of figures holds at most."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The facts to state."""

    facts: tuple[Evidence, ...]
    conflict: tuple[Evidence, ...] = ()
    """Facts of different documents, or of tags alike, that disagree on the first one's figure, that one included."""
    recent: bool = False
    """True if no period was asked for and the latest was taken."""


def rival_companies(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """Names of the companies with a fitting fact, where the question names no company and more than one fits."""
    if reading.companies or reading.scope.companies:
        return []
    names = fitting_companies(evidence)
    return sorted(names.values()) if len(names) > 1 else []


def fitting_companies(evidence: Sequence[Evidence], factor: float = 1.0) -> dict[str, str]:
    """Key -> name of the companies that a question may mean which names none: those with a fact that fits. `factor`: of
    what was looked for as if they had been named."""
    near = [item for item in evidence if factor * fact_match(item) >= MIN_RIVAL_MATCH]
    return {item.company_key: item.company for item in reversed(near)}


def select(
    reading: Reading, facts: Sequence[Evidence], evidence: Sequence[Evidence], *, change: bool
) -> Selection:
    """The best fact of each company and period asked for, or ties among them, from `good_facts`."""
    if not facts:
        return Selection(())
    dated = len(reading.scope.periods)
    compared = comparison_rows(reading, facts, _ties, _latest)
    if compared:
        shown = [row for item in _without_twins(compared) for row in _conflict(item, facts) or [item]]
        return Selection(tuple(shown), recent=not dated and not change)
    chosen = [
        item
        for company in dict.fromkeys(item.company_key for item in facts)
        for item in _best_of(reading, company, facts)
    ]
    chosen = _without_twins(chosen)[:MAX_TABLE_ROWS]
    top = chosen[0]
    if len(chosen) == 1:
        chosen += _statement_rivals(top, evidence)
    return Selection(tuple(chosen), tuple(_conflict(top, facts)), recent=not dated and not change)


def _best_of(reading: Reading, company: str, facts: Sequence[Evidence]) -> list[Evidence]:
    """The company's best facts: of each metric and period asked for, or of the latest period where none is."""
    own = [item for item in facts if item.company_key == company]
    named = [item for item in own if _asked_metric(reading, item)]
    own = named if own[0] in named else own
    groups = _grouped(own, lambda item: _asked_metric(reading, item))
    if _periods_of(reading, company) > 1 or not all(map(is_single, reading.scope.periods)):
        spans = [span for group in groups for span in _grouped(group, lambda item: fact_of(item).period.end)]
        return [item for span in spans for item in _ties(span)]
    if len(reading.metrics) < 2:
        groups = [own]
    if not reading.scope.periods:
        groups = [_latest(group) for group in groups]
    return [item for group in groups for item in _ties(group)]


def _periods_of(reading: Reading, company: str) -> int:
    """How many periods are asked for of a company."""
    return next(
        (len(own) for key, own in reading.company_periods if key == company), len(reading.scope.periods)
    )


def _statement_rivals(top: Evidence, evidence: Sequence[Evidence]) -> list[Evidence]:
    """A figure of a primary statement whose name holds the whole name of `top`, a figure of another table, and
    whose amount differs from it; at most one."""
    fact, amount = fact_of(top), quantity_of(fact_of(top))
    if is_primary(fact) or amount is None:
        return []
    words = set(content(fact.metric))
    found = []
    for item in evidence:
        if item.fact is None or item.fact.match < fact.match - 0.15:
            continue
        other, value = item.fact, quantity_of(item.fact)
        if (
            is_alongside(item, top)
            and is_primary(other)
            and value is not None
            and words <= set(content(other.metric))
        ):
            found += [item] if not same_amount(amount, value) else []
    return found[:1]


def _asked_metric(reading: Reading, item: Evidence) -> str:
    """The metric asked for that the fact fits, else ''."""
    fact = fact_of(item)
    own = {canonical_metric(fact.metric, fact.path), canonical_metric(fact.metric)}
    return next((m for m in reading.metrics if canonical_metric(m) in own), "")


def _grouped(items: Sequence[Evidence], key: Callable[[Evidence], object]) -> list[list[Evidence]]:
    groups: dict[object, list[Evidence]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.values())


def _latest(items: Sequence[Evidence]) -> list[Evidence]:
    """Those of the best-fitting facts that are of the latest period."""
    best = max(fact_of(item).match for item in items)
    near = [item for item in items if fact_of(item).match >= best - 2 * MAX_TIE_GAP]
    last = max((fact_of(item).period.end or date.min) for item in near)
    return [item for item in near if (fact_of(item).period.end or date.min) == last] or list(items)


def _ties(items: Sequence[Evidence]) -> list[Evidence]:
    """The best fact, and those of other line items that fit exactly as well."""
    ranked = sorted(items, key=lambda item: (is_from_text(fact_of(item)), -fact_of(item).match, item.rank))
    ranked.sort(key=lambda item: -round(fact_of(item).match, 2))
    if not ranked:
        return []
    first = fact_of(ranked[0])
    return [
        item
        for item in ranked[:4]
        if item is ranked[0] or fact_of(item).match >= first.match - MAX_TIE_GAP / 3
    ]


def _without_twins(items: Sequence[Evidence]) -> list[Evidence]:
    """Without facts that state an amount already stated for the same company and period under a like name."""
    kept: list[Evidence] = []
    for item in items:
        if not any(_state_the_same(item, other) for other in kept):
            kept.append(item)
    return kept


def _state_the_same(one: Evidence, other: Evidence) -> bool:
    if quantity_of(fact_of(one)) is None or quantity_of(fact_of(other)) is None:
        return False
    return figure_key(one) == figure_key(other) or are_alike(one, other)


def are_alike(one: Evidence, other: Evidence) -> bool:
    """Whether two figures are of one company, period and amount, whatever each is called."""
    if one.fact is None or other.fact is None or one.company_key != other.company_key:
        return False
    a, b = quantity_of(one.fact), quantity_of(other.fact)
    of = [(each.period.end, each.period.months) for each in (one.fact, other.fact)]
    return a is not None and b is not None and of[0] == of[1] and same_amount(a, b)


def _tagged_alike(one: Evidence, other: Evidence) -> bool:
    """True if the filer has tagged both figures as the same thing: then even one document may contradict itself."""
    return fact_of(one).concept != "" and fact_of(one).concept == fact_of(other).concept


def _conflict(top: Evidence, facts: Sequence[Evidence]) -> list[Evidence]:
    found = [top]
    a = quantity_of(fact_of(top))
    if a is None or is_from_text(fact_of(top)):
        return []
    for item in facts:
        b = quantity_of(fact_of(item))
        if (
            item is top
            or b is None
            or (item.document_id == top.document_id and not _tagged_alike(item, top))
            or figure_key(item) != figure_key(top)
        ):
            continue
        if (
            fact_of(item).path == fact_of(top).path
            and not same_amount(a, b)
            and not is_from_text(fact_of(item))
        ):
            found.append(item)
    return found if len(found) > 1 else []
