"""Figures found for a question: which of them state the same thing, and which statement leads."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from tools.knowledge.search.line_items import THREE_STATEMENTS, LineItem
from tools.periods import Period

MEASURE_STATEMENTS = frozenset({"income", "balance"})
"""Statements whose lines are the measure itself."""
MIN_FACT_MATCH = 0.8
"""From here on metric, qualifiers, company and period all fit."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A figure that may answer the question."""

    row: int
    item: LineItem
    match: float
    period: Period
    lag: int
    """Days from the fact's period end to that of the document that states it; 0 is as originally reported."""
    amount: Decimal | None


def prefer_statements(hits: list[Hit]) -> list[Hit]:
    """Hits, lowered where the income statement or balance sheet gives another amount for the same thing: a note's or
    cash flow's line of the same name measures a part, or something else. Without those that repeat its amount with the
    other sign: a reconciliation deducts what the statement prints as a cost."""
    stated: dict[tuple[str, str, date | None], list[Hit]] = defaultdict(list)
    for hit in hits:
        if hit.item.statement in MEASURE_STATEMENTS and hit.match >= MIN_FACT_MATCH:
            stated[_measure(hit)].append(hit)
    return [
        replace(hit, match=hit.match * 0.8)
        if hit.item.statement not in MEASURE_STATEMENTS and _contradicted(hit, stated.get(_measure(hit), []))
        else hit
        for hit in hits
        if not _deducts(hit, stated.get(_measure(hit), []))
    ]


def _deducts(hit: Hit, stated: list[Hit]) -> bool:
    return hit.item.statement not in MEASURE_STATEMENTS and any(
        hit.amount and other.amount == -hit.amount and other.period.months == hit.period.months
        for other in stated
    )


def _measure(hit: Hit) -> tuple[str, str, date | None]:
    return hit.item.canonical, hit.item.unit, hit.period.end


def _contradicted(hit: Hit, stated: list[Hit]) -> bool:
    rivals = [other for other in stated if hit.period.months in {None, other.period.months}]
    return bool(rivals) and not any(
        hit.amount is None or other.amount is None or _agree(abs(hit.amount), abs(other.amount))
        for other in rivals
    )


def without_duplicates(hits: list[Hit], most: int) -> list[Hit]:
    """At most so many hits, best first, without later ones that state the same amount for the same metric and period.

    Figures rounded in speech or in a summary equal the exact one if they agree to their printed precision.
    """
    kept: list[Hit] = []
    for hit in hits:
        if not any(_say_the_same(hit, other) for other in kept):
            kept.append(hit)
        if len(kept) == most:
            break
    return kept


def _say_the_same(one: Hit, other: Hit) -> bool:
    if one.amount is None or other.amount is None or one.item.unit != other.item.unit:
        return False
    if (one.period.end, one.period.months) != (other.period.end, other.period.months):
        return False
    primary = one.item.statement in THREE_STATEMENTS or other.item.statement in THREE_STATEMENTS
    if one.item.canonical != other.item.canonical:
        return (
            primary
            and one.amount == other.amount != 0
            and bool(_metrics_named(one.item) & _metrics_named(other.item))
        )
    if one.amount == other.amount:
        return (
            primary
            or one.item.path == other.item.path
            or "prose" in (one.item.statement, other.item.statement)
        )
    if "prose" not in (one.item.statement, other.item.statement):
        return False
    return _agree(one.amount, other.amount)


def _metrics_named(item: LineItem) -> set[str]:
    """Metrics that label, headings or title name: 'Total' of a table about operating income is operating
    income."""
    return {item.canonical, item.combined, *item.path_canonicals, *item.title_canonicals} - {""}


def _agree(one: Decimal, other: Decimal) -> bool:
    """True if two amounts agree to the printed precision of the coarser one."""
    places = [amount.as_tuple().exponent for amount in (one, other)]
    coarse = max((place for place in places if isinstance(place, int)), default=0)
    return abs(one - other) * 2 <= Decimal(1).scaleb(coarse)
