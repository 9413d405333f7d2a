"""Opening what is indexed: the generation in use, held so that no writer deletes it, and checked."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from tools.documents.types import Document
from tools.periods import Period
from tools.store.disk.home import FORMAT, MANIFEST, Entry, Home, Manifest, reading
from tools.store.disk.lock import FileLock, WriterLock, indexing_under_way
from tools.store.disk.records import StoredRecord
from tools.store.disk.seal import IN_USE, SEAL, GenerationSeal, damage
from tools.store.errors import (
    EmbeddingModelChangedError,
    FormatVersionError,
    GenerationDamagedError,
    HomeLockedError,
    HomeWriteError,
    IndexMissingError,
    IndexNotReadyError,
    IndexReplacedError,
    StoreError,
)
from tools.store.generation.checked_files import damage_unless_checked
from tools.store.generation.generations import CATALOG, read_catalog, sweep
from tools.store.generation.open_generation import Generation
from tools.store.generation.vector_builder import build_generation
from tools.vector.chroma import DATABASE
from tools.vector.embeddings import Embedder

if TYPE_CHECKING:
    from tools.vector.chunk_index import ChunkIndex

MAX_ATTEMPTS = 20
"""A generation may be replaced between reading its number and holding it; hardly twice in a row."""


class FolderGeneration(Generation):
    """A generation of a home folder, held so that no writer deletes it."""

    def __init__(
        self,
        home: Path,
        number: int,
        lock: FileLock,
        seal: GenerationSeal,
        catalog: tuple[dict[str, Document], dict[str, tuple[Period, ...]]],
        embedder: Embedder,
    ) -> None:
        super().__init__(number, seal, catalog, embedder)
        self.home = home
        self.folder = Home(home).generation(number)
        self.damaged = partial(_unreadable, home, number)
        self._lock = lock
        self._copy: tempfile.TemporaryDirectory[str] | None = None

    @cached_property
    def vectors(self) -> ChunkIndex:
        """See `Generation.vectors`. GenerationDamagedError."""
        from tools.vector.chunk_index import IndexDamagedError
        from tools.vector.index import VectorIndex

        try:
            index = VectorIndex.open(
                self._writable_folder(), self.embedder, checked=True, damaged=self.damaged
            )
            index.verify()
        except IndexDamagedError as error:
            raise self.damaged(str(error)) from error
        return index

    def part(self, name: str) -> AbstractContextManager[Path]:
        """See `Generation.part`."""
        return nullcontext(self.folder)

    def record(self, document_id: str) -> StoredRecord:
        """See `Generation.record`."""
        entry = self.entry(document_id)
        return StoredRecord(self.home, entry.record, entry.name)

    def is_current(self) -> bool:
        """See `Generation.is_current`."""
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

    def _writable_folder(self) -> Path:
        """Chroma writes to its folder even to read: a folder that is read-only is copied for it."""
        chroma = self.folder / "vectors"
        effective = os.access in os.supports_effective_ids
        places = (chroma, chroma / DATABASE)
        if not chroma.is_dir():  # whoever opens it says that it is gone
            return self.folder
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


def _unreadable(home: Path, number: int, why: str) -> StoreError:
    """Why a generation cannot be read: damage, or that it is gone after it was let go of."""
    place = Home(home)
    if place.current() != number and not place.generation(number).exists():
        return IndexReplacedError(home)
    return GenerationDamagedError(home, number, why)


def open_generation(home: Path, embedder: Embedder) -> FolderGeneration:
    """Open the generation in use, after comparing its files with their hashes, but for those that were found sound
    lately and not touched since.

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


def _open(home: Path, embedder: Embedder) -> FolderGeneration:
    place = Home(home)
    place.manifest()  # raises if the home is of another format
    with reading(home):
        number, lock = _hold(place)
        try:
            seal = _checked_seal(home, number)
            if seal.embedder != embedder.id:
                raise EmbeddingModelChangedError(home, seal.embedder, embedder.id)
            _refuse(home, number, damage_unless_checked(place.generation(number), seal.files))
            catalog = read_catalog((place.generation(number) / CATALOG).read_bytes())
        except BaseException:
            lock.release()
            raise
    return FolderGeneration(home, number, lock, seal, catalog, embedder)


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


def _refuse(home: Path, number: int, why: str) -> None:
    if why:
        raise GenerationDamagedError(home, number, why)


def sealed(home: Path, number: int) -> GenerationSeal:
    """The seal of a generation, after comparing all its files with it. GenerationDamagedError, FormatVersionError."""
    seal = _checked_seal(home, number)
    _refuse(home, number, damage(Home(home).generation(number), seal.files))
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
