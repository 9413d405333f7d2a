"""Connections to one database: made when needed, kept for the next, and what goes wrong with them in words."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tools.store.errors import StoreError
from tools.store.postgres.address import AddressError, StoreAddress
from tools.store.postgres.errors import DatabaseError, DriverMissingError

if TYPE_CHECKING:
    import psycopg

CONNECT_SECONDS = 10
MAX_CONNECTIONS = 8
"""At once, of one process: a question's searches run side by side."""
MAX_SAID = 500
"""Characters of what a driver says of several addresses that it tried."""
APPLICATION = "hybridrag"
READING = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
CHANGING = "BEGIN ISOLATION LEVEL READ COMMITTED"
SECONDS_TO_HEAR = (20, 10, 3)
"""Of a machine that has vanished with a lock the server hears within a minute: see `for_long`."""
LockKey = tuple[int, int]
"""Of an advisory lock: two numbers of 32 bits, with sign."""


class Database:
    """Connections that threads take in turn. Nothing is opened before it is needed."""

    def __init__(self, address: StoreAddress, local: str = "") -> None:
        """`local`: settings of every transaction but those of `writing`, as SET LOCAL."""
        self.address = address
        self._local = f"; {local}" if local else ""
        self._idle: list[psycopg.Connection[Any]] = []
        self._closed = False
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(MAX_CONNECTIONS)

    @contextmanager
    def reading(self) -> Iterator[psycopg.Connection[Any]]:
        """A transaction that sees one state of the database and writes nothing. DatabaseError, DriverMissingError."""
        with self._free, self._kept(READING) as connection:
            yield connection
            connection.rollback()

    @contextmanager
    def changing(self, *, durable: bool = True) -> Iterator[psycopg.Connection[Any]]:
        """A transaction on a kept connection: all of it, or nothing. Not `durable`: a crash of the server may lose it
        (nothing else does), and all that it did comes before what is durable later. DatabaseError,
        DriverMissingError."""
        first = f"{CHANGING}; {heard_of(*SECONDS_TO_HEAR)}"
        if not durable:
            first += "; SET LOCAL synchronous_commit TO off"
        with self._free, self._kept(first) as connection:
            yield connection
            connection.commit()

    def try_lock(self, key: LockKey) -> AdvisoryLock | None:
        """The lock, None where another has it. DatabaseError, DriverMissingError."""
        return self._try_lock(*key, key[1])

    def try_lock_one_of(self, first: int, count: int) -> AdvisoryLock | None:
        """The first of the locks (`first`, 0) to (`first`, `count` - 1) that is free, None where none is.
        DatabaseError, DriverMissingError."""
        return self._try_lock(first, 0, count - 1)

    def _try_lock(self, first: int, second: int, last: int) -> AdvisoryLock | None:
        query = (
            "SELECT FROM generate_series(%s::int, %s::int) second "
            "WHERE pg_try_advisory_xact_lock(%s::int, second) LIMIT 1"
        )
        with self._kept(f"{CHANGING}; {for_long(*SECONDS_TO_HEAR)}", on=True) as connection:
            if connection.execute(query, (second, last, first)).fetchone() is not None:
                return AdvisoryLock(self, connection)
            connection.rollback()
        self._put_back(connection)
        return None

    @contextmanager
    def _kept(self, first: str, *, on: bool = False) -> Iterator[psycopg.Connection[Any]]:
        """A transaction that begins with `first`; its connection is kept for the next, unless it goes `on`."""
        with self._errors():
            connection = self._begun(first)
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
            if not on:
                self._put_back(connection)

    @contextmanager
    def writing(self) -> Iterator[psycopg.Connection[Any]]:
        """A transaction on a connection of its own: all of it, or nothing. DatabaseError, DriverMissingError."""
        with self._errors(), self._connected() as connection:
            yield connection  # psycopg commits at the end of the block, and takes all back on an error

    def close(self) -> None:
        """Keep no connection: those in use are closed after their query. A later query connects for itself alone."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _put_back(self, connection: psycopg.Connection[Any]) -> None:
        with self._lock:
            if not self._closed and len(self._idle) < MAX_CONNECTIONS:
                self._idle.append(connection)
                return
        connection.close()

    def _begun(self, first: str) -> psycopg.Connection[Any]:
        """A connection in a transaction that has begun with `first`: an idle one, or a new one where the server has
        closed those."""
        import psycopg

        while True:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            # autocommit: `first` begins the transaction, with its settings, in one message
            connection = idle or self._connected(autocommit=True)
            try:
                connection.execute(f"{first}{self._local}".encode())
                return connection
            except psycopg.OperationalError:
                connection.close()
                if idle is None:
                    raise

    def _connected(self, *, autocommit: bool = False) -> psycopg.Connection[Any]:
        import psycopg

        try:
            return psycopg.connect(
                self.address.secret,
                autocommit=autocommit,
                connect_timeout=CONNECT_SECONDS,
                application_name=f"{APPLICATION} {os.getpid()}",
                prepare_threshold=None,  # a balancer of transactions knows no prepared statements
            )
        except psycopg.ProgrammingError:  # libpq repeats an address that it can't read
            raise AddressError(
                f"The address {self.address} has an option that libpq does not know."
            ) from None

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """What the driver raises, in words. Errors of the store pass."""
        driver = _driver()
        try:
            yield
        except StoreError:
            raise
        except driver.Error as error:
            passing = isinstance(error, driver.OperationalError)  # gone, starting, full, out of connections
            why, code = said(error), error.sqlstate or ""
            raise DatabaseError(
                self.address, why, code, passing=passing
            ) from None  # its own text may hold the address


class AdvisoryLock:
    """A lock of the database, held by a transaction that stays open: a process that is killed and a connection that is
    lost free it, also behind a balancer that hands connections out by transaction."""

    def __init__(self, database: Database, connection: psycopg.Connection[Any]) -> None:
        self._database, self._connection = database, connection

    def read(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Rows as they are now, in one message. DatabaseError, also where the lock is held no more."""
        with self._database._errors():
            return self._connection.execute(query.encode(), values).fetchall()

    def release(self) -> None:
        """Let others have it; harmless where the connection is lost."""
        try:
            self._connection.rollback()
        except _driver().Error:  # its end has freed the lock
            self._connection.close()
        else:
            self._database._put_back(self._connection)


def for_long(idle: int, interval: int, count: int) -> str:
    """Settings of a transaction that holds a lock for minutes, idle meanwhile: after `idle` seconds of silence the
    server looks whether the other machine is there, `count` times, `interval` seconds apart."""
    return f"SET LOCAL idle_in_transaction_session_timeout TO 0; {heard_of(idle, interval, count)}"


def heard_of(idle: int, interval: int, count: int) -> str:
    """The same without leave to be idle."""
    return (
        f"SET LOCAL tcp_keepalives_idle TO {idle}; SET LOCAL tcp_keepalives_interval TO {interval}; "
        f"SET LOCAL tcp_keepalives_count TO {count}"
    )


def all_rows(connection: psycopg.Connection[Any], query: str, *values: Any) -> list[Any]:
    """What a query finds."""
    return connection.execute(query.encode(), values or None).fetchall()


def holder_of(connection: psycopg.Connection[Any], key: LockKey) -> str | None:
    """Who holds an advisory lock, as far as this role may see it: '' for somebody; None for nobody."""
    row = connection.execute(
        "SELECT a.application_name, coalesce(host(a.client_addr), 'this server'), a.xact_start "
        "FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND l.granted "
        "AND l.classid::bigint = %s AND l.objid::bigint = %s AND l.objsubid = 2 "
        "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        [number % 2**32 for number in key],
    ).fetchone()
    if row is None:
        return None
    return "" if row[2] is None else f"{row[0]} on {row[1]}, since {row[2]:%H:%M:%S}"


def said(error: Any) -> str:
    """What the database said, or else the driver: neither repeats a password."""
    told = error.diag.message_primary or " ".join(str(error).split()) or type(error).__name__
    return str(told)[:MAX_SAID].rstrip(".")


def _driver() -> Any:
    """psycopg, imported when a database is first opened. DriverMissingError."""
    try:
        import psycopg
    except ImportError as error:
        raise DriverMissingError from error
    return psycopg
