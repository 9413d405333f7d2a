"""A question read against the line items that exist: which words name a metric, which ones narrow it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from tools.knowledge.lexicon.asked_metrics import (
    find_asked,
    readable,
    statement_named,
)
from tools.knowledge.lexicon.assertion_status import GUIDANCE
from tools.knowledge.lexicon.metric_names import Token, canonical_metric, tokenize
from tools.knowledge.lexicon.short_names import spelled_out
from tools.knowledge.lexicon.stopwords import (
    CHANGE_WORDS,
    GENERIC_LABEL,
    GUIDANCE_WORDS,
    NEUTRAL_VERBS,
    PERCENT_WORDS,
    STOP_WORDS,
)
from tools.knowledge.lexicon.vocabulary import CASH_FLOW, VOCABULARY
from tools.knowledge.lexicon.word_forms import base_word, compared_words
from tools.knowledge.search.line_items import CompanyFacts
from tools.knowledge.search.question_terms import (
    Term,
    without_examples,
    without_fillers,
    without_glosses,
    without_sorts,
)

METRIC_OF_VERB = {"sell": "revenue"}
"""Verbs that name a metric where no noun does."""
_ASIDE_PERCENT = PERCENT_WORDS - {"share"}
MAX_LABEL_WORDS = 24
"""Longest label looked for, in words."""

_MONTH_SHORT = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
STATED_PERIOD = re.compile(
    rf"\b{_MONTH_SHORT}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?\b|\b\d{{1,2}}\s+{_MONTH_SHORT}\s+\d{{4}}\b|\b{_MONTH_SHORT}\s+\d{{4}}\b"
    r"|\b(?:19|20)\d\d(?:-\d\d-\d\d)?\b|\b(?:three|six|nine|twelve|thirteen|\d{1,2})[\s-]+(?:months?|weeks?)\b"
    r"|\b(?:first|second|third|fourth|last|same)\s+(?:fiscal\s+)?(?:quarter|half)\b|\byear[\s-]to[\s-]date\b"
    r"|\b[qh][1-4]\b|\bfy\s?\d\d(?:\d\d)?\b|\bquarter[\s-]end\b|\byear[\s-]end\b",
    re.IGNORECASE,
)
_NO_FIGURE_NAME = STOP_WORDS | CHANGE_WORDS | PERCENT_WORDS | GUIDANCE_WORDS
"""A heading of nothing but these ('Change', '% of total') is no name of a figure."""
_JOINED = re.compile(r"[,;/]|\b(?:and|or|vs|versus|compared\s+(?:to|with)|than)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Request:
    """One figure asked for."""

    terms: tuple[Term, ...]
    percent: bool
    """A share or rate is asked for, not an amount."""
    change: bool
    """A difference between periods is asked for."""
    guidance: bool = False
    """What a company expects is asked for, not what it reports."""
    dates: frozenset[str] = frozenset()
    """Words of the periods that the question names: a row may be called by its dates."""
    lasting: bool = False
    """'Three months' is said in so many words: a change over them may be meant, not the balance at their end."""
    statement: str = ""
    """Primary statement in which the question says the figure stands."""


def link_question(question: str, facts: CompanyFacts, names: Iterable[str]) -> list[Request]:
    """What a question asks of a company: one request, or one for each metric of an enumeration.

    `names` are the company's folded names, which select the company and no figure. An empty list means
    that the question names nothing a figure could be found by.
    """
    asked, question = question, without_examples(readable(question), facts)
    own = _own_words(frozenset(names))
    tokens = _content_tokens(question, own)
    if not tokens:
        return []
    tokens = spelled_out(question, tokens, facts.acronyms, facts.by_word.keys(), own.words)
    spans = _choose_spans(question, tokens, facts)
    said = [term for term in _terms(tokens, spans, facts) if term.words]
    manner = _manner(question, said, facts)
    kept = _without_manner(said, manner)
    kept = _without_verbs(kept, facts)
    kept = without_sorts(kept, facts)
    kept = without_fillers(question, without_glosses(question, kept, facts))
    kept = _as_asked(question, kept, facts) or _by_verb_alone(tokens)
    if not kept:
        return []
    request = Request(
        tuple(kept), manner.percent, manner.change, manner.guidance, _date_words(question),
        bool(_LASTING.search(question)), statement_named(asked),
    )  # fmt: skip
    rest = [term for term in kept if not term.is_metric]
    groups = _groups(question, [term for term in kept if term.is_metric])
    return [request, *(replace(request, terms=(*group, *rest)) for group in groups)]


@dataclass(frozen=True, slots=True)
class _Manner:
    """How a figure is asked for; see the fields of `Request`."""

    percent: bool
    change: bool
    guidance: bool
    words: frozenset[str]
    """Words that say so and name no figure."""


def _manner(question: str, terms: Sequence[Term], facts: CompanyFacts) -> _Manner:
    flags = {
        word for term in terms if not term.is_metric or term.canonical == GUIDANCE for word in term.words
    }
    # 'expected' in a label ('expected credit losses') is part of a name
    guiding = frozenset(word for word in GUIDANCE_WORDS if word == GUIDANCE or word not in facts.by_word)
    return _Manner(
        percent=bool(flags & _ASIDE_PERCENT) or "%" in question,
        change=bool(flags & CHANGE_WORDS),
        guidance=bool(flags & guiding),
        words=CHANGE_WORDS | _ASIDE_PERCENT | guiding,
    )


def _without_manner(terms: Sequence[Term], manner: _Manner) -> list[Term]:
    """Terms that name a figure or narrow it, and do not only say how it is asked for."""
    return [
        term
        for term in terms
        if (term.canonical != GUIDANCE if term.is_metric else not set(term.words) & manner.words)
    ]


_LASTING = re.compile(r"\b(?:three|3)[ -]months?\b", re.IGNORECASE)
_BUYS = re.compile(r"\b(?:spen[dt]|spending|invest(?:ed)?|bought|buy|purchased?)\b", re.IGNORECASE)
_BUYS_BACK = re.compile(
    r"\b(?:re-?purchas(?:e[sd]?|ing)|b(?:uy|uying|ought)(?:\s+back|-?backs?))\b[^?]*\b(?:shares?|stock)\b"
    r"|\b(?:shares?|stock)\b[^?]*\b(?:re-?purchas(?:e[sd]?|ing)|b(?:uy|uying|ought)\s+back)\b",
    re.IGNORECASE,
)
_COUNT_OR_PRICE = re.compile(
    r"\bhow\s+many\b|\bnumber\b|\bprices?\b|\baverage\b|\bper\s+share\b", re.IGNORECASE
)
"""Asks for shares or their price, not for the amount spent on them."""
_OWN_SHARES = frozenset(
    {"repurchase", "repurchasing", "program", "buy", "buying", "back", "own", "common", "stock", "share"}
)
_PAYS = re.compile(r"\b(?:pay|pays|paid|paying|return|returned|distribute|distributed)\b", re.IGNORECASE)


def _as_asked(question: str, terms: list[Term], facts: CompanyFacts) -> list[Term]:
    """Terms whose meaning the verb or a neighbour settles: the property that is bought is capital expenditure,
    the dividends that are paid are a cash flow, 'cash' beside a cash flow and 'outstanding' beside a balance
    say nothing more."""
    metrics = {term.canonical for term in terms if term.is_metric}
    if not metrics and _BUYS_BACK.search(question) and not _COUNT_OR_PRICE.search(question):
        rest = [term for term in terms if not set(term.words) & _OWN_SHARES]
        return [Term(("repurchase",), "share repurchases", True, 0, 0), *rest]
    kept = [term for term in terms if not _is_said_by(term, metrics, facts)]
    meant = [_meant(question, term, terms, facts) for term in kept]
    return [
        term if term.canonical == canonical else replace(term, canonical=canonical)
        for term, canonical in zip(kept, meant, strict=True)
    ]


def _is_said_by(term: Term, metrics: set[str], facts: CompanyFacts) -> bool:
    """True if the metrics asked for say already what the term says."""
    if term.is_metric:
        return term.words == ("cash",) and (bool(metrics & CASH_FLOW.keys()) or "dividends" in metrics)
    if "share repurchases" in metrics and term.words[0] in _OWN_SHARES:
        return True
    return term.words == ("outstanding",) and bool(metrics & facts.balances)


def _meant(question: str, term: Term, terms: Sequence[Term], facts: CompanyFacts) -> str:
    """The metric that the term means beside the question's verb and the company's lines."""
    canonical = term.canonical
    fallback = _FALLBACKS.get(canonical)
    if fallback is not None:
        part = any(other.is_metric and other.canonical not in VOCABULARY for other in terms)
        canonical = fallback if part or canonical not in facts.by_canonical else canonical
    if canonical == "property, plant and equipment" and _BUYS.search(question):
        return "capital expenditures"
    if canonical == "dividends" and _PAYS.search(question):
        return "dividends paid"
    return canonical


_FALLBACKS = {"ebit": "operating income", "segment operating income": "operating income"}
"""Names for a line that statements print under another, where no line has them."""


def _groups(question: str, metrics: list[Term]) -> list[list[Term]]:
    """The parts of an enumeration: 'iPhone and iPad revenue' is the revenue of each. Empty if nothing is
    enumerated."""
    groups: list[list[Term]] = [metrics[:1]]
    for one, other in pairwise(metrics):
        if _JOINED.search(question[one.end : other.start]):
            groups.append([])
        groups[-1].append(other)
    if len(groups) < 2:
        return []
    known = [[term for term in group if term.canonical in VOCABULARY] for group in groups]
    shared = next((found for found in known if found), [])
    if all(known) or not shared:
        return groups
    return [
        group if has else [*group, *shared]
        for group, has in zip(groups, known, strict=True)
        if group != shared
    ]


def _without_verbs(terms: list[Term], facts: CompanyFacts) -> list[Term]:
    """Terms without verbs that only ask: 'did it declare', where no label says 'declared'. A verb that is
    all there is stands for its metric: what stores 'sell' is their revenue."""
    kept: list[Term] = []
    named = any(term.is_metric for term in terms)
    for term in terms:
        word = term.words[0]
        metric = None if named or term.is_metric else METRIC_OF_VERB.get(word)
        if metric is not None:
            kept.append(Term((metric,), metric, True, term.start, term.end))
        elif term.is_metric or word not in NEUTRAL_VERBS or word in facts.by_word:
            kept.append(term)
    return kept


def _by_verb_alone(tokens: list[Token]) -> list[Term]:
    """What a company 'earned' or 'lost', if nothing else is asked for, is its net income."""
    found = [token for token in tokens if token.word in {"earn", "earned", "lose", "lost"}]
    if not found:
        words = [token.word for token in tokens]
        pairs = [i for i, word in enumerate(words[:-1]) if word in _TAKEN_IN and words[i + 1] == "in"]
        return [Term(("revenue",), "revenue", True, tokens[i].start, tokens[i + 1].end) for i in pairs[:1]]
    return [Term(("net", "income"), "net income", True, t.start, t.end) for t in found[:1]]


_TAKEN_IN = frozenset({"bring", "brought", "take", "took", "rake", "raked", "pull", "pulled"})


@lru_cache(maxsize=256)
def _date_words(question: str) -> frozenset[str]:
    return frozenset(
        token.word for match in STATED_PERIOD.finditer(question) for token in tokenize(match.group())
    )


@dataclass(frozen=True, slots=True)
class _OwnWords:
    """By what a company is called."""

    words: frozenset[str]
    """Single words of its names."""
    names: dict[str, tuple[tuple[str, ...], ...]]
    """First word of a name, folded as a question's are -> names that begin with it, in folded words."""


@lru_cache(maxsize=2048)
def _own_words(names: frozenset[str]) -> _OwnWords:
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for name in names:
        if parts := tuple(token.word for token in tokenize(name)):
            by_first.setdefault(parts[0], []).append(parts)
    words = frozenset(word for name in names for word in name.split())
    return _OwnWords(words, {first: tuple(parts) for first, parts in by_first.items()})


@lru_cache(maxsize=256)
def _undated_tokens(question: str) -> tuple[Token, ...]:
    """Folded words of the question that belong to no period."""
    return tuple(tokenize(STATED_PERIOD.sub(lambda match: " " * len(match.group()), question)))


def _content_tokens(question: str, own: _OwnWords) -> list[Token]:
    """Folded words of the question that belong neither to a period nor to the company's name."""
    tokens = _undated_tokens(question)
    dropped: set[int] = set()
    for start, token in enumerate(tokens):
        for parts in own.names.get(token.word, ()):
            if tuple(t.word for t in tokens[start : start + len(parts)]) == parts:
                dropped.update(range(start, start + len(parts)))
    return [token for index, token in enumerate(tokens) if index not in dropped]


@lru_cache(maxsize=512)
def _phrases_within(words: tuple[str, ...]) -> tuple[tuple[tuple[int, str], ...], ...]:
    """For each word the (end, phrase) of what begins with it, longest first, as long as a label may be; without what
    is no name of a figure."""
    return tuple(
        tuple(
            (end, " ".join(words[start:end]))
            for end in range(min(len(words), start + MAX_LABEL_WORDS), start, -1)
            if not _NO_FIGURE_NAME.issuperset(words[start:end])
        )
        for start in range(len(words))
    )


def _choose_spans(question: str, tokens: list[Token], facts: CompanyFacts) -> list[tuple[int, int, str]]:
    """(first token, end token, canonical) of metric names: of labels that exist and of the vocabulary, longest first,
    without overlap."""
    found: list[tuple[int, int, str]] = []
    for start, phrases in enumerate(_phrases_within(tuple(token.word for token in tokens))):
        for end, phrase in phrases:
            if phrase in facts.phrases:
                found.append((start, end, canonical_metric(phrase)))
                break
    asked = {mention.canonical for mention in find_asked(question)}
    for mention in find_asked(question):
        inside = [i for i, t in enumerate(tokens) if t.start < mention.end and t.end > mention.start]
        if inside:
            found.append((inside[0], inside[-1] + 1, mention.canonical))
    found.sort(key=lambda span: (span[0] - span[1], span[0], span[2] not in asked, span[2]))
    chosen: list[tuple[int, int, str]] = []
    for span in found:
        if all(span[1] <= other[0] or span[0] >= other[1] for other in chosen):
            chosen.append(span)
    return sorted(chosen)


def _terms(tokens: list[Token], spans: list[tuple[int, int, str]], facts: CompanyFacts) -> list[Term]:
    terms: list[Term] = []
    taken: set[int] = set()
    named = {start: canonical for start, _, canonical in spans}
    for start, end, canonical in spans:
        taken.update(range(start, end))
        words = tuple(compared_words([token.word for token in tokens[start:end]]))
        terms.append(Term(words, canonical, True, tokens[start].start, tokens[end - 1].end))
    for index, token in enumerate(tokens):
        word = token.word
        if index in taken:
            continue
        following = tokens[index + 1].word if index + 1 < len(tokens) else ""
        if word == "third" and following == "party":
            terms.append(_loose(token, word))
            continue
        if word == "current" and named.get(index + 1) in facts.balances:
            # 'current marketable securities', but 'the current quarter' and 'current revenue' are of today
            non = index > 0 and tokens[index - 1].word == "non"
            terms.append(_loose(token, "noncurrent" if non else word))
        elif word in STOP_WORDS or word in GENERIC_LABEL or word.isdigit() or word == "non":
            continue
        else:
            terms.append(_loose(token, base_word(word)))
    return sorted(terms, key=lambda term: term.start)


def _loose(token: Token, word: str) -> Term:
    return Term((word,), word, False, token.start, token.end)
