"""Publishing a home folder: what is new since the generation before is written, what is gone is ended, all in one
transaction. Killed at any moment, it leaves the generation before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.store.disk.home import Home
from tools.store.disk.lock import WriterLock
from tools.store.generation.opening import missing
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.chunk_rows import OnStep, write_chunks
from tools.store.postgres.database import Database, all_rows, holder_of
from tools.store.postgres.errors import OtherEmbeddingsError, StoreBusyError, TooLargeFileError
from tools.store.postgres.home_contents import HomeContents, StoredFile
from tools.store.postgres.schema import (
    FOREVER,
    SPANNED,
    SUBMITTED,
    bring_forward,
)

if TYPE_CHECKING:
    import psycopg

LOCK = (0x68796272, 1)
"""Key of the advisory lock that a publisher holds until its transaction ends: 'hybr', 1."""
MAX_FILE_BYTES = 512 << 20
"""Of one file: half of what PostgreSQL keeps in one value."""


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
    ((number, made_with),) = all_rows(connection, "SELECT current, embedder FROM hybridrag.store")
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
        # a role that may not see others' work is not told where it is
        raise StoreBusyError(address, holder_of(connection, LOCK) or "another process")


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
    rows = all_rows(connection, "SELECT path, sha256, since FROM hybridrag.files WHERE until = %s", FOREVER)
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


def _has_ended(connection: psycopg.Connection[Any]) -> bool:
    """Whether there is anything that the generation in use no longer holds: with chunks, files have always ended, too,
    the seal for one."""
    return bool(all_rows(connection, "SELECT FROM hybridrag.files WHERE until < %s LIMIT 1", FOREVER))


def sweep_ended(connection: psycopg.Connection[Any], before: int) -> None:
    """Delete what only generations older than `before` hold. That one and the new one stay: questions end on the
    generation they began with, and one that is two publications old is told so."""
    for table in SPANNED:
        connection.execute(f"DELETE FROM hybridrag.{table} WHERE until <= %s".encode(), (before,))
    connection.execute("DELETE FROM hybridrag.generations WHERE number < %s", (before,))
