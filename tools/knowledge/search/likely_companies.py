"""Whose line items a question without a company's name is held against: where there are many companies, those whose
labels have most of its words, so that its cost does not grow with their number."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.lookups import FIGURE, PERIOD
from tools.knowledge.lexicon.asked_metrics import find_asked, readable
from tools.knowledge.lexicon.stopwords import CHANGE_WORDS, STOP_WORDS
from tools.knowledge.lexicon.word_forms import words_of
from tools.knowledge.search.matching import kinds_of
from tools.periods import Period
from tools.scope import Scope


def likely_companies(
    graph: KnowledgeGraph, question: str, scope: Scope, companies: Sequence[str], most: int
) -> list[str]:
    """All of `companies`, in their order, if they are at most `most`; else so many of them with a triplet in `scope`,
    those first whose labels and headings have most of what the question says, rare words counting more; of equal ones
    the first."""
    if len(companies) <= most:
        return list(companies)
    known = _labels_of(graph)
    score = known.score(graph, question)
    places = np.array([*map(known.places.__getitem__, companies)])
    chosen: list[int] = []
    for at in places[np.argsort(-score[places], kind="stable")].tolist():
        if len(chosen) == most:
            break
        if any(scope.admits(known.keys[at], *told) for told in known.told(graph, at)):
            chosen.append(at)
    return [known.keys[at] for at in chosen]


class _Labels:
    """What the line items of all companies say. It does not hold their graph: one that is held by what is kept of it
    would never be let go of, nor its files."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.keys = graph.companies
        self.places = {key: at for at, key in enumerate(self.keys)}
        """Company key -> position in `keys`."""
        self._told: dict[int, tuple[tuple[Period, str, str], ...]] = {}

    def told(self, graph: KnowledgeGraph, at: int) -> tuple[tuple[Period, str, str], ...]:
        """Of a company the (period, type of document, document id) of its figures."""
        if at not in self._told:
            tables, rows = graph.tables, graph.rows_of_company
            found: list[tuple[Period, str, str]] = []
            for number in rows.documents_of(self.keys[at]):
                own = rows.of_document(number)
                columns = graph.columns[:, own.start : own.stop]
                document = tables.documents[number]
                for period in np.unique(columns[PERIOD][columns[FIGURE] == 1]).tolist():
                    found.append((tables.periods[period], document.doc_type, document.id))
            self._told[at] = tuple(found)
        return self._told[at]

    def score(self, graph: KnowledgeGraph, question: str) -> NDArray[np.float64]:
        """(companies,) how much of the question their line items have."""
        total = np.zeros(len(self.keys))
        text = readable(question)
        mentions = find_asked(text)
        for mention in mentions:
            names = (mention.canonical, *kinds_of(mention.canonical))
            self._add(total, {at for name in names for at in graph.label_metrics.get(name, ())})
        named = {word for each in mentions for word in words_of(text[each.start : each.end])}
        for word in words_of(text) - STOP_WORDS - CHANGE_WORDS - named:
            self._add(total, graph.label_words.get(word, ()))
        return total

    def _add(self, total: NDArray[np.float64], holders: Collection[int]) -> None:
        """What few companies have counts more."""
        total[list(holders)] += math.log(1 + len(self.keys) / max(1, len(holders)))


_LABELS: WeakKeyDictionary[KnowledgeGraph, _Labels] = WeakKeyDictionary()


def _labels_of(graph: KnowledgeGraph) -> _Labels:
    """Kept as long as the graph."""
    known = _LABELS.get(graph)
    if known is None:
        known = _LABELS[graph] = _Labels(graph)
    return known
