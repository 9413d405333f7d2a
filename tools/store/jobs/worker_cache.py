"""A worker's own folder: a home whose documents are those of the database, as far as this worker has needed them."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.model.cache import forget, journals
from tools.private_files import make_folder, open_private
from tools.store.disk.home import Entry, Home, Manifest, delete_tree, reading, replace_file, writing
from tools.store.disk.lock import WriterLock
from tools.store.disk.records import StoredRecord
from tools.store.errors import HomeLockedError, RecordDamagedError, UserStoreError
from tools.store.generation.generations import sweep
from tools.store.jobs.change_table import record_files
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.taking_back import delete_others, derived, write_copy, write_decided
from tools.store.runs.leftovers import delete_drafts

if TYPE_CHECKING:
    import psycopg

MARK = "worker"
"""File of the folder that says of which database it is."""
INCOMING = "incoming"
"""Folder in it of the file that is being read."""
MAX_ON_A_MACHINE = 256
"""Workers below one home."""


class NoCacheError(UserStoreError):
    """The folder is something else than a worker's."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(
            f"'{folder}' can't be a worker's folder: {why}. Name a new or an empty one: --home FOLDER"
        )


class WorkerCache:
    """The folder, locked as by any writer of a home."""

    def __init__(self, folder: Path, address: StoreAddress) -> None:
        """HomeLockedError, NoCacheError, HomeReadError, HomeWriteError."""
        self.home = Home(folder)
        with reading(folder):
            mark = folder / MARK
            told = mark.read_text(encoding="utf-8") if mark.is_file() else None
            if told is None and folder.is_dir() and any(each.name != "lock" for each in folder.iterdir()):
                raise NoCacheError(folder, "it holds other things")
        expected = hashlib.sha256(address.shown.encode()).hexdigest()
        if told is not None and told != expected:
            raise NoCacheError(folder, "it is of a worker of another database")
        self._lock = WriterLock.take(folder)
        try:
            with writing(folder):
                if told is None:
                    replace_file(folder / MARK, expected.encode(), private=True)
                make_folder(self.home.documents)
            self.clear()
        except BaseException:
            self._lock.release()
            raise

    @classmethod
    def below(cls, home: Path, address: StoreAddress) -> WorkerCache:
        """The first folder of `home`/workers that no other worker of this machine has. HomeWriteError, NoCacheError."""
        with writing(home):
            for folder in (home, home / "workers"):  # each its owner's alone, not the innermost only
                make_folder(folder)
        for number in range(1, MAX_ON_A_MACHINE + 1):
            try:
                return cls(home / "workers" / str(number), address)
            except (HomeLockedError, NoCacheError):
                continue
        raise NoCacheError(home / "workers", f"{MAX_ON_A_MACHINE} workers have one there")

    def close(self) -> None:
        """Let another worker have it."""
        try:
            self.clear()
        finally:
            self._lock.release()

    def clear(self) -> None:
        """Delete what a document in hand has left. HomeWriteError."""
        delete_drafts(self.home)
        with writing(self.home.root):
            if (self.home.root / INCOMING).is_dir():
                shutil.rmtree(self.home.root / INCOMING)

    def place(self, path: str, data: bytes) -> tuple[Path, Path]:
        """Put a file where it can be read; (file, the folder below which it has its `path`). HomeWriteError."""
        root = self.home.root / INCOMING
        file = root / path
        if not file.resolve().is_relative_to(root.resolve()):
            file = root / Path(path).name
        with writing(self.home.root):
            make_folder(file.parent)
            with open_private(file, "wb") as stream:
                stream.write(data)
        return file, root

    def record(self, folder: str) -> StoredRecord:
        """A record, there or not."""
        return StoredRecord(self.home.root, folder)

    def has(self, folder: str, sha256: str = "") -> bool:
        """Whether a record is there, whole and sound; `sha256`: of its seal."""
        record = self.record(folder)
        if not record.exists():
            return False
        try:
            record.check(sha256)
        except RecordDamagedError:
            delete_tree(record.folder)
            return False
        return True

    def bring(
        self,
        connection: psycopg.Connection[Any],
        entries: Iterable[Entry],
        on_step: Callable[[str], None] = lambda step: None,
    ) -> None:
        """Fetch the records that are missing here. RecordDamagedError, HomeWriteError."""
        missing = [entry for entry in entries if not self.has(entry.record, entry.record_sha256)]
        for number, entry in enumerate(missing, start=1):
            on_step(f"fetching document {number:,} of {len(missing):,}: {entry.name}")
            files = record_files(connection, entry.record)
            write_copy(self.home, entry.record, files, entry.name, entry.record_sha256)

    def derive(
        self,
        connection: psycopg.Connection[Any],
        generation: int | None,
        manifest: Manifest,
        on_step: Callable[[str], None],
    ) -> None:
        """Derive from these documents what is published, with what was decided in the generation in use."""
        self.bring(connection, manifest.entries, on_step)
        if generation is not None:
            write_decided(connection, generation, self.home)
        derived(self.home, manifest, on_step, searched=False)

    def forget_others(self, manifest: Manifest, unfinished: Iterable[str]) -> None:
        """Delete what the database no longer holds: a removal leaves no trace here either. Of documents that are
        `unfinished` the replies of models stay. HomeWriteError."""
        ids = {entry.document_id for entry in manifest.entries}
        own = self.home.manifest_in_use()
        if own is not None and any(entry.document_id not in ids for entry in own.entries):
            self.home.set_current(None)
            self.home.set_manifest(Manifest(manifest.embedder))
            sweep(self.home)
        delete_others(self.home, manifest)
        with writing(self.home.root):
            known = {source.document_id for source in journals(self.home.cache)}
            forget(self.home.cache, known - ids - set(unfinished))
