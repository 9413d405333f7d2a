"""Opening what was published: the generation in use, as the folder's is opened.

Documents, texts, vectors and postings are asked for where they are needed. Still fetched whole, at first use, from the
generation's files: the knowledge graph, the vectors of printed lines, the passages of calls and the annotations with
concepts. What is read of them line by line lies mapped: it stays readable when the temporary copy is deleted.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from tools.store.disk.home import FORMAT, MANIFEST, Entry
from tools.store.disk.records import StoredRecord
from tools.store.disk.seal import SEAL, GenerationSeal
from tools.store.errors import RecordDamagedError
from tools.store.generation.generations import CATALOG, read_catalog
from tools.store.generation.open_generation import Generation
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.chunk_table import ChunkTable
from tools.store.postgres.database import Database
from tools.store.postgres.errors import (
    NothingPublishedError,
    OtherEmbeddingsError,
    PublishedDamagedError,
    PublishedRecordDamagedError,
    PublishedReplacedError,
    SchemaVersionError,
)
from tools.store.postgres.schema import check_version
from tools.store.postgres.stored_rows import GenerationKey, IndexParts
from tools.vector.embeddings import Embedder

if TYPE_CHECKING:
    import psycopg

    from tools.vector.chunk_index import ChunkIndex

DERIVED = "generation"
"""Folder of what is derived, among the paths of a store's files."""
INDEX = "index.json"
"""`IndexParts` there."""
_FILES = (
    "SELECT path, data FROM hybridrag.files WHERE (path = %(path)s OR starts_with(path, %(below)s)) "
    "AND since <= %(generation)s AND %(generation)s < until AND path !~ '(^|/)[.][.](/|$)'"
)


class PublishedGeneration(Generation):
    """A generation in a database. Nothing holds it: two publications later a question about it says to ask again."""

    def __init__(
        self, database: Database, key: GenerationKey, seal: GenerationSeal, catalog: Any, embedder: Embedder
    ) -> None:
        super().__init__(key.number, seal, catalog, embedder)
        self.database, self.key = database, key
        self.damaged = partial(PublishedDamagedError, database.address, key.number)

    @cached_property
    def vectors(self) -> ChunkIndex:
        """See `Generation.vectors`. PublishedDamagedError."""
        from tools.vector.chunk_index import IndexDamagedError
        from tools.vector.passages import FOLDER, PassageIndex

        try:
            with self.part(INDEX) as folder:
                parts = IndexParts(**orjson.loads((folder / INDEX).read_bytes()))
            with self.part(FOLDER) as folder:
                passages = PassageIndex.load(folder / FOLDER) if (folder / FOLDER).is_dir() else None
            index = ChunkTable(
                self.database, self.key, self.documents, parts, self.seal.vectors, passages, self.embedder
            )
            index.verify()
        except (IndexDamagedError, OSError, ValueError, KeyError, TypeError) as error:
            raise self.damaged(str(error)) from error
        return index

    @contextmanager
    def part(self, name: str) -> Iterator[Path]:
        """See `Generation.part`: a temporary copy, of what was sealed. PublishedDamagedError."""
        with tempfile.TemporaryDirectory(prefix="hybridrag-") as made:
            folder = Path(made)
            for path, data in self._files(f"{DERIVED}/{name}"):
                own = path.removeprefix(f"{DERIVED}/")
                sealed = self.seal.files.get(own) if own != MANIFEST else None  # that one is written anew
                if sealed is not None and hashlib.sha256(data).hexdigest() != sealed:
                    raise self.damaged(f"{own} has changed")
                target = folder / own
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            yield folder

    def record(self, document_id: str) -> StoredRecord:
        """See `Generation.record`."""
        return PublishedRecord(self, self.entry(document_id))

    def file(self, path: str) -> bytes:
        """One file of the store, by its path. FileNotFoundError."""
        for found, data in self._files(path):
            if found == path:
                return data
        raise FileNotFoundError(2, "it is missing", path)

    def _files(self, path: str) -> list[tuple[str, bytes]]:
        with self.database.reading() as connection:
            query = "SELECT FROM hybridrag.generations WHERE number = %s AND published = %s"
            if connection.execute(query, (self.number, self.key.published)).fetchone() is None:
                raise PublishedReplacedError(self.database.address)
            return files_below(connection, self.number, path)

    def is_current(self) -> bool:
        """See `Generation.is_current`."""
        with self.database.reading() as connection:
            return current_of(connection)[0] == self.key

    def close(self) -> None:
        """Let go of the connections."""
        self.database.close()


class PublishedRecord(StoredRecord):
    """One record, its files read from the database."""

    def __init__(self, generation: PublishedGeneration, entry: Entry) -> None:
        super().__init__(Path(), entry.record, entry.name)
        self._generation, self._entry = generation, entry

    def exists(self) -> bool:
        """See `StoredRecord.exists`: a generation has all its records."""
        return True

    def _bytes(self, name: str) -> bytes:
        return self._generation.file(f"documents/{self._entry.record}/{name}")

    def _damaged(self, why: str) -> RecordDamagedError:
        address, entry = self._generation.database.address, self._entry
        return PublishedRecordDamagedError(address, entry.record, entry.name, why)


def open_published(address: StoreAddress, embedder: Embedder) -> PublishedGeneration:
    """Open the generation in use. NothingPublishedError, SchemaVersionError, OtherEmbeddingsError, DatabaseError,
    PublishedDamagedError, DriverMissingError."""
    database = Database(address)
    try:
        with database.reading() as connection:
            key, made_with = current_of(connection) if check_version(connection, address) else (None, "")
            if key is None:
                raise NothingPublishedError(address)
            if made_with != embedder.id:
                mended = "Set the model back, or publish to another database."
                raise OtherEmbeddingsError(address, made_with, embedder.id, mended)
            data = {
                name: dict(files_below(connection, key.number, f"{DERIVED}/{name}")).get(
                    f"{DERIVED}/{name}", b""
                )
                for name in (SEAL, CATALOG)
            }
        try:
            seal, catalog = GenerationSeal.read(data[SEAL]), read_catalog(data[CATALOG])
        except (ValueError, KeyError, TypeError) as error:
            raise PublishedDamagedError(address, key.number, str(error)) from error
        if seal.format != FORMAT:
            raise SchemaVersionError(address, seal.format, FORMAT, "an index of format")
    except BaseException:
        database.close()
        raise
    return PublishedGeneration(database, key, seal, catalog, embedder)


def current_of(connection: psycopg.Connection[Any]) -> tuple[GenerationKey | None, str]:
    """The generation in use, None before the first, and the embedding model of the store."""
    row = connection.execute(
        "SELECT s.embedder, g.number, g.published FROM hybridrag.store s "
        "LEFT JOIN hybridrag.generations g ON g.number = s.current"
    ).fetchone()
    assert row is not None
    return None if row[1] is None else GenerationKey(row[1], row[2]), row[0]


def files_below(connection: psycopg.Connection[Any], generation: int, path: str) -> list[tuple[str, bytes]]:
    """The file of a generation at `path`, or those in the folder of this name: (path, bytes)."""
    values = {"path": path, "below": f"{path}/", "generation": generation}
    return connection.cursor(binary=True).execute(_FILES, values).fetchall()
