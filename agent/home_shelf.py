"""Opening the index for questions: the newest generation at the start of each, the same one until its end."""

from __future__ import annotations

import threading
from pathlib import Path

from agent.missing_index import MissingIndex
from agent.open_indexes import OpenIndex
from graphs.index import Index
from tools.store.errors import IndexMissingError, IndexReplacedError
from tools.store.generation.open_generation import Generation
from tools.store.generation.opening import open_generation
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.errors import PublishedReplacedError
from tools.vector.embeddings import Embedder, LocalEmbeddings

KEEP_OPEN = 2
"""Generations kept open: questions that began before a re-index end on the one they began with."""


class HomeShelf:
    """The generations of one home folder, or of the database that is asked in its place. Safe to use from several
    threads."""

    def __init__(
        self,
        home: Path,
        embedder: Embedder | None = None,
        *,
        store: StoreAddress | None = None,
        tolerate_missing: bool = False,
    ) -> None:
        self.home, self.store = home, store
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
                opened: Index = OpenIndex(self._newest())
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

    def _newest(self) -> Generation:
        if self.store is None:
            return open_generation(self.home, self.embedder)
        from tools.store.postgres.published import open_published

        return open_published(self.store, self.embedder)

    def get(self, number: int) -> Index:
        """The generation that a question began with, also where that was in another process. Raises
        IndexReplacedError if it is gone, and as `current`."""
        with self._lock:
            known = self._open.get(number)
        if known is None:
            known = self.current()
        if known.number != number:
            raise IndexReplacedError(self.home) if self.store is None else PublishedReplacedError(self.store)
        return known

    def close(self) -> None:
        """Close every open generation."""
        with self._lock:
            for index in self._open.values():
                if isinstance(index, OpenIndex):
                    index.generation.close()
            self._open.clear()
