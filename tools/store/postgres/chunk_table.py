"""The chunks of a store as a vector index: pgvector for meaning, postings for words, one filter over both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from sys import intern
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tools.documents.types import Document
from tools.store.postgres.database import Database
from tools.store.postgres.errors import PublishedReplacedError
from tools.store.postgres.postings import (
    KeptPostings,
    Postings,
    Statistics,
    added_up,
    best,
    covered,
    key_of,
)
from tools.store.postgres.stored_rows import (
    STORED,
    GenerationKey,
    IndexParts,
    Stored,
    as_text,
    stored_row,
    vector_of,
)
from tools.vector import index_record as records
from tools.vector.chroma import Metadata
from tools.vector.chunk_index import ChunkIndex, Found, IndexDamagedError, Sought
from tools.vector.embeddings import Embedder, Vectors
from tools.vector.index_record import Row
from tools.vector.keywords import tokenize
from tools.vector.passages import PassageIndex

if TYPE_CHECKING:
    import psycopg

EXACT_ROWS = 10_000
"""Chunks in scope up to which all are compared: as fast as the index, and nothing is missed."""
SCAN_TUPLES = 200_000
"""Vectors that a scan of the index looks at, at most, to find enough of those in scope."""
ROWS_A_CALL = 1_000
WIDE = 4
"""Documents with a part of all chunks that is more than one in so many: their terms' postings are fetched whole."""
TERMS_KEPT = 100_000
"""How often a term is held is kept of so many."""
_HELD = "since <= %(generation)s AND %(generation)s < until"
_OF_CHUNK = "c.since <= %(generation)s AND %(generation)s < c.until"
_SCAN = (
    "SELECT set_config('hnsw.ef_search', '1000', true), set_config('hnsw.iterative_scan', 'strict_order', true), "
    f"set_config('hnsw.max_scan_tuples', '{SCAN_TUPLES}', true), set_config('enable_seqscan', 'off', true), "
    "set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true)"
)


class ChunkTable(ChunkIndex):
    """The chunks of one generation. Only the list of documents and the passages of calls are held in memory."""

    def __init__(
        self,
        database: Database,
        key: GenerationKey,
        documents: dict[str, Document],
        parts: IndexParts,
        written: str,
        passages: PassageIndex | None,
        embedder: Embedder,
    ) -> None:
        """`documents`: all of the generation, by id; `written`: the digest of the folder's index."""
        super().__init__([records.describe(documents[key]) for key in sorted(parts.counts)], embedder)
        self.database, self.key = database, key
        self._parts, self._written_digest, self._passages = parts, written, passages
        self._heard_rows: dict[int, Row] | None = None
        self._kept = KeptPostings()
        self._holders: dict[str, int] = {}
        """Term -> chunks that hold it, of those asked for."""
        self._highest: int | None = None
        """Number of the last chunk that the database holds, once postings were read."""
        self._totals = (0, 0)
        """Chunks and terms of the generation, once something was read."""

    @property
    def passages(self) -> PassageIndex | None:
        """See `ChunkIndex.passages`."""
        return self._passages

    @property
    def duplicates(self) -> int:
        """See `ChunkIndex.duplicates`."""
        return self._parts.duplicates

    def count(self) -> int:
        """See `ChunkIndex.count`."""
        with self._reading() as connection:
            return self._counted(connection, "chunks")

    def row_at(self, position: int) -> Row:
        """See `ChunkIndex.row_at`. The ids of all chunks pass through memory once, where calls are asked."""
        if self._heard_rows is None:
            assert self._passages is not None
            with self._reading() as connection:
                ids = self._all(connection, f"SELECT id FROM hybridrag.chunks WHERE {_HELD} ORDER BY id")
                positions = np.unique(self._passages.chunks).tolist()
                rows = self._numbered(connection, [ids[at][0] for at in positions])
            self._heard_rows = {at: rows[ids[at][0]][1] for at in positions}
        return self._heard_rows[position]

    def rows(self, ids: Sequence[str]) -> list[Row]:
        """See `ChunkIndex.rows`."""
        with self._reading() as connection:
            found = self._numbered(connection, ids)
        return [found[chunk][1] for chunk in ids if chunk in found]

    def texts(self, ids: Sequence[str]) -> list[tuple[str, Metadata]]:
        """See `ChunkIndex.texts`."""
        if not ids:
            return []
        query = f"SELECT id, text, metadata, exact FROM hybridrag.chunks WHERE id = ANY(%(ids)s) AND {_HELD}"
        with self._reading() as connection:
            found = {row[0]: row[1:] for row in self._all(connection, query, ids=list(ids))}
        for chunk in ids:
            if chunk not in found or records.text_hash(found[chunk][0]) != found[chunk][2]:
                raise self._damaged(f"the text of chunk {chunk} is not what was written")
        return [(found[chunk][0], found[chunk][1]) for chunk in ids]

    def coverage(self, question: str, ids: Sequence[str]) -> NDArray[np.float32]:
        """See `ChunkIndex.coverage`."""
        terms = _terms(question)
        with self._reading() as connection:
            rows = self._numbered(connection, ids)
            if missing := [chunk for chunk in ids if chunk not in rows]:
                raise self._damaged(f"chunk {missing[0]} is missing")
            known = self._statistics(connection, terms)
            numbers = np.unique([number for number, _ in rows.values()]).astype(np.uint32)
            of = sorted({row.document_id for _, row in rows.values()})
            postings = self._postings(connection, terms, of, known)
        _, held = added_up(terms, postings, numbers)
        shares = covered(terms, held, len(numbers), known)
        return shares[np.searchsorted(numbers, [rows[chunk][0] for chunk in ids])]

    def close(self) -> None:
        """See `ChunkIndex.close`."""
        self.database.close()

    def digest(self) -> str:
        """See `ChunkIndex.digest`."""
        content = self._content()
        return records.digest(self.embedder.id, self._listed, self._parts.files, content)

    def _content(self) -> Iterator[tuple[str, str, Metadata, Vectors]]:
        last = ""
        query = (
            "SELECT c.id, c.text, c.metadata, e.embedding FROM hybridrag.chunks c JOIN hybridrag.embeddings e "
            f"USING (number) WHERE c.id > %(last)s AND {_OF_CHUNK} ORDER BY c.id LIMIT {ROWS_A_CALL}"
        )
        while True:
            with self._reading() as connection:
                rows = self._all(connection, query, binary=True, last=last)
            for chunk, text, metadata, vector in rows:
                yield chunk, text, metadata, vector_of(vector)
            if not rows:
                return
            last = rows[-1][0]

    def _found(self, sought: Sought) -> Found:
        terms, asked = _terms(sought.words), _terms(sought.question)
        with ThreadPoolExecutor(1) as aside:  # on two connections: the database's waits are most of it
            nearest = aside.submit(self._near, sought)
            with self._reading() as connection:
                known = self._statistics(connection, terms)
                told, scores = best(
                    terms,
                    known,
                    sought.documents,
                    sought.pool,
                    lambda t, of: self._postings(connection, t, of, known),
                )
            near = nearest.result()  # with no connection in hand: others may wait for one
        with self._reading() as connection:
            stored = self._stored(connection, sorted({*near, *told.tolist()}))
            by_words = sorted(
                zip((-scores).tolist(), told.tolist(), strict=True),
                key=lambda each: (each[0], stored[each[1]].row.id),
            )[: sought.pool]
            kept = {*near, *(number for _, number in by_words)}
            numbers = np.array(sorted(kept), dtype=np.uint32)
            of = sorted({stored[number].row.document_id for number in kept})
            postings = self._postings(connection, terms, of, known)
        keyword, held = added_up(terms, postings, numbers)
        coverage = covered(asked, held, len(numbers), known)
        order = sorted(range(len(numbers)), key=lambda at: stored[int(numbers[at])].row.id)
        chosen = [stored[int(numbers[at])] for at in order]
        matrix = np.array([each.vector for each in chosen], dtype=np.float32)
        return Found(
            rows=tuple(each.row for each in chosen),
            keyword=keyword[order],
            coverage=coverage[order],
            vectors=matrix.reshape(len(chosen), len(sought.meaning)),
        )

    def _near(self, sought: Sought) -> list[int]:
        with self._reading() as connection:
            return self._nearest(connection, sought.meaning, sought.pool, sought.documents)

    def _nearest(
        self, connection: psycopg.Connection[Any], query: Vectors, limit: int, documents: Sequence[str] | None
    ) -> list[int]:
        """Numbers of the `limit` nearest chunks of these documents, of all for None."""
        within = self._parts.counts if documents is None else documents
        exact = sum(self._parts.counts[document] for document in within) <= EXACT_ROWS
        if not exact:
            connection.execute(_SCAN)
        only = "" if documents is None else " AND document_id = ANY(%(documents)s)"
        found = self._all(
            connection,
            f"SELECT number FROM hybridrag.embeddings WHERE {_HELD}{only} "
            # adding 0 keeps the planner from the index, which looks at neighbours of neighbours
            f"ORDER BY (embedding <#> %(meaning)s::vector){' + 0' if exact else ''} LIMIT %(limit)s",
            meaning=as_text(query),
            limit=limit,
            documents=documents,
        )
        return [number for (number,) in found]

    def _postings(
        self,
        connection: psycopg.Connection[Any],
        terms: Sequence[str],
        documents: Sequence[str] | None,
        known: Statistics,
    ) -> list[Postings]:
        """Those of terms in documents, all for None. Where the documents hold much of all chunks, those in all
        documents are fetched, and kept."""
        counts = self._parts.counts
        wide = documents is None or sum(counts[each] for each in documents) * WIDE >= sum(counts.values())
        kept = {term: own for term in terms if (own := self._kept.get(term))}
        missing = [term for term in terms if term not in kept]
        fetched = self._fetched(connection, missing, None if wide else documents, known)
        if wide:
            self._kept.keep(fetched)
        if documents is None:
            return [*kept.values(), *fetched]
        wanted = frozenset(documents)
        within = [each.within(wanted) for each in (*kept.values(), *(fetched if wide else ()))]
        return within if wide else [*within, *fetched]

    def _fetched(
        self,
        connection: psycopg.Connection[Any],
        terms: Sequence[str],
        documents: Sequence[str] | None,
        known: Statistics,
    ) -> list[Postings]:
        if not terms:
            return []
        names = {key_of(term): term for term in terms}
        only = "" if documents is None else " AND document_id = ANY(%(documents)s)"
        rows = self._all(
            connection,
            "SELECT term, string_agg(entries, ''::bytea), string_agg(document_id, ','), array_agg(holders) "
            f"FROM hybridrag.postings WHERE term = ANY(%(terms)s) AND {_HELD}{only} GROUP BY term",
            binary=True,
            terms=list(names),
            documents=documents,
        )
        try:
            found = [
                Postings.read(names[term], data, list(map(intern, documents.split(","))), holders, known)
                for term, data, documents, holders in rows
            ]
            if self._highest is None:
                query = "SELECT coalesce(max(number), 0) FROM hybridrag.chunks"
                ((self._highest,),) = self._all(connection, query)
            if any(len(each.numbers) and each.numbers[-1] > self._highest for each in found):
                raise ValueError("they name a chunk that is not there")
            return found
        except ValueError as error:
            raise self._damaged(f"postings: {error}") from error

    def _statistics(self, connection: psycopg.Connection[Any], terms: Sequence[str]) -> Statistics:
        held = self._holders  # its own from here on: another thread may let go of it
        held = held if len(held) < TERMS_KEPT else {}
        missing = {key_of(term): term for term in terms if term not in held}
        if missing:
            rows = self._all(
                connection,
                f"SELECT term, holders FROM hybridrag.frequencies WHERE term = ANY(%(terms)s) AND {_HELD}",
                terms=list(missing),
            )
            held |= dict.fromkeys(missing.values(), 0) | {missing[key]: holders for key, holders in rows}
            self._holders = held
        return Statistics(*self._totals, {term: held[term] for term in terms})

    def _stored(self, connection: psycopg.Connection[Any], numbers: Sequence[int]) -> dict[int, Stored]:
        """The rows of these numbers, with their vectors."""
        rows = self._all(connection, f"{STORED} WHERE c.number = ANY(%(n)s)", binary=True, n=list(numbers))
        if len(rows) != len(numbers):
            raise self._damaged("a chunk that is named has no text or no vector")
        return {each.number: each for each in map(stored_row, rows)}

    def _numbered(
        self, connection: psycopg.Connection[Any], ids: Sequence[str]
    ) -> dict[str, tuple[int, Row]]:
        """Id -> (number, row), of those that there are."""
        columns = "number, id, document_id, folded, exact"
        query = f"SELECT {columns} FROM hybridrag.chunks WHERE id = ANY(%(ids)s) AND {_HELD}"
        rows = self._all(connection, query, ids=list(ids))
        return {row[1]: (row[0], Row(*row[1:])) for row in rows}

    def _counted(self, connection: psycopg.Connection[Any], table: str) -> int:
        ((count,),) = self._all(connection, f"SELECT count(*) FROM hybridrag.{table} WHERE {_HELD}")
        return int(count)

    def _counts(self) -> set[int]:
        with self._reading() as connection:
            tables = {self._counted(connection, table) for table in ("chunks", "embeddings")}
            stated = self._statistics(connection, ()).chunks
        return {*tables, stated, sum(self._parts.counts.values())}

    def _written(self) -> str:
        return self._written_digest

    def _some_rows(self, most: int) -> list[Row]:
        query = f"{STORED} WHERE {_OF_CHUNK} ORDER BY c.id LIMIT %(most)s"
        with self._reading() as connection:
            return [stored_row(row).row for row in self._all(connection, query, binary=True, most=most)]

    def _finds_itself(self, row: Row) -> bool:
        with self._reading() as connection:
            ((number, _),) = self._numbered(connection, [row.id]).values()
            own = self._stored(connection, [number])[number]
            near = self._stored(connection, self._nearest(connection, own.vector, 1, [row.document_id]))
        return any(np.array_equal(own.vector, each.vector) for each in near.values())

    def _damaged(self, what: str) -> IndexDamagedError:
        return IndexDamagedError(f"The index at {self.database.address} is damaged: {what}.")

    @contextmanager
    def _reading(self) -> Iterator[psycopg.Connection[Any]]:
        """One state of the database in which this generation is whole. PublishedReplacedError."""
        with self.database.reading() as connection:
            query = "SELECT chunks, tokens FROM hybridrag.generations WHERE number = %(generation)s "
            published = self.key.published
            totals = self._all(connection, f"{query}AND published = %(published)s", published=published)
            if not totals:
                raise PublishedReplacedError(self.database.address)
            self._totals = totals[0]
            yield connection

    def _all(
        self, connection: psycopg.Connection[Any], query: str, *, binary: bool = False, **values: Any
    ) -> list[Any]:
        cursor = connection.cursor(binary=binary)
        return cursor.execute(query.encode(), {**values, "generation": self.key.number}).fetchall()


def _terms(text: str) -> list[str]:
    return list(dict.fromkeys(tokenize(text)))
