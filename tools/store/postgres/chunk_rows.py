"""Chunks of a generation as rows: texts, vectors, postings and what is counted of them."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import orjson

from tools.store.postgres.database import all_rows
from tools.store.postgres.home_contents import NewChunk
from tools.store.postgres.postings import encoded, key_of
from tools.store.postgres.schema import FOREVER, begin_vectors, index_vectors

if TYPE_CHECKING:
    import psycopg

OnStep = Callable[[str], None]
CHUNKS_AT_ONCE = 5_000
"""Written together, with their postings, and so many in memory."""


def write_chunks(
    connection: psycopg.Connection[Any],
    generation: int,
    documents: Iterable[Sequence[NewChunk]],
    on_step: OnStep,
) -> tuple[int, int]:
    """Make these, document by document, the chunks of a generation, with their vectors and postings: end those that are
    gone and write those that are new; how many are new, and how many gone. Some thousands are in memory at once."""
    writing = _Writing(connection, generation)
    batch: list[tuple[int, NewChunk]] = []
    for chunks in documents:
        batch += writing.numbered(chunks)
        if len(batch) >= CHUNKS_AT_ONCE:
            writing.write(batch)
            on_step(f"{writing.new:,} new chunks")
            batch = []
    writing.write(batch)
    return writing.end(on_step)


class _Writing:
    """The chunks of a new generation as they come, beside those of the one before."""

    def __init__(self, connection: psycopg.Connection[Any], generation: int) -> None:
        self._connection, self._generation = connection, generation
        rows = all_rows(
            connection, "SELECT content, number, document_id FROM hybridrag.chunks WHERE until = %s", FOREVER
        )
        self._there = defaultdict[str, dict[bytes, int]](dict)
        """Document -> content -> number, of documents that have not come yet."""
        for content, number, document in rows:
            self._there[document][content] = number
        ((self._last,),) = all_rows(connection, "SELECT coalesce(max(number), 0) FROM hybridrag.chunks")
        self._gone: list[int] = []
        self._changed: set[str] = set()
        self._index_after = False
        self._dimension = 0
        self._chunks = self._tokens = self.new = 0

    def numbered(self, chunks: Sequence[NewChunk]) -> list[tuple[int, NewChunk]]:
        """The chunks of one document with their numbers, where one of them has come or gone: new ones have numbers
        above all that there were."""
        document = chunks[0].row.document_id
        before = self._there.pop(document, {})
        highest = self._last
        found = []
        for chunk in chunks:
            number = before.pop(chunk.content, None)
            if number is None:
                number = self._last = self._last + 1
            found.append((number, chunk))
        self._chunks += len(chunks)
        self._tokens += sum(chunk.terms.total() for chunk in chunks)
        self._gone += before.values()
        if not before and self._last == highest:
            return []
        self._changed.add(document)
        self.new += self._last - highest
        return found

    def write(self, batch: Sequence[tuple[int, NewChunk]]) -> None:
        """Of whole documents: the rows and vectors of the new ones, the postings of all."""
        new = [each for each in batch if each[0] > self._last - self.new]
        if new and self.new == len(new):
            self._dimension = len(new[0][1].vector)
            self._index_after = begin_vectors(self._connection, self._dimension)
        _write_rows(self._connection, self._generation, new)
        _write_vectors(self._connection, self._generation, new)
        _write_postings(self._connection, self._generation, batch)

    def end(self, on_step: OnStep) -> tuple[int, int]:
        """What has not come is gone; the numbers of new and of gone ones."""
        on_step(f"{self.new:,} new chunks")
        self._gone += (number for before in self._there.values() for number in before.values())
        for table in ("chunks", "embeddings"):
            self._connection.execute(
                f"UPDATE hybridrag.{table} SET until = %s WHERE number = ANY(%s)".encode(),
                (self._generation, self._gone),
            )
        _end_postings(self._connection, self._generation, self._there)
        _write_frequencies(self._connection, self._generation)
        self._connection.execute(
            "INSERT INTO hybridrag.generations (number, chunks, tokens) VALUES (%s, %s, %s)",
            (self._generation, self._chunks, self._tokens),
        )
        if self._index_after:
            on_step("indexing the vectors")
            index_vectors(self._connection, self._chunks, self._dimension)
        if self._changed or self._there:
            self._connection.execute(
                "ANALYZE hybridrag.chunks, hybridrag.embeddings, hybridrag.postings, hybridrag.frequencies"
            )
        return self.new, len(self._gone)


def _write_rows(
    connection: psycopg.Connection[Any], generation: int, new: Iterable[tuple[int, NewChunk]]
) -> None:
    columns = "number, id, document_id, since, content, folded, exact, tokens, text, metadata"
    with connection.cursor().copy(f"COPY hybridrag.chunks ({columns}) FROM STDIN".encode()) as copy:
        for number, chunk in new:
            row, total = chunk.row, chunk.terms.total()
            known = (number, row.id, row.document_id, generation, chunk.content, row.folded, row.exact)
            copy.write_row((*known, total, chunk.text, orjson.dumps(chunk.metadata).decode()))


def _write_vectors(
    connection: psycopg.Connection[Any], generation: int, new: Iterable[tuple[int, NewChunk]]
) -> None:
    """In PostgreSQL's binary form, as text they take as long again as all the rest."""
    columns = "number, document_id, since, embedding"
    with connection.cursor().copy(
        f"COPY hybridrag.embeddings ({columns}) FROM STDIN (FORMAT BINARY)".encode()
    ) as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        for number, chunk in new:
            vector = struct.pack(">hh", len(chunk.vector), 0) + chunk.vector.astype(">f4").tobytes()
            fields = (
                struct.pack(">q", number),
                chunk.row.document_id.encode(),
                struct.pack(">q", generation),
                vector,
            )
            sized = b"".join(struct.pack(">i", len(field)) + field for field in fields)
            copy.write(struct.pack(">h", len(fields)) + sized)
        copy.write(struct.pack(">h", -1))


def _end_postings(connection: psycopg.Connection[Any], generation: int, documents: Iterable[str]) -> None:
    connection.execute(
        "UPDATE hybridrag.postings SET until = %s WHERE document_id = ANY(%s) AND until = %s",
        (generation, sorted(documents), FOREVER),
    )


def _write_postings(
    connection: psycopg.Connection[Any], generation: int, batch: Sequence[tuple[int, NewChunk]]
) -> None:
    """Those of whole documents, anew: a filter by documents then reads no other's."""
    entries = defaultdict[tuple[str, str], list[tuple[int, int, int]]](list)
    for number, chunk in batch:
        total = chunk.terms.total()
        for term, count in chunk.terms.items():
            entries[key_of(term), chunk.row.document_id].append((number, count, total))
    _end_postings(connection, generation, {chunk.row.document_id for _, chunk in batch})
    columns = "term, document_id, since, holders, entries"
    with connection.cursor().copy(
        f"COPY hybridrag.postings ({columns}) FROM STDIN (FORMAT BINARY)".encode()
    ) as copy:
        copy.set_types(["text", "text", "int8", "int4", "bytea"])
        for (term, document), found in sorted(entries.items()):
            copy.write_row((term, document, generation, len(found), encoded(found)))


def _write_frequencies(connection: psycopg.Connection[Any], generation: int) -> None:
    """How many chunks hold each term of which a posting has come or gone."""
    values = {"generation": generation, "forever": FOREVER}
    connection.execute(
        "CREATE TEMPORARY TABLE counted ON COMMIT DROP AS SELECT term, "
        "coalesce(sum(holders) FILTER (WHERE until = %(forever)s), 0) AS holders FROM hybridrag.postings "
        "WHERE term IN (SELECT term FROM hybridrag.postings WHERE %(generation)s IN (since, until)) GROUP BY term",
        values,
    )
    connection.execute(
        "UPDATE hybridrag.frequencies f SET until = %(generation)s FROM counted c "
        "WHERE f.term = c.term AND f.until = %(forever)s AND f.holders <> c.holders",
        values,
    )
    connection.execute(
        "INSERT INTO hybridrag.frequencies (term, since, holders) SELECT c.term, %(generation)s, c.holders "
        "FROM counted c WHERE c.holders > 0 AND NOT EXISTS (SELECT FROM hybridrag.frequencies f "
        "WHERE f.term = c.term AND f.until = %(forever)s)",
        values,
    )
