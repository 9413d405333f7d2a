"""What searches need of an index of chunks, whatever keeps it: the contract, and what is the same for all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tools.scope import Scope
from tools.vector.chroma import Metadata
from tools.vector.embeddings import Embedder, Vectors
from tools.vector.index_record import IndexedDocument, Row
from tools.vector.passages import PassageIndex

SCOPES_KEPT = 64
"""A question asks within the same few scopes again and again; going through 20,000 documents takes 20 ms."""


class IndexDamagedError(RuntimeError):
    """The stored index is not what was written; the message names its place and what is wrong."""


class EmbedderMismatchError(RuntimeError):
    """The index was made with another embedding model, or by another format, than the one at hand."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Chunks that may answer a question, by id; one entry each in every field."""

    rows: tuple[Row, ...]
    dense: Vectors
    """Cosines with the question, -1 to 1."""
    keyword: NDArray[np.float32]
    """BM25 scores, 0 or more."""
    coverage: NDArray[np.float32]
    """Share of the question's terms in the chunk, as `ChunkIndex.coverage`, 0 to 1."""
    vectors: Vectors
    """(n, dimension), of length 1."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What candidates are looked for by."""

    question: str
    words: str
    """Searched for: the question's, and more."""
    meaning: Vectors
    """(dimension,) of length 1."""
    documents: Sequence[str] | None
    """Ids of those that are in scope; None for all."""
    pool: int


@dataclass(frozen=True, slots=True)
class Found:
    """The nearest chunks by meaning and the best by words, sorted by id; one entry each in every field."""

    rows: tuple[Row, ...]
    keyword: NDArray[np.float32]
    coverage: NDArray[np.float32]
    vectors: Vectors


class ChunkIndex(ABC):
    """An index of chunks, open for reading. Threads may share it.

    What a query raises: IndexDamagedError when the stored index is not sound, or the error that it was opened with.
    """

    def __init__(self, documents: Sequence[IndexedDocument], embedder: Embedder) -> None:
        """`documents`: those with a chunk in the index, by id."""
        self.embedder = embedder
        self._listed = tuple(documents)
        self.documents: Mapping[str, IndexedDocument] = {item.id: item for item in documents}
        self._admitted: dict[str, NDArray[np.bool_]] = {}

    @property
    @abstractmethod
    def passages(self) -> PassageIndex | None:
        """The passages of calls; None where no call is indexed."""

    @property
    @abstractmethod
    def duplicates(self) -> int:
        """Chunks left out, since documents of the same company, type and period say the same elsewhere."""

    @abstractmethod
    def count(self) -> int:
        """Chunks stored."""

    @abstractmethod
    def digest(self) -> str:
        """SHA-256 of the content, read back: texts, metadata, vectors, documents, keywords."""

    @abstractmethod
    def row_at(self, position: int) -> Row:
        """The row of a chunk that has passages; `position`: as `PassageIndex.chunks` names it, among all by id."""

    @abstractmethod
    def rows(self, ids: Sequence[str]) -> list[Row]:
        """The rows of those of `ids` that are in the index, in their order: a repetition of another chunk is not."""

    @abstractmethod
    def texts(self, ids: Sequence[str]) -> list[tuple[str, Metadata]]:
        """(text, metadata) of each of these chunks; IndexDamagedError if one is missing or has changed."""

    @abstractmethod
    def coverage(self, question: str, ids: Sequence[str]) -> NDArray[np.float32]:
        """(len(ids),) share of the question's terms that each chunk holds, weighted by their idf, 0 to 1. A term that
        no chunk holds weighs most of all."""

    @abstractmethod
    def close(self) -> None:
        """Let go of what is open; a later query opens it again."""

    def admitted(self, scope: Scope) -> NDArray[np.bool_]:
        """(documents,) whether `scope` admits each document, by id; not to be changed."""
        key = repr(scope)  # a scope that comes back from a checkpoint holds lists
        known = self._admitted.get(key)
        if known is None:
            documents = self._listed
            known = np.array(
                [scope.admits(item.company_key, item.period, item.doc_type, item.id) for item in documents],
                bool,
            )
            while len(self._admitted) >= SCOPES_KEPT:
                self._admitted.pop(next(iter(self._admitted)), None)
            self._admitted[key] = known
        return known

    def documents_in(self, scope: Scope) -> list[IndexedDocument]:
        """The documents that `scope` admits."""
        return [item for item, yes in zip(self._listed, self.admitted(scope), strict=True) if yes]

    def passages_in(self, scope: Scope) -> NDArray[np.int64]:
        """Positions of the passages of documents that `scope` admits; they rise."""
        return np.flatnonzero(self.admitted(scope)[self._passage_documents])

    @cached_property
    def heard(self) -> frozenset[str]:
        """Ids of the documents whose chunks have passages: calls."""
        return frozenset(self._listed[number].id for number in np.unique(self._passage_documents))

    @cached_property
    def _passage_documents(self) -> NDArray[np.int64]:
        """Position of each passage's document."""
        chunks = [] if self.passages is None else self.passages.chunks.tolist()
        numbers = {item.id: number for number, item in enumerate(self._listed)}
        return np.array([numbers[self.row_at(at).document_id] for at in chunks], dtype=np.int64)

    def candidates(
        self,
        question: str,
        scope: Scope,
        pool: int,
        meaning: NDArray[np.float32] | None = None,
        more_words: str = "",
    ) -> Candidates:
        """The `pool` nearest chunks by meaning and the `pool` best by words, all within `scope`. `meaning`: the vector
        to which they are near, in place of the question's; `more_words`: searched for beside the question's."""
        admitted = self.admitted(scope)
        if not admitted.any():
            none = np.zeros(0, np.float32)
            return Candidates((), none, none, none, none.reshape(0, self.embedder.dimension))
        query = self.embedder.embed_query(question) if meaning is None else meaning
        words = f"{question} {more_words}" if more_words else question
        wanted = None if admitted.all() else [item.id for item in self.documents_in(scope)]
        found = self._found(Sought(question, words, query, wanted, pool))
        return Candidates(found.rows, found.vectors @ query, found.keyword, found.coverage, found.vectors)

    @abstractmethod
    def _found(self, sought: Sought) -> Found:
        """The nearest and the best; of equally good ones by words those with the first ids."""

    def verify(self, sample: int | None = 5) -> None:
        """Raise IndexDamagedError unless the counts agree and `sample` chunks find themselves.

        None compares all content with what was written.
        """
        counts = self._counts()
        if len(counts) != 1:
            raise self._damaged(f"records, keywords and vectors differ in number: {sorted(counts)}")
        if sample is None:
            if self.digest() != self._written():
                raise self._damaged("its content is not what was written")
            return
        rows = self._some_rows(sample)
        self.texts([row.id for row in rows])
        for row in rows:
            if not self._finds_itself(row):
                raise self._damaged(f"chunk {row.id} does not find itself")

    @abstractmethod
    def _counts(self) -> set[int]:
        """How many chunks each part of the index holds."""

    @abstractmethod
    def _written(self) -> str:
        """The digest of what was written."""

    @abstractmethod
    def _some_rows(self, most: int) -> list[Row]:
        """Rows from all over the index."""

    @abstractmethod
    def _finds_itself(self, row: Row) -> bool:
        """Whether the nearest to a chunk, within its document, has the same vector: a twin may come first."""

    @abstractmethod
    def _damaged(self, what: str) -> Exception:
        """The error that names this index."""
