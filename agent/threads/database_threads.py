"""Chat threads in PostgreSQL: a schema of their own beside the index, and an advisory lock a thread."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent.threads.database_tables import (
    LOCAL,
    OF_A_THREAD,
    SCHEMA,
    OtherTablesError,
    SchemaMissingError,
    bring_forward,
    checkpoint_scripts,
    newest,
    version_of,
)
from agent.threads.thread_records import Begun, ThreadExistsError, ThreadsUnusableError
from agent.threads.thread_store import Statements, ThreadStore
from graphs.contracts import Answer
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import AdvisoryLock, Database, LockKey, holder_of, said
from tools.store.postgres.errors import DatabaseError

if TYPE_CHECKING:
    import psycopg

    from agent.threads.database_checkpoints import DatabaseSaver

LOCKS = 0x68796274
"""First number of the keys of threads' locks: 'hybt'."""
HOME = "HYBRIDRAG_THREADS=home keeps threads on this machine instead."
MENDED = f"What was answered before is kept there. Try again once the database can be reached. {HOME}"
NEWER = f"Install the newer version of hybridrag. {HOME}"
LOST = "the connection was lost in the middle of an answer, and another process may have gone on with it"
TAKEN, FORBIDDEN, READ_ONLY, NO_TABLE, NO_SCHEMA = "23505", "42501", "25006", "42P01", "3F000"
"""SQLSTATEs."""
PLAIN = re.compile("[a-z_][a-z0-9_]*|ROLE")
"""Names that SQL takes without quotes."""


class DatabaseThreads(ThreadStore):
    """The threads of one database. Safe to use from several threads, processes and machines; made at the first
    write."""

    def __init__(self, address: StoreAddress) -> None:
        self.address, self.place = address, str(address)
        self._database = Database(address, local=LOCAL)
        self._locks: dict[str, AdvisoryLock] = {}
        self._made = False
        self._saver: DatabaseSaver | None = None

    @property
    def saver(self) -> DatabaseSaver:
        """See `ThreadStore.saver`."""
        if self._saver is None:
            checkpoint_scripts()  # says what is not installed
            from agent.threads.database_checkpoints import DatabaseSaver

            self._saver = DatabaseSaver(self._transaction, self._check_held, self._damaged)
        return self._saver

    def try_hold(self, thread_id: str) -> HeldThread | None:
        """See `ThreadStore.try_hold`."""
        if thread_id in self._locks:  # its holder here lets go of it first, even where the connection is lost
            return None
        with self._errors():
            lock = self._database.try_lock(_key(thread_id))
        if lock is None:
            return None
        self._locks[thread_id] = lock
        self._made = False  # once a turn: the tables may be newer by now, or gone
        return HeldThread(self._locks, thread_id)

    def holder(self, thread_id: str) -> str | None:
        """See `ThreadStore.holder`."""
        with self._errors(), self._database.reading() as connection:
            return holder_of(connection, _key(thread_id))

    def rename(self, thread_id: str, name: str) -> None:
        """See `ThreadStore.rename`."""
        try:
            super().rename(thread_id, name)
        except ThreadsUnusableError as error:
            if error.code == TAKEN:  # by another process, meanwhile
                raise ThreadExistsError(name) from error
            raise

    def delete(self, thread_id: str) -> None:
        """See `ThreadStore.delete`."""
        with self.writing(durable=True) as own:
            own.execute("DELETE FROM threads WHERE id = ?", (thread_id,))
            for table in OF_A_THREAD:
                own.execute(f"DELETE FROM {table} WHERE thread_id = ?", (thread_id,))

    def door(self, name: str, new: str) -> str:
        """What is kept under this name for every process that serves the page; `new` where there was nothing."""
        with self.writing(durable=True) as own:
            own.execute("INSERT INTO doors (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, new))
            return str(own.execute("SELECT value FROM doors WHERE name = ?", (name,)).fetchone()[0])

    def unusable(self, why: str, mended: str = MENDED, code: str = "") -> ThreadsUnusableError:
        """See `ThreadStore.unusable`."""
        return ThreadsUnusableError(f"at {self.address}", why, mended, code)

    def close(self) -> None:
        """See `ThreadStore.close`."""
        self._database.close()
        self._database = Database(self.address, local=LOCAL)

    def _check_held(self, thread_id: str) -> None:
        """A lock that was lost with its connection may be another process's by now."""
        if (lock := self._locks.get(thread_id)) is None:
            raise self.unusable(LOST)
        try:
            lock.read("SELECT 1")
        except DatabaseError as error:
            raise self.unusable(f"{LOST} ({error.why})") from error

    def _are_there(self, *, write: bool) -> bool:
        """Whether there are tables; they are made where something is to be written, and brought forward where they are
        older than this program."""
        if not self._made:
            with self._database.reading() as connection:
                found = version_of(connection)
            if not found and not write:
                return False
            if found != newest():
                self._bring_forward(from_older=found is not None)
            self._made = True
        return True

    def _bring_forward(self, *, from_older: bool) -> None:
        try:
            with self._database.changing() as connection:
                bring_forward(connection)
        except DatabaseError as error:
            if from_older and error.code == FORBIDDEN:
                why = f"their tables are older, and this role may not bring them forward ({error.why})"
                raise self.unusable(why, f"Have their owner run: hybridrag threads. {HOME}") from error
            raise

    def rows(self, sql: str, *values: Any) -> list[Any]:
        """See `ThreadStore.rows`."""
        with self._errors():
            if not self._are_there(write=False):
                return []
            with self._database.reading() as connection:
                rows: list[Any] = _Placed(connection).execute(sql, values).fetchall()
            return rows

    @contextmanager
    def _transaction(self) -> Iterator[psycopg.Connection[Any]]:
        with self._errors():
            self._are_there(write=True)
            with self._database.changing(durable=False) as connection:
                yield connection

    @contextmanager
    def writing(self, *, durable: bool = False) -> Iterator[Statements]:
        """See `ThreadStore.writing`."""
        with self._errors():
            self._are_there(write=True)
            with self._database.changing(durable=durable) as connection:
                yield _Placed(connection)

    def end(self, thread_id: str, begun: Begun, answer: Answer) -> None:
        """See `ThreadStore.end`."""
        self._check_held(thread_id)
        super().end(thread_id, begun, answer)

    def _mark(self, thread_id: str, begun: str | None) -> None:
        if thread_id in self._locks:
            self._check_held(thread_id)
        super()._mark(thread_id, begun)

    def _make_findable(self, own: Statements, thread_id: str, message_id: str, words: str) -> None:
        own.execute(
            "UPDATE turns SET folded = ? WHERE thread_id = ? AND message_id = ?",
            (words.casefold().replace("\0", ""), thread_id, message_id),
        )

    def _threads_with(self, folded: str) -> set[str]:
        found = self.rows("SELECT DISTINCT thread_id FROM turns WHERE strpos(folded, ?) > 0", folded)
        return {thread for (thread,) in found}

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OtherTablesError as error:
            raise self.unusable(str(error), NEWER) from error
        except SchemaMissingError as error:
            why = f"this role may not make the schema {SCHEMA} that keeps them ({said(error.__cause__)})"
            raise self.unusable(why, self._granted()) from None
        except DatabaseError as error:
            if error.code in (NO_TABLE, NO_SCHEMA):  # deleted meanwhile: the next write makes them again
                self._made = False
            mended = {
                FORBIDDEN: self._granted(),
                READ_ONLY: f"They need a database that can be written. {HOME}",
            }
            raise self.unusable(error.why, mended.get(error.code, MENDED), error.code) from error

    def _granted(self) -> str:
        role = self.address.user or "ROLE"
        role = role if PLAIN.fullmatch(role) else '"' + role.replace('"', '""') + '"'
        return (
            "Single questions need none of this (hybridrag ask). To chat, have the database's administrator run: "
            f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}; GRANT USAGE, CREATE ON SCHEMA {SCHEMA} TO {role}; GRANT SELECT, "
            f"INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {SCHEMA} TO {role}; {HOME}"
        )


@dataclass(frozen=True, slots=True)
class HeldThread:
    """The lock of a thread that this process answers on."""

    locks: dict[str, AdvisoryLock]
    thread_id: str

    def release(self) -> None:
        """See `ThreadLock.release`."""
        lock = self.locks.pop(self.thread_id, None)
        if lock is not None:
            lock.release()


@dataclass(frozen=True, slots=True)
class _Placed:
    """Statements whose values stand for `?`; none of ours holds a `?` or `%` besides."""

    connection: psycopg.Connection[Any]

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """A cursor."""
        return self.connection.execute(_placed(sql).encode(), values)


def _placed(sql: str) -> str:
    return sql.replace("?", "%s")


def _key(thread_id: str) -> LockKey:
    """Two threads in four billion share one, and then wait for each other."""
    return LOCKS, int.from_bytes(hashlib.sha256(thread_id.encode()).digest()[:4], signed=True)
