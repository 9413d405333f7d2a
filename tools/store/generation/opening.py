"""Opening what is indexed: the generation in use, held so that no writer deletes it, and checked."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from tools.documents.types import Chunk, Document, Page
from tools.periods import Period
from tools.store.disk.home import FORMAT, MANIFEST, Entry, Home, Manifest, reading
from tools.store.disk.lock import FileLock, WriterLock, indexing_under_way
from tools.store.disk.records import StoredRecord
from tools.store.disk.seal import IN_USE, SEAL, GenerationSeal, damage
from tools.store.disk.user_decisions import digest_of, used_decisions
from tools.store.errors import (
    EmbeddingModelChangedError,
    FormatVersionError,
    GenerationDamagedError,
    HomeLockedError,
    HomeWriteError,
    IndexMissingError,
    IndexNotReadyError,
    StoreError,
)
from tools.store.generation.generations import CATALOG, KNOWLEDGE, ONTOLOGY, read_catalog, read_lines, sweep
from tools.store.generation.vector_builder import build_generation
from tools.vector.chroma import DATABASE
from tools.vector.embeddings import Embedder

if TYPE_CHECKING:
    from tools.knowledge.graph.decisions import Decision
    from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
    from tools.knowledge.graph.merge_lines import MergeLine
    from tools.ontology.annotated import AnnotatedConcepts
    from tools.vector.index import VectorIndex
    from tools.vector.line_vectors import LineVectors

MAX_ATTEMPTS = 20
"""A generation may be replaced between reading its number and holding it; hardly twice in a row."""


class Generation:
    """One generation, open for reading until `close`; a context manager. Threads may share it."""

    def __init__(
        self,
        home: Path,
        number: int,
        lock: FileLock,
        seal: GenerationSeal,
        catalog: tuple[dict[str, Document], dict[str, tuple[Period, ...]]],
        embedder: Embedder,
    ) -> None:
        self.home = home
        self.number = number
        self.seal = seal
        """Digests and counts."""
        self.documents, self.periods = catalog
        """Documents by id; company key -> periods of its facts and documents."""
        self.embedder = embedder
        self.folder = Home(home).generation(number)
        self._lock = lock
        self._copy: tempfile.TemporaryDirectory[str] | None = None

    @property
    def digest(self) -> str:
        """Of all content; equal for equal documents, whatever the order in which they came."""
        return self.seal.digest

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Where each document came from and what was read from it."""
        return Manifest.load(self.home, (self.folder / MANIFEST).read_bytes()).entries

    @cached_property
    def vectors(self) -> VectorIndex:
        """The vector index, opened at first use; its counts and a sample of self-queries are checked.

        GenerationDamagedError.
        """
        from tools.vector.index import IndexDamagedError, VectorIndex

        try:
            index = VectorIndex.open(self._writable_folder(), self.embedder)
            index.verify()
        except IndexDamagedError as error:
            raise GenerationDamagedError(self.home, self.number, str(error)) from error
        return index

    @cached_property
    def graph(self) -> KnowledgeGraph:
        """The knowledge graph, loaded at first use. GenerationDamagedError."""
        from tools.knowledge.graph.knowledge_graph import KnowledgeGraph

        try:
            return KnowledgeGraph.load(self.folder / KNOWLEDGE)
        except (OSError, ValueError) as error:
            raise GenerationDamagedError(self.home, self.number, str(error)) from error

    def merges(self) -> list[MergeLine]:
        """Which names of the graph were taken for one entity. GenerationDamagedError."""
        from tools.knowledge.graph.merge_lines import load_merges

        try:
            return load_merges(self.folder / KNOWLEDGE)
        except (OSError, ValueError) as error:
            raise GenerationDamagedError(self.home, self.number, str(error)) from error

    def decided_by(self, decisions: Sequence[Decision]) -> bool:
        """Whether the graph was derived by these decisions of the user."""
        return used_decisions(self.folder) == digest_of(decisions)

    @cached_property
    def concepts(self) -> AnnotatedConcepts | None:
        """The concepts that documents are annotated with; None without an ontology. GenerationDamagedError."""
        from tools.ontology.annotated import AnnotatedConcepts

        folder = self.folder / ONTOLOGY
        if not folder.is_dir():
            return None
        try:
            return AnnotatedConcepts.load(folder)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise GenerationDamagedError(self.home, self.number, str(error)) from error

    def lines(self) -> LineVectors | None:
        """Vectors of printed lines; None where they were not stored."""
        return read_lines(self.folder)

    def pages(self, document_id: str) -> list[Page]:
        """The pages of one document. RecordDamagedError, also where a later run has deleted the record."""
        entry = next(entry for entry in self.entries if entry.document_id == document_id)
        return StoredRecord(self.home, entry.record, entry.name).pages()

    def chunks(self, document_id: str) -> list[Chunk]:
        """The chunks of one document, in reading order. RecordDamagedError as `pages`."""
        entry = next(entry for entry in self.entries if entry.document_id == document_id)
        return StoredRecord(self.home, entry.record, entry.name).chunks()

    def is_current(self) -> bool:
        """Whether this is still the generation in use: one small file is read."""
        return Home(self.home).current() == self.number

    def close(self) -> None:
        """Let go of files and hold; a generation out of use is deleted by the last who lets go of it."""
        if "vectors" in self.__dict__:
            self.vectors.close()
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None
        self._lock.release()
        try:
            if not self.is_current():
                with WriterLock.take(self.home):
                    sweep(Home(self.home))
        except StoreError:
            return  # a writer is at work, or the home is read-only: the next writer sweeps

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _writable_folder(self) -> Path:
        """Chroma writes to its folder even to read: a folder that is read-only is copied for it."""
        chroma = self.folder / "vectors"
        effective = os.access in os.supports_effective_ids
        places = (chroma, chroma / DATABASE)
        if all(os.access(place, os.W_OK, effective_ids=effective) for place in places):
            return self.folder
        self._copy = tempfile.TemporaryDirectory(prefix="hybridrag-")
        copy = Path(self._copy.name)
        for name in ("vectors", "keywords", "passages"):
            if not (self.folder / name).is_dir():  # only calls have passages
                continue
            shutil.copytree(self.folder / name, copy / name, copy_function=shutil.copyfile)
            (copy / name).chmod(0o700)
            for folder in (copy / name).rglob("*/"):
                folder.chmod(0o700)
        shutil.copyfile(self.folder / "vectors.json", copy / "vectors.json")
        return copy


def open_generation(home: Path, embedder: Embedder) -> Generation:
    """Open the generation in use, after comparing all its files with their hashes.

    A damaged one is rebuilt from the stored documents if no one else writes, else GenerationDamagedError.
    Others: IndexMissingError, FormatVersionError, EmbeddingModelChangedError, HomeReadError,
    RecordDamagedError.
    """
    try:
        return _open(home, embedder)
    except GenerationDamagedError as error:
        _rebuild(home, error)
        return _open(home, embedder)


def list_entries(home: Path) -> tuple[Entry, ...]:
    """The documents of the generation in use, by id, without opening it. IndexMissingError,
    FormatVersionError.
    """
    place = Home(home)
    for _ in range(MAX_ATTEMPTS):
        number = place.current()
        if number is None:
            raise missing(home)
        try:
            return Manifest.load(home, (place.generation(number) / MANIFEST).read_bytes()).entries
        except FileNotFoundError:
            continue  # replaced meanwhile
    return place.manifest().entries


def _open(home: Path, embedder: Embedder) -> Generation:
    place = Home(home)
    place.manifest()  # raises if the home is of another format
    with reading(home):
        number, lock = _hold(place)
        try:
            seal = _checked_seal(home, number)
            if seal.embedder != embedder.id:
                raise EmbeddingModelChangedError(home, seal.embedder, embedder.id)
            folder = place.generation(number)
            why = damage(folder, seal.files)
            if why:
                raise GenerationDamagedError(home, number, why)
            catalog = read_catalog((folder / CATALOG).read_bytes())
        except BaseException:
            lock.release()
            raise
    return Generation(home, number, lock, seal, catalog, embedder)


def _hold(place: Home) -> tuple[int, FileLock]:
    """Number and hold of the generation in use."""
    number = place.current()
    for _ in range(MAX_ATTEMPTS):
        if number is None:
            raise missing(place.root)
        try:
            lock = FileLock.try_take(place.generation(number) / IN_USE, shared=True)
        except FileNotFoundError:
            lock = None
        # A writer deletes only what it has put out of use before: still in use means held in time.
        latest = place.current()
        if lock is not None and latest == number:
            return number, lock
        if lock is not None:
            lock.release()
        if lock is None and latest == number and not (place.generation(number) / IN_USE).exists():
            break
        number = latest
    raise GenerationDamagedError(place.root, number or 0, "its folder is missing")


def missing(home: Path) -> IndexMissingError:
    """Nothing is indexed in this home; the first run may be at work."""
    under_way = indexing_under_way(home)
    return IndexMissingError(home) if under_way is None else IndexNotReadyError(home, under_way[1])


def _checked_seal(home: Path, number: int) -> GenerationSeal:
    try:
        seal = GenerationSeal.load(Home(home).generation(number))
    except FileNotFoundError as error:
        raise GenerationDamagedError(home, number, f"{SEAL} is missing") from error
    except ValueError as error:
        raise GenerationDamagedError(home, number, str(error)) from error
    if seal.format != FORMAT:
        raise FormatVersionError(home, seal.format, FORMAT)
    return seal


def _rebuild(home: Path, found: GenerationDamagedError) -> None:
    """Derive a new generation from the records; raises `found`, with the reason, if that can't be done
    now.
    """
    place = Home(home)
    try:
        with WriterLock.take(home):
            manifest = place.manifest()
            if not manifest.entries:
                raise found
            build_generation(place, manifest)
            sweep(place)
    except (HomeLockedError, HomeWriteError) as error:
        raise GenerationDamagedError(home, found.number, f"{found.why} (not rebuilt: {error})") from error
