"""What a home folder holds that is published: its files by path, and the chunks of its index."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import orjson

from tools.documents.types import Chunk, Document
from tools.knowledge.graph.decisions import FILE as DECISIONS
from tools.store.disk.home import MANIFEST, Home, Manifest, reading
from tools.store.disk.records import ORIGINAL, StoredRecord
from tools.store.disk.records import SEAL as RECORD_SEAL
from tools.store.disk.seal import SEAL, GenerationSeal
from tools.store.disk.user_decisions import decisions_of
from tools.store.errors import GenerationDamagedError, ManifestDamagedError
from tools.store.generation.generations import (
    UNSEARCHED,
    VECTOR_PARTS,
    is_current,
    sweep,
)
from tools.store.generation.opening import missing, sealed
from tools.store.generation.vector_builder import build_generation
from tools.store.postgres.published import DERIVED, INDEX
from tools.store.postgres.stored_rows import IndexParts
from tools.vector import index_record as records
from tools.vector.chroma import Metadata
from tools.vector.embeddings import Vectors
from tools.vector.index import RECORD, VECTORS
from tools.vector.index_record import IndexRecord
from tools.vector.keywords import tokenize
from tools.vector.passages import FOLDER as PASSAGES

IN_TABLES = frozenset(VECTOR_PARTS) - {PASSAGES}
"""Parts of a generation that are rows of a store, or follow from them."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file to publish: its hash, and its bytes or where they are."""

    sha256: str
    source: Path | bytes

    def read(self) -> bytes:
        """Its bytes. OSError."""
        return self.source if isinstance(self.source, bytes) else self.source.read_bytes()

    @classmethod
    def of(cls, data: bytes) -> StoredFile:
        """One of these bytes."""
        return cls(hashlib.sha256(data).hexdigest(), data)


@dataclass(frozen=True, slots=True)
class NewChunk:
    """A chunk as a store keeps it."""

    row: records.Row
    text: str
    metadata: Metadata
    vector: Vectors
    terms: Counter[str]
    """How often it holds each term."""

    @property
    def content(self) -> bytes:
        """SHA-256 of all of it: two of the same content need not be told apart."""
        told = orjson.dumps(
            [self.row.id, self.row.document_id, self.text, self.metadata, self.terms],
            option=orjson.OPT_SORT_KEYS,
        )
        return hashlib.sha256(told + self.vector.astype("<f4").tobytes()).digest()


class HomeContents:
    """The generation in use of a home, derived anew first where it is not up to date or damaged. The caller holds the
    writer's lock."""

    def __init__(self, home: Path) -> None:
        """IndexMissingError, RecordDamagedError, DecisionsError, HomeReadError, HomeWriteError."""
        self.home = Home(home)
        self.manifest, self.seal = _sound(self.home)
        self.folder = self.home.generation(self.home.current() or 0)

    def files(self) -> dict[str, StoredFile]:
        """Path -> file: records, the user's decisions, ontologies, and what is derived but for chunks.
        RecordDamagedError, HomeReadError."""
        found: dict[str, StoredFile] = {}
        for entry in self.manifest.entries:
            record = StoredRecord(self.home.root, entry.record, entry.name)
            seal = record.check(entry.record_sha256)
            hashes = {**seal.files, RECORD_SEAL: seal.sha256}
            if (record.folder / ORIGINAL).is_file():
                hashes[ORIGINAL] = seal.key.sha256
            for name, sha256 in hashes.items():
                found[f"documents/{entry.record}/{name}"] = StoredFile(sha256, record.folder / name)
        decisions_of(self.home)  # raises for a line that is none: it would be refused on the way back
        with reading(self.home.root):
            for path in (self.home.root / DECISIONS, *sorted(self.home.ontologies.rglob("*"))):
                if path.is_file() and not path.name.startswith("."):
                    name = path.relative_to(self.home.root).as_posix()
                    found[name] = StoredFile.of(path.read_bytes())
        return {**found, **self._derived()}

    def _derived(self) -> dict[str, StoredFile]:
        kept = {
            name: sha256 for name, sha256 in self.seal.files.items() if name.split("/")[0] not in IN_TABLES
        }
        found = {name: StoredFile(sha256, self.folder / name) for name, sha256 in kept.items()}
        found[MANIFEST] = StoredFile.of(self.manifest.dump())
        found[INDEX] = StoredFile.of(
            orjson.dumps(
                asdict(parts_of(IndexRecord.load(self.folder / RECORD))), option=orjson.OPT_SORT_KEYS
            )
        )
        code = self.seal.code.removesuffix(UNSEARCHED)  # of what is published it makes no difference
        found[SEAL] = StoredFile.of(replace(self.seal, files=kept, code=code).dump())
        return {f"{DERIVED}/{name}": file for name, file in found.items()}

    def chunks(self) -> Iterator[list[NewChunk]]:
        """The chunks of the index, without repetitions, document by document. Documents of one company, type and
        period are in memory at once: which of their chunks repeat others they decide together. RecordDamagedError."""
        groups = defaultdict[tuple[object, ...], list[tuple[StoredRecord, Document]]](list)
        for entry in self.manifest.entries:
            record = StoredRecord(self.home.root, entry.record, entry.name)
            document = record.document()
            groups[records.twins_of(document)].append((record, document))
        for group in groups.values():
            chunks: list[Chunk] = []
            parts: list[Vectors] = []
            for record, _ in group:
                of_record = record.chunks()
                chunks += of_record
                parts.append(record.embeddings()[: len(of_record)])
            yield from new_chunks(
                chunks, {document.id: document for _, document in group}, np.concatenate(parts)
            )


def new_chunks(
    chunks: Sequence[Chunk], documents: Mapping[str, Document], vectors: Vectors
) -> Iterator[list[NewChunk]]:
    """Those that an index of them keeps, document by document; `vectors` (len(chunks), dimension)."""
    kept = defaultdict[str, list[int]](list)
    for at in records.keep_first(chunks, documents):
        kept[chunks[at].document_id].append(at)
    for document_id, places in sorted(kept.items()):
        yield [
            NewChunk(
                row=records.row_of(chunk),
                text=chunk.text,
                metadata=records.metadata(chunk, documents[document_id]),
                vector=vectors[at],
                terms=Counter(tokenize(chunk.embed_text)),
            )
            for at in places
            for chunk in (chunks[at],)
        ]


def parts_of(index: IndexRecord) -> IndexParts:
    """What a store keeps of a folder's index beside the chunks."""
    keywords = {name: sha for name, sha in index.files.items() if not name.startswith(f"{VECTORS}/")}
    counts = Counter(row.document_id for row in index.rows)
    return IndexParts(index.duplicates, dict(sorted(counts.items())), keywords)


def _sound(home: Home) -> tuple[Manifest, GenerationSeal]:
    """What the generation in use was made from, and its seal."""
    try:
        manifest = home.manifest_in_use()
        if manifest is not None and is_current(home, manifest, searched=False):
            return manifest, sealed(home.root, home.current() or 0)
    except (OSError, ManifestDamagedError, GenerationDamagedError):
        manifest = None
    manifest = manifest or home.manifest()
    seal = build_generation(home, manifest)
    sweep(home)
    if seal is None:
        raise missing(home.root)
    return manifest, seal
