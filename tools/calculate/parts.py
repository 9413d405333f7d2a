"""The parts that a company's tables break a figure down into: what is ranked where a question names only the set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.lexicon.word_forms import words_of
from tools.knowledge.search.breakdown import DIMENSION_WORDS, MIN_PARTS, NO_PART, part_of
from tools.knowledge.search.line_items import LineItem, company_facts
from tools.scope import Scope
from tools.value_patterns import NUMBER_WORDS

DIMENSION_WORTH = 2
"""Worth of being broken down by the dimension asked for, in words that set and table share."""
COUNT_WORTH = 2
"""Worth of as many parts as the set is said to have."""


def parts_of(
    graph: KnowledgeGraph, company: str, figures: Sequence[str], set_words: str, scope: Scope
) -> tuple[str, ...]:
    """Names of the parts, as printed, of the table that comes nearest to the set, of those that break down the first of
    `figures` (line items in words) that any table does, within `scope`; () where none does."""
    asked = words_of(set_words)
    by = [pattern for pattern in DIMENSION_WORDS.values() if pattern.search(set_words)]
    many = {int(NUMBER_WORDS[word]) for word in set_words.lower().split() if word in NUMBER_WORDS}
    for figure in figures:
        best: tuple[tuple[int, date, int], tuple[str, ...]] | None = None
        for printed_text, parts in _tables(graph, company, canonical_metric(figure), scope).items():
            if len(parts) < MIN_PARTS:
                continue
            worth = len(asked & words_of(printed_text)) + COUNT_WORTH * (len(parts) in many)
            worth += DIMENSION_WORTH * any(pattern.search(printed_text) for pattern in by)
            rank = worth, max(parts.values()), len(parts)
            if best is None or rank > best[0]:
                best = rank, tuple(parts)
        if best is not None:
            return best[1]
    return ()


def _tables(graph: KnowledgeGraph, company: str, metric: str, scope: Scope) -> dict[str, dict[str, date]]:
    """What a table is called -> its parts, each with the last day that it has a figure of."""
    tables: dict[str, dict[str, date]] = defaultdict(dict)
    for item in company_facts(graph, company).items:
        name = _part(item, metric) if item.statement != "prose" else ""
        rows = (
            [row for row in item.rows if graph.admits(row, scope)]
            if name and not NO_PART.search(name)
            else []
        )
        if rows:
            printed_text = " ".join((item.title, *(heading for heading in item.path if heading != name)))
            own = _as_printed(graph, rows[0], name, item)
            ends = (graph.tables.periods[graph.tables.rows[row][r.PERIOD]].end for row in rows)
            last = max((end for end in ends if end), default=date.min)
            tables[printed_text][own] = max(last, tables[printed_text].get(own, date.min))
    return tables


def _part(item: LineItem, metric: str) -> str:
    """As `part_of`; also a line of its own name under the heading of the metric: a cost under 'Operating expenses'."""
    return part_of(item, metric) or (item.label if metric in item.path_canonicals[-1:] else "")


def _as_printed(graph: KnowledgeGraph, row: int, name: str, item: LineItem) -> str:
    """The part's name as the table has it: a line item's names are spelt out for search."""
    context = graph.tables.contexts[graph.tables.rows[row][r.CONTEXT]]
    if name == item.label:
        return str(graph.tables.rows[row][r.HEAD])
    return next((raw for raw, own in zip(context[5], item.path, strict=False) if own == name), name)
