"""The vector side of a generation: Chroma for meaning, BM25 for words, one scope filter over both."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.documents.types import Chunk, Document
from tools.private_files import open_private
from tools.vector import index_record as records
from tools.vector import ranking
from tools.vector.chroma import MAX_ROWS_A_CALL, ChromaFolder, Metadata, chroma_errors, immutable_files
from tools.vector.chunk_index import (
    ChunkIndex,
    EmbedderMismatchError,
    Found,
    IndexDamagedError,
    Sought,
)
from tools.vector.embeddings import Embedder, Vectors
from tools.vector.index_record import IndexRecord, Row
from tools.vector.keywords import KeywordIndex
from tools.vector.passages import FOLDER as PASSAGES
from tools.vector.passages import PassageIndex

VECTORS, KEYWORDS, RECORD, ROWS = "vectors", "keywords", "vectors.json", "vectors/rows.npy"
MAX_COMPARED = 200_000
"""Chunks in scope up to which a question with a filter is compared with each of them, which takes a quarter of a
microsecond a chunk: Chroma's graph is quick without a filter, and slow with one."""
WIDE = 0.25
"""Share of all chunks from which it is sooner to compare the question with all than to gather those in scope."""


class VectorIndex(ChunkIndex):
    """A built index, open for reading: `build` makes it, `open` opens it. Threads may share it."""

    def __init__(self, folder: Path, record: IndexRecord, keywords: KeywordIndex, embedder: Embedder) -> None:
        super().__init__(record.documents, embedder)
        self.folder = folder
        self.keywords = keywords
        self.record = record
        self._passages: PassageIndex | None = None
        self._vectors: Vectors | None = None
        self._raised: Callable[[str], Exception] = IndexDamagedError
        numbers = {item.id: number for number, item in enumerate(record.documents)}
        self._document_numbers = np.array([numbers[row.document_id] for row in record.rows], dtype=np.int64)
        self._positions = {row.id: position for position, row in enumerate(record.rows)}
        self._chroma: ChromaFolder | None = None
        self._lock = threading.Lock()

    @classmethod
    def build(
        cls,
        folder: Path,
        chunks: Sequence[Chunk],
        documents: Mapping[str, Document],
        embeddings: Vectors,
        embedder_id: str,
        passages: Vectors | None = None,
        unheard: Collection[str] = (),
        *,
        searched: bool = True,
    ) -> None:
        """Write `vectors/`, `keywords/`, `passages/`, `vectors.json` into `folder`, which must hold none of them; not
        `searched`: without `vectors/`, so that it has the same digest and can't be opened.

        `documents` by id; `embeddings` (len(chunks), dimension) float32, rows of length 1, of the chunks'
        `embed_text`; `passages` likewise, of their passages, chunk by chunk: None leaves them out, and they lack
        those of the documents `unheard`. ValueError when
        these do not fit together, one of `chroma_errors()` when the disk refuses.
        """
        _check_input(chunks, embeddings)
        kept = records.keep_first(chunks, documents)
        stored = [chunks[position] for position in kept]
        vectors = np.ascontiguousarray(embeddings[kept], dtype=np.float32)
        ids, texts = [chunk.id for chunk in stored], [chunk.text for chunk in stored]
        metadata = [records.metadata(chunk, documents[chunk.document_id]) for chunk in stored]
        KeywordIndex.build(ids, [chunk.embed_text for chunk in stored]).save(folder / KEYWORDS)
        if passages is not None:
            PassageIndex.build(folder / PASSAGES, chunks, documents, kept, passages, unheard)
        if searched:
            ChromaFolder.build(folder / VECTORS, ids, vectors, texts, metadata)
            with open_private(folder / ROWS, "xb") as file:
                np.save(file, vectors.astype("<f4"), allow_pickle=False)
        described = tuple(records.describe(documents[key]) for key in sorted({c.document_id for c in stored}))
        files = _derived_files(folder)
        content = zip(ids, texts, metadata, vectors, strict=True)
        IndexRecord(
            embedder=embedder_id,
            dimension=embeddings.shape[1],
            duplicates=len(chunks) - len(stored),
            documents=described,
            rows=tuple(records.row_of(chunk) for chunk in stored),
            digest=records.digest(embedder_id, described, files, content),
            files=files | _hashes(folder, VECTORS),
        ).save(folder / RECORD)

    @classmethod
    def open(
        cls,
        folder: Path,
        embedder: Embedder,
        *,
        checked: bool = False,
        damaged: Callable[[str], Exception] = IndexDamagedError,
    ) -> VectorIndex:
        """Open what `build` wrote; Chroma itself is opened by the first query.

        The files are compared with their SHA-256 first, unless they were (`checked`): a changed byte in Chroma's
        vectors can crash the process. Raises IndexDamagedError, or EmbedderMismatchError for another embedder or
        format. `damaged`: raised, with what is wrong, where it is found so later.
        """
        try:
            record = IndexRecord.load(folder / RECORD)
            if (record.embedder, record.dimension) != (embedder.id, embedder.dimension):
                raise EmbedderMismatchError(
                    f"The index in {folder} was made with other embeddings, {record.embedder!r}, "
                    f"than {embedder.id!r}."
                )
            for name, expected in () if checked else record.files.items():
                if records.file_hash(folder / name) != expected:
                    raise IndexDamagedError(f"The index in {folder} is damaged: {name} has changed.")
            index = cls(folder, record, KeywordIndex.load(folder / KEYWORDS), embedder)
            if (folder / PASSAGES).is_dir():
                index._passages = PassageIndex.load(folder / PASSAGES)
            if ROWS in record.files:  # an earlier version kept vectors in Chroma alone
                index._vectors = np.asarray(np.load(folder / ROWS, mmap_mode="r", allow_pickle=False))
            index._raised = damaged
            return index
        except records.FormatError as error:
            raise EmbedderMismatchError(f"The index in {folder} cannot be read: {error}.") from error
        except (EOFError, OSError, ValueError, KeyError, TypeError) as error:
            raise IndexDamagedError(f"The index in {folder} is damaged: {error}.") from error

    @property
    def passages(self) -> PassageIndex | None:
        """See `ChunkIndex.passages`."""
        return self._passages

    @property
    def duplicates(self) -> int:
        """See `ChunkIndex.duplicates`."""
        return self.record.duplicates

    def count(self) -> int:
        """Chunks in Chroma."""
        with self._opened() as chroma:
            return chroma.count()

    def digest(self) -> str:
        """SHA-256 of the content, read back from the files: texts, metadata, vectors, documents, keywords."""
        files = _derived_files(self.folder)
        return records.digest(self.record.embedder, self.record.documents, files, self._content())

    def _counts(self) -> set[int]:
        in_one_file = len(self.record.rows if self._vectors is None else self._vectors)
        return {len(self.record.rows), len(self.keywords.ids), self.count(), in_one_file}

    def _written(self) -> str:
        return self.record.digest

    def _some_rows(self, most: int) -> list[Row]:
        return list(self.record.rows[:: max(1, len(self.record.rows) // max(1, most))][:most])

    def _finds_itself(self, row: Row) -> bool:
        own = self._vectors_of([row.id]).get(row.id)
        nearest = {} if own is None else self._nearest(own, 1, [row.document_id])
        return own is not None and any(np.array_equal(own, other) for other in nearest.values())

    def row_at(self, position: int) -> Row:
        """See `ChunkIndex.row_at`."""
        return self.record.rows[position]

    def _found(self, sought: Sought) -> Found:
        allowed = None if sought.documents is None else self._allowed(sought.documents)
        scores = self.keywords.scores(sought.words, allowed)
        by_words = [self.keywords.ids[at] for at in ranking.best_above_zero(scores, sought.pool)]
        vectors = self._nearest(sought.meaning, sought.pool, sought.documents)
        vectors |= self._vectors_of([chunk for chunk in by_words if chunk not in vectors])
        ids = sorted(vectors)
        positions = self._positions_of(ids)
        matrix = np.array([vectors[chunk] for chunk in ids], dtype=np.float32)
        return Found(
            rows=tuple(self.record.rows[position] for position in positions),
            keyword=scores[positions],
            coverage=self.keywords.coverage(sought.question, positions),
            vectors=matrix.reshape(len(ids), len(sought.meaning)),
        )

    def _allowed(self, documents: Sequence[str]) -> NDArray[np.bool_]:
        """(rows,) whether each is of one of these documents."""
        wanted = frozenset(documents)
        return np.array([item.id in wanted for item in self.record.documents], bool)[self._document_numbers]

    def _nearest(self, query: Vectors, limit: int, documents: Sequence[str] | None) -> dict[str, Vectors]:
        """id -> row of the `limit` rows nearest to `query`, of these documents only; of all, for None. Of equally near
        ones those with the first ids, where they are compared one by one."""
        allowed = None if documents is None else self._allowed(documents)
        if allowed is None or self._vectors is None or allowed.sum() > MAX_COMPARED:
            with self._opened() as chroma:
                return chroma.nearest(query, limit, documents)
        found = ranking.nearest_rows(self._vectors, query, limit, allowed, WIDE)
        return {self.record.rows[at].id: np.array(self._vectors[at]) for at in found}

    def _vectors_of(self, ids: Sequence[str]) -> dict[str, Vectors]:
        if self._vectors is not None:
            return {chunk: np.array(self._vectors[self._positions[chunk]]) for chunk in ids}
        with self._opened() as chroma:
            return chroma.vectors(ids) if ids else {}

    def coverage(self, question: str, ids: Sequence[str]) -> NDArray[np.float32]:
        """See `ChunkIndex.coverage`."""
        return self.keywords.coverage(question, self._positions_of(ids))

    def _positions_of(self, ids: Sequence[str]) -> NDArray[np.int64]:
        return np.array([self._positions[chunk] for chunk in ids], dtype=np.int64)

    def rows(self, ids: Sequence[str]) -> list[Row]:
        """See `ChunkIndex.rows`."""
        return [self.record.rows[self._positions[chunk]] for chunk in ids if chunk in self._positions]

    def texts(self, ids: Sequence[str]) -> list[tuple[str, Metadata]]:
        """See `ChunkIndex.texts`."""
        if not ids:
            return []
        with self._opened() as chroma:
            found = chroma.texts(ids)
        for chunk in ids:
            exact = self.record.rows[self._positions[chunk]].exact
            if chunk not in found or records.text_hash(found[chunk][0]) != exact:
                raise self._damaged(f"the text of chunk {chunk} is not what was written")
        return [found[chunk] for chunk in ids]

    def close(self) -> None:
        """See `ChunkIndex.close`."""
        with self._lock:
            if self._chroma is not None:
                self._chroma.close()
                self._chroma = None

    def _content(self) -> Iterator[tuple[str, str, Metadata, Vectors]]:
        for start in range(0, len(self.record.rows), MAX_ROWS_A_CALL):
            ids = [row.id for row in self.record.rows[start : start + MAX_ROWS_A_CALL]]
            with self._opened() as chroma:
                vectors = chroma.vectors(ids)
            for chunk, (text, metadata) in zip(ids, self.texts(ids), strict=True):
                if chunk not in vectors:
                    raise self._damaged(f"chunk {chunk} has no vector")
                own = vectors[chunk] if self._vectors is None else self._vectors[self._positions[chunk]]
                if not np.array_equal(vectors[chunk], own):
                    raise self._damaged(f"chunk {chunk} has two vectors")
                yield chunk, text, metadata, vectors[chunk]

    @contextmanager
    def _opened(self) -> Iterator[ChromaFolder]:
        """Chroma, opened once; what it raises becomes the error of a damaged index."""
        try:
            with self._lock:
                if self._chroma is None:
                    self._chroma = ChromaFolder.open(self.folder / VECTORS)
                chroma = self._chroma
            yield chroma
        except chroma_errors() as error:
            raise self._damaged(str(error)) from error

    def _damaged(self, what: str) -> Exception:
        return self._raised(f"The index in {self.folder} is damaged: {what}.")


def _check_input(chunks: Sequence[Chunk], embeddings: Vectors) -> None:
    if embeddings.ndim != 2 or len(embeddings) != len(chunks):
        raise ValueError(f"{len(chunks)} chunks, but embeddings of shape {embeddings.shape}")
    if len({chunk.id for chunk in chunks}) != len(chunks):
        raise ValueError("two chunks have the same id")
    if not np.allclose(np.linalg.norm(embeddings, axis=1), 1, atol=1e-3):
        raise ValueError("an embedding is not of length 1")


def _derived_files(folder: Path) -> dict[str, str]:
    """SHA-256 of the files that the same chunks always give."""
    return _hashes(folder, KEYWORDS) | (_hashes(folder, PASSAGES) if (folder / PASSAGES).is_dir() else {})


def _hashes(folder: Path, part: str) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): records.file_hash(path)
        for path in immutable_files(folder / part)
    }
