"""What a company's figure is broken down into: the names of its segments, products or regions, as its tables print
them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Literal

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.metric_names import MetricMention, find_metrics
from tools.knowledge.search.line_items import LineItem, company_facts

Dimension = Literal["segment", "product", "region"]
DIMENSION_WORDS: dict[Dimension, re.Pattern[str]] = {
    "segment": re.compile(r"\b(?:segments?|divisions?)\b", re.IGNORECASE),
    "product": re.compile(
        r"\b(?:products?|categor(?:y|ies)|offerings?|services|merchandise)\b", re.IGNORECASE
    ),
    "region": re.compile(
        r"\b(?:geograph\w+|regions?|countr(?:y|ies)|locations?|continents?)\b",
        re.IGNORECASE,
    ),
}
NO_PART = re.compile(
    r"\b(?:total|consolidated|corporate|unallocated|eliminations?|reconcil\w+|all\s+other)\b|^other\b",
    re.IGNORECASE,
)
"""What stands beside the parts in such a table."""
MIN_PARTS = 2


def dimensions_in(text: str) -> set[Dimension]:
    """What a title, or the words for a set, say that something is broken down by."""
    return {name for name, pattern in DIMENSION_WORDS.items() if pattern.search(text)}


def part_names(
    graph: KnowledgeGraph, company_key: str, metric: str, by: Dimension, ends: Iterable[date] = ()
) -> tuple[str, ...]:
    """Names of the parts that a table of the company breaks canonical `metric` down into, the largest first; empty
    where no table does. `ends`: last days of the periods asked for; of several tables one for these days is
    taken, one that says what it is broken down by before one that does not, then the newest."""
    tables: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for item in company_facts(graph, company_key).items:
        name = part_of(item, metric) if item.unit == "USD" and item.rows else ""
        if name and not NO_PART.search(name):
            printed_text = " ".join((item.title, *(heading for heading in item.path if heading != name)))
            if DIMENSION_WORDS[by].search(printed_text) or (by == "segment" and item.statement == "segment"):
                tables[printed_text][name] += item.rows
    days = frozenset(ends)
    best: tuple[tuple[bool, date], tuple[str, ...]] | None = None
    for printed_text, parts in tables.items():
        kept = {name: rows for name, rows in parts.items() if not days or days & set(_ends(graph, rows))}
        if len(kept) < MIN_PARTS:
            continue
        newest = max((end for rows in kept.values() for end in _ends(graph, rows)), default=date.min)
        rank = (bool(DIMENSION_WORDS[by].search(printed_text)), newest)
        if best is None or rank > best[0]:
            best = rank, tuple(sorted(kept, key=lambda name: _size(graph, kept[name], newest), reverse=True))
    return best[1] if best else ()


def part_of(item: LineItem, metric: str) -> str:
    """The part whose `metric` the line states: its heading ('AWS' above 'Operating income') or its label ('AWS' under
    'Operating income'); '' for another line."""
    if item.canonical == metric and len(item.path) == 1 and not find_metrics(item.path[0]):
        return item.path[0] if item.path[0] != item.title else ""
    headed = metric in item.path_canonicals[-1:] or any(
        m.canonical == metric for m in _metrics_in(item.path[-1:])
    )
    titled = not item.path and item.title_canonicals == frozenset({metric})
    return item.label if (headed or titled) and not find_metrics(item.label) else ""


def _metrics_in(headings: tuple[str, ...]) -> list[MetricMention]:
    return [mention for heading in headings for mention in find_metrics(heading)]


def _ends(graph: KnowledgeGraph, rows: Iterable[int]) -> list[date]:
    periods = (graph.tables.periods[graph.tables.rows[row][r.PERIOD]] for row in rows)
    return [period.end for period in periods if period.end is not None]


def _size(graph: KnowledgeGraph, rows: Iterable[int], end: date) -> Decimal:
    found = [graph.tables.rows[row] for row in rows]
    amounts = [abs(Decimal(row[r.VALUE])) for row in found if graph.tables.periods[row[r.PERIOD]].end == end]
    return max(amounts, default=Decimal(0))
