"""The table of jobs: one a document. Who reads one holds an advisory lock on its document, in a transaction that lasts
as long: a worker that is killed, or loses its connection, lets go of it at once, and another one takes the job. What a
job has yielded is written in that same transaction, so that nothing is done twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, LiteralString

import orjson

from tools.store.disk.home import Entry
from tools.store.postgres.database import Database, for_long
from tools.store.postgres.errors import DatabaseError
from tools.store.postgres.schema import FOREVER
from tools.store.reading.report import FileState

if TYPE_CHECKING:
    import psycopg

MAX_TRIES = 3
"""Times that reading a document may end badly."""
MAX_LOST = 10
"""Workers that may be lost while they read it. More than tries: most are ended for reasons of their own."""
RETRY_SECONDS = 5
"""Before the second try; the third waits as long again."""
CANDIDATES = 20
SECONDS_TO_NOTICE = (30, 5, 3)
"""Of silence until the server looks whether a worker's machine is there, between looks, and looks."""
LOCKED = (
    "SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND "
    "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
"""Of a query for the advisory locks that somebody holds."""
RUNNING = f"state = 'waiting' AND lock IN ({LOCKED})"
"""Of a job that somebody reads now."""
_COLUMNS = "id, document_id, sha256, file, path, source, size, given, tries, claims"


@dataclass(frozen=True, slots=True)
class Submitted:
    """A document to read, as it was submitted."""

    document_id: str
    sha256: str
    file: str
    """As the user's path leads to it."""
    path: str
    """As `Document.path`."""
    source: str
    """Absolute path where it was submitted: of two files with the same, the later one replaces the other."""
    size: int
    overrides: str
    """What was said about it, as `RecordKey.overrides`."""
    same_as: tuple[str, ...] = ()
    before: Entry | None = None
    """What the index had of this file or content."""
    kept: Entry | None = None
    """What stays of that where its content has changed: a copy elsewhere."""

    def given(self) -> str:
        """What the table keeps as JSON."""
        told = (self.overrides, self.same_as, entry_to_json(self.before), entry_to_json(self.kept))
        return orjson.dumps(told).decode()


@dataclass(frozen=True, slots=True)
class Job:
    """A job of the table."""

    id: int
    document: Submitted
    tries: int
    claims: int


@dataclass(frozen=True, slots=True)
class Ending:
    """What became of a document."""

    became: FileState
    reason: str = ""
    entry: Entry | None = None
    seconds: float = 0.0
    tally: dict[str, int] = field(default_factory=dict)
    spent: dict[str, Any] = field(default_factory=dict)
    """As `model_broker.Spent`."""

    def told(self) -> str:
        """What the table keeps as JSON."""
        return orjson.dumps((entry_to_json(self.entry), self.seconds, self.tally, self.spent)).decode()

    @classmethod
    def of(cls, became: FileState, reason: str, told: str) -> Ending:
        """The inverse."""
        entry, seconds, tally, spent = orjson.loads(told) if told else (None, 0.0, {}, {})
        return cls(became, reason, entry_from_json(entry), seconds, tally, spent)


def entry_to_json(entry: Entry | None) -> str | None:
    """A line of a manifest as JSON."""
    return None if entry is None else orjson.dumps(asdict(entry)).decode()


def entry_from_json(text: str | None) -> Entry | None:
    """The inverse."""
    if text is None:
        return None
    fields = orjson.loads(text)
    return Entry(**{**fields, "same_as": tuple(fields["same_as"])})


def lock_of(document_id: str) -> int:
    """The key of a document's advisory lock: its id has 64 bits, too."""
    return int.from_bytes(bytes.fromhex(document_id), "big", signed=True)


def add_job(
    connection: psycopg.Connection[Any],
    priority: int,
    document: Submitted,
    data: bytes | None,
    run: int | None = None,
) -> int:
    """Submit a document; `data`: its bytes, None where the database has them; `run`: that it may spend tokens of. What
    waits of an earlier content of the same file need not be read any more. The job's number."""
    lock_source(connection, document.source)
    skip_jobs(
        connection,
        "it was submitted again with other content",
        "source = %s AND (sha256, path) <> (%s, %s)",
        (document.source, document.sha256, document.path),
    )
    row = connection.execute(
        "INSERT INTO hybridrag.jobs (priority, lock, document_id, sha256, file, path, source, size, given, "
        "run) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id",
        (
            *(priority, lock_of(document.document_id), document.document_id, document.sha256),
            *(document.file, document.path, document.source, document.size, document.given(), run),
        ),
    ).fetchone()
    assert row is not None
    if data is not None:
        connection.execute("INSERT INTO hybridrag.uploads (job, data) VALUES (%s, %b)", (row[0], data))
    return int(row[0])


def lock_source(connection: psycopg.Connection[Any], source: str) -> None:
    """Be the only one, until the transaction ends, who decides what the index holds of a file."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (source,))


def skip_jobs(
    connection: psycopg.Connection[Any], reason: str, which: LiteralString, values: Sequence[Any]
) -> None:
    """End jobs that wait and are not wanted any more; the bytes of their files go."""
    connection.execute(
        "WITH ended AS (UPDATE hybridrag.jobs SET state = 'failed', became = 'skipped', reason = %s, ended = now() "
        f"WHERE state = 'waiting' AND ({which}) RETURNING id) "
        "DELETE FROM hybridrag.uploads WHERE job IN (SELECT id FROM ended)",
        (reason, *values),
    )


def same_job(
    connection: psycopg.Connection[Any], document: Submitted, priority: int, run: int | None = None
) -> int | None:
    """The job that waits for just this already, of a run that was ended or of another user's; from now on it goes as
    early as the more urgent of the two, and from its next call on spends what the later one may, where that has a
    limit."""
    row = connection.execute(
        "UPDATE hybridrag.jobs SET priority = greatest(priority, %s), run = coalesce(%s, run) WHERE source = %s "
        "AND state = 'waiting' AND (sha256, path, file, given) = (%s, %s, %s, %s) RETURNING id",
        (priority, run, document.source, document.sha256, document.path, document.file, document.given()),
    ).fetchone()
    return None if row is None else int(row[0])


@contextmanager
def taken(database: Database, worker: str) -> Iterator[tuple[psycopg.Connection[Any], Job] | None]:
    """The first job that nobody reads, with the transaction that holds it and is to write what comes of it; None where
    there is none. An exception, and a kill, let go of it: it waits again. DatabaseError."""
    with database.writing() as hold:
        hold_for_long(hold)
        job = _lock_one(hold, database, worker)
        yield None if job is None else (hold, job)


def has_job(connection: psycopg.Connection[Any]) -> bool:
    """Whether a job waits that nobody reads: asked on a kept connection, before one is made for `taken`."""
    query = (
        "SELECT FROM hybridrag.jobs WHERE state = 'waiting' AND not_before <= now() "
        f"AND lock NOT IN ({LOCKED}) LIMIT 1"
    )
    return connection.execute(query.encode()).fetchone() is not None


def hold_for_long(connection: psycopg.Connection[Any]) -> None:
    """The transaction may be idle while documents are read; the server notices in half a minute where the machine at
    the other end has gone."""
    connection.execute(for_long(*SECONDS_TO_NOTICE).encode())


def _lock_one(hold: psycopg.Connection[Any], database: Database, worker: str) -> Job | None:
    found = hold.execute(
        f"SELECT id, lock FROM hybridrag.jobs WHERE state = 'waiting' AND not_before <= now() "
        f"AND lock NOT IN ({LOCKED}) ORDER BY priority DESC, id LIMIT {CANDIDATES}".encode()
    ).fetchall()
    for number, lock in found:
        row = hold.execute("SELECT pg_try_advisory_xact_lock(%s)", (lock,)).fetchone()
        if row is None or not row[0]:
            continue  # another worker was quicker
        try:
            with database.writing() as connection:  # seen by all from now on
                row = connection.execute(
                    "UPDATE hybridrag.jobs SET claims = claims + 1, worker = %s, taken = now(), at = '' "
                    f"WHERE id = %s AND state = 'waiting' RETURNING {_COLUMNS}".encode(),
                    (worker, number),
                ).fetchone()
        except BaseException:  # the worker was asked to end: perhaps it is claimed already
            with suppress(DatabaseError), database.writing() as connection:
                give_back(connection, number, worker, sure=False)
            raise
        if row is not None:
            return _job(row)
        hold.rollback()  # it was ended meanwhile: its document is nobody's
        hold_for_long(hold)
    return None


def _job(row: Sequence[Any]) -> Job:
    number, document_id, sha256, file, path, source, size, given, tries, claims = row
    overrides, same_as, before, kept = orjson.loads(given)
    document = Submitted(
        document_id, sha256, file, path, source, size, overrides, tuple(same_as),
        entry_from_json(before), entry_from_json(kept),
    )  # fmt: skip
    return Job(number, document, tries, claims)


def bytes_of(connection: psycopg.Connection[Any], job: Job) -> bytes | None:
    """The file's bytes: as they were submitted, or as an earlier reading of it has kept them; None where neither is
    there any more."""
    row = connection.execute("SELECT data FROM hybridrag.uploads WHERE job = %s", (job.id,)).fetchone()
    row = (
        row
        or connection.execute(
            "SELECT data FROM hybridrag.files WHERE starts_with(path, %s) AND path LIKE '%%/original' "
            "AND sha256 = %s LIMIT 1",
            (f"documents/{job.document.document_id}-", job.document.sha256),
        ).fetchone()
    )
    return None if row is None else bytes(row[0])


def has_bytes(connection: psycopg.Connection[Any], document_id: str, sha256: str) -> bool:
    """Whether an earlier reading has kept them, for as long as the generation in use lasts."""
    row = connection.execute(
        "SELECT FROM hybridrag.files WHERE starts_with(path, %s) AND path LIKE '%%/original' AND sha256 = %s "
        "AND until = %s LIMIT 1",
        (f"documents/{document_id}-", sha256, FOREVER),
    ).fetchone()
    return row is not None


def end_job(connection: psycopg.Connection[Any], job: Job, state: str, ending: Ending) -> bool:
    """Note what became of a job; False where it is not wanted any more: nothing of it is to be written."""
    row = connection.execute(
        "UPDATE hybridrag.jobs SET state = %s, became = %s, reason = %s, told = %s, ended = now(), at = '', "
        "claims = claims - 1 WHERE id = %s AND state = 'waiting' RETURNING id",
        (state, ending.became, ending.reason, ending.told(), job.id),
    ).fetchone()
    connection.execute("DELETE FROM hybridrag.uploads WHERE job = %s", (job.id,))
    return row is not None


def try_again(connection: psycopg.Connection[Any], job: Job, why: str) -> bool:
    """A try that ended badly: others come first, and the last one is said to have failed by the caller. False as of
    `end_job`."""
    cursor = connection.execute(
        "UPDATE hybridrag.jobs SET tries = tries + 1, claims = claims - 1, at = '', worker = '', reason = %s, "
        "not_before = now() + %s * interval '1 second' WHERE id = %s AND state = 'waiting'",
        (why, RETRY_SECONDS * (job.tries + 1), job.id),
    )
    return cursor.rowcount > 0


def give_back(connection: psycopg.Connection[Any], number: int, worker: str, *, sure: bool = True) -> None:
    """The worker ends by itself: that is no try. Not `sure` that it was claimed: only where its name is there."""
    connection.execute(
        "UPDATE hybridrag.jobs SET claims = claims - 1, at = '', worker = coalesce(nullif(worker, %s), '') "
        "WHERE id = %s AND state = 'waiting' AND claims > 0 AND (%s OR worker = %s)",
        (worker, number, sure, worker),
    )


def unfinished(connection: psycopg.Connection[Any]) -> set[str]:
    """Ids of documents that are to be read yet, or again: replies of a model that were paid for are asked for no second
    time."""
    rows = connection.execute(
        "SELECT document_id FROM hybridrag.jobs WHERE state IN ('waiting', 'read') OR became = 'incomplete'"
    ).fetchall()
    return {row[0] for row in rows}


def waiting_bytes(connection: psycopg.Connection[Any]) -> int:
    """Of files whose jobs wait or run."""
    row = connection.execute(
        "SELECT coalesce(sum(size), 0) FROM hybridrag.jobs WHERE state = 'waiting'"
    ).fetchone()
    assert row is not None
    return int(row[0])
