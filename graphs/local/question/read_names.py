"""What a question names: companies, line items, periods, and other things that the index knows."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from graphs.local.question.line_items import with_line_items
from graphs.local.question.period_asks import PeriodAsk
from graphs.local.question.period_phrases import find_asks
from graphs.local.question.question_forms import without_context
from graphs.local.question.topic_words import DOMAIN
from graphs.local.question.unknown_names import capitalised_spans, find_unknown_companies
from graphs.local.text.spans import overlaps
from tools.documents.metadata.catalog import Catalog, CompanyMention
from tools.documents.metadata.company_names import name_tokens
from tools.documents.text.ordinary_words import ACRONYMS, FUNCTION_WORDS, ORDINARY, PLACES
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.knowledge.lexicon.metric_names import MetricMention
from tools.knowledge.lexicon.word_forms import words_of
from tools.scope import Scope

MAX_NAME_WORDS = 5


@dataclass(frozen=True, slots=True)
class Names:
    """What a question names, as written."""

    companies: list[CompanyMention]
    metrics: list[MetricMention]
    asks: list[PeriodAsk]
    entities: tuple[str, ...]


def read_names(
    question: str, catalog: Catalog, user_scope: Scope, known_names: Container[str] | None
) -> Names:
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
    return Names(mentions, metrics, asks, _entities(question, mentions, metrics, asks, known_names))


def read_companies(
    question: str, names: Names, catalog: Catalog, known_names: Container[str] | None
) -> tuple[list[CompanyMention], tuple[str, ...]]:
    """Those of the index, also by the name of their files where the documents have another (Square of 2020 is Block
    since), and names of others; what only the context names is no company that is asked about."""
    covered = [(m.start, m.end) for m in names.metrics]

    def is_known(name: str) -> bool:
        part = any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", each) for each in names.entities)
        return part or (known_names is not None and fold_name(name) in known_names)

    mentions = names.companies
    unknown = find_unknown_companies(question, mentions, covered, is_known)
    things = () if names.companies else tuple(x for x in names.entities if not words_of(x) <= PLACES)
    filed = [
        _mention(question, name, key) for name in (*unknown, *things) if (key := catalog.filed_under(name))
    ]
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
    following = next((each for each in name_tokens(question) if each.start == metric.end + 1), None)
    if following is None or following.word in _OF_LABELS or question[metric.end] != " ":
        return False
    named = metric.text[:1].isupper() and following.raw[:1].isupper()
    return named and fold_name(question[metric.start : following.end]) in known_names


_OF_LABELS = frozenset(("net", "total", "current"))
"""What labels say of a line item behind its name."""


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
