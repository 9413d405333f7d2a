"""Publishing what workers have submitted: one at a time, in batches, all of it or nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tools.store.disk.home import Manifest
from tools.store.errors import RecordDamagedError
from tools.store.jobs.change_table import Wished, wished
from tools.store.jobs.job_table import hold_for_long
from tools.store.jobs.worker_cache import WorkerCache
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import Database
from tools.store.postgres.errors import PublishedRecordDamagedError
from tools.store.postgres.home_contents import HomeContents
from tools.store.postgres.publishing import LOCK, publish_contents, publish_nothing, sweep_ended
from tools.store.postgres.schema import SUBMITTED
from tools.store.runs.meanwhile import MAX_SHARE

if TYPE_CHECKING:
    import psycopg

DAYS_KEPT = 7
"""For which a job is told of after it has ended."""
BETWEEN_SECONDS = 10.0
"""Between two generations."""
SWEEP_HOURS = 1
"""After which nobody asks the generation before any more."""
LOST = "what was read of it is not in the database as it was written: {}. Index it again."


def is_due(connection: psycopg.Connection[Any], after: float, between: float) -> bool:
    """Whether to publish: when nothing waits to be read any more; else after `after` seconds, and never so often that
    it costs more than a share of the time. Never within `between` seconds after the last time: no question that takes
    less is overtaken twice."""
    row = connection.execute(
        "SELECT (SELECT count(*) FROM hybridrag.changes), "
        "(SELECT extract(epoch FROM now() - min(since)) FROM hybridrag.changes), "
        "EXISTS (SELECT FROM hybridrag.jobs WHERE state = 'waiting'), "
        "(SELECT g.seconds FROM hybridrag.generations g JOIN hybridrag.store s ON g.number = s.current), "
        "(SELECT extract(epoch FROM clock_timestamp() - max(published)) FROM hybridrag.generations)"
    ).fetchone()
    assert row is not None
    changes, age, waits, cost, since = row
    if not changes or (since is not None and since < between):
        return False
    return not waits or float(age) >= max(after, float(cost or 0.0) * (1 / MAX_SHARE - 1))


def publish_changes(
    database: Database,
    cache: WorkerCache,
    embedder: str,
    on_step: Callable[[str], None] = lambda step: None,
    on_line: Callable[[str], None] = lambda line: None,
) -> int | None:
    """Make all changes that wait a new generation; its number, None where another worker is at it or nothing waits.
    Killed at any moment, it leaves the generation before, and the changes. A change whose record the database does not
    have, or not as it was written, is told `on_line` and passed over: it would stop publishing for good. `on_step`: ''
    as it begins, then each step. Errors as of `publishing.publish`, and PublishedRecordDamagedError."""
    started = time.monotonic()
    with database.writing() as connection:
        hold_for_long(connection)
        row = connection.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", LOCK).fetchone()
        if row is None or not row[0]:
            return None
        # a job that is seen to be read has its change seen, too: changes are looked at later
        jobs = [
            row[0]
            for row in connection.execute("SELECT id FROM hybridrag.jobs WHERE state = 'read'").fetchall()
        ]
        wish = wished(connection)
        if not wish.numbers:
            return None
        on_step("")
        publishing = _Publishing(connection, database.address, cache, embedder, on_step, on_line)
        number = publishing.publish(wish)
        connection.execute("DELETE FROM hybridrag.changes WHERE number = ANY(%s)", (list(wish.numbers),))
        connection.execute(
            "UPDATE hybridrag.jobs SET state = 'done' WHERE id = ANY(%s) AND state = 'read'", (jobs,)
        )
        connection.execute(
            "DELETE FROM hybridrag.jobs WHERE state IN ('done', 'failed') AND ended < now() - %s * interval '1 day'",
            (DAYS_KEPT,),
        )
        connection.execute(
            "DELETE FROM hybridrag.runs WHERE began < now() - %s * interval '1 day' "
            "AND NOT EXISTS (SELECT FROM hybridrag.jobs j WHERE j.run = runs.id)",
            (DAYS_KEPT,),
        )
        connection.execute(
            "UPDATE hybridrag.generations SET seconds = %s, published = clock_timestamp() WHERE number = %s",
            (time.monotonic() - started, number),
        )
        return number


def sweep_unasked(database: Database) -> None:
    """Delete what only earlier generations hold, what was removed among it, some time after the last one was published:
    else it would stay until the next one. DatabaseError."""
    with database.writing() as connection:
        row = connection.execute(
            "SELECT s.current FROM hybridrag.store s JOIN hybridrag.generations g ON g.number = s.current "
            "WHERE g.published < now() - %s * interval '1 hour' "
            "AND EXISTS (SELECT FROM hybridrag.generations e WHERE e.number < s.current) "
            "AND pg_try_advisory_xact_lock(%s, %s)",
            (SWEEP_HOURS, *LOCK),
        ).fetchone()
        if row is not None:
            sweep_ended(connection, row[0])


@dataclass(frozen=True, slots=True)
class _Publishing:
    connection: psycopg.Connection[Any]
    address: StoreAddress
    cache: WorkerCache
    embedder: str
    on_step: Callable[[str], None]
    on_line: Callable[[str], None]

    def publish(self, wish: Wished) -> int:
        """The number of the generation that holds what is wished, but for what has to be passed over."""
        again: set[str] = set()
        while entries := wish.manifest.entries:
            self.on_step(f"deriving the index of {len(entries):,} documents")
            try:
                contents = self._derived(wish.generation, Manifest(self.embedder, entries))
            except RecordDamagedError as error:
                if error.folder in again:
                    wish = self._passed_over(wish, error)
                again.add(error.folder)  # in this folder: what is not sound is fetched anew, once
            else:
                return publish_contents(self.connection, self.address, contents, self.on_step).generation
        return publish_nothing(self.connection, self.address)

    def _derived(self, generation: int | None, manifest: Manifest) -> HomeContents:
        self.cache.derive(self.connection, generation, manifest, self.on_step)
        return HomeContents(self.cache.home.root)

    def _passed_over(self, wish: Wished, error: RecordDamagedError) -> Wished:
        for document_id, entry in wish.changes.items():
            if entry is not None and entry.record == error.folder:
                self.on_line(f"passed over: {entry.source} ({LOST.format(error.why)})")
                self.connection.execute(
                    "UPDATE hybridrag.jobs SET state = 'failed', became = 'failed', reason = %s "
                    "WHERE document_id = %s AND state = 'read'",
                    (LOST.format(error.why), document_id),
                )
                self.connection.execute(
                    "DELETE FROM hybridrag.files WHERE starts_with(path, %s) AND since = %s",
                    (f"documents/{entry.record}/", SUBMITTED),
                )
                left = {key: change for key, change in wish.changes.items() if key != document_id}
                return replace(wish, changes=left)
        raise PublishedRecordDamagedError(self.address, error.folder, error.name, error.why) from error
