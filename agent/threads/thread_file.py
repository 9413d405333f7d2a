"""The SQLite file of a home's threads: opened, and brought to what this program reads."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tools.private_files import make_file, make_folder

FILE = "sessions.sqlite"
FORMAT = 1
"""`user_version` of the file."""
BUSY_SECONDS = 30.0
"""How long a statement waits for another process's."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS threads (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created TEXT NOT NULL, used TEXT NOT NULL, begun TEXT, pinned TEXT
);
CREATE TABLE IF NOT EXISTS turns (
    thread_id TEXT NOT NULL, number INTEGER NOT NULL, message_id TEXT NOT NULL, asked_at TEXT NOT NULL,
    question TEXT NOT NULL, answer TEXT NOT NULL,
    PRIMARY KEY (thread_id, number), UNIQUE (thread_id, message_id)
);
"""


def opened(path: Path) -> sqlite3.Connection:
    """A connection for several threads, every statement a transaction of its own, with a function `folded` that takes
    a text's case away. sqlite3.Error."""
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None)
    connection.text_factory = text_of
    connection.create_function("folded", 1, lambda text: text_of(text or "").casefold(), deterministic=True)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def made(path: Path) -> sqlite3.Connection:
    """The same of a file that is made where it is missing, its owner's alone, with all tables and columns; one of
    another format stays as it is (see `format_of`). sqlite3.Error, OSError."""
    make_folder(path.parent)
    make_file(path)  # what SQLite makes beside it gets the same rights
    connection = opened(path)
    if format_of(connection) in (0, FORMAT):
        connection.executescript(f"{_SCHEMA} PRAGMA user_version = {FORMAT};")
        _with_pinned(connection)
    return connection


def _with_pinned(connection: sqlite3.Connection) -> None:
    """Files of earlier versions have no such column; of two processes that open one the second finds it."""
    connection.execute("BEGIN IMMEDIATE")
    columns = {name for (name,) in connection.execute("SELECT name FROM pragma_table_info('threads')")}
    if "pinned" not in columns:
        connection.execute("ALTER TABLE threads ADD COLUMN pinned TEXT")
    connection.execute("COMMIT")


def format_of(connection: sqlite3.Connection) -> int:
    """The version of the file's format, 0 of a new one. sqlite3.Error."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def identity(path: Path) -> tuple[int, int] | None:
    """Tells a file from one that has taken its place; None where there is none. OSError."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def text_of(value: str | bytes) -> str:
    """What SQLite has as text, even where it is none: one damaged row keeps no other from being read."""
    return value if isinstance(value, str) else value.decode("utf-8", "replace")
