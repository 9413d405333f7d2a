"""Chroma, embedded: one collection in one folder, vectors of our own, nothing reported home."""

from __future__ import annotations

import sqlite3
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tools.vector.embeddings import Vectors

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

COLLECTION = "chunks"
DATABASE = "chroma.sqlite3"
TEXT = "chroma:document"
"""Chroma's key of a row's text, among its metadata."""
HEADER, ROWS, LINKS = "header.bin", "data_level0.bin", "length.bin"
"""hnswlib's files: a version, an offset, the rows there is room for and the rows held, bytes a row (and more); the
rows; four bytes a row that say how long its links are."""
MAX_ROWS_A_CALL = 1_000

Metadata = dict[str, str | int]


class ChromaFolder:
    """The one collection of a Chroma folder, opened apart from every other reader of the process.

    Rows are of length 1, so the inner product is the cosine; Chroma's own cosine space would rescale the
    vectors and change their last bits. One thread builds the HNSW graph and a query looks at a thousand
    candidates: the same content gives the same answers, and a filter costs no recall (on 10,000 rows).
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._client: Client | None = None
        self._found: Collection | None = None
        self._lock = threading.Lock()

    @classmethod
    def build(
        cls,
        folder: Path,
        ids: Sequence[str],
        vectors: Vectors,
        texts: Sequence[str],
        metadata: Sequence[Metadata],
    ) -> None:
        """A new folder with these rows, in order; with the last of them, the HNSW files are written in full.

        What those files keep for rows to come is blanked: Chroma writes there whatever the process had in memory.
        """
        hnsw = {
            "space": "ip", "ef_construction": 200, "ef_search": 1_000, "max_neighbors": 16, "num_threads": 1,
            "batch_size": max(2, min(len(ids), MAX_ROWS_A_CALL)), "sync_threshold": max(2, len(ids)),
        }  # fmt: skip
        configuration: Any = {"hnsw": hnsw}
        with closing(_client(folder)) as client:
            collection = client.create_collection(
                COLLECTION, embedding_function=None, configuration=configuration
            )
            for start in range(0, len(ids), MAX_ROWS_A_CALL):
                part = slice(start, start + MAX_ROWS_A_CALL)
                collection.add(
                    ids=list(ids[part]),
                    embeddings=vectors[part],
                    documents=list(texts[part]),
                    metadatas=[dict(row) for row in metadata[part]],
                )
        for header in folder.glob(f"*/{HEADER}"):
            _blank_unused(header.parent)

    @classmethod
    def open(cls, folder: Path) -> ChromaFolder:
        """Chroma itself, which takes a second to import, is opened by the first search. Raises one of
        `chroma_errors()` when the folder holds no such collection."""
        found = cls(folder)
        found.count()
        return found

    def count(self) -> int:
        """Rows stored, counted in the database: Chroma would load all vectors to say so."""
        count: int = self._rows("SELECT count(*) FROM embeddings")[0][0]
        return count

    def texts(self, ids: Sequence[str]) -> dict[str, tuple[str, Metadata]]:
        """id -> (text, metadata) of those of `ids` that are stored, read from the database."""
        marks = ",".join("?" * len(ids))
        values: dict[str, Metadata] = {}
        for row, key, text, number in self._rows(
            "SELECT embedding_id, key, string_value, int_value FROM embeddings JOIN embedding_metadata USING (id)"
            # without the segment every row would be looked at: that is what Chroma's index begins with
            " WHERE segment_id IN (SELECT id FROM segments WHERE scope = 'METADATA')"
            f" AND embedding_id IN ({marks})",
            ids,
        ):
            values.setdefault(row, {})[key] = number if text is None else text
        return {row: (str(found.pop(TEXT)), found) for row, found in values.items() if TEXT in found}

    def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """id -> row, of those of `ids` that are stored."""
        found: Any = self._collection().get(ids=list(ids), include=["embeddings"])
        return dict(zip(found["ids"], np.asarray(found["embeddings"], dtype=np.float32), strict=True))

    def nearest(self, query: Vectors, limit: int, documents: Sequence[str] | None) -> dict[str, Vectors]:
        """id -> row of the `limit` rows nearest to `query`, of these documents only; of all, for None."""
        where: Any = None if documents is None else {"document_id": {"$in": list(documents)}}
        queries: Any = [query]
        found: Any = self._collection().query(
            query_embeddings=queries, n_results=limit, where=where, include=["embeddings"]
        )
        return dict(zip(found["ids"][0], np.asarray(found["embeddings"][0], dtype=np.float32), strict=True))

    def close(self) -> None:
        """Let go of the folder's files; nothing works afterwards."""
        if self._client is not None:
            self._client.close()

    def _collection(self) -> Collection:
        with self._lock:
            if self._found is None:
                self._client = self._client or _client(self._folder)
                self._found = self._client.get_collection(COLLECTION, embedding_function=None)
            return self._found

    def _rows(self, asked: str, values: Sequence[str] = ()) -> list[Any]:
        """What the database answers. sqlite3.Error."""
        address = (self._folder / DATABASE).absolute().as_uri() + "?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as database:
            return database.execute(asked, values).fetchall()


def _blank_unused(folder: Path) -> None:
    """Zeros for rows that a HNSW folder has room for and does not hold. OSError, struct.error."""
    _, _, _, count, size = struct.unpack("=iQQQQ", (folder / HEADER).read_bytes()[:36])
    for name, held in ((ROWS, count * size), (LINKS, count * 4)):
        unused = (folder / name).stat().st_size - held
        if unused > 0:
            with (folder / name).open("r+b") as file:
                file.seek(held)
                file.write(bytes(unused))


def _client(folder: Path) -> Client:
    """A client with a system of its own: the one Chroma caches by path stays blind to other processes."""
    from chromadb.api.client import Client
    from chromadb.config import Settings, System

    settings = Settings(anonymized_telemetry=False, is_persistent=True, persist_directory=str(folder))
    system = System(settings)
    system.start()
    return Client.from_system(system)


def immutable_files(folder: Path) -> Iterator[Path]:
    """Files that no reader changes (opening writes to the database), in a fixed order."""
    return (
        path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(DATABASE)
    )


def chroma_errors() -> tuple[type[Exception], ...]:
    """What Chroma raises on a missing or damaged folder; chromadb takes half a second to import."""
    from chromadb.errors import ChromaError

    return ChromaError, sqlite3.Error, OSError, ValueError
