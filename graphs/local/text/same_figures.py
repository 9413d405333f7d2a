"""Facts that state the same figure, of one period or of several."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.drafts.figures import fact_of, is_from_text
from tools.evidence import Evidence
from tools.knowledge.graph import fusion
from tools.knowledge.lexicon.metric_names import canonical_metric


def figure_key(item: Evidence) -> fusion.FigureKey:
    """What a fact is about: equal for two facts that should state the same figure."""
    fact = fact_of(item)
    metric = canonical_metric(fact.metric, fact.path)
    return fusion.figure_key(item.company_key, metric, fact.path, fact.unit, fact.period)


def canonical_name(item: Evidence) -> str:
    """The canonical name of its figure."""
    fact = fact_of(item)
    return canonical_metric(fact.metric, fact.path)


def earlier_fact(now: Evidence, facts: Sequence[Evidence]) -> Evidence | None:
    """The fact to compare `now` with: same line item and duration, a year before if there is one, else the
    last before."""
    fact = fact_of(now)
    if fact.period.end is None or is_from_text(fact):
        return None
    same: list[tuple[int, Evidence]] = []
    for item in facts:
        other = fact_of(item)
        if item.company_key != now.company_key or other.unit != fact.unit or other.period.end is None:
            continue
        if other.period.months != fact.period.months or figure_key(item)[1:3] != figure_key(now)[1:3]:
            continue
        days = (fact.period.end - other.period.end).days
        if days > 0 and not is_from_text(other):
            same.append((days, item))
    if not same:
        return None
    same.sort(key=lambda pair: (abs(pair[0] - 364) > 20, pair[0], pair[1].rank))
    return same[0][1]


def year_before(now: Evidence, pool: Sequence[Evidence]) -> Evidence | None:
    """The same figure of the same span a year earlier; None where the pool has none."""
    old = earlier_fact(now, pool)
    if old is None or old.period.end is None or now.period.end is None:
        return None
    same = fact_of(old).scale == fact_of(now).scale
    return old if same and abs((now.period.end - old.period.end).days - 364) <= 11 else None
