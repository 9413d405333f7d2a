"""What a worker shows of itself: its name, what it does, and how far the document in its hands is."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import orjson

from tools.store.jobs.job_table import Job
from tools.store.postgres.database import Database
from tools.store.postgres.errors import DatabaseError

if TYPE_CHECKING:
    import psycopg

TELL_SECONDS = 2.0
"""Between two words about one thing."""
IDLE_SECONDS = 10.0
"""Between two of a worker that has nothing to do."""
DAYS_KEPT = 1
"""After its last word, a worker that was killed."""


class WorkerSign:
    """A row of the table of workers."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.name = f"{socket.gethostname()}:{os.getpid()}"
        self._told = 0.0

    def tell(self, doing: str, *, every: float = 0.0) -> None:
        """Show what is done now, where the last word is so many seconds old. DatabaseError."""
        if time.monotonic() - self._told < every:
            return
        with self._database.writing() as connection:
            self._write(connection, doing)
        self._told = time.monotonic()

    def at(self, job: Job, at: list[Any]) -> None:
        """Show where the reading of a document is, now and then: [stage, done, total]."""
        if time.monotonic() - self._told < TELL_SECONDS:
            return
        self._told = time.monotonic()
        with (
            suppress(DatabaseError),
            self._database.writing() as connection,
        ):  # away: the end of reading says so
            connection.execute(
                "UPDATE hybridrag.jobs SET at = %s WHERE id = %s", (orjson.dumps(at).decode(), job.id)
            )
            self._write(connection, f"reading {job.document.file}")

    def take_away(self) -> None:
        """The worker ends. DatabaseError."""
        with self._database.writing() as connection:
            connection.execute(
                "DELETE FROM hybridrag.workers WHERE name = %s OR seen < now() - %s * interval '1 day'",
                (self.name, DAYS_KEPT),
            )

    def _write(self, connection: psycopg.Connection[Any], doing: str) -> None:
        connection.execute(
            "INSERT INTO hybridrag.workers (name, doing) VALUES (%s, %s) "
            "ON CONFLICT (name) DO UPDATE SET doing = excluded.doing, seen = now()",
            (self.name, doing),
        )
