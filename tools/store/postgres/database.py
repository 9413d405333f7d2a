"""Connections to one database: made when needed, kept for the next, and what goes wrong with them in words."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
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


class Database:
    """Connections that threads take in turn. Nothing is opened before it is needed."""

    def __init__(self, address: StoreAddress) -> None:
        self.address = address
        self._idle: list[psycopg.Connection[Any]] = []
        self._closed = False
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(MAX_CONNECTIONS)

    @contextmanager
    def reading(self) -> Iterator[psycopg.Connection[Any]]:
        """A transaction that sees one state of the database and writes nothing. DatabaseError, DriverMissingError."""
        with self._free, self._errors():
            connection = self._begun()
            try:
                yield connection
                connection.rollback()
            except BaseException:
                connection.close()
                raise
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
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _begun(self) -> psycopg.Connection[Any]:
        """A connection in a read-only transaction: an idle one, or a new one where the server has closed those."""
        import psycopg

        while True:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            connection = idle or self._connected()
            try:
                connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                return connection
            except psycopg.OperationalError:
                connection.close()
                if idle is None:
                    raise

    def _connected(self) -> psycopg.Connection[Any]:
        import psycopg

        try:
            return psycopg.connect(
                self.address.secret,
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
            raise DatabaseError(self.address, said(error)) from None  # its own text may hold the address


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
