"""Chat threads in a home folder: one SQLite file, and a lock a thread in the folder beside it."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agent.threads.checkpoints import SealedSaver
from agent.threads.thread_file import FILE, FORMAT, format_of, identity, made, opened, text_of
from agent.threads.thread_records import ThreadsUnusableError
from agent.threads.thread_store import Statements, ThreadStore
from tools.private_files import make_folder
from tools.store.disk.lock import FileLock

LOCK_FOLDER = "threads"
"""Folder of the threads' locks, in the home."""
MENDED = "The index is not touched by this. Free the disk or move the file away (chat then starts with none)."


class FolderThreads(ThreadStore):
    """The threads of one home. Safe to use from several threads and several processes; made at the first write."""

    place = FILE
    failures = (sqlite3.Error,)

    def __init__(self, home: Path) -> None:
        self.home = home
        self.path = home / FILE
        self._lock = threading.RLock()
        self._own: sqlite3.Connection | None = None
        self._saver: SealedSaver | None = None
        self._file: tuple[int, int] | None = None

    @property
    def saver(self) -> SealedSaver:
        """See `ThreadStore.saver`."""
        with self._lock, self._errors():
            self._connect()
            assert self._saver is not None
            return self._saver

    def try_hold(self, thread_id: str) -> FileLock | None:
        """See `ThreadStore.try_hold`."""
        path = self._lock_file(thread_id)
        make_folder(self.home)
        make_folder(path.parent)
        lock = FileLock.try_take(path, shared=False)
        if lock is not None and not (
            path.exists() and os.path.samestat(path.stat(), os.fstat(lock.descriptor))
        ):
            lock.release()  # its file was deleted with its thread meanwhile
            return None
        return lock

    def holder(self, thread_id: str) -> str | None:
        """See `ThreadStore.holder`; a file's lock names nobody."""
        lock = self.try_hold(thread_id)
        if lock is None:
            return ""
        lock.release()
        return None

    def delete(self, thread_id: str) -> None:
        """See `ThreadStore.delete`; nothing of it stays in the file."""
        with self.writing() as own:
            for table, key in (("threads", "id"), ("turns", "thread_id")):
                own.execute(f"DELETE FROM {table} WHERE {key} = ?", (thread_id,))
        with self._lock, self._errors():
            self.saver.delete_thread(thread_id)
            assert self._own is not None
            self._own.execute("VACUUM")
            self._own.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self._lock_file(thread_id).unlink(missing_ok=True)

    def unusable(self, why: str) -> ThreadsUnusableError:
        """See `ThreadStore.unusable`."""
        return ThreadsUnusableError(f"in '{self.path}'", why, MENDED)

    def close(self) -> None:
        """See `ThreadStore.close`."""
        with self._lock:
            for connection in (self._own, self._saver.conn if self._saver else None):
                if connection is not None:
                    connection.close()
            self._own = self._saver = self._file = None

    def _lock_file(self, thread_id: str) -> Path:
        return self.home / LOCK_FOLDER / f"{thread_id}.lock"

    def _make_findable(self, own: Statements, thread_id: str, message_id: str, words: str) -> None:
        """Nothing: SQLite takes the case away when it is asked."""

    def _threads_with(self, folded: str) -> set[str]:
        return {text_of(thread) for (thread,) in self.rows(_WITH_WORD, folded)}

    def rows(self, sql: str, *values: Any) -> list[Any]:
        """See `ThreadStore.rows`."""
        with self._lock, self._errors():
            if not self.path.exists():
                return []
            return self._connect().execute(sql, values).fetchall()

    @contextmanager
    def writing(self, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """One transaction. A kill loses nothing of it; `durable`: a power cut neither."""
        with self._lock, self._errors():
            own = self._connect()
            own.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            own.execute("BEGIN IMMEDIATE")
            try:
                yield own
            except BaseException:
                own.execute("ROLLBACK")
                raise
            own.execute("COMMIT")

    def _connect(self) -> sqlite3.Connection:
        """The connection; a new one where the file was removed or replaced meanwhile."""
        if self._own is not None and self._file != identity(self.path):
            self.close()
        if self._own is None:
            self._own = made(self.path)
            version = format_of(self._own)
            if version != FORMAT:
                self.close()
                raise self.unusable(f"format version {version}, this program's is {FORMAT}")
            self._saver = SealedSaver(opened(self.path), self._damaged)
            self._saver.setup()
            self._file = identity(self.path)
        return self._own

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise self.unusable(str(error)) from error


_WITH_WORD = (
    "SELECT thread_id FROM turns WHERE instr(folded(question), ?1) "
    "OR (json_valid(answer) AND instr(folded(json_extract(answer, '$.answer')), ?1))"
)
