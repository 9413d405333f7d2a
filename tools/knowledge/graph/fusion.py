"""What several documents say of one thing: equal facts with all their sources, figures that disagree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Literal

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.types import Triplet
from tools.periods import Period
from tools.scope import Scope
from tools.values import Quantity, same_amount

if TYPE_CHECKING:
    from tools.knowledge.graph.knowledge_graph import KnowledgeGraph

FigureKey = tuple[str, str, tuple[str, ...], str, date | None, int | None]


def figure_key(company: str, metric: str, path: Iterable[str], unit: str, period: Period) -> FigureKey:
    """What a figure is about: equal for two that should be the same; `metric` is the canonical name."""
    return company, metric, tuple(part.lower() for part in path), unit, period.end, period.months


@dataclass(frozen=True, slots=True)
class Fused:
    """One fact and everywhere it stands."""

    fact: Triplet
    """As it stands first."""
    sources: tuple[Triplet, ...]
    """It and those that say the same, in the order of their rows; of a conflict in that of their documents' dates."""


def fused(graph: KnowledgeGraph, rows: Iterable[int]) -> list[Fused]:
    """Facts of these rows, equal ones once."""
    return [Fused(graph.triplet(same[0]), tuple(map(graph.triplet, same))) for same in alike(graph, rows)]


def alike(graph: KnowledgeGraph, rows: Iterable[int]) -> list[list[int]]:
    """Those of these rows that say the same, each once: figures of one line item, period and amount, relations of the
    same two entities on the same date and over the same amount."""
    groups: dict[object, list[list[int]]] = defaultdict(list)
    order: list[list[int]] = []
    for row in rows:
        about = groups[_about(graph, row)]
        same = next((group for group in about if _agree(graph, group[0], row)), None)
        if same is None:
            same = []
            about.append(same)
            order.append(same)
        same.append(row)
    return order


def _about(graph: KnowledgeGraph, row: int) -> object:
    fields = graph.tables.rows[row]
    context = graph.tables.contexts[fields[r.CONTEXT]]
    if fields[r.VALUE] is None:
        relation, *_, date_, amount = context
        return fields[r.HEAD_ENTITY], relation, fields[r.TAIL_ENTITY], date_, amount
    period = graph.tables.periods[fields[r.PERIOD]]
    return figure_key("", graph.tables.entities[fields[r.HEAD_ENTITY]].key, context[5], context[3], period)


def _agree(graph: KnowledgeGraph, one: int, other: int) -> bool:
    a, b = (_quantity(graph, row) for row in (one, other))
    return a is b is None or (a is not None and b is not None and same_amount(a, b))


def _quantity(graph: KnowledgeGraph, row: int) -> Quantity | None:
    fields = graph.tables.rows[row]
    context = graph.tables.contexts[fields[r.CONTEXT]]
    try:
        value = None if fields[r.VALUE] is None else Decimal(fields[r.VALUE])
    except InvalidOperation:
        return None
    return None if value is None else Quantity(value, context[3], context[4], fields[r.PRINTED], 0, 0)


@dataclass(frozen=True, slots=True)
class Conflict:
    """A figure of which documents, or tags of one document, print different values."""

    kind: Literal["restatement", "contradiction"]
    """A restatement where a document on a later period prints another value than one before."""
    values: tuple[Fused, ...]
    """Each value with its sources; of a restatement the value that stands in the latest document is the last."""

    @property
    def newest(self) -> Triplet:
        """The figure of the document on the latest period."""
        return self.values[-1].sources[-1]


def conflicts(graph: KnowledgeGraph, scope: Scope) -> Iterator[Conflict]:
    """Figures of tables and tags on which documents disagree, by company and line item, within the scope.

    A document that prints one line item, period and unit with several values means several things by it and is left
    out, unless the filer has tagged them alike, and so are rows of unlike statements; values that differ by sign or
    rounding are one.
    """
    return _conflicts(graph, (row for row in range(len(graph)) if graph.admits(row, scope)))


def conflicts_on(graph: KnowledgeGraph, figures: Collection[str]) -> list[Conflict]:
    """Those of `conflicts` in which one of these triplets, by id, is a source."""
    cited = sorted(row for figure in figures for row in graph.rows_of_id.get(figure, ()))
    wanted = {_about(graph, row) for row in cited}
    companies = {graph.tables.documents[graph.tables.rows[row][r.DOCUMENT]].company_key for row in cited}
    rows = (row for key in sorted(companies) for row in graph.rows_of_company[key])
    found = _conflicts(graph, (row for row in rows if _about(graph, row) in wanted))
    return [each for each in found if any(t.id in figures for value in each.values for t in value.sources)]


def _conflicts(graph: KnowledgeGraph, rows: Iterable[int]) -> Iterator[Conflict]:
    about: dict[object, list[int]] = defaultdict(list)
    for row in rows:
        fields = graph.tables.rows[row]
        stated = fields[r.VALUE] is not None and graph.tables.periods[fields[r.PERIOD]].end is not None
        prose = graph.tables.contexts[fields[r.CONTEXT]][6] == "prose"
        if stated and not prose and graph.may_answer(row):
            about[_about(graph, row)].append(row)
    for alike in about.values():
        if len(alike) > 1 and (found := _conflict(graph, alike)) is not None:
            yield found


def _conflict(graph: KnowledgeGraph, rows: Sequence[int]) -> Conflict | None:
    tagged: dict[tuple[int, str], list[int]] = defaultdict(list)
    printed: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        fields = graph.tables.rows[row]
        printed[fields[r.DOCUMENT]].append(row)
        if concept := graph.tables.contexts[fields[r.CONTEXT]][8]:
            tagged[fields[r.DOCUMENT], concept].append(row)
    for alike in tagged.values():
        if len(values := _values(graph, alike)) > 1:
            return _made(graph, "contradiction", values)
    sure = [row for own in printed.values() if len(_values(graph, own)) == 1 for row in own]
    values = _values(graph, sorted(sure, key=lambda row: _date(graph, row)))
    values.sort(key=lambda value: _date(graph, value[-1]))  # a value may come back
    if (
        len(values) < 2
        or len({graph.tables.contexts[graph.tables.rows[row][r.CONTEXT]][6] for row in sure}) > 1
    ):
        return None
    dates = [_date(graph, value[-1]) for value in values]
    return _made(graph, "restatement" if len(set(dates)) == len(dates) else "contradiction", values)


def _made(
    graph: KnowledgeGraph, kind: Literal["restatement", "contradiction"], values: Sequence[Sequence[int]]
) -> Conflict:
    said = (tuple(map(graph.triplet, value)) for value in values)
    return Conflict(kind, tuple(Fused(sources[0], sources) for sources in said))


def _values(graph: KnowledgeGraph, rows: Iterable[int]) -> list[list[int]]:
    """Rows by value, whatever its sign."""
    found: list[tuple[Quantity, list[int]]] = []
    for row in rows:
        quantity = _quantity(graph, row)
        if quantity is None:
            continue
        plain = Quantity(abs(quantity.value), quantity.unit, quantity.scale, "", 0, 0)
        same = next((own for other, own in found if same_amount(other, plain)), None)
        if same is None:
            found.append((plain, [row]))
        else:
            same.append(row)
    return [own for _, own in found]


def _date(graph: KnowledgeGraph, row: int) -> tuple[str, int, int]:
    """When the document of a row was on its way: the end of what it reports on."""
    document = graph.tables.documents[graph.tables.rows[row][r.DOCUMENT]]
    end = document.period_end.isoformat() if document.period_end else ""
    return end, document.fiscal_year or 0, document.fiscal_quarter or 0
