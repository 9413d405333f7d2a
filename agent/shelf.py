"""Opening the index for questions: the newest generation at the start of each, the same one until its end."""

from __future__ import annotations

import threading
from collections.abc import Container
from functools import cached_property
from pathlib import Path

from graphs.resources import Index
from tools.documents.catalog import Catalog
from tools.evidence import Evidence
from tools.knowledge.graph import KnowledgeGraph
from tools.knowledge.resolution import fold_name
from tools.knowledge.search import kg_search
from tools.scope import Scope
from tools.store.errors import IndexMissingError
from tools.store.reader import Generation, open_generation
from tools.vector.embeddings import Embedder, LocalEmbeddings
from tools.vector.index import VectorIndex
from tools.vector.search import vector_search

KEEP_OPEN = 2
"""Generations kept open: questions that began before a re-index end on the one they began with."""


class OpenIndex:
    """One generation; its vectors and its graph are loaded when first asked."""

    notice = ""

    def __init__(self, generation: Generation) -> None:
        self.generation = generation
        self._lock = threading.Lock()

    @property
    def number(self) -> int:
        """The generation's number."""
        return self.generation.number

    @cached_property
    def catalog(self) -> Catalog:
        """Companies and periods that are indexed."""
        return Catalog(list(self.generation.documents.values()), self.generation.periods)

    @property
    def graph(self) -> KnowledgeGraph:
        """The knowledge graph."""
        with self._lock:
            return self.generation.graph

    @property
    def vectors(self) -> VectorIndex:
        """The vector and keyword index."""
        with self._lock:
            return self.generation.vectors

    @cached_property
    def known_names(self) -> Container[str]:
        """Folded names of the knowledge graph's entities, line items such as 'iPhone' included."""
        graph = self.graph
        line_items = (
            fold_name(name)
            for entity in graph.entities
            if entity.type == "metric"
            for name in {entity.name, *(alias for alias, _ in entity.aliases)}
        )
        return frozenset(graph.names) | frozenset(line_items)

    def kg_search(
        self, question: str, scope: Scope, k: int, depth: int, months: int | None
    ) -> list[Evidence]:
        """See `tools.knowledge.search.kg_search`."""
        return kg_search(self.graph, question, scope, k=k, depth=depth, months=months)

    def vector_search(self, question: str, scope: Scope, k: int, dense_weight: float) -> list[Evidence]:
        """See `tools.vector.search.vector_search`."""
        return vector_search(self.vectors, question, scope, k=k, dense_weight=dense_weight)


class MissingIndex:
    """Stands in where there is no index, for servers that load all the same: finds nothing, says why."""

    number = -1
    known_names: Container[str] = frozenset()

    def __init__(self, notice: str) -> None:
        self.notice = notice
        self.catalog = Catalog([], None)

    def kg_search(
        self, question: str, scope: Scope, k: int, depth: int, months: int | None
    ) -> list[Evidence]:
        """Nothing."""
        return []

    def vector_search(self, question: str, scope: Scope, k: int, dense_weight: float) -> list[Evidence]:
        """Nothing."""
        return []


class HomeShelf:
    """The generations of one home folder. Safe to use from several threads."""

    def __init__(
        self, home: Path, embedder: Embedder | None = None, *, tolerate_missing: bool = False
    ) -> None:
        self.home = home
        self._embedder = embedder
        self._tolerate_missing = tolerate_missing
        self._open: dict[int, Index] = {}
        """By number, the one opened last at the end."""
        self._lock = threading.Lock()

    @property
    def embedder(self) -> Embedder:
        """The query embedder, loaded once."""
        if self._embedder is None:
            self._embedder = LocalEmbeddings(threads=2)
        return self._embedder

    def current(self) -> Index:
        """The generation in use now, reopened only if another process has replaced it.

        Raises the store's errors; a missing index is a `MissingIndex` where that is tolerated.
        """
        with self._lock:
            newest = next(reversed(self._open.values()), None)
            if isinstance(newest, OpenIndex) and newest.generation.is_current():
                return newest
            try:
                opened: Index = OpenIndex(open_generation(self.home, self.embedder))
            except IndexMissingError as error:
                if not self._tolerate_missing:
                    raise
                opened = MissingIndex(str(error))
            self._open.pop(opened.number, None)
            self._open[opened.number] = opened
            for number in list(self._open)[:-KEEP_OPEN]:
                stale = self._open.pop(number)
                if isinstance(stale, OpenIndex):
                    stale.generation.close()
            return opened

    def get(self, number: int) -> Index:
        """A generation that `current` has opened."""
        with self._lock:
            return self._open[number]

    def close(self) -> None:
        """Close every open generation."""
        with self._lock:
            for index in self._open.values():
                if isinstance(index, OpenIndex):
                    index.generation.close()
            self._open.clear()
