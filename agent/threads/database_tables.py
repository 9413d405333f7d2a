"""The tables of chat threads in a database: a schema of their own, by version, made by whoever writes first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tools.store.postgres.database import LockKey
from tools.store.postgres.errors import DriverMissingError

if TYPE_CHECKING:
    import psycopg

SCHEMA = "hybridrag_threads"
LOCAL = f"SET LOCAL search_path TO {SCHEMA}"
"""Of every transaction: LangGraph's statements name no schema."""
MAKING: LockKey = (0x68796273, 1)
"""Key of the advisory lock of whoever makes the tables: 'hybs', 1."""
_FIRST = f"""
CREATE TABLE {SCHEMA}.store (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    version int NOT NULL
);
INSERT INTO {SCHEMA}.store (version) VALUES (0);
CREATE TABLE {SCHEMA}.threads (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL UNIQUE,
    created text COLLATE "C" NOT NULL,  -- times are written as in a home's file: ISO 8601, UTC
    used text COLLATE "C" NOT NULL,
    begun text,                         -- the turn that has no answer yet, as JSON
    pinned text
);
CREATE TABLE {SCHEMA}.turns (
    thread_id text COLLATE "C" NOT NULL,
    number int NOT NULL,
    message_id text COLLATE "C" NOT NULL,
    asked_at text NOT NULL,
    question text NOT NULL,
    answer text NOT NULL,               -- JSON; the type would refuse what a text may hold
    folded text NOT NULL DEFAULT '',    -- question and answer without case, to be found by their words
    PRIMARY KEY (thread_id, number),
    UNIQUE (thread_id, message_id)
);
CREATE TABLE {SCHEMA}.doors (           -- what lets a browser in, the same for every process that serves the page
    name text PRIMARY KEY,
    value text NOT NULL
);
CREATE TABLE {SCHEMA}.uploads (         -- files between their upload to one process and their indexing by another
    id text COLLATE "C" NOT NULL,
    number int NOT NULL,
    piece bytea NOT NULL,
    uploaded timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id, number)
);
"""
MIGRATIONS = (_FIRST,)
"""The script at place n leads from version n to n + 1; none is ever changed."""
# asked of the catalogue: what to_regclass() remembers within a transaction is not what others have made meanwhile
_THERE = "SELECT count(*) FROM pg_namespace n"
_OURS = f"nspname = '{SCHEMA}'"
OF_A_THREAD = ("turns", "checkpoints", "checkpoint_blobs", "checkpoint_writes")
"""Tables with a `thread_id`."""


class OtherTablesError(Exception):
    """The tables are newer than this program. `str()` says which version each has."""


class SchemaMissingError(Exception):
    """There is no schema, and the role may not make one; the cause says why."""


class Version(NamedTuple):
    """Of the tables: ours, and LangGraph's, which count from 0."""

    threads: int
    checkpoints: int


def newest() -> Version:
    """This program's. DriverMissingError."""
    return Version(len(MIGRATIONS), len(checkpoint_scripts()) - 1)


def version_of(connection: psycopg.Connection[Any]) -> Version | None:
    """That of the tables; None where there are none. OtherTablesError where it is newer than this program's."""
    if not _one(
        connection, f"{_THERE} JOIN pg_class c ON relnamespace = n.oid WHERE {_OURS} AND relname = 'store'"
    ):
        return None
    found = Version(
        _one(connection, f"SELECT version FROM {SCHEMA}.store"),
        _one(connection, f"SELECT coalesce(max(v), -1) FROM {SCHEMA}.checkpoint_migrations"),
    )
    for what, has, expected in zip(("version", "checkpoints of version"), found, newest(), strict=True):
        if has > expected:
            raise OtherTablesError(f"their tables have {what} {has}, this program's is {expected}")
    return found


def bring_forward(connection: psycopg.Connection[Any]) -> None:
    """Make the tables, or bring those of an earlier version to this one, in the connection's transaction.
    OtherTablesError, SchemaMissingError."""
    import psycopg

    connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", MAKING)
    found = version_of(connection) or Version(0, -1)
    if not _one(connection, f"{_THERE} WHERE {_OURS}"):
        try:
            connection.execute(f"CREATE SCHEMA {SCHEMA}")
        except psycopg.errors.InsufficientPrivilege as error:
            raise SchemaMissingError from error
    for script in MIGRATIONS[found.threads :]:
        connection.execute(script.encode())
    for number, script in enumerate(checkpoint_scripts()[found.checkpoints + 1 :], found.checkpoints + 1):
        # all at once or nothing: an index that is made beside others' work can't be made in a transaction
        connection.execute(script.replace("CONCURRENTLY ", "").encode())
        connection.execute("INSERT INTO checkpoint_migrations (v) VALUES (%s)", (number,))
    connection.execute(f"UPDATE {SCHEMA}.store SET version = %s".encode(), (len(MIGRATIONS),))


def checkpoint_scripts() -> list[str]:
    """LangGraph's, by version. DriverMissingError."""
    try:
        from langgraph.checkpoint.postgres import PostgresSaver
    except ImportError as error:
        raise DriverMissingError from error
    return PostgresSaver.MIGRATIONS


def _one(connection: psycopg.Connection[Any], query: str) -> Any:
    row = connection.execute(query.encode()).fetchone()
    return None if row is None else row[0]
