"""What a run may spend on model endpoints, kept in the database: one amount for all workers that read its documents.

Room for a call is a row for as long as the call lasts. What a worker leaves behind that is killed, or loses its
connection, counts as spent: its calls may have been paid for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.store.jobs.job_table import RUNNING, Job
from tools.store.postgres.database import Database
from tools.store.reading.token_budget import NoRoom, Settle

if TYPE_CHECKING:
    import psycopg

POLL_SECONDS = 0.5
"""Between looks whether another worker's call has ended."""
_LOST = "DELETE FROM hybridrag.model_calls WHERE {} RETURNING tokens"
_SPEND = "UPDATE hybridrag.runs SET spent = spent + %(tokens)s WHERE id = %(run)s"


def new_run(connection: psycopg.Connection[Any], max_tokens: int) -> int:
    """The number of a run that may spend so much."""
    row = connection.execute(
        "INSERT INTO hybridrag.runs (max_tokens) VALUES (%s) RETURNING id", (max_tokens,)
    ).fetchone()
    assert row is not None
    return int(row[0])


def budget_of(database: Database, job: Job) -> DeskBudget | None:
    """Of the run that a job in hand belongs to; None where that has no limit. DatabaseError."""
    with database.changing() as connection:
        row = connection.execute(
            "SELECT r.id, r.max_tokens FROM hybridrag.jobs j JOIN hybridrag.runs r ON r.id = j.run WHERE j.id = %s",
            (job.id,),
        ).fetchone()
        if row is None:
            return None
        run, limit = row
        _lock(connection, run)
        _count_lost(connection, run, "job = %(job)s", job=job.id)  # by whoever had it in hand before
    return DeskBudget(database, run, job, limit)


class DeskBudget:
    """A `TokenBudget` for the documents of one job."""

    poll = POLL_SECONDS

    def __init__(self, database: Database, run: int, job: Job, limit: int) -> None:
        self.limit = limit
        self._database, self._run, self._job = database, run, job

    @property
    def used(self) -> int:
        """See `TokenBudget.used`."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT spent FROM hybridrag.runs WHERE id = %s", (self._run,)
            ).fetchone()
        return int(row[0]) if row is not None else 0

    def take(self, tokens: int) -> Settle | NoRoom:
        """See `TokenBudget.take`. DatabaseError."""
        with self._database.changing() as connection:
            left = _lock(connection, self._run)
            left -= _count_lost(
                connection, self._run, f"job NOT IN (SELECT id FROM hybridrag.jobs WHERE {RUNNING})"
            )
            row = connection.execute(
                "SELECT coalesce(sum(tokens), 0)::bigint FROM hybridrag.model_calls WHERE run = %s",
                (self._run,),
            ).fetchone()
            taken = int(row[0]) if row is not None else 0
            if tokens > left - taken:
                return "wait" if taken else "spent"
            row = connection.execute(
                "INSERT INTO hybridrag.model_calls (run, job, tokens) VALUES (%s, %s, %s) RETURNING id",
                (self._run, self._job.id, tokens),
            ).fetchone()
            assert row is not None
            number = int(row[0])
        return lambda used: self._settle(number, used)

    def _settle(self, number: int, used: int) -> None:
        with self._database.changing() as connection:
            gone = connection.execute("DELETE FROM hybridrag.model_calls WHERE id = %s", (number,))
            if gone.rowcount:  # else it was taken for lost, and all of its room for spent
                connection.execute(_SPEND, {"run": self._run, "tokens": used})


def _lock(connection: psycopg.Connection[Any], run: int) -> int:
    """Be the only one to count until the transaction ends; what is not spent."""
    row = connection.execute(
        "SELECT max_tokens - spent FROM hybridrag.runs WHERE id = %s FOR UPDATE", (run,)
    ).fetchone()
    return int(row[0]) if row is not None else 0


def _count_lost(connection: psycopg.Connection[Any], run: int, whose: str, **values: int) -> int:
    """Take the room of these calls for spent; how much that is."""
    rows = connection.execute(
        _LOST.format(f"run = %(run)s AND {whose}").encode(), {"run": run, **values}
    ).fetchall()
    tokens = sum(int(row[0]) for row in rows)
    if tokens:
        connection.execute(_SPEND, {"run": run, "tokens": tokens})
    return tokens
