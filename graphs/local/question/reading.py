"""Reading a question against the index: which companies, periods, metrics and names it asks about."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass, replace

from graphs.contracts import Reading
from graphs.local.question.durations import months_asked, months_held, months_to_date
from graphs.local.question.line_items import with_line_items
from graphs.local.question.period_asks import PeriodAsk
from graphs.local.question.period_phrases import find_asks
from graphs.local.question.period_resolution import Resolved, resolve_periods
from graphs.local.question.question_forms import without_context
from graphs.local.question.spoken_reading import read_spoken
from graphs.local.question.topic_words import DOMAIN
from graphs.local.question.unknown_names import capitalised_spans, find_unknown_companies
from graphs.local.question.unreadable import unreadable
from graphs.local.text.spans import overlaps
from tools.documents.metadata.catalog import Catalog, CompanyMention
from tools.documents.metadata.company_names import name_tokens
from tools.documents.text.ordinary_words import ACRONYMS, FUNCTION_WORDS, ORDINARY, PLACES
from tools.documents.types import DocType
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.knowledge.lexicon.metric_names import MetricMention
from tools.knowledge.lexicon.word_forms import words_of
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
MAX_NAME_WORDS = 5
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
    names = _names(question, catalog, user_scope, known_names)
    metrics, asks = names.metrics, names.asks
    mentions, unknown = _companies(question, names, catalog, known_names)
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


@dataclass(frozen=True, slots=True)
class _Names:
    """What a question names, as written."""

    companies: list[CompanyMention]
    metrics: list[MetricMention]
    asks: list[PeriodAsk]
    entities: tuple[str, ...]


def _names(question: str, catalog: Catalog, user_scope: Scope, known_names: Container[str] | None) -> _Names:
    mentions = catalog.link(question)
    spans = [(mention.start, mention.end) for mention in mentions]
    metrics = [m for m in find_asked(question) if not _is_part(m, spans)]
    asks = [ask for ask in find_asks(question) if not overlaps((ask.start, ask.end), spans)]
    if known_names is not None:
        dated = [(ask.start, ask.end) for ask in asks]
        metrics = with_line_items(question, metrics, spans, known_names, dated)
        metrics = [m for m in metrics if not _begins_name(question, m, known_names)]
    asks = [ask for ask in asks if metrics or ask.strict or ask.kind != "quarter"]
    if not (mentions or user_scope.companies):  # a series is one company's, or that of several that are named
        asks = [ask for ask in asks if ask.kind != "series"]
    return _Names(mentions, metrics, asks, _entities(question, mentions, metrics, asks, known_names))


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


def _companies(
    question: str, names: _Names, catalog: Catalog, known_names: Container[str] | None
) -> tuple[list[CompanyMention], tuple[str, ...]]:
    """Those of the index, also by the name of their files where the documents have another (Square of 2020 is Block
    since), and names of others; what only the context names is no company that is asked about."""
    covered = [(m.start, m.end) for m in names.metrics]

    def is_known(name: str) -> bool:
        part = any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", each) for each in names.entities)
        return part or (known_names is not None and fold_name(name) in known_names)

    mentions = names.companies
    unknown = find_unknown_companies(question, mentions, covered, is_known)
    places = {name for name in names.entities if words_of(name) <= PLACES}
    others = (
        unknown if names.companies else (*unknown, *(each for each in names.entities if each not in places))
    )
    filed = [_mention(question, name, key) for name in others if (key := catalog.filed_under(name))]
    if filed:
        mentions = sorted((*mentions, *filed), key=lambda each: each.start)
        unknown = find_unknown_companies(question, mentions, covered, is_known)
    if mentions:
        unknown = tuple(name for name in unknown if name in without_context(question))
    return mentions, unknown


def _mention(question: str, name: str, key: str) -> CompanyMention:
    """Of a company by a name that stands in the question."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question)
    start = found.start() if found else 0
    end = start + len(name)
    return CompanyMention(key, name, start, end, question[end : end + 2] in ("'s", "’s"))


def _is_part(metric: MetricMention, spans: Sequence[tuple[int, int]]) -> bool:
    """True if a metric's name overlaps a company's; a phrase around it ('how many shares did Acme buy') does not."""
    around = any(metric.start < start and end < metric.end for start, end in spans)
    return not around and overlaps((metric.start, metric.end), spans)


def _begins_name(question: str, metric: MetricMention, known_names: Container[str]) -> bool:
    """Whether a name of the index begins with a metric, and is written as a name: 'Cash App' is no cash."""
    following = next((each for each in name_tokens(question) if each.start > metric.end), None)
    apart = following is None or question[metric.end : following.start] != " " or following.word in _OF_LABELS
    named = not apart and metric.text[:1].isupper() and following is not None and following.raw[:1].isupper()
    return named and fold_name(question[metric.start : following.end if following else 0]) in known_names


_OF_LABELS = frozenset(("net", "total", "current"))
"""What labels say of a line item behind its name."""
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


def _entities(
    question: str,
    companies: Sequence[CompanyMention],
    metrics: Sequence[MetricMention],
    asks: Sequence[PeriodAsk],
    known_names: Container[str] | None,
) -> tuple[str, ...]:
    """Names of other things: what the index knows, and places; without it, names spelled like brands."""
    taken = [(each.start, each.end) for group in (companies, metrics, asks) for each in group]
    found: list[tuple[int, str]] = []
    tokens = name_tokens(question)
    index = 0
    while index < len(tokens):
        length = 0
        if known_names is not None:
            for size in range(min(MAX_NAME_WORDS, len(tokens) - index), 0, -1):
                span = (tokens[index].start, tokens[index + size - 1].end)
                specific = any(not _says_nothing(token.word) for token in tokens[index : index + size])
                if (
                    specific
                    and not overlaps(span, taken)
                    and fold_name(question[slice(*span)]) in known_names
                ):
                    found.append((span[0], question[slice(*span)]))
                    length = size
                    break
        index += max(1, length)
    covered = [(start, start + len(text)) for start, text in found]
    for name in capitalised_spans(question, [*taken, *covered]):
        if known_names is None and _looks_like_product(name.text):
            found.append((name.start, name.text))
    known = {text for _, text in found}
    for start, text in _places(question, taken):
        if not any(text in other for other in known):
            found.append((start, text))
    return tuple(dict.fromkeys(text for _, text in sorted(found)))


def _places(question: str, taken: Sequence[tuple[int, int]]) -> list[tuple[int, str]]:
    """Runs of capitalised words of place names."""
    runs: list[list[int]] = []
    for token in name_tokens(question):
        span = (token.start, token.end)
        if token.word not in PLACES or not token.raw[0].isupper() or overlaps(span, taken):
            continue
        if runs and question[runs[-1][1] : token.start] == " ":
            runs[-1][1] = token.end
        else:
            runs.append([token.start, token.end])
    return [(start, question[start:end]) for start, end in runs]


def _says_nothing(word: str) -> bool:
    return word in ORDINARY or word in FUNCTION_WORDS or word in ACRONYMS or word in DOMAIN or word.isdigit()


def _looks_like_product(text: str) -> bool:
    """Spelled like a brand: 'zPump', 'OrlaNet'."""
    return " " not in text and bool(re.search("[a-z][A-Z]", text))
