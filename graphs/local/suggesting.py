"""Next questions after an answer: from the knowledge graph's neighbourhood of what was asked, each one rehearsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import islice

from graphs.contracts import Answer, Reading
from graphs.local import figures
from graphs.local.clarifying import clarification, with_companies
from graphs.local.overview import HEADLINES
from graphs.local.reading import read_question
from graphs.local.rehearsing import Rehearsed, rehearse
from graphs.resources import Index
from tools.documents.company_names import name_tokens, without_suffix
from tools.evidence import Evidence
from tools.knowledge import rows as r
from tools.knowledge.facts import PRIMARY, LineItem, company_facts
from tools.knowledge.lexicon import canonical_metric, find_metrics
from tools.knowledge.vocabulary import VOCABULARY
from tools.periods import MONTHS_IN_WORDS, Period
from tools.scope import Scope

MOST = 3
"""Questions named."""
TRIES = 2
"""Candidates of one kind that are rehearsed before the next kind has its turn."""
NEAR_DAYS = 60
"""Days by which the period of another company may end earlier or later."""

_MARKER = re.compile(r"\[(\d{1,3})\]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question that might be suggested, and what makes its answer the one that is meant."""

    question: str
    fits: Callable[[Rehearsed], bool]


Kind = Callable[["Place", Index, Scope], Iterator[Candidate]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the graph the last question stood."""

    company: str
    period: Period
    item: LineItem | None
    """The line item that it asked for, or that belongs to what it asked about."""
    told: frozenset[str]
    """Ids of what its answer cites."""
    metrics: tuple[str, ...]
    """Canonical names of the metrics that it speaks of."""
    kinds: tuple[Kind, ...]
    """What to ask next, the likeliest first."""


def suggest(
    answer: Answer,
    index: Index,
    within: Scope = Scope(),  # noqa: B008  (frozen)
    asked: Sequence[str] = (),
) -> tuple[str, ...]:
    """At most three questions that the index answers, no two of a kind, none of them in `asked`.

    `within` are the user's filters: what they forbid is not suggested. Empty after a question that is none for
    documents. Nothing but the index is asked.
    """
    if answer.reason == "out_of_scope" or index.notice:
        return ()
    reading = read_question(answer.standalone_question, index.catalog, within, known_names=index.known_names)
    if answer.reason == "ambiguous" and (open_ := clarification(reading, index)) is not None:
        return tuple(with_companies(reading.question, [name]) for name in open_.options[:MOST])
    place = _place(answer, reading, index)
    if place is None:
        return ()
    known = {_folded(question) for question in (*asked, answer.question, answer.standalone_question)}
    found: list[str] = []
    again: list[Iterator[Candidate]] = []
    for kind in (kind(place, index, within) for kind in place.kinds):
        _take(islice(kind, TRIES), place, index, within, known, found)
        again.append(kind)
        if len(found) == MOST:
            return tuple(found)
    for kind in again:
        _take(islice(kind, TRIES), place, index, within, known, found)
        if len(found) == MOST:
            break
    return tuple(found)


def _take(
    candidates: Iterable[Candidate],
    place: Place,
    index: Index,
    within: Scope,
    known: set[str],
    found: list[str],
) -> None:
    """Adds the first candidate that would be answered, with something not told before."""
    for each in candidates:
        if _folded(each.question) in known:
            continue
        known.add(_folded(each.question))
        heard = rehearse(each.question, index, within)
        if heard and each.fits(heard) and not {item.item_id for item in heard.cited} <= place.told:
            found.append(each.question)
            return


def _folded(question: str) -> str:
    return " ".join(re.findall(r"\w+", question.lower()))


# Where the last question stood


def _place(answer: Answer, reading: Reading, index: Index) -> Place | None:
    ranks = {int(number) for number in _MARKER.findall(answer.answer)}
    cited = [item for item in answer.evidence if item.rank in ranks]
    near = cited or list(answer.evidence)
    tabled = [item for item in near if item.fact is not None and item.fact.statement != "prose"]
    first = next(iter(tabled or near), None)
    company = (
        first.company_key if first and cited else next(iter(reading.companies or reading.scope.companies), "")
    )
    company = company or (first.company_key if first else next(iter(index.catalog.companies), ""))
    if not company:
        return None
    spoken = f"{answer.standalone_question} {first.text if first and cited and not tabled else ''}"
    metrics = tuple(dict.fromkeys(mention.canonical for mention in find_metrics(spoken)))
    period = first.period if first is not None and first.company_key == company else Period()
    item = _line_of(first, index) if tabled and first and first.company_key == company else None
    kinds = FIGURE if item and cited else NOTHING
    if item is None:
        period = period if period.end else index.catalog.latest(company) or Period()
        item, period = _line_for(company, metrics, period, index)
    if cited and kinds is NOTHING:
        kinds = PEOPLE if all(each.kind == "relation" for each in cited) else PROSE
    return Place(company, period, item, frozenset(each.item_id for each in cited), metrics, kinds)


def _line_of(evidence: Evidence | None, index: Index) -> LineItem | None:
    """The line item of a figure."""
    if evidence is None or evidence.fact is None:
        return None
    fact = evidence.fact
    return next(
        (
            item
            for item in company_facts(index.graph, evidence.company_key).items
            if (item.label, item.path, item.unit, item.statement)
            == (fact.metric, fact.path, fact.unit, fact.statement)
        ),
        None,
    )


def _line_for(
    company: str, metrics: Sequence[str], period: Period, index: Index
) -> tuple[LineItem | None, Period]:
    """A line of a primary statement for one of the metrics, or else for a headline figure, with its figure's period:
    the one that ends when `period` does, or the latest."""
    facts = company_facts(index.graph, company)
    for metric in (*metrics, *HEADLINES):
        lines = [facts.items[at] for at in facts.by_canonical.get(metric, ())]
        lines = [item for item in lines if item.statement in PRIMARY and item.canonical == metric]
        for item in lines:
            periods = sorted(
                _periods(item, index), key=lambda each: (each.end != period.end, each.months or 0, _age(each))
            )
            if periods:
                return item, periods[0]
    return None, period


def _age(period: Period) -> int:
    return -(period.end or date.min).toordinal()


def _periods(item: LineItem, index: Index) -> list[Period]:
    """Dated periods of the item's figures."""
    tables = index.graph.tables
    found = (tables.periods[tables.rows[position][r.PERIOD]] for position in item.rows)
    return list(dict.fromkeys(period for period in found if period.end is not None))


# Kinds of questions, each the nearest candidates first


def _itself(place: Place, index: Index, within: Scope) -> Iterator[Candidate]:
    """The figure that was spoken about, or that there is instead."""
    if place.item is not None:
        yield _figure(place.company, place.item, place.period, index)


def _other_period(place: Place, index: Index, within: Scope) -> Iterator[Candidate]:
    """The same line item a year before, or in another period."""
    if place.item is None or place.period.end is None:
        return
    end = place.period.end
    same = [
        period
        for item in company_facts(index.graph, place.company).items
        if _same_line(item, place.item)
        for period in _periods(item, index)
        if period.months == place.period.months and period.end != end
    ]
    for period in sorted(dict.fromkeys(same), key=lambda each: _distance(each, end)):
        yield _figure(place.company, place.item, period, index)


def _distance(period: Period, end: date) -> tuple[bool, int]:
    """A year before first, then what is near."""
    days = (end - (period.end or date.min)).days
    return abs(days - 364) > 20, abs(days)


def _same_line(one: LineItem, other: LineItem) -> bool:
    return (one.label, one.path, one.unit, one.statement) == (
        other.label,
        other.path,
        other.unit,
        other.statement,
    )


def _reasons(place: Place, index: Index, within: Scope) -> Iterator[Candidate]:
    """Why it moved, where a passage speaks of it."""
    own = (place.item.canonical,) if place.item and place.item.statement != "balance" else ()
    for metric in dict.fromkeys((*own, *place.metrics, "revenue")):
        if metric in VOCABULARY:
            when = _when(place.period, of_balance=False)
            yield Candidate(
                f"Why did {_whose(place.company, index)} {metric} change {when}?",
                partial(_speaks, company=place.company, metric=metric),
            )


def _speaks(heard: Rehearsed, company: str, metric: str) -> bool:
    """A passage of the company's mentions the metric."""
    return any(
        item.company_key == company and metric in {mention.canonical for mention in find_metrics(item.text)}
        for item in heard.cited
    )


def _peer(place: Place, index: Index, within: Scope) -> Iterator[Candidate]:
    """The same metric of another company, for its period that ends nearest."""
    if place.item is None or place.period.end is None or place.item.canonical not in VOCABULARY:
        return
    metric, end = place.item.canonical, place.period.end
    others: list[tuple[int, str, Period]] = []
    for key in index.catalog.companies:
        if key != place.company and f"metric:{key}:{metric}" in index.graph.entity_positions:
            dated = [period for period in index.catalog.document_periods(key) if period.end]
            others += [(abs((end - (period.end or end)).days), key, period) for period in dated]
    for days, key, period in sorted(others, key=lambda each: each[:2]):
        if days <= NEAR_DAYS:
            months = place.period.months
            asked = Period(end=period.end, months=months)
            yield Candidate(
                f"What {figures.verb(metric)} {_whose(key, index)} {metric} {_when(asked)}?",
                partial(_tells, company=key, metric=metric, months=months, end=period.end),
            )


def _sibling(place: Place, index: Index, within: Scope) -> Iterator[Candidate]:
    """Another line of the same statement and period, the well-known ones first."""
    if place.item is None:
        return
    lines = [
        item
        for item in company_facts(index.graph, place.company).items
        if item.statement == place.item.statement
        and item.title == place.item.title
        and item.canonical != place.item.canonical
        and not item.label.lower().startswith("other")
        and place.period in _periods(item, index)
    ]
    for item in sorted(lines, key=_fame):
        yield _figure(place.company, item, place.period, index)


def _fame(item: LineItem) -> tuple[int, bool, bool, str]:
    rank = HEADLINES.index(item.canonical) if item.canonical in HEADLINES else len(HEADLINES)
    return rank, item.canonical not in VOCABULARY, bool(item.path), item.label


def _part(place: Place, index: Index, within: Scope) -> Iterator[Candidate]:
    """A row under the line item, or the line that it is a part of."""
    if place.item is None:
        return
    for item in company_facts(index.graph, place.company).items:
        under = item.path and item.path_canonicals[-1] == place.item.canonical
        above = place.item.path and not item.path and item.canonical == place.item.path_canonicals[-1]
        if (under or above) and item.unit == place.item.unit and place.period in _periods(item, index):
            yield _figure(place.company, item, place.period, index)


def _askers(place: Place, index: Index, within: Scope) -> Iterator[Candidate]:
    """Who asked about it on the company's call."""
    graph = index.graph
    for metric in place.metrics:
        at = graph.entity_positions.get(f"metric:{place.company}:{metric}")
        for row in graph.edges_of.get(at, ()) if at is not None else ():
            fields = graph.tables.rows[row]
            if graph.tables.contexts[fields[r.CONTEXT]][0] == "asked about":
                held = graph.tables.documents[fields[r.DOCUMENT]]
                call = " ".join(
                    (*([f"Q{held.fiscal_quarter}"] if held.fiscal_quarter else []), "earnings call")
                )
                question = f"Who asked about {metric} on {_whose(place.company, index)} {call}?"
                yield Candidate(
                    question, lambda heard: any(i.company_key == place.company for i in heard.cited)
                )
                break


def _officers(place: Place, index: Index, within: Scope) -> Iterator[Candidate]:
    """Who leads the company's finances, and the company."""
    for role in ("CFO", "CEO"):
        yield Candidate(
            f"Who is the {role} of {_short(place.company, index)}?",
            lambda heard: all(item.kind == "relation" for item in heard.cited),
        )


def _headlines(place: Place, index: Index, within: Scope) -> Iterator[Candidate]:
    """A headline figure of the company's latest period, or of the one that was spoken of."""
    for metric in HEADLINES:
        item, period = _line_for(place.company, (metric,), place.period, index)
        if item is not None and item.canonical == metric:
            yield _figure(place.company, item, period, index)


FIGURE: tuple[Kind, ...] = (
    _other_period,
    _reasons,
    _peer,
    _part,
    _sibling,
    _askers,
    _headlines,
    _officers,
)
PROSE: tuple[Kind, ...] = (
    _itself,
    _askers,
    _reasons,
    _other_period,
    _peer,
    _sibling,
    _headlines,
    _officers,
)
PEOPLE: tuple[Kind, ...] = (_officers, _askers, _itself, _reasons, _other_period, _headlines)
NOTHING: tuple[Kind, ...] = (_itself, _sibling, _peer, _other_period, _headlines, _officers, _reasons)


# Words


def _figure(company: str, item: LineItem, period: Period, index: Index) -> Candidate:
    name = _name(item)
    return Candidate(
        f"What {figures.verb(name)} {_whose(company, index)} {name} {_when(period)}?",
        partial(
            _tells,
            company=company,
            metric=item.canonical,
            months=period.months,
            end=period.end,
            path=item.path,
        ),
    )


def _tells(
    heard: Rehearsed,
    company: str,
    metric: str,
    months: int | None,
    end: date | None,
    path: tuple[str, ...] | None = None,
) -> bool:
    """The answer is this figure and nothing else; `path`: under these headings."""
    return all(
        item.fact is not None
        and item.company_key == company
        and canonical_metric(item.fact.metric, item.fact.path) == metric
        and (item.fact.period.months, item.fact.period.end) == (months, end)
        and (path is None or item.fact.path == path or item.fact.statement in PRIMARY)
        for item in heard.cited
    )


def _name(item: LineItem) -> str:
    """How a question calls it: 'total net sales', 'product revenue' for 'Products' under 'Revenue'."""
    if item.combined in VOCABULARY:
        return item.combined
    label = item.label.rstrip(":")
    if item.canonical in VOCABULARY:
        label = label.lower()
    if item.path and item.statement in PRIMARY and item.canonical in VOCABULARY:
        return item.canonical
    if item.path and item.statement not in PRIMARY:
        heading = item.path[-1].rstrip(":")
        if item.path_canonicals[-1] in VOCABULARY:
            return f"{label} {heading.lower()}"
        if item.canonical in VOCABULARY and heading not in item.title:
            return f"{heading} {label}"
    return figures.in_sentence(label)


def _whose(company: str, index: Index) -> str:
    name = _short(company, index)
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _short(company: str, index: Index) -> str:
    """'Orla Devices' of 'Orla Devices, Inc.', where that names the company, too."""
    name = index.catalog.name(company)
    tokens = name_tokens(name)
    words = without_suffix(tuple(token.word for token in tokens))
    last = next((token for token in reversed(tokens) if token.word == words[-1]), None)
    short = name[: last.end] if last else name
    return short if index.catalog.find(short) == company else name


def _when(period: Period, *, of_balance: bool = True) -> str:
    if period.end is None:
        return f"in {period.describe()}" if period.fiscal_year else "in the most recent quarter"
    day = f"{period.end:%B} {period.end.day}, {period.end.year}"
    if period.months == 0 and of_balance:
        return f"as of {day}"
    if period.months in (3, 0, None):
        return f"in the quarter ended {day}"
    return f"in the {MONTHS_IN_WORDS.get(period.months, f'{period.months} months')} ended {day}"
