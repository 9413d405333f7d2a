"""Reading a question against the index: which companies, periods, metrics and names it asks about."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Sequence
from dataclasses import replace

from graphs.contracts import Reading
from graphs.local.question.durations import months_asked, months_held, months_to_date
from graphs.local.question.period_asks import PeriodAsk
from graphs.local.question.period_resolution import Resolved, resolve_periods
from graphs.local.question.read_names import read_companies, read_names
from graphs.local.question.spoken_reading import read_spoken
from graphs.local.question.unreadable import unreadable
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import DocType
from tools.periods import PeriodFilter
from tools.scope import Scope

_CALL = re.compile(
    r"\b(?:earnings|conference)?\s*calls?\b(?!\s+(?:option|center|centre))|\btranscripts?\b", re.IGNORECASE
)
_FILING = re.compile(r"\b10-?q\b|\bquarterly\s+reports?\b|\bfilings?\b|\brisk\s+factors?\b", re.IGNORECASE)
_ANNUAL = re.compile(r"\b10-?k\b|\b[24]0-?f\b|\bannual\s+reports?\b", re.IGNORECASE)
_RELEASE = re.compile(r"\b(?:earnings|press|news)\s+releases?\b", re.IGNORECASE)
_EVENT = re.compile(r"\b8-?k\b|\bcurrent\s+reports?\b|\bfilings?\b", re.IGNORECASE)
_NAMED_TYPES: tuple[tuple[re.Pattern[str], tuple[DocType, ...]], ...] = (
    (_CALL, ("call",)),
    (_FILING, ("10-Q", "10-K", "annual")),
    (_ANNUAL, ("10-K", "annual")),
    (_RELEASE, ("release",)),
    (_EVENT, ("8-K",)),
)
_OTHER_DAYS = re.compile(
    r"\bshares\b.*\boutstanding\b|\boutstanding\s+shares\b|\bcover\s+page\b|\bfrom\s+\w+\.?\s+\d{1,2}(?:,\s+\d{4})?\s+(?:to|through)\s",
    re.IGNORECASE,
)
MAX_NEAREST = 3
"""Companies offered at most for a name that may be misspelt."""


def read_question(
    question: str,
    catalog: Catalog,
    user_scope: Scope = Scope(),  # noqa: B008  (frozen)
    *,
    known_names: Container[str] | None = None,
    spoken: bool = True,
) -> Reading:
    """What `question` says about itself.

    `known_names` are the knowledge graph's names, folded by `tools.knowledge.graph.resolution.fold_name`: products,
    people, places, metrics. The user's filters always hold: what the question adds can only narrow them, and
    a company or period outside them is reported as unknown. `spoken`: it may be put to management as on a call.
    """
    reason = unreadable(question)
    if reason:
        return Reading(question=question, scope=user_scope, out_of_scope=reason)
    catalog = catalog.within(user_scope)
    on_a_call = read_spoken(question, catalog, user_scope) if spoken else None
    if on_a_call is not None:
        return on_a_call
    names = read_names(question, catalog, user_scope, known_names)
    metrics, asks = names.metrics, names.asks
    mentions, unknown = read_companies(question, names, catalog, known_names)
    entities = [name for name in names.entities if name not in [each.text for each in mentions]]
    named = tuple(dict.fromkeys(mention.key for mention in mentions))
    companies = tuple(key for key in named if not user_scope.companies or key in user_scope.companies)
    outside = tuple(catalog.name(key) for key in named if key not in companies)
    months = months_asked(question, asks, bool(metrics))
    resolved = _resolve(question, asks, catalog, companies or user_scope.companies, months, bool(metrics))
    months = months_to_date(question, months, resolved, catalog, companies or user_scope.companies)
    held = months_held(question, months, resolved, catalog, companies or user_scope.companies)
    whole = tuple(
        f"{catalog.name(key)}, all of {ask.text}"
        for key in (companies or user_scope.companies if held != months else ())
        for ask in asks
    )
    months = held
    periods, conflicts = _periods_within(user_scope, resolved, asks, catalog, companies)
    return Reading(
        question=question,
        scope=Scope(
            companies=companies or user_scope.companies,
            periods=periods,
            doc_types=_doc_types(question, catalog, companies, user_scope),
            documents=user_scope.documents,
        ),
        companies=companies,
        unknown_companies=(*unknown, *outside),
        filtered_companies=outside,
        nearest_companies=tuple(
            catalog.name(key) for name in unknown[:1] for key in catalog.nearest(name)[:MAX_NEAREST]
        ),
        unknown_periods=(*resolved.unknown, *conflicts),
        company_names=tuple(dict.fromkeys(mention.text for mention in mentions if mention.key in companies)),
        metrics=tuple(dict.fromkeys(m.text for m in metrics)),
        entities=tuple(entity for entity in entities if entity not in unknown),
        months=months,
        years_in_parts=whole,
        company_periods=resolved.by_company,
        compared_periods=resolved.compared,
        period_options=resolved.options,
        period_notes=resolved.notes,
    )


def _resolve(
    question: str,
    asks: Sequence[PeriodAsk],
    catalog: Catalog,
    companies: Sequence[str],
    months: int | None,
    has_metric: bool,
) -> Resolved:
    kept = [_weighed(question, ask, has_metric) for ask in asks]
    if months in (6, 9, 12):
        kept = [
            replace(ask, months=months)
            if ask.kind in ("date", "month", "latest") and ask.months is None
            else ask
            for ask in kept
        ]
    kept = [ask for ask in kept if not (_AHEAD.search(question) and _is_ahead(ask, asks))]
    return resolve_periods(
        question, kept, catalog, companies or tuple(catalog.companies), named=bool(companies)
    )


_AHEAD = re.compile(
    r"\b(?:expect\w*|estimat\w+|future|due|matur\w+|commit\w+|obligat\w+|payable|fall(?:s|ing)?\s+(?:in|due|within)|"
    r"schedul\w+|amorti[sz]\w+)\b",
    re.IGNORECASE,
)


def _is_ahead(ask: PeriodAsk, asks: Sequence[PeriodAsk]) -> bool:
    """True for a year after the one day that the question names: what was known on that day of a time to come."""
    days = {each.day.year for each in asks if each.kind == "date" and each.day is not None}
    return ask.kind == "year" and ask.year is not None and len(days) == 1 and ask.year > max(days)


def _weighed(question: str, ask: PeriodAsk, has_metric: bool) -> PeriodAsk:
    """Guidance is for periods to come, and a year without any figure may be no reporting period at all."""
    future = re.search(
        r"\b(?:expect\w*|guid\w+|outlook|plans?|target\w*|forecast\w*|project\w*|will|matur\w+|due"
        r"|anticipat\w+)\b",
        question,
        re.IGNORECASE,
    )
    soft = (ask.kind in ("year", "month", "date", "quarter") and future is not None) or (
        ask.kind == "year" and ask.basis is None and not has_metric and not _about_period(question, ask)
    )
    # Covers count shares on a day of their own; repurchases are listed for weeks or months 'from ... to ...'.
    soft = soft or (ask.kind == "date" and bool(_OTHER_DAYS.search(question)))
    return replace(ask, strict=False) if soft else ask


def _about_period(question: str, ask: PeriodAsk) -> bool:
    return bool(
        re.search(r"\b(?:in|for|during|of|calendar|fiscal)\s+$", question[: ask.start], re.IGNORECASE)
    )


def _periods_within(
    user_scope: Scope,
    resolved: Resolved,
    asks: Sequence[PeriodAsk],
    catalog: Catalog,
    companies: Collection[str],
) -> tuple[tuple[PeriodFilter, ...], tuple[str, ...]]:
    """The question's periods within the user's; and the phrases that fall outside them."""
    if not user_scope.periods or not resolved.filters:
        return resolved.filters or user_scope.periods, ()
    joined = [
        both
        for mine in user_scope.periods
        for asked in resolved.filters
        if (both := mine.both(asked)) is not None
    ]
    keys = companies or user_scope.companies or tuple(catalog.companies)
    known = [
        period for key in keys for period in (*catalog.document_periods(key), *catalog.fact_periods(key))
    ]
    joined = [each for each in joined if any(map(each.admits, known))]
    if joined:
        return tuple(dict.fromkeys(joined)), ()
    return user_scope.periods, tuple(
        f"{ask.text} (outside the filter that is set)" for ask in asks if ask.strict
    )


def _doc_types(
    question: str, catalog: Catalog, companies: Sequence[str], user_scope: Scope
) -> tuple[str, ...]:
    """Document types that the question names, if the companies have such documents; within the user's."""
    asked = [each for pattern, types in _NAMED_TYPES if pattern.search(question) for each in types]
    keys = companies or user_scope.companies or tuple(catalog.companies)
    held = {
        doc_type for key in keys if key in catalog.companies for doc_type in catalog.companies[key].doc_types
    }
    kept = [each for each in dict.fromkeys(asked) if each in held]
    if user_scope.doc_types:
        return tuple(each for each in kept if each in user_scope.doc_types) or user_scope.doc_types
    return tuple(kept) if held - set(kept) else ()
