"""Whose line items a question without a company's name is held against: where there are many companies, those whose
labels have most of its words, so that its cost does not grow with their number."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.asked_metrics import find_asked, readable
from tools.knowledge.lexicon.stopwords import CHANGE_WORDS, STOP_WORDS
from tools.knowledge.lexicon.word_forms import words_of
from tools.knowledge.search.line_items import kept_words_of
from tools.knowledge.search.matching import kinds_of
from tools.periods import Period
from tools.scope import Scope


def likely_companies(
    graph: KnowledgeGraph, question: str, scope: Scope, companies: Sequence[str], most: int
) -> list[str]:
    """At most `most` of `companies`, in their order: those with a triplet in `scope` whose labels and headings have
    most of what the question says, rare words counting more; of equal ones the first."""
    if len(companies) <= most:
        return list(companies)
    known = _labels_of(graph)
    score = known.score(question)
    places = np.array([known.places[key] for key in companies if key in known.places], dtype=np.int64)
    chosen: list[int] = []
    for at in places[np.argsort(-score[places], kind="stable")].tolist():
        if len(chosen) == most:
            break
        if any(scope.admits(known.keys[at], *told) for told in known.told[at]):
            chosen.append(at)
    kept = {known.keys[at] for at in chosen}
    return [key for key in companies if key in kept]


@dataclass(frozen=True, slots=True)
class _Labels:
    """What the line items of all companies say."""

    keys: tuple[str, ...]
    places: dict[str, int]
    """Company key -> position in `keys`."""
    told: tuple[tuple[tuple[Period, str, str], ...], ...]
    """Of each company the (period, type of document, document id) of its figures."""
    by_word: dict[str, NDArray[np.int64]]
    """Word of a label or heading -> positions of companies."""
    by_metric: dict[str, NDArray[np.int64]]
    """Canonical metric -> positions of companies."""

    def score(self, question: str) -> NDArray[np.float64]:
        """(companies,) how much of the question their line items have."""
        total = np.zeros(len(self.keys))
        text = readable(question)
        mentions = find_asked(text)
        for mention in mentions:
            names = (mention.canonical, *kinds_of(mention.canonical))
            self._add(total, np.unique(np.concatenate([self.by_metric.get(name, _NONE) for name in names])))
        named = {word for each in mentions for word in words_of(text[each.start : each.end])}
        for word in words_of(text) - STOP_WORDS - CHANGE_WORDS - named:
            self._add(total, self.by_word.get(word, _NONE))
        return total

    def _add(self, total: NDArray[np.float64], holders: NDArray[np.int64]) -> None:
        """What few companies have counts more."""
        total[holders] += math.log(1 + len(self.keys) / max(1, len(holders)))


_NONE = np.zeros(0, dtype=np.int64)
_LABELS: WeakKeyDictionary[KnowledgeGraph, _Labels] = WeakKeyDictionary()


def _labels_of(graph: KnowledgeGraph) -> _Labels:
    """Gathered at the first question without a company, and kept as long as the graph."""
    known = _LABELS.get(graph)
    if known is None:
        known = _LABELS[graph] = _gathered(graph)
    return known


def _gathered(graph: KnowledgeGraph) -> _Labels:
    tables = graph.tables
    keys = tuple(sorted({document.company_key for document in tables.documents}))
    places = {key: at for at, key in enumerate(keys)}
    of_document = [places[document.company_key] for document in tables.documents]
    figures = [row for row in tables.rows if row[r.VALUE] is not None]
    told: list[set[tuple[int, int]]] = [set() for _ in keys]
    for number, period in {(row[r.DOCUMENT], row[r.PERIOD]) for row in figures}:
        told[of_document[number]].add((number, period))
    words: dict[str, set[int]] = defaultdict(set)
    metrics: dict[str, set[int]] = defaultdict(set)
    for at, metric in {(of_document[row[r.DOCUMENT]], row[r.HEAD_ENTITY]) for row in figures}:
        metrics[tables.entities[metric].key.split(":", 2)[-1]].add(at)
    for at, label in {(of_document[row[r.DOCUMENT]], row[r.HEAD]) for row in figures}:
        _note(words, label, at)
    for at, context in {(of_document[row[r.DOCUMENT]], row[r.CONTEXT]) for row in figures}:
        for heading in tables.contexts[context][5]:
            _note(words, heading, at)
    return _Labels(
        keys,
        places,
        tuple(
            tuple(
                (tables.periods[period], tables.documents[number].doc_type, tables.documents[number].id)
                for number, period in sorted(pairs)
            )
            for pairs in told
        ),
        _as_arrays(words),
        _as_arrays(metrics),
    )


def _note(words: dict[str, set[int]], text: str, at: int) -> None:
    for word in kept_words_of(text):
        words[word].add(at)


def _as_arrays(held: dict[str, set[int]]) -> dict[str, NDArray[np.int64]]:
    return {name: np.array(sorted(found), dtype=np.int64) for name, found in held.items()}
