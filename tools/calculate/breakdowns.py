"""Tables that break a figure down: figures of one column that add up to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from weakref import WeakKeyDictionary

from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.evidence import Evidence, fact_of
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.word_forms import words_of
from tools.periods import Period

MAX_CELLS = 16
"""Figures of a column among which those that add up are looked for."""
MIN_CELLS = 2
BUT_FOR = frozenset(("outside", "excluding", "except", "without", "beyond", "besides"))
"""Words that name a part by what it is not."""
FLOW_STATEMENTS = ("income", "cash_flow")
"""Where all lines add up to others, and are no parts of them."""
_Key = tuple[Decimal, str, int]
"""Amount, unit and position of the period."""
_AMOUNTS: WeakKeyDictionary[KnowledgeGraph, dict[str, dict[_Key, list[int]]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Parts of a figure as one table prints them."""

    title: str
    """What the table is called, its headings too."""
    parts: dict[str, int]
    """Name -> position of its figure in the graph."""
    sums: dict[str, int]
    """The same of further figures beside them that are less than the whole, such as sums of some parts."""

    @property
    def rows(self) -> dict[str, int]:
        """Of parts and sums of them."""
        return {**self.parts, **self.sums}


def breakdowns_of(graph: KnowledgeGraph, whole: Evidence) -> Iterator[Breakdown]:
    """Every table that prints a figure with others of its unit and period that add up to it, by rows or columns."""
    for row in rows_alike(graph, whole):
        chunk = graph.tables.rows[row][r.CHUNK]
        if not chunk or graph.tables.contexts[graph.tables.rows[row][r.CONTEXT]][6] in FLOW_STATEMENTS:
            continue
        label, path, title = _place(graph, row)
        rows, columns = dict[str, int](), dict[str, int]()
        headed = defaultdict[tuple[str, ...], dict[str, int]](dict)
        for each in graph.rows_of_chunk.get(chunk, ()):
            if each == row or not _are_of_one_time(graph, each, row):
                continue
            name, own_path, _ = _place(graph, each)
            if name == label:
                part = next((text for text in own_path if text not in path), "")
                columns.setdefault(part, each)
            elif set(path) <= {*own_path, title} or not own_path:
                rows.setdefault(name, each)
                headed[own_path].setdefault(name, each)
        columns.pop("", None)
        for cells in (rows, columns, *(headed.values() if len(headed) > 1 else ())):
            added = _that_add_up(graph, cells, _key(graph, row)[0])
            if added:
                total = abs(_key(graph, row)[0])
                others = [name for name in cells if name not in added]
                amounts = {name: _key(graph, cells[name])[0] for name in others}
                sums = {name: cells[name] for name, x in amounts.items() if x.is_finite() and abs(x) < total}
                yield Breakdown(" ".join((title, *path)), {name: cells[name] for name in added}, sums)


def part_called(breakdown: Breakdown, words: str) -> int | None:
    """The figure of the part whose name has all of these words, of several the one of the fewest others; None where two
    have as few, or they name what it is not."""
    if words_of(words) & BUT_FOR:
        return None
    said = words_of(words) - FUNCTION_WORDS
    wanted = said - words_of(breakdown.title) or said
    if not wanted:
        return None
    sizes = {name: len(words_of(name)) for name in breakdown.rows if wanted <= words_of(name)}
    named = [name for name in sizes if sizes[name] == min(sizes.values())]
    return breakdown.rows[named[0]] if len(named) == 1 else None


def rows_alike(graph: KnowledgeGraph, whole: Evidence) -> list[int]:
    """Positions of the figures of a company that are of the same amount and time, whatever their sign."""
    fact = fact_of(whole)
    amount = abs(Decimal(fact.value).scaleb(fact.scale))
    found = _amounts(graph, whole.company_key)
    periods = [at for at, each in enumerate(graph.tables.periods) if _same(each, whole.period)]
    return [row for at in periods for row in found.get((amount, fact.unit, at), ())]


def _are_of_one_time(graph: KnowledgeGraph, one: int, other: int) -> bool:
    """Whether figures are of one unit and time."""
    (_, unit, period), (_, other_unit, other_period) = _key(graph, one), _key(graph, other)
    periods = graph.tables.periods
    return unit == other_unit and _same(periods[period], periods[other_period])


def _same(one: Period, other: Period) -> bool:
    """Whether periods end on one day and are of one length; a table headed by years may break a balance down."""
    lengths = {one.months, other.months}
    return one.end == other.end and (len(lengths) == 1 or not {0, None}.isdisjoint(lengths))


def _amounts(graph: KnowledgeGraph, company: str) -> dict[_Key, list[int]]:
    companies = _AMOUNTS.setdefault(graph, {})
    if company not in companies:
        found: dict[_Key, list[int]] = defaultdict(list)
        for row in graph.rows_of_company.get(company, ()):
            if graph.is_figure(row) and graph.may_answer(row):
                amount, unit, period = _key(graph, row)
                found[abs(amount), unit, period].append(row)
        companies[company] = dict(found)
    return companies[company]


def _key(graph: KnowledgeGraph, row: int) -> _Key:
    own = graph.tables.rows[row]
    amount = r.row_amount(graph.tables, own)
    return (
        amount if amount is not None else Decimal("NaN"),
        graph.tables.contexts[own[r.CONTEXT]][3],
        own[r.PERIOD],
    )


def _place(graph: KnowledgeGraph, row: int) -> tuple[str, tuple[str, ...], str]:
    """Label, headings and title of the table."""
    own = graph.tables.rows[row]
    context = graph.tables.contexts[own[r.CONTEXT]]
    return str(own[r.HEAD]), context[5], context[7]


def _that_add_up(graph: KnowledgeGraph, cells: dict[str, int], total: Decimal) -> Sequence[str]:
    """The most names whose amounts add up to the total; () where none do."""
    amounts = {name: _key(graph, row)[0] for name, row in cells.items()}
    amounts = {name: value for name, value in amounts.items() if value.is_finite() and value}
    if not MIN_CELLS <= len(amounts) <= MAX_CELLS or not total:
        return ()
    sums: dict[Decimal, tuple[str, ...]] = {Decimal(0): ()}
    for name, value in amounts.items():
        for before, names in list(sums.items()):
            if len(sums.get(before + value, ())) <= len(names):
                sums[before + value] = (*names, name)
    found = sums.get(total, ())
    return found if len(found) >= MIN_CELLS else ()
