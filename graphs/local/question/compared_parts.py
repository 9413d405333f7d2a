"""Comparisons split into parts: which company, which period, and what to look up for each."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest

from graphs.contracts import Missing, Part, Reading
from graphs.local.question.asked_together import asked_together, lookups_for
from graphs.local.question.company_periods import MAX_SERIES_PERIODS, CompanyPeriods
from graphs.local.question.period_asks import PeriodAsk
from graphs.local.question.period_phrases import find_asks
from tools.documents.metadata.catalog import Catalog, CompanyMention
from tools.periods import PeriodFilter
from tools.scope import Scope

MAX_PARTS = 4
"""Parts that are looked up and answered; what goes beyond is left out and said so."""

_ASKS_COMPARISON = re.compile(
    r"\b(?:compar\w+|versus|vs\.?|against|relative\s+to|differences?\s+between|side\s+by\s+side|than|between|both)\b",
    re.IGNORECASE,
)
_ASKS_WORDING = re.compile(
    r"\b(?:why|explain\w*|reasons?|say|said|says|think|talk\w*|mention\w*|describ\w+|discuss\w*|comment\w*)\b",
    re.IGNORECASE,
)
_LIST_JOINT = re.compile(r"(?:['’]s?)?\s*(?:,|&|/|\band\b|\bor\b|\bplus\b)+\s*(?:and\s+)?", re.IGNORECASE)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_RELATIVE_KINDS = ("previous", "year_ago", "last_year", "this_year")


def with_parts(
    reading: Reading, catalog: Catalog, user_scope: Scope, known_names: Container[str] = ()
) -> Reading:
    """The reading with its comparison's `parts` and what is `missing` from them; `known_names` as in
    `asked_together`.

    A question that names one company and one period has no parts, unless it asks for several figures at once.
    Companies and periods that the index lacks no longer stop a comparison that has others: they are missing.
    """
    if reading.out_of_scope:
        return reading
    catalog = catalog.within(user_scope)
    reading, missing = _without_unknown(reading, catalog)
    companies = reading.companies or reading.scope.companies
    if not companies or reading.unknown_companies or reading.unknown_periods:
        return reading
    spans, lacking = _periods_of_parts(reading, catalog, user_scope, companies)
    question = _without_names(reading.question, [each.what for each in missing])
    periods = [(ask.start, ask.end) for ask in find_asks(question)]
    asked = asked_together(question, catalog.link(question), periods, known_names)
    every = _by_rounds(
        [
            [
                Part(company=key, name=catalog.name(key), periods=span, lookups=lookups_for(key, asked))
                for span in spans[key]
            ]
            for key in companies
            if key in spans
        ]
    )
    most = MAX_SERIES_PERIODS if is_series(reading) else MAX_PARTS
    kept = sorted(every[:most], key=lambda part: companies.index(part.company))
    missing += lacking
    missing += [Missing(what=part.describe(), why="left_out") for part in every[most:]]
    if len(kept) < 2 and not missing and len(asked) < 2:
        return reading
    return reading.model_copy(update={"parts": tuple(kept), "missing": tuple(missing)})


def is_series(reading: Reading) -> bool:
    """True for a question about a figure over all periods there are, or over a number of them."""
    return any(ask.kind == "series" or ask.count > 1 for ask in find_asks(reading.question))


def _without_names(question: str, names: Sequence[str]) -> str:
    """The question without what is not there to be found: a name more would turn its meaning away."""
    for name in sorted(names, key=len, reverse=True):
        joined = r"(?:\s*,\s*(?:and\s+)?|\s+(?:and|or|vs\.?|versus|against|with|to|than)\s+)?"
        question = re.sub(rf"{joined}(?<!\w){re.escape(name)}(?:['’]s?)?(?!\w)", " ", question)
    return question


def _by_rounds(lists: Sequence[Sequence[Part]]) -> list[Part]:
    """The first period of every company before the second of any: what is cut off are whole rounds."""
    return [part for round_ in zip_longest(*lists) for part in round_ if part is not None]


def _without_unknown(reading: Reading, catalog: Catalog) -> tuple[Reading, list[Missing]]:
    """Companies and periods beside others of a comparison of figures, moved from unknown to missing."""
    if not reading.metrics or _ASKS_WORDING.search(reading.question) or not reading.companies:
        return reading, []
    missing: list[Missing] = []
    update: dict[str, tuple[str, ...]] = {}
    if reading.unknown_companies and _is_beside(reading, catalog):
        update["unknown_companies"] = ()
        indexed = {company.name for company in catalog.companies.values()}
        missing += [
            Missing(what=name, why="filtered" if name in indexed else "not_indexed")
            for name in reading.unknown_companies
        ]
    filtered = any("filter" in phrase for phrase in reading.unknown_periods)
    if reading.unknown_periods and reading.company_periods and not filtered:
        update["unknown_periods"] = ()
        missing += [Missing(what=phrase, why="not_indexed") for phrase in reading.unknown_periods]
    return reading.model_copy(update=update), missing


def _is_beside(reading: Reading, catalog: Catalog) -> bool:
    """Every unknown company stands in a list with another one, or what is asked is a comparison."""
    question = reading.question
    if _ASKS_COMPARISON.search(question):
        return True
    places = [(m.start, m.end) for m in catalog.link(question)]
    for name in reading.unknown_companies:
        at = question.find(name)
        if at < 0:
            return False
        places.append((at, at + len(name)))
    places.sort()
    return all(_LIST_JOINT.fullmatch(question[one[1] : other[0]]) for one, other in pairwise(places))


PeriodGroup = tuple[PeriodFilter, ...]


def _periods_of_parts(
    reading: Reading, catalog: Catalog, user_scope: Scope, companies: Sequence[str]
) -> tuple[dict[str, list[PeriodGroup]], list[Missing]]:
    """The periods of each company, one entry a part; and what a company lacks."""
    views = {key: CompanyPeriods(catalog, key) for key in companies}
    if not reading.company_periods:
        return {key: _same_periods(view, reading.scope.periods) or [()] for key, view in views.items()}, []
    mentions = [m for m in catalog.link(reading.question) if m.key in companies]
    asks = [ask for ask in find_asks(reading.question) if not _inside(ask, mentions)]
    pairs = _pairs(reading.question, mentions, asks)
    spans: dict[str, list[PeriodGroup]] = {}
    lacking: list[Missing] = []
    for key, view in views.items():
        own = pairs.get(key, asks)
        filters = _filters_of(key, view, reading, own if pairs else None)
        lacks = _lacking(view, own)
        if len(companies) > 1 or pairs:
            lacking += [Missing(what=f"{view.name}, {ask.text}", why="not_indexed") for ask in lacks]
        groups = _same_periods(view, filters)
        if not groups and not lacks:
            lacking.append(Missing(what=view.name, why="not_indexed"))
        kept, filtered = _within_filters(key, view, groups, user_scope)
        lacking += filtered
        if kept:
            spans[key] = kept
    return spans, lacking


def _lacking(view: CompanyPeriods, asks: Sequence[PeriodAsk]) -> list[PeriodAsk]:
    """Phrases that name a period which the company does not have."""
    named = [ask for ask in asks if ask.strict and ask.kind not in _RELATIVE_KINDS]
    return [ask for ask in named if not view.resolve(ask, ())]


def _filters_of(
    key: str, view: CompanyPeriods, reading: Reading, paired: Sequence[PeriodAsk] | None
) -> list[PeriodFilter]:
    """The company's periods without those that are only compared with, unless it has no others; those of `paired`,
    where each company has periods of its own."""
    known = dict(reading.company_periods).get(key, ())
    filters = [f for f in known if f not in reading.compared_periods] or list(known)
    if paired is None:
        return filters
    meant = {replace(f, months=None) for ask in paired for f in view.resolve(ask, ())}
    return [f for f in filters if replace(f, months=None) in meant]


def _within_filters(
    key: str, view: CompanyPeriods, groups: Sequence[PeriodGroup], user_scope: Scope
) -> tuple[list[PeriodGroup], list[Missing]]:
    """What the user's own filters leave of a company's periods, and the periods of which they leave nothing."""
    narrowed = [(group, _within(user_scope, group, view)) for group in groups]
    outside = [Part(company=key, name=view.name, periods=group) for group, kept in narrowed if not kept]
    filtered = [Missing(what=part.describe(), why="filtered") for part in outside]
    return [kept for _, kept in narrowed if kept], filtered


def _within(user_scope: Scope, group: PeriodGroup, view: CompanyPeriods) -> PeriodGroup:
    """Never wider than the user's own filters; empty where the company has no such period within them."""
    if not user_scope.periods:
        return group
    joined = [both for mine in user_scope.periods for f in group if (both := mine.both(f)) is not None]
    known = (*view.documents, *view.facts)
    return tuple(both for both in joined if any(map(both.admits, known)))


def _same_periods(view: CompanyPeriods, filters: Sequence[PeriodFilter]) -> list[PeriodGroup]:
    """Filters that mean one and the same period together: a date, and the label of a call that states no date."""
    labels = {(p.fiscal_year, p.fiscal_quarter): p.end for p in view.documents if p.end and p.fiscal_quarter}
    groups: dict[object, list[PeriodFilter]] = {}
    for f in filters:
        year = f.fiscal_year or f.calendar_year
        if f.end is not None:
            key: object = f.end
        elif f.fiscal_quarter is not None:
            key = labels.get((f.fiscal_year, f.fiscal_quarter), (f.fiscal_year, f.fiscal_quarter))
        else:
            key = (year, f.calendar_quarter)
        groups.setdefault(key, []).append(f)
    return [tuple(group) for group in groups.values()]


def _inside(ask: PeriodAsk, mentions: Sequence[CompanyMention]) -> bool:
    return any(m.start < ask.end and ask.start < m.end for m in mentions)


def _pairs(
    question: str, mentions: Sequence[CompanyMention], asks: Sequence[PeriodAsk]
) -> dict[str, list[PeriodAsk]]:
    """Which periods are asked of which company where each has its own: 'Apple in Q3 2022 and Intel in Q3 2023';
    empty where all periods are asked of all."""
    if not asks or any(ask.kind in _RELATIVE_KINDS or ask.until for ask in asks):
        return {}
    if len({m.key for m in mentions}) == len(mentions) == len(asks) and _RESPECTIVELY.search(question):
        return {m.key: [ask] for m, ask in zip(mentions, asks, strict=True)}
    places: list[tuple[int, CompanyMention | PeriodAsk]] = [
        *((m.start, m) for m in mentions),
        *((ask.start, ask) for ask in asks),
    ]
    order = [each for _, each in sorted(places, key=lambda place: place[0])]
    kinds = "".join("C" if isinstance(each, CompanyMention) else "P" for each in order)
    for form in ("C+P+", "P+C+"):
        if re.fullmatch(f"(?:{form}){{2,}}", kinds):
            return _paired(order, [match.span() for match in re.finditer(form, kinds)])
    return {}


def _paired(
    order: Sequence[CompanyMention | PeriodAsk], runs: Sequence[tuple[int, int]]
) -> dict[str, list[PeriodAsk]]:
    found: dict[str, list[PeriodAsk]] = {}
    for start, end in runs:
        asks = [each for each in order[start:end] if isinstance(each, PeriodAsk)]
        for each in order[start:end]:
            if isinstance(each, CompanyMention):
                found.setdefault(each.key, asks)  # 'did Intel spend' behind all of them means no other period
    return found if len(found) > 1 else {}
