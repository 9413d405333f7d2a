"""Records: all that was read from one file, immutable, each file of it sealed by its SHA-256.

    documents/<id>-<key>/  record.json document.json pages.jsonl tables.jsonl chunks.jsonl participants.jsonl
                           triplets.jsonl embeddings.npy original

`original` is a copy of the file itself, which the id seals; records of earlier versions have none. It is no hard link:
that would share the rights and every later change of the user's own file.

<id> is the document's, <key> a hash of everything else that the content depends on. A record is written under
another name, seen to the disk, then renamed: it is there whole or not at all.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import orjson

from tools.documents.serial import (
    Record,
    dump_record,
    load_chunk,
    load_document,
    load_page,
    load_participant,
    load_table,
)
from tools.documents.types import Chunk, Document, Page, ParsedDocument, Table
from tools.knowledge.graph.triplets import dump_triplet, load_triplet
from tools.knowledge.types import Triplet
from tools.private_files import FOLDER_MODE, make_folder
from tools.store.disk.home import FORMAT, Entry, delete_tree, sync_folder, write_file
from tools.store.errors import RecordDamagedError
from tools.vector.document_vectors import Embed, embed_document
from tools.vector.embeddings import Vectors

T = TypeVar("T")
SEAL = "record.json"
DRAFT = ".draft-"
ORIGINAL = "original"


@dataclass(frozen=True, slots=True)
class RecordKey:
    """What the content of a record depends on."""

    sha256: str
    """Of the file's bytes."""
    path: str
    """As `Document.path`."""
    overrides: str
    """Metadata given by the user, as canonical JSON."""
    splitter: str
    code: str
    """Hash of the code that reads, cuts and extracts, and of the libraries it stands on."""
    extractor: str
    embedder: str
    format: int = FORMAT

    @property
    def document_id(self) -> str:
        return self.sha256[:16]

    @property
    def folder(self) -> str:
        """Name of the record's folder."""
        rest = hashlib.sha256(orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS)).hexdigest()
        return f"{self.document_id}-{rest[:12]}"


@dataclass(frozen=True, slots=True)
class RecordSeal:
    """`record.json`."""

    key: RecordKey
    source: str
    """Absolute path of the file when it was read."""
    files: dict[str, str]
    """File name -> SHA-256."""
    chunks: int
    triplets: int
    sha256: str = ""
    """Of the seal itself, as stored; not part of it."""


def write_record(
    documents: Path,
    key: RecordKey,
    source: Path,
    parsed: ParsedDocument,
    triplets: Sequence[Triplet],
    embeddings: Vectors,
    original: bytes | None,
) -> str:
    """Store a record below the folder `documents` and return its folder's name. OSError when refused.

    `original`: the file's bytes; None where they are not at hand.

    `embeddings` (chunks and passages, dimension): as `embed_document` makes them.
    """
    contents = {
        "document.json": _lines([parsed.document]),
        "pages.jsonl": _lines(parsed.pages),
        "tables.jsonl": _lines(parsed.tables),
        "chunks.jsonl": _lines(parsed.chunks),
        "participants.jsonl": _lines(parsed.participants),
        "triplets.jsonl": b"".join(dump_triplet(triplet) for triplet in triplets),
        "embeddings.npy": _array(embeddings),
    }
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in contents.items()}
    seal = asdict(RecordSeal(key, str(source), hashes, len(parsed.chunks), len(triplets)))
    del seal["sha256"]
    contents[SEAL] = orjson.dumps(seal, option=orjson.OPT_SORT_KEYS)
    if original is not None:
        contents[ORIGINAL] = original
    draft = documents / f"{DRAFT}{key.folder}-{os.getpid()}"
    delete_tree(draft)
    make_folder(documents)
    draft.mkdir(FOLDER_MODE)
    try:
        for name, data in contents.items():
            write_file(draft / name, data)
        sync_folder(draft)
        delete_tree(documents / key.folder)  # there only if it was found damaged
        draft.rename(documents / key.folder)
    except OSError:
        delete_tree(draft)
        raise
    sync_folder(documents)
    return key.folder


def _lines(items: Iterable[Record]) -> bytes:
    return b"".join(dump_record(item) for item in items)


def _array(embeddings: Vectors) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.ascontiguousarray(embeddings, dtype="<f4"), allow_pickle=False)
    return buffer.getvalue()


class StoredRecord:
    """One record on disk. Every method compares what it reads with the seal: RecordDamagedError."""

    def __init__(self, home: Path, folder: str, name: str = "") -> None:
        self.home, self.folder = home, home / "documents" / folder
        self._name = name or folder

    def exists(self) -> bool:
        return self.folder.is_dir()

    def seal(self) -> RecordSeal:
        """`record.json`."""
        data = self._read(SEAL)
        try:
            fields = orjson.loads(data)
            key = RecordKey(**fields.pop("key"))
            seal = RecordSeal(key=key, sha256=hashlib.sha256(data).hexdigest(), **fields)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._damaged(f"{SEAL}: {error}") from error
        if seal.key.folder != self.folder.name:
            raise self._damaged(f"{SEAL} is of another record")
        return seal

    def check_seal(self, expected: str) -> RecordSeal:
        """The seal, after comparing it with the hash `expected`, if there is one."""
        seal = self.seal()
        if expected and seal.sha256 != expected:
            raise self._damaged(f"{SEAL} has changed")
        return seal

    def check(self, expected: str = "") -> RecordSeal:
        """As `check_seal`, after comparing every file with the seal, too."""
        seal = self.check_seal(expected)
        for name, sha256 in seal.files.items():
            self._checked(name, sha256)
        return seal

    def document(self) -> Document:
        return self._load("document.json", load_document)[0]

    def entry(self, source: str = "", same_as: tuple[str, ...] = (), flags: str = "") -> Entry:
        """The line of a manifest about it; `source`: where its file lies now, if not where it was read from."""
        seal, document = self.seal(), self.document()
        return Entry(
            document_id=document.id,
            record=self.folder.name,
            record_sha256=seal.sha256,
            source=source or seal.source,
            path=document.path,
            name=document.name,
            company_key=document.company_key,
            company=document.company,
            doc_type=document.doc_type,
            pages=document.pages,
            chunks=seal.chunks,
            triplets=seal.triplets,
            same_as=same_as,
            flags=flags,
        )

    def chunks(self) -> list[Chunk]:
        return self._load("chunks.jsonl", load_chunk)

    def triplets(self) -> list[Triplet]:
        return self._load("triplets.jsonl", load_triplet)

    def embeddings(self) -> Vectors:
        """(chunks and passages, dimension) float32, as `embed_document` made them."""
        data = self._checked("embeddings.npy", self.seal().files.get("embeddings.npy", ""))
        vectors: Vectors = np.load(io.BytesIO(data), allow_pickle=False)
        return vectors

    def pages(self) -> list[Page]:
        return self._load("pages.jsonl", load_page)

    def original(self) -> bytes | None:
        """The file's bytes, as it was read: the copy kept here, or the file itself where it has not changed since; None
        where neither is there."""
        seal = self.seal()
        for read in (partial(self._bytes, ORIGINAL), Path(seal.source).read_bytes):
            try:
                data = read()
            except OSError:
                continue
            if hashlib.sha256(data).hexdigest() == seal.key.sha256:
                return data
        return None

    def tables(self) -> list[Table]:
        return self._load("tables.jsonl", load_table)

    def parsed(self) -> ParsedDocument:
        """All that reading the file yielded."""
        return ParsedDocument(
            self.document(),
            tuple(self.pages()),
            tuple(self.tables()),
            tuple(self.chunks()),
            tuple(self._load("participants.jsonl", load_participant)),
        )

    def _load(self, name: str, load: Callable[[bytes], T]) -> list[T]:
        data = self._checked(name, self.seal().files.get(name, ""))
        try:
            return [load(line) for line in data.splitlines()]
        except (ValueError, KeyError, TypeError) as error:
            raise self._damaged(f"{name}: {error}") from error

    def _checked(self, name: str, sha256: str) -> bytes:
        data = self._read(name)
        if hashlib.sha256(data).hexdigest() != sha256:
            raise self._damaged(f"{name} has changed")
        return data

    def _read(self, name: str) -> bytes:
        try:
            return self._bytes(name)
        except OSError as error:
            raise self._damaged(f"{name}: {error.strerror}") from error

    def _bytes(self, name: str) -> bytes:
        """A file of the record. OSError."""
        return (self.folder / name).read_bytes()

    def _damaged(self, why: str) -> RecordDamagedError:
        return RecordDamagedError(self.home, self.folder.name, self._name, why)


def embed_again(record: StoredRecord, embedder_id: str, embed: Embed) -> str:
    """Store the same record with the vectors of another model; the file it came from is not needed."""
    seal, parsed = record.seal(), record.parsed()
    vectors = embed_document(parsed.chunks, parsed.document, embed)
    key = replace(seal.key, embedder=embedder_id)
    kept = record.original()
    return write_record(
        record.folder.parent, key, Path(seal.source), parsed, record.triplets(), vectors, kept
    )
