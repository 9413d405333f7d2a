"""What a run may spend on model endpoints, kept in the database: one amount for all workers that read its documents.

Room for a call is a row for as long as the call lasts. What a worker leaves behind that is killed, or loses its
connection, counts as spent: its calls may have been paid for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.store.jobs.job_table import LOCKED, Job
from tools.store.postgres.database import Database
from tools.store.reading.token_budget import NoRoom, Settle

if TYPE_CHECKING:
    import psycopg

POLL_SECONDS = 0.5
"""Between looks whether another worker's call has ended."""
_LOST = (
    "WITH lost AS (DELETE FROM hybridrag.model_calls WHERE {} RETURNING run, tokens), "
    "sums AS (SELECT run, sum(tokens) AS tokens FROM lost GROUP BY run) "
    "UPDATE hybridrag.runs r SET spent = r.spent + sums.tokens FROM sums WHERE r.id = sums.run"
)
_UNHELD = f"run = %(run)s AND job NOT IN (SELECT id FROM hybridrag.jobs WHERE lock IN ({LOCKED}))"
_OWN = "job = %(job)s AND id <> ALL(%(open)s::bigint[])"
_RUN = (
    "SELECT r.id, r.max_tokens, r.spent FROM hybridrag.jobs j JOIN hybridrag.runs r ON r.id = j.run "
    "WHERE j.id = %(job)s"
)


def new_run(connection: psycopg.Connection[Any], max_tokens: int) -> int:
    """The number of a run that may spend so much."""
    row = connection.execute(
        "INSERT INTO hybridrag.runs (max_tokens) VALUES (%s) RETURNING id", (max_tokens,)
    ).fetchone()
    assert row is not None
    return int(row[0])


class DeskBudget:
    """A `TokenBudget` for the document of one job in hand: of the run that the job belongs to at each call, without a
    limit where it belongs to none. Used by one thread at a time. All of it raises DatabaseError."""

    poll = POLL_SECONDS

    def __init__(self, database: Database, job: Job) -> None:
        self._database, self._job = database, job
        self._open: set[int] = set()
        """Calls of this process that have not ended."""

    @property
    def limit(self) -> int | None:
        """See `TokenBudget.limit`."""
        found = self._run()
        return None if found is None else found[1]

    @property
    def used(self) -> int:
        """See `TokenBudget.used`."""
        found = self._run()
        return 0 if found is None else found[2]

    def _run(self) -> tuple[int, int, int] | None:
        with self._database.reading() as connection:
            return connection.execute(_RUN, {"job": self._job.id}).fetchone()

    def take(self, tokens: int) -> Settle | NoRoom:
        """See `TokenBudget.take`."""
        with self._database.changing() as connection:
            values: dict[str, Any] = {"job": self._job.id, "open": list(self._open), "tokens": tokens}
            found = connection.execute(f"{_RUN} FOR NO KEY UPDATE OF r".encode(), values).fetchone()
            if found is None:
                return lambda used: None
            run, limit, _ = found
            values["run"] = run
            # its own are of whoever had the job in hand before, or could not be told to have ended
            connection.execute(_LOST.format(f"({_UNHELD}) OR ({_OWN})").encode(), values)
            row = connection.execute(
                "SELECT (SELECT spent FROM hybridrag.runs WHERE id = %(run)s), coalesce(sum(tokens), 0)::bigint "
                "FROM hybridrag.model_calls WHERE run = %(run)s",
                values,
            ).fetchone()
            assert row is not None
            spent, taken = row
            if spent + taken + tokens > limit:
                return "wait" if taken else "spent"
            row = connection.execute(
                "INSERT INTO hybridrag.model_calls (run, job, tokens) VALUES (%(run)s, %(job)s, %(tokens)s) "
                "RETURNING id",
                values,
            ).fetchone()
            assert row is not None
            number = int(row[0])
        self._open.add(number)
        return lambda used: self._settle(run, number, tokens, used)

    def _settle(self, run: int, number: int, taken: int, used: int) -> None:
        self._open.discard(number)
        with self._database.changing() as connection:
            connection.execute("SELECT FROM hybridrag.runs WHERE id = %s FOR NO KEY UPDATE", (run,))
            ended = connection.execute("DELETE FROM hybridrag.model_calls WHERE id = %s", (number,))
            # else it was taken for lost, and its room for spent
            more = used if ended.rowcount else max(0, used - taken)
            connection.execute("UPDATE hybridrag.runs SET spent = spent + %s WHERE id = %s", (more, run))
