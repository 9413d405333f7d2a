"""Chunks of a generation as rows: texts, vectors, postings and what is counted of them."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import orjson

from tools.store.postgres.database import all_rows
from tools.store.postgres.home_contents import NewChunk
from tools.store.postgres.postings import encoded, key_of
from tools.store.postgres.schema import FOREVER, begin_vectors, index_vectors

if TYPE_CHECKING:
    import psycopg

OnStep = Callable[[str], None]


def write_chunks(
    connection: psycopg.Connection[Any], generation: int, chunks: Iterable[NewChunk], on_step: OnStep
) -> tuple[int, int]:
    """Make these the chunks of a generation, with their vectors and postings: end those that are gone and write those
    that are new; how many are new, and how many gone."""
    rows = all_rows(
        connection, "SELECT content, number, document_id FROM hybridrag.chunks WHERE until = %s", FOREVER
    )
    there = {content: (number, document) for content, number, document in rows}
    ((number,),) = all_rows(connection, "SELECT coalesce(max(number), 0) FROM hybridrag.chunks")
    present, new = dict[bytes, tuple[int, NewChunk]](), list[tuple[int, NewChunk]]()
    for chunk in chunks:
        content = chunk.content
        if content not in there:
            number += 1
            new.append((number, chunk))
        present[content] = (there[content][0] if content in there else number, chunk)
    gone = {content: where for content, where in there.items() if content not in present}
    for table in ("chunks", "embeddings"):
        connection.execute(
            f"UPDATE hybridrag.{table} SET until = %s WHERE number = ANY(%s)".encode(),
            (generation, [where for where, _ in gone.values()]),
        )
    on_step(f"{len(new):,} new chunks")
    _write_rows(connection, generation, new)
    index_after = bool(new) and begin_vectors(connection, len(new[0][1].vector))
    _write_vectors(connection, generation, new)
    changed = {chunk.row.document_id for _, chunk in new} | {document for _, document in gone.values()}
    _write_postings(connection, generation, present.values(), changed)
    _write_frequencies(connection, generation)
    tokens = sum(chunk.terms.total() for _, chunk in present.values())
    connection.execute(
        "INSERT INTO hybridrag.generations (number, chunks, tokens) VALUES (%s, %s, %s)",
        (generation, len(present), tokens),
    )
    if index_after:
        on_step("indexing the vectors")
        index_vectors(connection)
    if changed:
        connection.execute(
            "ANALYZE hybridrag.chunks, hybridrag.embeddings, hybridrag.postings, hybridrag.frequencies"
        )
    return len(new), len(gone)


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


def _write_postings(
    connection: psycopg.Connection[Any],
    generation: int,
    present: Iterable[tuple[int, NewChunk]],
    changed: set[str],
) -> None:
    """Those of documents of which a chunk has come or gone, anew: a filter by documents then reads no other's."""
    connection.execute(
        "UPDATE hybridrag.postings SET until = %s WHERE document_id = ANY(%s) AND until = %s",
        (generation, sorted(changed), FOREVER),
    )
    entries = defaultdict[tuple[str, str], list[tuple[int, int, int]]](list)
    for number, chunk in present:
        if chunk.row.document_id in changed:
            total = chunk.terms.total()
            for term, count in chunk.terms.items():
                entries[key_of(term), chunk.row.document_id].append((number, count, total))
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
