"""Line items of the knowledge graph and their periods, as seen from one of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from graphs.drafts.words import content, is_generic
from graphs.index import Index
from graphs.local.question.overviews import HEADLINES
from tools.evidence import Evidence
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.lexicon.vocabulary import VOCABULARY
from tools.knowledge.search.line_items import THREE_STATEMENTS, LineItem, company_facts
from tools.periods import Period


def line_of(evidence: Evidence, index: Index) -> LineItem | None:
    """The line item of a figure; None for other evidence."""
    fact = evidence.fact
    if fact is None:
        return None
    items = company_facts(index.graph, evidence.company_key).items
    asked = (fact.metric, fact.path, fact.unit, fact.statement)
    return next((each for each in items if _printed_as(each) == asked), None)


def _printed_as(item: LineItem) -> tuple[str, tuple[str, ...], str, str]:
    return item.label, item.path, item.unit, item.statement


def line_named(company: str, text: str, index: Index) -> LineItem | None:
    """The printed line whose whole name, headings included, stands in the text: the longest, of at least two words;
    None if there is none."""
    said = set(content(text))
    best: tuple[int, LineItem] | None = None
    for item in company_facts(index.graph, company).items:
        words = {word for word in content(" ".join((*item.path, item.label))) if not is_generic(word)}
        words = set() if item.statement == "prose" else words
        if len(words) > (best[0] if best else 1) and words <= said and periods_of(item, index):
            best = len(words), item
    return best[1] if best else None


def line_for(
    company: str, metrics: Sequence[str], period: Period, index: Index
) -> tuple[LineItem | None, Period]:
    """A line of a primary statement for one of the metrics, or else for a headline figure, or one stated on a
    call; with its period that ends when `period` does, or else its latest."""
    facts = company_facts(index.graph, company)
    for statements in (THREE_STATEMENTS, frozenset({"prose"})):
        for metric in (*metrics, *HEADLINES):
            for at in facts.by_canonical.get(metric, ()):
                item = facts.items[at]
                plain = item.statement in THREE_STATEMENTS or not item.path
                if item.statement in statements and item.canonical == metric in VOCABULARY and plain:
                    dated = nearest(periods_of(item, index), period)
                    if dated is not None:
                        return item, dated
    return None, period


def nearest(periods: Sequence[Period], period: Period) -> Period | None:
    """Of these the one that ends when `period` does and is the shortest, or else the latest; None of an empty list."""
    return min(periods, key=lambda each: (each.end != period.end, age(each), each.months or 0), default=None)


def age(period: Period) -> int:
    """Less for what ended later; a period known by its label counts as a calendar quarter."""
    if period.end is not None:
        return -period.end.toordinal()
    year, quarter = period.fiscal_year, period.fiscal_quarter or 4
    return -date(year, 3 * quarter, 28).toordinal() if year else 0


def periods_of(item: LineItem, index: Index) -> list[Period]:
    """Periods of the item's figures, those that say neither a day nor a quarter left out."""
    tables = index.graph.tables
    found = (tables.periods[tables.rows[position][r.PERIOD]] for position in item.rows)
    return [each for each in dict.fromkeys(found) if each.end or each.fiscal_quarter]


def other_periods(company: str, item: LineItem, period: Period, index: Index) -> list[Period]:
    """Other periods of the same length for which the same line is printed: the year before first, then the near."""
    same = [
        other
        for each in company_facts(index.graph, company).items
        if _printed_as(each) == _printed_as(item)
        for other in periods_of(each, index)
        if other.months == period.months and age(other) != age(period)
    ]

    def distance(other: Period) -> tuple[bool, int]:
        days = age(other) - age(period)
        return abs(days - 364) > 20, abs(days)

    return sorted(dict.fromkeys(same), key=distance)
