"""The server's file in the home, as commands see it that do not run the server."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tools.store.errors import UserStoreError

FILE = "server.sqlite"
BUSY_SECONDS = 30.0
"""How long a statement waits for another process's."""
_HELD = "SELECT id FROM server_rows WHERE kind = 'threads' AND instr(row, ?1)"
_IN_CHECKPOINTS = "SELECT thread_id FROM {table} WHERE instr({column}, ?1)"


class ServerStoreError(UserStoreError):
    """The file can't be read or written."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"The server's threads in '{path}' can't be used: {why}. The index is not touched by this. Free the disk "
            "or move the file away (the server then starts with none)."
        )


@contextmanager
def errors(path: Path) -> Iterator[None]:
    """What SQLite or the system refuses becomes a ServerStoreError."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise ServerStoreError(path, str(error)) from error


def check(home: Path) -> None:
    """Raises ServerStoreError where the file is none of SQLite's, or damaged."""
    path = home / FILE
    with errors(path):
        if path.exists():
            with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as database:
                found = database.execute("PRAGMA quick_check(1)").fetchone()[0]
                if found != "ok":
                    raise sqlite3.DatabaseError(found)


def threads_with(home: Path, words: Iterable[str]) -> list[str]:
    """The ids of the server's threads in which one of the words stands, a document's name, say. ServerStoreError."""
    path = home / FILE
    with errors(path):
        if not path.exists():
            return []
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as database:
            there = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
            asked = [
                sql
                for table, sql in (
                    ("server_rows", _HELD),
                    ("checkpoints", _IN_CHECKPOINTS.format(table="checkpoints", column="checkpoint")),
                    ("writes", _IN_CHECKPOINTS.format(table="writes", column="value")),
                )
                if table in there
            ]
            found = {
                thread
                for word in words
                for sql in asked
                for (thread,) in database.execute(sql, (word.encode(),))
            }
    return sorted(found)


def threads_that_may_hold(home: Path, documents: Iterable[str]) -> list[str]:
    """The same after a removal, of documents by name or path: the file's name where it can't be read."""
    try:
        return threads_with(home, documents)
    except ServerStoreError:  # the documents are out; what is in here, nobody can say
        return [FILE]
