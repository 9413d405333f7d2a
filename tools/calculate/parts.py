"""The parts that a company's tables break a figure down into: what is ranked where a question names only the set."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from tools.calculate.breakdowns import breakdowns_of
from tools.documents.text.ordinary_words import PLACES
from tools.evidence import Evidence
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.metric_names import canonical_metric, find_metrics
from tools.knowledge.lexicon.word_forms import words_of
from tools.knowledge.search.breakdown import MIN_PARTS, NO_PART, Dimension, dimensions_in, part_of
from tools.knowledge.search.line_items import LineItem, company_facts
from tools.scope import Scope
from tools.value_patterns import NUMBER_WORDS

DIMENSION_WORTH = 2
"""Worth of being broken down by the dimension asked for, in words that set and table share."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A figure that is ranked part by part."""

    labels: tuple[str, ...]
    """Line items in words, the most usual first."""
    whole: Evidence | None = None
    """The figure of all parts together, where it was found."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table that breaks a figure down."""

    printed_text: str
    parts: dict[str, date]
    """Name -> last day that it has a figure of."""
    headed: bool
    """By its headings, and not because its parts add up to the figure alone."""
    of_segments: bool = False
    """Whether it was read as a table of segments, whatever its words."""

    @property
    def dimensions(self) -> set[Dimension]:
        """What it breaks down by, in its words: regions, and no products, where most parts are places."""
        said = dimensions_in(self.printed_text)
        if self.of_segments and not said:
            said = {"segment"}
        places = sum(map(_is_place, self.parts))
        return (said - {"product"}) | {"region"} if 2 * places > len(self.parts) else said

    def of_places(self) -> _Table:
        """Without what is no place, where most parts are: 'Global Brand Divisions' among regions."""
        places = {name: last for name, last in self.parts.items() if _is_place(name)}
        return replace(self, parts=places) if 2 * len(places) > len(self.parts) else self

    def may_be_of(self, asked: set[Dimension]) -> bool:
        """Not products where regions are asked for, or the other way round (segments may be either), nor, mostly, line
        items: expenses that a profit is reconciled by."""
        lines = sum(bool(find_metrics(name)) for name in self.parts)
        if not self.headed and 2 * lines > len(self.parts):
            return False
        said = self.dimensions
        return not said or bool(asked & said) or "segment" in asked | said


def _is_place(name: str) -> bool:
    return any(word in PLACES for word in re.findall(r"\w+", name.lower()))


def parts_of(
    graph: KnowledgeGraph, company: str, figures: Sequence[Ranked], set_words: str, scope: Scope
) -> tuple[str, ...]:
    """Names of the parts, as printed, of the table that comes nearest to the set, within `scope`: of those that break
    down as many of `figures` as any does, by its headings or because its parts add up to the whole; () where none does,
    or none has as many parts as the set is said to have. One that says of no set what it breaks down by, and is not
    whole, is no table of segments, products or regions."""
    asked = words_of(set_words)
    by = dimensions_in(set_words)
    many = {int(NUMBER_WORDS[word]) for word in set_words.lower().split() if word in NUMBER_WORDS}
    tables = [_of_figure(graph, company, figure, scope) for figure in figures]

    def worth(table: _Table) -> int:
        shared = len(asked & words_of(table.printed_text)) + DIMENSION_WORTH * bool(by & table.dimensions)
        return shared + sum(words_of(name) <= asked for name in table.parts)

    def is_complete(table: _Table) -> bool:
        return any(_is_whole(other, table) for own in tables for other in own)

    def rank(table: _Table) -> tuple[int, int, bool, bool, date, int]:
        shared = sum(any(table.parts.keys() <= other.parts.keys() for other in own) for own in tables)
        last = max(table.parts.values())
        return shared, worth(table), table.headed, is_complete(table), last, len(table.parts)

    every = [each for own in tables for each in own if len(each.parts) >= MIN_PARTS]
    every = [each for each in every if not by or each.may_be_of(by)]
    fitting = every
    if many:  # of what is asked for, or the places alone, before any other table
        named = [each for each in every if by & each.dimensions]
        placed = [each.of_places() for each in named] if "region" in by else []
        counted = ([each for each in own if len(each.parts) in many] for own in (named, placed, every))
        fitting = next(filter(None, counted), [])
    fitting = [each for each in fitting if not by or worth(each) or each.dimensions or is_complete(each)]
    if not fitting:
        return ()
    best = max(fitting, key=rank)
    whole = [each for each in fitting if _is_whole(each, best)]
    return tuple(max(whole, key=rank).parts if whole else best.parts)


def _is_whole(table: _Table, other: _Table) -> bool:
    """Whether parts that add up to the figure hold all of another table's."""
    return not table.headed and table.parts.keys() >= other.parts.keys()


def _of_figure(graph: KnowledgeGraph, company: str, figure: Ranked, scope: Scope) -> list[_Table]:
    """The tables that break a figure down: of the first label that any does by its headings, and those that add up to
    the whole."""
    named = (_tables(graph, company, canonical_metric(label), scope) for label in figure.labels)
    found = next(filter(None, named), [])
    if figure.whole is None:
        return found
    last = figure.whole.period.end or date.min
    for table in breakdowns_of(graph, figure.whole):
        parts = {
            name: last
            for name, row in table.parts.items()
            if not NO_PART.search(name) and graph.admits(row, scope)
        }
        found.append(_Table(table.title, parts, headed=False))
    return found


def _tables(graph: KnowledgeGraph, company: str, metric: str, scope: Scope) -> list[_Table]:
    """Those whose headings say that they break a metric down."""
    tables: dict[str, dict[str, date]] = defaultdict(dict)
    of_segments = set[str]()
    for item in company_facts(graph, company).items:
        name = _part(item, metric) if item.statement != "prose" else ""
        rows = (
            [row for row in item.rows if graph.admits(row, scope)]
            if name and not NO_PART.search(name)
            else []
        )
        if rows:
            headings = (heading for heading in item.path if heading != name)
            printed_text = " ".join(dict.fromkeys((item.title, *headings)))
            own = _as_printed(graph, rows[0], name, item)
            ends = (graph.tables.periods[graph.tables.rows[row][r.PERIOD]].end for row in rows)
            last = max((end for end in ends if end), default=date.min)
            tables[printed_text][own] = max(last, tables[printed_text].get(own, date.min))
            of_segments |= {printed_text} if item.statement == "segment" else set()
    return [
        _Table(text, parts, headed=True, of_segments=text in of_segments) for text, parts in tables.items()
    ]


def _part(item: LineItem, metric: str) -> str:
    """As `part_of`; also a line of its own name under the heading of the metric: a cost under 'Operating expenses'."""
    return part_of(item, metric) or (item.label if metric in item.path_canonicals[-1:] else "")


def _as_printed(graph: KnowledgeGraph, row: int, name: str, item: LineItem) -> str:
    """The part's name as the table has it: a line item's names are spelt out for search."""
    context = graph.tables.contexts[graph.tables.rows[row][r.CONTEXT]]
    if name == item.label:
        return str(graph.tables.rows[row][r.HEAD])
    return next((raw for raw, own in zip(context[5], item.path, strict=False) if own == name), name)
