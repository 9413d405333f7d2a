"""Publishing a home folder: what is new since the generation before is written, what is gone is ended, all in one
transaction. Killed at any moment, it leaves the generation before."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from tools.store.disk.home import Home
from tools.store.disk.lock import WriterLock
from tools.store.generation.opening import missing
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import Database
from tools.store.postgres.errors import OtherEmbeddingsError, StoreBusyError, TooLargeFileError
from tools.store.postgres.home_contents import HomeContents, NewChunk, StoredFile
from tools.store.postgres.postings import encoded, key_of
from tools.store.postgres.schema import (
    FOREVER,
    SPANNED,
    SUBMITTED,
    begin_vectors,
    bring_forward,
    index_vectors,
)

if TYPE_CHECKING:
    import psycopg

LOCK = (0x68796272, 1)
"""Key of the advisory lock that a publisher holds until its transaction ends: 'hybr', 1."""
MAX_FILE_BYTES = 512 << 20
"""Of one file: half of what PostgreSQL keeps in one value."""
OnStep = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Published:
    """What publishing did."""

    generation: int
    digest: str
    changed: bool
    """False: the database held all of it already and nothing else, and nothing was written."""
    files: int = 0
    """New ones."""
    chunks: int = 0
    """New ones."""
    ended: int = 0
    """Chunks that the generation no longer holds."""


def publish(home: Path, address: StoreAddress, on_step: OnStep = lambda step: None) -> Published:
    """Make what a home holds the newest generation of a database. The home is locked meanwhile, as by any writer.

    HomeLockedError, StoreBusyError, OtherEmbeddingsError, SchemaVersionError, VectorsMissingError, DatabaseError,
    DriverMissingError, TooLargeFileError, and what `HomeContents` raises: the generation before stays in use.
    """
    if Home(home).current() is None:  # a wrong folder is not made
        raise missing(home)
    database = Database(address)
    with WriterLock.take(home):
        with database.writing() as connection:  # what refuses it is told before the folder's index is derived
            _begin(connection, address)
            connection.rollback()
        on_step("checking the folder")
        contents = HomeContents(home)
        with database.writing() as connection:
            return publish_contents(connection, address, contents, on_step)


def _begin(connection: psycopg.Connection[Any], address: StoreAddress) -> tuple[int, str]:
    """Be the only publisher, to tables of this version; the number of the last generation, 0 before the first, and the
    embedding model of the store."""
    _lock(connection, address)
    bring_forward(connection, address)
    ((number, made_with),) = _all(connection, "SELECT current, embedder FROM hybridrag.store")
    return number, made_with


def publish_contents(
    connection: psycopg.Connection[Any], address: StoreAddress, contents: HomeContents, on_step: OnStep
) -> Published:
    """Write a home's generation as the newest one, within the transaction of `connection`; see `publish` for errors."""
    before, made_with = _begin(connection, address)
    if made_with not in ("", contents.seal.embedder):
        mended = "One database holds vectors of one model: publish to another database."
        raise OtherEmbeddingsError(address, made_with, contents.seal.embedder, mended)
    generation = before + 1
    files = _write_files(connection, generation, contents.files(), on_step)
    if not files and not _has_ended(connection):
        return Published(before, contents.seal.digest, changed=False)
    chunks, ended = write_chunks(connection, generation, contents.chunks(), on_step)
    connection.execute(
        "UPDATE hybridrag.store SET current = %s, embedder = %s", (generation, contents.seal.embedder)
    )
    sweep_ended(connection, before)
    return Published(generation, contents.seal.digest, True, files, chunks, ended)


def _lock(connection: psycopg.Connection[Any], address: StoreAddress) -> None:
    """Keep other publishers out until the transaction ends. StoreBusyError names who is at work."""
    taken = connection.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", LOCK).fetchone()
    if taken is None or not taken[0]:
        holder = connection.execute(
            "SELECT a.application_name, coalesce(host(a.client_addr), 'this server'), a.xact_start "
            "FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND l.granted "
            "AND l.classid = %s AND l.objid = %s AND a.datname = current_database()",
            LOCK,
        ).fetchone()
        if (
            holder is None or holder[2] is None
        ):  # a role that may not see others' work is not told where it is
            raise StoreBusyError(address, "another process")
        raise StoreBusyError(address, f"{holder[0]} on {holder[1]}, since {holder[2]:%H:%M:%S}")


def publish_nothing(connection: psycopg.Connection[Any], address: StoreAddress) -> int:
    """End all that the last generation holds: nothing is indexed any more. Its number; see `publish` for errors."""
    before, _ = _begin(connection, address)
    for table in SPANNED:
        submitted = f"AND since <> {SUBMITTED}" if table == "files" else ""
        connection.execute(
            f"UPDATE hybridrag.{table} SET until = %s WHERE until = {FOREVER} {submitted}".encode(),
            (before + 1,),
        )
    connection.execute("UPDATE hybridrag.store SET current = %s", (before + 1,))
    sweep_ended(connection, before + 1)  # there is none to be asked instead
    return before + 1


def _write_files(
    connection: psycopg.Connection[Any], generation: int, files: Mapping[str, StoredFile], on_step: OnStep
) -> int:
    """End files that are gone or others now, and write new ones; how many of either there are. Those that a worker has
    submitted are there already."""
    rows = _all(connection, "SELECT path, sha256, since FROM hybridrag.files WHERE until = %s", FOREVER)
    there = {path: sha256 for path, sha256, since in rows if since != SUBMITTED}
    new = {path: file for path, file in files.items() if there.get(path) != file.sha256}
    gone = [path for path in there if path not in files or path in new]
    connection.execute(
        "UPDATE hybridrag.files SET until = %s WHERE path = ANY(%s) AND until = %s",
        (generation, gone, FOREVER),
    )
    on_step(f"{len(new):,} new files")
    submitted = [path for path, sha256, since in rows if since == SUBMITTED and path in files]
    taken = {
        path
        for path, sha256, since in rows
        if since == SUBMITTED and path in new and new[path].sha256 == sha256
    }
    connection.execute(
        "UPDATE hybridrag.files SET since = %s WHERE path = ANY(%s) AND since = %s",
        (generation, sorted(taken), SUBMITTED),
    )
    connection.execute(
        "DELETE FROM hybridrag.files WHERE path = ANY(%s) AND since = %s", (submitted, SUBMITTED)
    )
    with connection.cursor().copy(
        "COPY hybridrag.files (path, since, sha256, data) FROM STDIN (FORMAT BINARY)"
    ) as copy:
        copy.set_types(["text", "int8", "text", "bytea"])
        for path, file in new.items():
            if path in taken:
                continue
            data = file.read()
            if len(data) > MAX_FILE_BYTES:
                raise TooLargeFileError(path, MAX_FILE_BYTES)
            copy.write_row((path, generation, file.sha256, data))
    return len(new) + len(gone)


def write_chunks(
    connection: psycopg.Connection[Any], generation: int, chunks: Iterable[NewChunk], on_step: OnStep
) -> tuple[int, int]:
    """Make these the chunks of a generation, with their vectors and postings: end those that are gone and write those
    that are new; how many are new, and how many gone."""
    rows = _all(
        connection, "SELECT content, number, document_id FROM hybridrag.chunks WHERE until = %s", FOREVER
    )
    there = {content: (number, document) for content, number, document in rows}
    ((number,),) = _all(connection, "SELECT coalesce(max(number), 0) FROM hybridrag.chunks")
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


def _has_ended(connection: psycopg.Connection[Any]) -> bool:
    """Whether there is anything that the generation in use no longer holds: with chunks, files have always ended, too,
    the seal for one."""
    return bool(_all(connection, "SELECT FROM hybridrag.files WHERE until < %s LIMIT 1", FOREVER))


def sweep_ended(connection: psycopg.Connection[Any], before: int) -> None:
    """Delete what only generations older than `before` hold. That one and the new one stay: questions end on the
    generation they began with, and one that is two publications old is told so."""
    for table in SPANNED:
        connection.execute(f"DELETE FROM hybridrag.{table} WHERE until <= %s".encode(), (before,))
    connection.execute("DELETE FROM hybridrag.generations WHERE number < %s", (before,))


def _all(connection: psycopg.Connection[Any], query: str, *values: Any) -> list[Any]:
    return connection.execute(query.encode(), values or None).fetchall()
