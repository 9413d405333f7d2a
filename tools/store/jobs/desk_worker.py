"""A worker: takes documents' jobs, one after another, and publishes what has been read when it is time to."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tools.closing import Closing
from tools.model.cache import Source
from tools.store.disk.records import RecordKey
from tools.store.errors import RecordDamagedError, WorkerError
from tools.store.jobs.change_table import (
    change,
    has_record,
    is_changed,
    made_with,
    others_of_its_file,
    record_files,
    wished,
    write_submitted,
)
from tools.store.jobs.desk_budget import DeskBudget
from tools.store.jobs.document_reader import DocumentReader
from tools.store.jobs.job_table import (
    MAX_LOST,
    MAX_TRIES,
    Ending,
    Job,
    bytes_of,
    end_job,
    give_back,
    has_job,
    lock_source,
    taken,
    try_again,
    unfinished,
)
from tools.store.jobs.patience import Patience
from tools.store.jobs.publishing_changes import BETWEEN_SECONDS, is_due, publish_changes, sweep_unasked
from tools.store.jobs.worker_cache import WorkerCache
from tools.store.jobs.worker_sign import IDLE_SECONDS, TELL_SECONDS, WorkerSign
from tools.store.postgres.database import Database
from tools.store.postgres.errors import DatabaseError, TooLargeFileError
from tools.store.postgres.schema import bring_forward
from tools.store.postgres.taking_back import write_copy
from tools.store.reading.broker_threads import TaskSource
from tools.store.reading.flags import to_keep
from tools.store.reading.plan import Wanted, donors, what_became
from tools.store.reading.recipe import Recipe
from tools.store.reading.report import FileState
from tools.store.runs.meanwhile import PUBLISH_AFTER_SECONDS

if TYPE_CHECKING:
    import psycopg

SWEEP_SECONDS = 60.0
"""Between looks for what nobody asks any more."""
POLL_SECONDS = 1.0
"""Between looks at an empty queue."""
KEPT = " What was indexed of it before is kept."
GONE = "its bytes are not in the database any more. Index it again."
LOST = "{} workers were lost while they read it. Index it again, by a worker with more memory."
UNWANTED = "not wanted any more: {}"
TRIED = "{}. It was tried {} times."
OVERSPENT = "{}. Replies paid for are kept; to go on, index it again, with more."


class DeskWorker(Closing):
    """One worker, with a folder of its own. A context manager: the document in hand is given back at the end."""

    def __init__(
        self,
        database: Database,
        cache: WorkerCache,
        recipe: Recipe,
        on_line: Callable[[str], None] = lambda line: None,
        publish_after: float = PUBLISH_AFTER_SECONDS,
        between: float = BETWEEN_SECONDS,
        poll: float = POLL_SECONDS,
    ) -> None:
        """`on_line` is told what happens, a line each; `publish_after` and `between`: see
        `publishing_changes.is_due`."""
        self.database, self.cache, self.recipe = database, cache, recipe
        self._sign = WorkerSign(database)
        self._say, self._publish_after, self._between, self._poll = on_line, publish_after, between, poll
        self._key = recipe.key()
        self._reader = DocumentReader(cache.home, recipe)
        self._in_hand: Job | None = None
        self._generation: int | None = None
        self._swept = -SWEEP_SECONDS

    @property
    def name(self) -> str:
        """Under which others see it."""
        return self._sign.name

    def begin(self) -> None:
        """Make or bring forward the tables, see that the vectors are of one model, and load the models of reading.
        SchemaVersionError, VectorsMissingError, OtherEmbeddingsError, DatabaseError, WorkerError."""
        with self.database.writing() as connection:
            bring_forward(connection, self.database.address)
            made_with(connection, self.database.address, self.recipe.embedder_id)
        self._sign.tell("waiting")
        self._reader.warm()

    def run(self, *, once: bool = False) -> None:
        """Serve until interrupted; `once`: until nothing waits. A database that is away is waited for, any other error
        ends the worker: see `begin` and `publishing.publish`."""
        patience = Patience(self._say)
        while True:
            try:
                busy = self._turn()
                idle = not busy and once and self._is_idle()
            except DatabaseError as error:
                patience.wait(error)
                continue
            patience.done()
            if idle:
                return
            if not busy:
                time.sleep(self._poll)

    def _turn(self) -> bool:
        """Publish or read one document; False where there was nothing to do."""
        self._give_back()
        self._follow()
        with self.database.reading() as connection:
            due = is_due(connection, self._publish_after, self._between)
            waits = has_job(connection)
        if due and self._publish():
            return True
        return self._read_one() if waits else self._rest()

    def _read_one(self) -> bool:
        """Take a document and read it; False where others were quicker."""
        with taken(self.database, self._sign.name) as held:
            if held is not None:
                hold, self._in_hand = held
                line = self._work(hold, self._in_hand)
        if held is None:
            return False
        self._in_hand = None
        self._say(line)
        return True

    def _rest(self) -> bool:
        """There is nothing to do: False."""
        self._sign.tell("waiting", every=IDLE_SECONDS)
        if time.monotonic() - self._swept >= SWEEP_SECONDS:
            self._swept = time.monotonic()
            sweep_unasked(self.database)
        return False

    def _is_idle(self) -> bool:
        with self.database.reading() as connection:
            row = connection.execute(
                "SELECT FROM hybridrag.jobs WHERE state = 'waiting' UNION ALL SELECT FROM hybridrag.changes LIMIT 1"
            ).fetchone()
        return row is None

    def _publish(self) -> bool:
        number = publish_changes(self.database, self.cache, self.recipe.embedder_id, self._on_step, self._say)
        if number is None:
            return False
        self._say(f"published generation {number}")
        self._sign.tell("waiting")
        return True

    def _on_step(self, step: str) -> None:
        doing, every = (f"publishing: {step}", TELL_SECONDS) if step else ("publishing", 0.0)
        self._sign.tell(doing, every=every)

    def _work(self, hold: psycopg.Connection[Any], job: Job) -> str:
        """Read a document and write what became of it, in the transaction that holds it; a line about that."""
        document = job.document
        self._sign.tell(f"reading {document.file}")
        if job.claims > MAX_LOST:
            return self._failed(hold, job, Ending("failed", LOST.format(MAX_LOST) + self._kept(job)))
        key = RecordKey(
            document.sha256, document.path, document.overrides, self._key.splitter, self._key.code,
            self._key.extractor, self._key.embedder,
        )  # fmt: skip
        reply: dict[str, Any] = {"record": key.folder, "seconds": 0.0, "tally": {}}
        spent: dict[str, Any] = {}
        there = has_record(hold, key.folder)
        if there and not self.cache.has(key.folder):
            try:
                write_copy(self.cache.home, key.folder, record_files(hold, key.folder), document.file)
            except RecordDamagedError as error:
                return self._ended_badly(hold, job, {"ended": str(error)}, spent)
        elif not there and not self.cache.has(key.folder):
            data = bytes_of(hold, job)
            if data is None:
                return self._failed(hold, job, Ending("failed", GONE + self._kept(job)))
            reply, spent = self._read(job, key, data)
        if "damaged" in reply:
            raise WorkerError(reply["damaged"])
        if "failed" in reply:
            return self._failed(hold, job, Ending("failed", reply["failed"] + self._kept(job)))
        if "record" not in reply:
            return self._ended_badly(hold, job, reply, spent)
        return self._settle(hold, job, reply, spent, there)

    def _read(self, job: Job, key: RecordKey, data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
        document = job.document
        file, root = self.cache.place(document.path, data)
        wanted = Wanted(key, file, root, document.same_as, document.before, None, document.size)
        task = {
            "file": str(file.absolute()),
            "root": str(root.absolute()),
            "source": document.source,
            "key": asdict(key),
            "donors": donors(self.cache.home, wanted),
        }
        before = document.before.document_id if document.before is not None else key.document_id
        replies_of = (before,) if before != key.document_id else ()
        source = TaskSource(Source(key.document_id, document.source, key.path), replies_of)
        try:
            budget = DeskBudget(self.database, job)
            return self._reader.read(task, source, lambda at: self._sign.at(job, at), budget)
        finally:
            self.cache.clear()

    def _settle(
        self,
        hold: psycopg.Connection[Any],
        job: Job,
        reply: dict[str, Any],
        spent: dict[str, Any],
        there: bool,
    ) -> str:
        """The document was read, now or before."""
        document, record = job.document, self.cache.record(reply["record"])
        entry = record.entry(document.source, document.same_as, to_keep(document.overrides))
        wanted = Wanted(record.seal().key, record.folder, record.folder, (), document.before, None, 0)
        became, reason = what_became(wanted, entry)
        if became == "unchanged":
            reason = ""
        ending = Ending(became, reason, entry, reply["seconds"], reply["tally"], spent)
        lock_source(hold, document.source)  # before the job's row, as whoever submits
        others = others_of_its_file(hold, entry)
        stays = there and entry == document.before and not others and not is_changed(hold, entry.document_id)
        try:
            with hold.transaction():  # within the one that holds the document's lock
                if not end_job(hold, job, "done" if stays else "read", ending):
                    return UNWANTED.format(document.file)
                if not there:
                    write_submitted(hold, record)
        except TooLargeFileError as error:
            return self._failed(hold, job, Ending("failed", str(error)))
        if not stays:
            change(hold, entry.document_id, entry)
        for other in others:
            known = document.before is not None and document.before.document_id == other.document_id
            change(hold, other.document_id, document.kept if known else None)
        return f"{became}: {document.file}"

    def _ended_badly(
        self, hold: psycopg.Connection[Any], job: Job, reply: dict[str, Any], spent: dict[str, Any]
    ) -> str:
        """What may go well another time is tried again, but not for ever."""
        state: FileState = "incomplete" if "incomplete" in reply else "failed"
        why = reply.get("incomplete") or reply["ended"]
        if "overspent" in reply:
            why = OVERSPENT.format(why.rstrip(".")) + self._kept(job)
            return self._failed(hold, job, Ending(state, why, spent=spent))
        if job.tries + 1 < MAX_TRIES:
            if not try_again(hold, job, why):
                return UNWANTED.format(job.document.file)
            return f"to be tried again: {job.document.file} ({why})"
        why = TRIED.format(why.rstrip("."), MAX_TRIES) + self._kept(job)
        return self._failed(hold, job, Ending(state, why, spent=spent))

    def _failed(self, hold: psycopg.Connection[Any], job: Job, ending: Ending) -> str:
        if not end_job(hold, job, "failed", ending):
            return UNWANTED.format(job.document.file)
        return f"{ending.became}: {job.document.file} ({ending.reason})"

    def _kept(self, job: Job) -> str:
        before = job.document.before
        return KEPT if before is not None and before.source == job.document.source else ""

    def _follow(self) -> None:
        """When others have published: what is gone goes here, too."""
        with self.database.reading() as connection:
            row = connection.execute("SELECT current FROM hybridrag.store").fetchone()
            if row is None or row[0] == self._generation:
                return
            manifest, going_on = wished(connection).manifest, unfinished(connection)
        self.cache.forget_others(manifest, going_on)
        self._generation = row[0]

    def _give_back(self) -> None:
        """A job that was taken and not ended, by an error or an interruption."""
        if self._in_hand is not None:
            job = self._in_hand
            with self.database.writing() as connection:
                give_back(connection, job.id, self.name)
            self._in_hand = None

    def close(self) -> None:
        """Give back what is in hand and leave the list of workers; with the database away, its connection tells."""
        with ExitStack() as steps:  # the last one first; one that fails keeps none from being taken
            steps.callback(self.database.close)
            steps.callback(self._leave)
            steps.callback(self.cache.close)
            steps.callback(self._reader.close)

    def _leave(self) -> None:
        with suppress(DatabaseError):
            self._give_back()
            self._sign.take_away()
