"""What the next generation is to hold: the manifest of the one in use, and the changes that wait to be published, with
the files of the records that are new."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.store.disk.home import MANIFEST, Entry, Manifest
from tools.store.disk.records import ORIGINAL, StoredRecord
from tools.store.disk.records import SEAL as RECORD_SEAL
from tools.store.disk.seal import SEAL, GenerationSeal
from tools.store.generation.generations import CATALOG, read_catalog
from tools.store.jobs.job_table import entry_from_json, entry_to_json, skip_jobs
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import Database
from tools.store.postgres.errors import OtherEmbeddingsError, TooLargeFileError
from tools.store.postgres.published import DERIVED, current_of, files_below
from tools.store.postgres.publishing import MAX_FILE_BYTES
from tools.store.postgres.schema import FOREVER, SUBMITTED

if TYPE_CHECKING:
    import psycopg

    from tools.documents.types import Document

UNTITLED = Path("the database")
"""Where a manifest lies that is in no folder."""
REMOVED = "it was removed meanwhile"


@dataclass(frozen=True, slots=True)
class Wished:
    """What the next generation is to hold."""

    generation: int | None
    """In use; None for none."""
    published: Manifest
    """What that one holds."""
    changes: Mapping[str, Entry | None]
    """Document id -> its line from now on; None: it goes."""
    numbers: tuple[int, ...] = ()
    """Of the changes: one that has another number by now has been made again."""

    @property
    def manifest(self) -> Manifest:
        """All of it."""
        entries = {entry.document_id: entry for entry in self.published.entries} | dict(self.changes)
        return Manifest(
            self.published.embedder, tuple(entry for _, entry in sorted(entries.items()) if entry is not None)
        )


def wished(connection: psycopg.Connection[Any]) -> Wished:
    """What the next generation is to hold, as things are."""
    key, embedder = current_of(connection)
    manifest = Manifest(embedder)
    if key is not None:
        data = dict(files_below(connection, key.number, f"{DERIVED}/{MANIFEST}"))[f"{DERIVED}/{MANIFEST}"]
        manifest = Manifest.load(UNTITLED, data)
    rows = connection.execute(
        "SELECT document_id, entry, number FROM hybridrag.changes ORDER BY number"
    ).fetchall()
    changes = {document_id: entry_from_json(entry) for document_id, entry, _ in rows}
    return Wished(None if key is None else key.number, manifest, changes, tuple(row[2] for row in rows))


def change(connection: psycopg.Connection[Any], document_id: str, entry: Entry | None) -> None:
    """Let the next generation hold a document so; None: not any more. Files of another record of it that nobody has
    seen go."""
    connection.execute(
        "INSERT INTO hybridrag.changes (document_id, entry) VALUES (%s, %s) ON CONFLICT (document_id) DO UPDATE "
        "SET entry = excluded.entry, number = nextval('hybridrag.change_numbers')",
        (document_id, entry_to_json(entry)),
    )
    kept = "" if entry is None else f"documents/{entry.record}/"
    connection.execute(
        "DELETE FROM hybridrag.files WHERE starts_with(path, %s) AND since = %s AND NOT starts_with(path, %s)",
        (f"documents/{document_id}-", SUBMITTED, kept or "-"),
    )


def others_of_its_file(connection: psycopg.Connection[Any], entry: Entry) -> list[Entry]:
    """What else the next generation would hold of a document's file, whichever was read of it meanwhile. The caller
    holds the file's lock."""
    entries = wished(connection).manifest.entries
    return [each for each in entries if each.source == entry.source and each.document_id != entry.document_id]


def is_changed(connection: psycopg.Connection[Any], document_id: str) -> bool:
    """Whether a change of a document waits."""
    query = "SELECT FROM hybridrag.changes WHERE document_id = %s"
    return connection.execute(query, (document_id,)).fetchone() is not None


def is_going(connection: psycopg.Connection[Any], document_ids: Sequence[str]) -> bool:
    """Whether the generation in use still holds one of these documents that were taken out."""
    query = "SELECT FROM hybridrag.changes WHERE document_id = ANY(%s) AND entry IS NULL LIMIT 1"
    return connection.execute(query, (list(document_ids),)).fetchone() is not None


def has_record(connection: psycopg.Connection[Any], record: str) -> bool:
    """Whether the database has a record that the next generation may hold."""
    row = connection.execute(
        "SELECT FROM hybridrag.files WHERE path = %s AND until = %s",
        (f"documents/{record}/{RECORD_SEAL}", FOREVER),
    ).fetchone()
    return row is not None


def write_submitted(connection: psycopg.Connection[Any], record: StoredRecord) -> None:
    """Write a record that no generation holds yet. RecordDamagedError, TooLargeFileError."""
    seal = record.check()
    hashes = {**seal.files, RECORD_SEAL: seal.sha256}
    if (record.folder / ORIGINAL).is_file():
        hashes[ORIGINAL] = seal.key.sha256
    rows = []
    for name, sha256 in hashes.items():
        data = (record.folder / name).read_bytes()
        if len(data) > MAX_FILE_BYTES:
            raise TooLargeFileError(name, MAX_FILE_BYTES)
        rows.append((f"documents/{record.folder.name}/{name}", SUBMITTED, sha256, data))
    connection.cursor().executemany(
        "INSERT INTO hybridrag.files (path, since, sha256, data) VALUES (%s, %s, %s, %b) "
        "ON CONFLICT (path, since) DO UPDATE SET sha256 = excluded.sha256, data = excluded.data",
        rows,
    )


def record_files(connection: psycopg.Connection[Any], record: str) -> list[tuple[str, bytes]]:
    """(path, bytes) of a record, published or submitted, the last that was written; none where there is none."""
    return (
        connection.cursor(binary=True)
        .execute(
            "SELECT DISTINCT ON (path) path, data FROM hybridrag.files WHERE starts_with(path, %s) "
            "AND path !~ '(^|/)[.][.](/|$)' ORDER BY path, since DESC",
            (f"documents/{record}/",),
        )
        .fetchall()
    )


def made_with(connection: psycopg.Connection[Any], address: StoreAddress, embedder: str) -> None:
    """Make sure that all vectors of a database are of one embedding model, the first one's. OtherEmbeddingsError."""
    row = connection.execute("SELECT embedder FROM hybridrag.store").fetchone()
    if row is not None and row[0] == "":
        connection.execute("UPDATE hybridrag.store SET embedder = %s WHERE embedder = ''", (embedder,))
        row = connection.execute("SELECT embedder FROM hybridrag.store").fetchone()
    if row is None or row[0] != embedder:
        mended = "One database holds vectors of one model: set the model back, or take another database."
        raise OtherEmbeddingsError(address, row[0] if row else "", embedder, mended)


def take_out(connection: psycopg.Connection[Any], entries: Iterable[Entry]) -> None:
    """Let the next generation hold these documents no more; what waits to be read of them is not read."""
    for entry in entries:
        skip_jobs(connection, REMOVED, "document_id = %s OR source = %s", (entry.document_id, entry.source))
        connection.execute(
            "DELETE FROM hybridrag.jobs WHERE document_id = %s AND (state = 'done' OR became = 'incomplete')",
            (entry.document_id,),
        )
        change(connection, entry.document_id, None)


def published_now(
    database: Database,
) -> tuple[GenerationSeal | None, int | None, dict[str, Document]]:
    """The seal of the generation in use, its number, and its documents by id."""
    with database.reading() as connection:
        key, _ = current_of(connection)
        if key is None:
            return None, None, {}
        seal, catalog = (
            dict(files_below(connection, key.number, f"{DERIVED}/{name}"))[f"{DERIVED}/{name}"]
            for name in (SEAL, CATALOG)
        )
    return GenerationSeal.read(seal), key.number, read_catalog(catalog)[0]
