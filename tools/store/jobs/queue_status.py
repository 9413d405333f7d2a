"""What waits, runs and has failed, and who works: for `hybridrag worker status`, and for those who wait."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, LiteralString

import orjson

from tools.store.errors import UserStoreError
from tools.store.jobs.job_table import RUNNING
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import Database
from tools.store.postgres.publishing import LOCK
from tools.store.postgres.schema import WITH_BUDGETS, WITH_JOBS, check_version, version_of

if TYPE_CHECKING:
    import psycopg

ABSENT_SECONDS = 60
"""Since the last sign of a worker that has none of the locks: it has ended without a word."""
MAX_TOLD = 100
"""Failed documents that are named."""
NOBODY = (
    "No worker is at work on {}. What was submitted waits there; start one, on any machine that reaches it: "
    "hybridrag worker"
)
BUDGETS: LiteralString = (
    "SELECT count(*), r.spent, r.max_tokens FROM hybridrag.jobs j JOIN hybridrag.runs r ON r.id = j.run "
    "WHERE j.state = 'waiting' GROUP BY r.id ORDER BY r.id"
)
_PUBLISHING = (
    "EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = %s AND objid = %s "
    "AND objsubid = 2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"
)


@dataclass(frozen=True, slots=True)
class Running:
    """A document that is being read."""

    file: str
    worker: str
    since: datetime
    stage: str
    """`tools.store.reading.pace.ReadingStage`; '' before the first word."""
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Failed:
    """A document that could not be read."""

    file: str
    reason: str
    worker: str
    ended: datetime
    tries: int


@dataclass(frozen=True, slots=True)
class WorkerSeen:
    """A worker that has shown itself lately."""

    name: str
    doing: str
    seen: datetime
    at_work: bool
    """Seen in the last minute, or reading a document."""


@dataclass(frozen=True, slots=True)
class RunBudget:
    """A run of which documents wait, or are read, and which may spend so much."""

    documents: int
    """That wait or are read."""
    spent: int
    max_tokens: int


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """The queue of one database."""

    waiting: int
    """Documents that nobody reads yet."""
    waiting_bytes: int
    waiting_since: datetime | None
    again: int
    """Those of them that have been tried before."""
    unpublished: int
    """Changes that the next generation will show."""
    publishing: bool
    running: tuple[Running, ...] = ()
    failed: tuple[Failed, ...] = ()
    """In the last days, the last ones first."""
    workers: tuple[WorkerSeen, ...] = ()
    budgets: tuple[RunBudget, ...] = ()


NOTHING = QueueStatus(0, 0, None, 0, 0, False)


def queue_status(database: Database) -> QueueStatus:
    """As things are. DatabaseError, DriverMissingError, SchemaVersionError."""
    with database.reading() as connection:
        check_version(connection, database.address)
        version = version_of(connection)
        if version < WITH_JOBS:
            return NOTHING  # nobody has submitted anything yet
        return _status(connection, version >= WITH_BUDGETS)


def _status(connection: psycopg.Connection[Any], with_budgets: bool) -> QueueStatus:
    running = connection.execute(
        f"SELECT file, worker, taken, at FROM hybridrag.jobs WHERE {RUNNING} ORDER BY taken".encode()
    ).fetchall()
    waiting = connection.execute(
        "SELECT count(*), coalesce(sum(size), 0)::bigint, min(submitted), count(*) FILTER (WHERE tries > 0) "
        f"FROM hybridrag.jobs WHERE state = 'waiting' AND NOT ({RUNNING})".encode()
    ).fetchone()
    failed = connection.execute(
        "SELECT file, reason, worker, ended, tries FROM hybridrag.jobs WHERE state = 'failed' "
        "AND became <> 'skipped' ORDER BY ended DESC LIMIT %s",
        (MAX_TOLD,),
    ).fetchall()
    workers = connection.execute(
        "SELECT name, doing, seen, seen > now() - %s * interval '1 second' FROM hybridrag.workers "
        "WHERE seen > now() - interval '1 hour' ORDER BY name",
        (ABSENT_SECONDS,),
    ).fetchall()
    budgets = connection.execute(BUDGETS).fetchall() if with_budgets else []
    reading = {row[1] for row in running}
    others = connection.execute(
        f"SELECT (SELECT count(*) FROM hybridrag.changes), {_PUBLISHING}".encode(), LOCK
    ).fetchone()
    assert waiting is not None and others is not None
    count, size, since, again = waiting
    changes, publishing = others
    return QueueStatus(
        count,
        size,
        since,
        again,
        changes,
        publishing,
        running=tuple(
            Running(*row[:3], *(orjson.loads(row[3]) if row[3] else ("", 0, 0))) for row in running
        ),
        failed=tuple(Failed(*row) for row in failed),
        workers=tuple(
            WorkerSeen(name, doing, seen, lately or name in reading) for name, doing, seen, lately in workers
        ),
        budgets=tuple(RunBudget(*row) for row in budgets),
    )


class NobodyWorksError(UserStoreError):
    """Nothing that waits will be read or published."""

    def __init__(self, address: StoreAddress) -> None:
        super().__init__(NOBODY.format(address))


OnNobody = Callable[[StoreAddress], None]


def refuse_nobody(address: StoreAddress) -> None:
    """What was submitted stays. NobodyWorksError."""
    raise NobodyWorksError(address)


def nobody_works(connection: psycopg.Connection[Any]) -> bool:
    """Whether documents or changes wait and no worker is there."""
    row = connection.execute(
        "SELECT EXISTS (SELECT FROM hybridrag.jobs WHERE state = 'waiting' UNION ALL SELECT FROM hybridrag.changes) "
        f"AND NOT EXISTS (SELECT FROM hybridrag.jobs WHERE {RUNNING}) AND NOT {_PUBLISHING} "
        "AND NOT EXISTS (SELECT FROM hybridrag.workers WHERE seen > now() - %s * interval '1 second')".encode(),
        (*LOCK, ABSENT_SECONDS),
    ).fetchone()
    return bool(row and row[0])
