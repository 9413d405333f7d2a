"""Taking documents out of a database: one transaction, and a generation without them that a worker publishes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tools.store.errors import DEFAULT_HOME
from tools.store.jobs.change_table import is_going, published_now, take_out, wished
from tools.store.jobs.patience import Patience
from tools.store.jobs.queue_status import OnNobody, nobody_works, refuse_nobody
from tools.store.jobs.submitting import POLL_SECONDS
from tools.store.postgres.database import Database
from tools.store.postgres.errors import NothingPublishedError
from tools.store.postgres.schema import bring_forward, check_version
from tools.store.reading.report import RemovalReport
from tools.store.runs.removal import Approve, select


def take_out_published(
    database: Database,
    selector: str,
    approve: Approve = lambda chosen: True,
    on_line: Callable[[str], None] = lambda line: None,
    on_nobody: OnNobody = refuse_nobody,
    poll: float = POLL_SECONDS,
) -> RemovalReport:
    """As `removal.remove`, of what a database holds or is about to; returns when no question finds them any more.
    `on_line`: told of waiting for the database; `on_nobody`: called where no worker is at work.

    NothingPublishedError, SelectorError, SchemaVersionError, DatabaseError."""
    started = time.monotonic()
    with database.reading() as connection:
        there = check_version(connection, database.address)
    if not there:
        raise NothingPublishedError(database.address)
    with database.writing() as connection:
        bring_forward(connection, database.address)
    with database.reading() as connection:
        wish = wished(connection)
    known = {entry.document_id: entry for entry in (*wish.published.entries, *wish.manifest.entries)}
    if not known:
        raise NothingPublishedError(database.address)
    chosen = select(Path(DEFAULT_HOME), list(known.values()), selector)
    if not approve(chosen):
        return RemovalReport((), wish.generation, "", round(time.monotonic() - started, 3))
    with database.writing() as connection:
        take_out(connection, chosen)
    patience, told = Patience(on_line), False
    ids = [entry.document_id for entry in chosen]

    def state() -> tuple[bool, bool]:
        with database.reading() as connection:
            return is_going(connection, ids), nobody_works(connection)

    while (now := patience.until(state))[0]:
        if now[1] and not told:
            on_nobody(database.address)
        told = now[1]
        time.sleep(poll)
    seal, number, _ = patience.until(lambda: published_now(database))
    digest = seal.digest if seal is not None else ""
    return RemovalReport(tuple(chosen), number, digest, round(time.monotonic() - started, 3))
