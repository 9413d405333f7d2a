"""Questions in the knowledge graph's neighbourhood of the last one: other periods, lines, companies, why, who."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial

from graphs.index import Index
from graphs.local.answer.fact_sentences import possessive
from graphs.local.dialogue.clarified import short_name
from graphs.local.dialogue.dry_run import DryRun
from graphs.local.dialogue.line_names import line_name, verb
from graphs.local.dialogue.neighbours import line_for, other_periods, periods_of
from graphs.local.question.overviews import HEADLINES
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.lexicon.metric_names import canonical_metric, find_metrics
from tools.knowledge.lexicon.vocabulary import VOCABULARY
from tools.knowledge.search.line_items import THREE_STATEMENTS, LineItem, company_facts
from tools.periods import MONTHS_IN_WORDS, Period

_FLOWS = frozenset({"income", "cash_flow", "segment", "prose"})
"""Statements of what happened in a period, for which texts give reasons."""
MAX_PEER_DAYS = 60
"""Days by which the period of another company may end earlier or later."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question that might be suggested, and what makes its answer the one that is meant."""

    question: str
    fits: Callable[[DryRun], bool]


Kind = Callable[["Place", Index], Iterator[Candidate]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the graph the last question stood."""

    company: str
    period: Period
    item: LineItem | None
    """The line item that it asked for, or that belongs to what it asked about."""
    cited: frozenset[str]
    """Ids of what its answer cites."""
    metrics: tuple[str, ...]
    """Canonical names of the metrics that it speaks of, known ones only."""
    kinds: tuple[Kind, ...]
    """What to ask next, the likeliest first."""


# Kinds of questions, each the nearest candidates first


def _itself(place: Place, index: Index) -> Iterator[Candidate]:
    """The figure that was spoken about, or that there is instead."""
    if place.item is not None:
        yield from _figure(place.company, place.item, place.period, index)


def _other_period(place: Place, index: Index) -> Iterator[Candidate]:
    """The same line item a year before, or in another period."""
    if place.item is not None:
        for period in other_periods(place.company, place.item, place.period, index):
            yield from _figure(place.company, place.item, period, index)


def _reasons(place: Place, index: Index) -> Iterator[Candidate]:
    """Why it moved, where a passage speaks of it."""
    lines = company_facts(index.graph, place.company).items
    flows = {item.canonical for item in lines if item.statement in _FLOWS} & VOCABULARY.keys()
    own = place.item.canonical if place.item else ""
    for metric in dict.fromkeys((own, *place.metrics, "revenue")):
        if metric in flows:
            when = _when(place.period, of_balance=False)
            yield Candidate(
                f"Why did {_whose(place.company, index)} {metric} change {when}?",
                partial(_mentions, company=place.company, metric=metric),
            )


def _views(place: Place, index: Index) -> Iterator[Candidate]:
    """What the company's management says about it."""
    spoken = (
        item.canonical
        for item in company_facts(index.graph, place.company).items
        if item.statement == "prose"
    )
    for metric in dict.fromkeys((*place.metrics, *sorted(spoken))):
        if metric in VOCABULARY:
            yield Candidate(
                f"What did {_whose(place.company, index)} management say about {metric}?",
                partial(_mentions, company=place.company, metric=metric),
            )


def _mentions(run: DryRun, company: str, metric: str) -> bool:
    """A passage of the company's mentions the metric."""
    return any(
        item.company_key == company and metric in {mention.canonical for mention in find_metrics(item.text)}
        for item in run.cited
    )


def _peer(place: Place, index: Index) -> Iterator[Candidate]:
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
        if days <= MAX_PEER_DAYS:
            months = place.period.months
            asked = Period(end=period.end, months=months)
            yield Candidate(
                f"What {verb(metric)} {_whose(key, index)} {metric} {_when(asked)}?",
                partial(_is_figure, company=key, metric=metric, months=months, end=period.end),
            )


def _sibling(place: Place, index: Index) -> Iterator[Candidate]:
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
        and not (item.path and item.statement == "prose")
        and place.period in periods_of(item, index)
    ]
    for item in sorted(lines, key=_fame):
        yield from _figure(place.company, item, place.period, index)


def _fame(item: LineItem) -> tuple[int, bool, bool, str]:
    rank = HEADLINES.index(item.canonical) if item.canonical in HEADLINES else len(HEADLINES)
    return rank, item.canonical not in VOCABULARY, bool(item.path), item.label


def _part(place: Place, index: Index) -> Iterator[Candidate]:
    """A row under the line item, or the line that it is a part of."""
    if place.item is None:
        return
    for item in company_facts(index.graph, place.company).items:
        under = item.path and item.path_canonicals[-1] == place.item.canonical
        above = place.item.path and not item.path and item.canonical == place.item.path_canonicals[-1]
        if (under or above) and item.unit == place.item.unit and place.period in periods_of(item, index):
            yield from _figure(place.company, item, place.period, index)


def _who_asked(place: Place, index: Index) -> Iterator[Candidate]:
    """Who asked about it, or about something else, on the company's call."""
    tables = index.graph.tables
    rows = [tables.rows[at] for at in index.graph.rows_of_company.get(place.company, ())]
    asked = [row for row in rows if tables.contexts[row[r.CONTEXT]][0] == "asked about"]
    topics = {canonical_metric(row[r.TAIL]): tables.documents[row[r.DOCUMENT]] for row in asked}
    for metric in sorted(topics, key=lambda each: (each not in place.metrics, each)):
        quarter = topics[metric].fiscal_quarter
        call = f"Q{quarter} earnings call" if quarter else "earnings call"
        yield Candidate(
            f"Who asked about {metric} on {_whose(place.company, index)} {call}?",
            partial(_mentions, company=place.company, metric=metric),
        )


def _officers(place: Place, index: Index) -> Iterator[Candidate]:
    """Who leads the company's finances, and the company."""
    for role in ("CFO", "CEO"):
        yield Candidate(
            f"Who is the {role} of {_short(place.company, index)}?",
            lambda run: all(item.kind == "relation" for item in run.cited),
        )


def _headlines(place: Place, index: Index) -> Iterator[Candidate]:
    """A headline figure of the company's latest period, or of the one that was spoken of."""
    for metric in HEADLINES:
        item, period = line_for(place.company, (metric,), place.period, index)
        if item is not None and item.canonical == metric:
            yield from _figure(place.company, item, period, index)


def _results(place: Place, index: Index) -> Iterator[Candidate]:
    """An overview of the period."""
    yield Candidate(
        f"What were {_whose(place.company, index)} results {_when(place.period, of_balance=False)}?",
        lambda run: any(item.company_key == place.company for item in run.cited),
    )


BY_NAME: dict[str, Kind] = {
    "figure": _itself,
    "why": _reasons,
    "views": _views,
    "asked": _who_asked,
    "officers": _officers,
    "results": _results,
}
"""The kinds that a topic may be of."""
AFTER_FIGURE: tuple[Kind, ...] = (
    _other_period,
    _reasons,
    _peer,
    _part,
    _sibling,
    _who_asked,
    _headlines,
    _views,
    _officers,
)
AFTER_PROSE: tuple[Kind, ...] = (
    _itself,
    _who_asked,
    _reasons,
    _other_period,
    _views,
    _peer,
    _sibling,
    _headlines,
    _officers,
)
AFTER_PEOPLE: tuple[Kind, ...] = (_officers, _who_asked, _itself, _views, _reasons, _other_period, _headlines)
AFTER_NOTHING: tuple[Kind, ...] = (
    _itself,
    _sibling,
    _peer,
    _other_period,
    _views,
    _headlines,
    _who_asked,
    _officers,
    _reasons,
)
AT_FIRST: tuple[Kind, ...] = (_headlines, _reasons, _officers, _who_asked, _sibling)
"""What to ask where nothing was asked yet: each kind shows something else that can be asked."""


# Words


def _figure(company: str, item: LineItem, period: Period, index: Index) -> Iterator[Candidate]:
    """The figure, if there is a name for it."""
    name = line_name(item)
    if not name:
        return
    yield Candidate(
        f"What {verb(name)} {_whose(company, index)} {name} {_when(period)}?",
        partial(
            _is_figure,
            company=company,
            metric=item.canonical,
            months=period.months,
            end=period.end,
            path=item.path,
        ),
    )


def _is_figure(
    run: DryRun,
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
        and (path is None or item.fact.path == path or item.fact.statement in THREE_STATEMENTS)
        for item in run.cited
    )


def _whose(company: str, index: Index) -> str:
    return possessive(_short(company, index))


def _short(company: str, index: Index) -> str:
    return short_name(index.catalog.name(company), index.catalog)


def _when(period: Period, *, of_balance: bool = True) -> str:
    if period.end is None:
        return f"in {period.describe()}" if period.fiscal_year else "in the most recent quarter"
    day = f"{period.end:%B} {period.end.day}, {period.end.year}"
    if period.months == 0 and of_balance:
        return f"as of {day}"
    if period.months in (3, 0, None):
        return f"in the quarter ended {day}"
    return f"in the {MONTHS_IN_WORDS.get(period.months, f'{period.months} months')} ended {day}"
