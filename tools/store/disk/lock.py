"""One writer at a time, and generations that readers still hold: operating-system locks (flock).

A kill releases them; a child process does not inherit them.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import socket
import sys
import weakref
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

from tools.private_files import FILE_MODE, make_folder
from tools.store.errors import HomeLockedError, HomeWriteError, UserStoreError

LOCK = "lock"
"""File in the home that its writer holds."""
_HELD: weakref.WeakSet[FileLock] = weakref.WeakSet()


class FileLock:
    """A shared or exclusive lock on one file, never waited for. Freed by `release`, garbage collection or
    death.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor
        _HELD.add(self)

    @classmethod
    def try_take(cls, path: Path, *, shared: bool) -> Self | None:
        """The lock, or None if another holds it. A shared lock needs an existing file and only the right to
        read.

        OSError if the file cannot be opened.
        """
        flags = os.O_RDONLY if shared else os.O_RDWR | os.O_CREAT
        descriptor = os.open(path, flags | os.O_CLOEXEC, FILE_MODE)
        if not _flock(descriptor, shared=shared):
            os.close(descriptor)
            return None
        return cls(descriptor)

    @property
    def descriptor(self) -> int:
        """The open file; ValueError once released."""
        if self._descriptor is None:
            raise ValueError("the lock was released")
        return self._descriptor

    def release(self) -> None:
        """Let others have it; harmless when repeated."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def __del__(self) -> None:
        self.release()


class WriterLock:
    """The right to write a home; a context manager. The lock file names its holder."""

    def __init__(self, home: Path, lock: FileLock, holder: Mapping[str, Any]) -> None:
        self.home = home
        self._lock = lock
        self._holder = holder

    @classmethod
    def take(cls, home: Path) -> WriterLock:
        """At once, or HomeLockedError naming the holder; the home is made if it is missing.
        HomeWriteError.
        """
        path = home / LOCK
        try:
            make_folder(home)
            lock = FileLock.try_take(path, shared=False)
            if lock is None:
                raise HomeLockedError(home, _read_holder(path))
            holder: dict[str, Any] = {
                "pid": os.getpid(),
                "host": socket.gethostname(),
                "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])[:500],
                "since": datetime.now().astimezone().isoformat(timespec="seconds"),
            }
            _write_holder(lock, holder)
        except OSError as error:
            raise HomeWriteError(home, error.strerror or str(error)) from error
        return cls(home, lock, holder)

    def tell(self, ready: int, total: int) -> None:
        """Say beside the name how many documents can be asked so far, and of how many; see `indexing_under_way`."""
        with contextlib.suppress(OSError):  # a courtesy: if the disk is full, the next write says so
            _write_holder(self._lock, {**self._holder, "documents": [ready, total]})

    def release(self) -> None:
        """Let others write; the holder's name is wiped first. Harmless when repeated."""
        with contextlib.suppress(ValueError, OSError):  # released before, or refused
            os.ftruncate(self._lock.descriptor, 0)
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def indexing_under_way(home: Path) -> tuple[int, int] | None:
    """(documents that can be asked, of how many) while an indexing run on this machine is at work; None if there is
    none. The lock itself is not touched: a reader must not keep a writer from taking it."""
    try:
        holder = orjson.loads((home / LOCK).read_bytes())
        ready, total = holder["documents"]
        if holder["host"] != socket.gethostname():
            return None
        os.kill(holder["pid"], 0)
    except PermissionError:
        return ready, total  # alive, and another user's
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return ready, total


def _write_holder(lock: FileLock, holder: Mapping[str, Any]) -> None:
    os.ftruncate(lock.descriptor, 0)
    os.pwrite(lock.descriptor, orjson.dumps(holder), 0)


def _read_holder(path: Path) -> str:
    try:
        holder = orjson.loads(path.read_bytes())
        return f"process {holder['pid']} on {holder['host']} ({holder['command']}), since {holder['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"  # between taking the lock and writing its name


def _flock(descriptor: int, *, shared: bool) -> bool:
    if sys.platform == "win32":
        os.close(descriptor)
        raise UserStoreError("Home folders need POSIX file locks, which Windows lacks: run it under WSL.")
    import fcntl

    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _forget_in_child() -> None:
    """A forked child shares the open file: closed there, lest it outlive its parent as a holder."""
    for lock in list(_HELD):
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)
