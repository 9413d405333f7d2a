"""What a question and a printed line item have in common, as numbers for the ranker."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.knowledge.lexicon.metric_names import tokenize
from tools.knowledge.lexicon.stopwords import STOP_WORDS
from tools.knowledge.lexicon.vocabulary import VOCABULARY
from tools.knowledge.lexicon.word_forms import compared_words
from tools.knowledge.search.line_items import THREE_STATEMENTS
from tools.knowledge.search.linking import Request
from tools.knowledge.search.matching import item_match
from tools.knowledge.search.ranker.candidates import Candidate
from tools.knowledge.search.ranker.concepts import (
    TOPIC_NAMES,
    TURN_NAMES,
    label_ideas,
    question_ideas,
    question_spans,
)

Floats = NDArray[np.float32]

STATEMENT_NAMES = ("income", "balance", "cash_flow", "segment", "equity", "comprehensive_income", "other")
UNITS = ("USD", "USD/share", "shares", "percent")
KINDS = ("amount", "per share", "shares", "percent")
_PER_SHARE = re.compile(r"\bper[- ](?:\w+[- ]){0,2}share\b|\ba share\b|\beach share\b|\bEPS\b", re.I)
_SHARES = re.compile(
    r"\bhow many (?:\w+ ){0,5}(?:shares|rsus|units)\b|\bshare count\b|\bnumber of (?:\w+ ){0,3}(?:shares|units|rsus)\b"
    r"|\baverage (?:\w+ ){0,3}shares?\b|\bshares (?:outstanding|in issue)\b|\b(?:diluted|basic) shares\b",
    re.I,
)
_PERCENT = re.compile(
    r"%|\bpercent(?:age)?s?\b|\bper cent\b|\brates?\b|\bfraction\b|\bproportion\b|\b(?:as a )?share of\b"
    r"|\bwhat part of\b",
    re.I,
)


def unit_asked(question: str) -> str:
    """One of `KINDS`, by the question's wording."""
    if _PERCENT.search(question) and not re.search(r"share of (?:stock|common)", question, re.I):
        return "percent"
    if _SHARES.search(question):
        return "shares"
    return "per share" if _PER_SHARE.search(question) else "amount"


def words_asked(core: str) -> list[str]:
    """Telling words of the question, folded as `LineItem.label_words`."""
    words = compared_words([token.word for token in tokenize(core)])
    return list(
        dict.fromkeys(word for word in words if word not in STOP_WORDS or word in {"total", "current"})
    )


def feature_names() -> list[str]:
    """Names of the columns of `features`."""
    return _NAMES


def features(
    question: str,
    core: str,
    candidates: Sequence[Candidate],
    requests: Sequence[Request],
    months: int | None,
) -> Floats:
    """(candidates, features). `core` is the question without its frame, `requests` is what it was read as."""
    if not candidates:
        return np.zeros((0, len(_NAMES)), np.float32)
    columns = [
        *_match_columns(candidates, requests, months),
        *_word_columns(core, candidates),
        *_idea_columns(core, candidates),
        *_unit_columns(unit_asked(question), candidates),
        *_statement_columns(candidates, months),
        *_line_columns(candidates),
        *_period_columns(candidates, months),
    ]
    return np.stack([np.asarray(column, np.float32) for column in columns], axis=1)


def _match_columns(
    candidates: Sequence[Candidate], requests: Sequence[Request], months: int | None
) -> list[NDArray[Any]]:
    match = np.array(
        [max((item_match(q, c.item, months) for q in requests), default=0.0) for c in candidates], np.float32
    )
    return [match, match >= 0.5, match >= 0.75, _ranks(match)]


def _unit_columns(kind: str, candidates: Sequence[Candidate]) -> list[NDArray[Any]]:
    """Every kind of unit asked for beside every unit printed."""
    units = [c.item.unit if c.item.unit in UNITS else "" for c in candidates]
    return [
        np.array([kind == asked and unit == printed for printed in units])
        for asked in KINDS
        for unit in (*UNITS, "")
    ]


def _statement_columns(candidates: Sequence[Candidate], months: int | None) -> list[NDArray[Any]]:
    columns: list[NDArray[Any]] = []
    for name in STATEMENT_NAMES:
        own = np.array([c.item.statement == name for c in candidates])
        columns += [own, own & (months == 0), own & (months in (6, 9, 12))]
    return columns


def _line_columns(candidates: Sequence[Candidate]) -> list[NDArray[Any]]:
    """What the printed line is, whatever was asked."""
    return [
        np.array([c.item.statement in THREE_STATEMENTS for c in candidates]),
        np.array([len(c.item.path) for c in candidates]),
        np.array([min(20, len(c.item.label_words)) / 10 for c in candidates]),
        np.array([c.item.canonical in VOCABULARY or bool(c.item.combined) for c in candidates]),
        np.array([c.item.label.lower().startswith("total") for c in candidates]),
    ]


def _period_columns(candidates: Sequence[Candidate], months: int | None) -> list[NDArray[Any]]:
    """The figure's period beside the one asked for, and how many figures of its line and period there are."""
    known = Counter((c.item.canonical, c.period) for c in candidates)
    return [
        np.array([min(c.lag, 400) / 100 for c in candidates]),
        np.array([c.period.months == months for c in candidates]),
        np.array([c.period.months == 3 for c in candidates]),
        np.array([c.period.months == 0 for c in candidates]),
        np.array([c.period.months == 0 and months == 3 for c in candidates]),
        np.array([c.amount == 0 for c in candidates]),
        np.array([math.log(known[(c.item.canonical, c.period)]) for c in candidates]),
    ]


def _ranks(values: Floats) -> Floats:
    order = np.argsort(np.argsort(-values, kind="stable"), kind="stable")
    ties = np.array([np.count_nonzero(values > value + 1e-6) for value in values], np.float32)
    return np.asarray(1.0 / (1.0 + np.minimum(order, ties)), np.float32)


def _word_columns(core: str, candidates: Sequence[Candidate]) -> list[Floats]:
    """Rare words weigh more: how much of the question the label, headings and title hold, and the reverse."""
    words = words_asked(core)
    rows = [
        (c.item.label_words, frozenset[str]().union(*c.item.path_words), c.item.title_words,
         (c.item.canonical, c.item.combined, c.item.stands_for))
        for c in candidates
    ]  # fmt: skip
    seen: Counter[str] = Counter(word for label, path, _, _ in rows for word in label | path)
    weight = {word: math.log(1 + len(rows) / (1 + seen[word])) for word in {*seen, *words}}
    asked = _AskedWords(
        words=frozenset(words),
        weight=weight,
        whole=sum(weight[w] for w in words) or 1.0,
        known=sum(weight[w] for w in words if seen[w]) or 1.0,
    )
    memory: dict[str, float] = {}
    out = [
        (
            *_agreement(asked, label, path, title),
            max((_called(name, asked, memory) for name in names), default=0.0),
        )
        for label, path, title, names in rows
    ]
    return [np.asarray(column, np.float32) for column in np.asarray(out, np.float32).T]


@dataclass(frozen=True, slots=True)
class _AskedWords:
    """The telling words of a question."""

    words: frozenset[str]
    weight: dict[str, float]
    """Of these and of all words that labels and headings print: rare words weigh more."""
    whole: float
    """Weight of all of them."""
    known: float
    """Weight of those that some label or heading prints."""


def _agreement(
    asked: _AskedWords, label: frozenset[str], path: frozenset[str], title: frozenset[str]
) -> tuple[float, ...]:
    """One row of the word columns, in the order of `_WORD_NAMES` but for the last."""
    weight = asked.weight
    hit, by_path = asked.words & label, (asked.words & path) - label
    size = sum(weight[w] for w in _telling(label)) or 1.0
    size_path = sum(weight[w] for w in _telling(path))
    got, got_path = sum(weight[w] for w in hit), sum(weight[w] for w in by_path)
    got_title = sum(weight.get(w, 0.0) for w in (asked.words & title) - label - path)
    met = sum(weight[w] for w in _telling(hit))
    return (
        got / asked.whole,
        (got + got_path) / asked.whole,
        (got + got_path) / asked.known,
        met / size,
        2 * met / (size + asked.whole),
        got_title / asked.whole,
        (size_path - sum(weight[w] for w in _telling(path & asked.words))) / 10,
        size / 10,
        float(met / size >= 0.999),
        float(bool(hit or by_path)),
    )


def _telling(words: Iterable[str]) -> Iterator[str]:
    return (word for word in words if word not in STOP_WORDS)


def _called(name: str, asked: _AskedWords, memory: dict[str, float]) -> float:
    """Best agreement (F1, rare words weigh more) of the question's words with a name of this metric."""
    if name not in VOCABULARY:
        return 0.0
    if name not in memory:
        whole = sum(asked.weight[word] for word in asked.words)
        best = 0.0
        for words in _names_of(name):
            met = sum(asked.weight[word] for word in words & asked.words)
            size = sum(asked.weight.get(word, 4.0) for word in words)
            best = max(best, 2 * met / (size + whole)) if met else best
        memory[name] = best
    return memory[name]


@lru_cache(maxsize=1024)
def _names_of(metric: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(words_asked(name)) for name in (metric, *VOCABULARY[metric]))


_WORD_NAMES = (
    "asked in label",
    "asked in row",
    "asked known in row",
    "label asked",
    "f1",
    "asked in title",
    "unasked heading",
    "label weight",
    "label wholly asked",
    "any word",
    "called",
)


def _idea_columns(core: str, candidates: Sequence[Candidate]) -> list[Floats]:
    topics, turns = question_ideas(core)
    asked, turned = np.array(topics), np.array(turns)
    pairs = [label_ideas(c.item.label) for c in candidates]
    label = np.array([pair[0] for pair in pairs]).reshape(len(pairs), -1)
    side = np.array([pair[1] for pair in pairs]).reshape(len(pairs), -1)
    heading = np.zeros_like(label)
    heading_side = np.zeros_like(side)
    for index, candidate in enumerate(candidates):
        for text in candidate.item.path:
            found = label_ideas(text)
            heading[index] |= np.array(found[0])
            heading_side[index] |= np.array(found[1])
    row = label | heading
    weight = np.log(1 + len(pairs) / (1 + row.sum(axis=0)))
    present = row.any(axis=0)
    weight = weight.astype(np.float32)
    columns = [
        (label & asked) @ weight,
        (heading & ~label & asked) @ weight,
        (label & ~asked) @ weight,
        (heading & ~label & ~asked) @ weight,
        (~row & asked & present) @ weight,
        (label & asked).sum(axis=1),
        (label & ~asked).sum(axis=1),
        (~row & asked & present).sum(axis=1),
        ((label & asked) @ weight) / max(1e-6, float(asked @ weight)),
    ]
    for index in range(len(asked)):
        columns += [
            row[:, index] & asked[index],
            label[:, index] & ~asked[index],
            ~row[:, index] & asked[index],
        ]
    sides = side | heading_side
    for index in range(len(turned)):
        columns += [
            sides[:, index] & turned[index],
            sides[:, index] & ~turned[index],
            ~sides[:, index] & turned[index],
        ]
    columns += _left_over(core, candidates, np.concatenate([row, sides], axis=1))
    return [np.asarray(column, np.float32) for column in columns]


def _left_over(core: str, candidates: Sequence[Candidate], ideas: NDArray[np.bool_]) -> list[Floats]:
    """How many telling words of the question a row answers neither by a word nor by an idea."""
    tokens = [t for t in tokenize(core) if t.word not in STOP_WORDS]
    worded = np.zeros((len(tokens), ideas.shape[1]), bool)
    for idea, start, end in question_spans(core):
        for index, token in enumerate(tokens):
            worded[index, idea] |= token.start < end and token.end > start
    names = compared_words([t.word for t in tokens]) if tokens else []
    names = names if len(names) == len(tokens) else [t.word for t in tokens]
    held = [c.item.label_words.union(*c.item.path_words) for c in candidates]
    said = np.array([[word in words for word in names] for words in held], bool).reshape(
        len(held), len(tokens)
    )
    titled = np.array([[word in c.item.title_words for word in names] for c in candidates], bool).reshape(
        said.shape
    )
    left = ~said & ~((ideas.astype(np.float32) @ worded.T.astype(np.float32)) > 0)
    known = said.any(axis=0)
    strange = ~known & ~worded.any(axis=1)
    capital = np.array([core[t.start : t.start + 1].isupper() and t.start > 0 for t in tokens], bool)
    whole = max(1, len(tokens))
    return [
        np.asarray(column, np.float32)
        for column in (
            left.sum(axis=1),
            left.sum(axis=1) / whole,
            (left & ~titled).sum(axis=1),
            (left & known).sum(axis=1),
            (left & strange).sum(axis=1),
            (left & capital).sum(axis=1),
            (left.sum(axis=1) == 0),
            (left & worded.any(axis=1)).sum(axis=1),
        )
    ]


_LEFT_NAMES = (
    "left",
    "left part",
    "left by title",
    "left known",
    "left strange",
    "left capital",
    "none left",
    "left worded",
)
_IDEA_NAMES = (
    "shared ideas",
    "shared by heading",
    "unasked ideas",
    "unasked by heading",
    "unmet ideas",
    "shared count",
    "unasked count",
    "unmet count",
    "shared part",
)
_NAMES: list[str] = [
    "match", "match 0.5", "match 0.75", "rank match", *_WORD_NAMES, *_IDEA_NAMES,
    *(f"{name} {how}" for name in TOPIC_NAMES for how in ("met", "unasked", "unmet")),
    *(f"turn {name} {how}" for name in TURN_NAMES for how in ("met", "unasked", "unmet")),
    *_LEFT_NAMES,
    *(f"{kind} as {unit or 'other'}" for kind in KINDS for unit in (*UNITS, "")),
    *(f"{name}{when}" for name in STATEMENT_NAMES for when in ("", " at", " long")),
    "primary", "depth", "label length", "vocabulary", "total", "lag", "months", "quarter", "at a date",
    "balance for quarter", "nil", "rivals",
]  # fmt: skip
