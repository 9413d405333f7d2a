"""Submitting files to the workers of a database, and waiting until what became of them is published."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from tools.closing import Closing
from tools.store.disk.home import Entry, Home
from tools.store.jobs.change_table import (
    REMOVED,
    change,
    has_record,
    is_going,
    published_now,
    take_out,
    wished,
)
from tools.store.jobs.desk_budget import new_run
from tools.store.jobs.job_table import (
    Ending,
    Submitted,
    add_job,
    has_bytes,
    same_job,
    waiting_bytes,
)
from tools.store.jobs.patience import Patience
from tools.store.jobs.queue_status import OnNobody, nobody_works, refuse_nobody
from tools.store.postgres.database import Database
from tools.store.postgres.publishing import MAX_FILE_BYTES
from tools.store.postgres.schema import bring_forward
from tools.store.reading.flags import to_keep
from tools.store.reading.model_broker import Spent
from tools.store.reading.plan import Plan, Wanted, make_plan
from tools.store.reading.recipe import Recipe
from tools.store.reading.report import FileOutcome, IndexReport
from tools.store.runs.course import Course, OnProgress

POLL_SECONDS = 0.5
MAX_WAITING_BYTES = 1 << 30
"""Of files in the database that wait to be read; who submits more waits."""
MAX_URGENT = 3
"""Files of a run that goes before larger ones."""
UNREADABLE = "{}: it cannot be read: {}."
CHANGED = "{}: it changed while it was being submitted. Index it again."
TOO_LARGE = "{} is larger than {:,} MiB, the most that a store in PostgreSQL keeps."
NO_FILE = Path("/dev/null/none")
"""A home that never is: nothing is read on this machine."""


class Submission(Closing):
    """One run: `plan`, `submit`, then `wait`. A context manager, which lets go of the database."""

    def __init__(
        self,
        database: Database,
        paths: Sequence[Path],
        recipe: Recipe,
        *,
        prune: bool = False,
        on_progress: OnProgress | None = None,
        on_line: Callable[[str], None] = lambda line: None,
        on_nobody: OnNobody = refuse_nobody,
        poll: float = POLL_SECONDS,
        max_waiting: int = MAX_WAITING_BYTES,
    ) -> None:
        """`on_line`: told what else is worth saying; `on_nobody`: called where no worker is at work; `prune`
        and `on_progress` as in `index_run.index_paths`."""
        self.database, self.paths, self.recipe, self.prune = database, paths, recipe, prune
        self.course = Course(on_progress)
        self.work = Plan()
        self._run: int | None = None
        """That the jobs' tokens are counted for, where the recipe limits them."""
        self.wanted: list[Wanted] = []
        """Those that a worker is to read, by position."""
        self._on_nobody, self._poll, self._max_waiting = on_nobody, poll, max_waiting
        self._started = time.monotonic()
        self._patience = Patience(on_line)
        self._open: dict[int, int] = {}
        """Job -> position, of those that are not published."""
        self._settled: set[int] = set()
        self._endings: list[Ending] = []
        self._gone: list[str] = []
        self._absence_told = self._submitted = self._held_up = False
        self._published: int | None = None
        self._looked = 0.0

    def plan(self) -> Plan:
        """Find and hash the files, and compare them with what the database holds. Nothing is written but its tables.
        MissingPathError, EmptyFolderError, DatabaseError, SchemaVersionError, VectorsMissingError."""
        with self.database.writing() as connection:
            bring_forward(connection, self.database.address)
        with self.database.reading() as connection:
            wish = wished(connection)
        self._published = wish.generation
        self.work = make_plan(Home(NO_FILE), wish.manifest, self.paths, self.recipe.key())
        if self.prune:
            self.work.prune()
        known = {entry.document_id: entry for entry in wish.manifest.entries}
        moved: list[tuple[Entry, Wanted | None]] = [
            (entry, None) for entry in self.work.retained if known[entry.document_id] != entry
        ]
        for wanted in self.work.wanted:
            entry = self._unchanged(wanted)
            if entry is None:
                self.wanted.append(wanted)
                continue
            self.work.outcomes[str(wanted.file)] = FileOutcome(str(wanted.file), "unchanged", "", entry)
            if entry != known[entry.document_id]:
                moved.append((entry, wanted))
        later = {wanted.before.document_id for wanted in self.wanted if wanted.before is not None}
        left = {entry.document_id for entry in self.work.retained}
        left |= {wanted.key.document_id for wanted in self.work.wanted} | later
        with self.database.writing() as connection:
            for entry, wanted_so in moved:
                if entry.document_id in later:
                    continue
                if has_record(connection, entry.record):
                    change(connection, entry.document_id, entry)
                else:
                    self._removed_meanwhile(entry, wanted_so)
            self._gone = [key for key in known if key not in left]
            take_out(connection, (known[key] for key in self._gone))
        self.course.plan(self.work)
        self.course.begin_reading([(wanted.file.name, wanted.size) for wanted in self.wanted])
        return self.work

    def _removed_meanwhile(self, entry: Entry, wanted: Wanted | None) -> None:
        """A document that is gone since the manifest was looked at: its file is read again, or, where that is none of
        this run, its copies are told to have failed."""
        if wanted is not None:
            del self.work.outcomes[str(wanted.file)]
            self.wanted.append(replace(wanted, before=None))
            return
        for file, outcome in self.work.outcomes.items():
            if outcome.state == "same" and outcome.reason == entry.source:
                why = f"{entry.source}: {REMOVED}. Index this file again."
                self.work.outcomes[file] = FileOutcome(file, "failed", why)

    def _unchanged(self, wanted: Wanted) -> Entry | None:
        """The line of a document that this program would read as it was read."""
        before = wanted.before
        if before is None or before.record != wanted.key.folder or before.source != wanted.source:
            return None
        return replace(before, same_as=wanted.same_as, flags=to_keep(wanted.key.overrides))

    def submit(self) -> int:
        """Write the jobs; how many. Waits while too much waits in the database, and while that is away."""
        priority = int(len(self.wanted) <= MAX_URGENT)
        retained = {entry.document_id: entry for entry in self.work.retained}
        if self.wanted and self.recipe.models.max_tokens is not None:
            self._run = self._patience.until(self._begin_run)
        for position, wanted in enumerate(self.wanted):
            while self._patience.until(self._too_much):
                self._held_up = True
                self._look()
                time.sleep(self._poll)
            self._held_up = False
            kept = retained.get(wanted.before.document_id) if wanted.before is not None else None
            why = self._patience.until(lambda: self._submit(position, wanted, priority, kept))  # noqa: B023
            if why:
                before = (
                    wanted.before
                    if wanted.before is not None and wanted.before.source == wanted.source
                    else None
                )
                self.course.settle(FileOutcome(str(wanted.file), "failed", why, before))
            self._look()
        self._submitted = True
        return len(self._open)

    def _begin_run(self) -> int:
        limit = self.recipe.models.max_tokens
        assert limit is not None
        with self.database.writing() as connection:
            return new_run(connection, limit)

    def _submit(self, position: int, wanted: Wanted, priority: int, kept: Entry | None) -> str:
        """Write one job; why not, where it can't be."""
        key = wanted.key
        document = Submitted(
            key.document_id, key.sha256, str(wanted.file), key.path, wanted.source, wanted.size, key.overrides,
            wanted.same_as, wanted.before, kept,
        )  # fmt: skip
        if wanted.size > MAX_FILE_BYTES:
            return TOO_LARGE.format(wanted.file.name, MAX_FILE_BYTES >> 20)
        with self.database.writing() as connection:
            number = same_job(connection, document, priority, self._run)
            if number is None:
                data = None
                if not has_bytes(connection, key.document_id, key.sha256):
                    try:
                        data = wanted.file.read_bytes()
                    except OSError as error:
                        return UNREADABLE.format(wanted.file.name, error.strerror or error)
                    if hashlib.sha256(data).hexdigest() != key.sha256:
                        return CHANGED.format(wanted.file.name)
                number = add_job(connection, priority, document, data, self._run)
        self._open[number] = position
        return ""

    def _too_much(self) -> bool:
        with self.database.reading() as connection:
            return waiting_bytes(connection) >= self._max_waiting

    def wait(self) -> IndexReport:
        """Wait until all is published; what became of each file."""
        while self._open or self._pruning():
            if not self._look(now=True):
                time.sleep(self._poll)
        return self._patience.until(self._report)

    def _pruning(self) -> bool:
        if not self._gone:
            return False
        return self._patience.until(self._is_pruning)

    def _is_pruning(self) -> bool:
        with self.database.reading() as connection:
            return is_going(connection, self._gone)

    def _look(self, *, now: bool = False) -> bool:
        """See how far the jobs are, now and then; whether any has gone on."""
        if not now and time.monotonic() - self._looked < self._poll:
            return False
        self._looked = time.monotonic()
        ended, at, absent = self._patience.until(self._state)
        before = len(self._open), len(self._settled)
        for number, state, ending in ended:
            position = self._open[number]
            if number not in self._settled:
                self._settled.add(number)
                self.course.end(position)
                self._endings.append(ending)
                file = str(self.wanted[position].file)
                self.course.spend(self.spent)
                self.course.settle(FileOutcome(
                    file, ending.became, ending.reason, ending.entry, None, ending.seconds, ending.tally,
                ))  # fmt: skip
            if state != "read":
                del self._open[number]
        for number, stage in at:
            self.course.at(self._open[number], *stage)
        absent = absent and (self._submitted or self._held_up)  # until then a worker may be on its way
        if absent and not self._absence_told:
            self._on_nobody(self.database.address)
        self._absence_told = absent
        if (
            self._submitted
            and before[1] != len(self._settled)
            and self._settled.issuperset(self._open)
            and self._open
        ):
            self.course.tell("publishing")
        return before != (len(self._open), len(self._settled))

    def _state(self) -> tuple[list[tuple[int, str, Ending]], list[tuple[int, Any]], bool]:
        """Of the open jobs: those that have ended; how far others are; whether nobody works though something waits."""
        with self.database.reading() as connection:
            rows = connection.execute(
                "SELECT id, state, became, reason, told, at FROM hybridrag.jobs WHERE id = ANY(%s) "
                "AND (state <> 'waiting' OR at <> '')",
                (list(self._open),),
            ).fetchall()
            there = {row[0] for row in connection.execute(
                "SELECT id FROM hybridrag.jobs WHERE id = ANY(%s)", (list(self._open),)
            ).fetchall()}  # fmt: skip
            absent = nobody_works(connection)
        gone = Ending("skipped", REMOVED)
        ended = [(number, "done", gone) for number in self._open if number not in there]
        ended += [
            (number, state, Ending.of(became, reason, told))
            for number, state, became, reason, told, _ in rows
            if state != "waiting"
        ]
        return ended, [(row[0], orjson.loads(row[5])) for row in rows if row[1] == "waiting"], absent

    @property
    def spent(self) -> Spent:
        """By the workers on model endpoints, so far."""
        told = [Spent(**ending.spent) for ending in self._endings if ending.spent]
        costs = [each.cost for each in told if each.cost is not None]
        return Spent(
            sum(each.calls for each in told),
            sum(each.cached for each in told),
            sum(each.input_tokens for each in told),
            sum(each.output_tokens for each in told),
            sum(costs) if costs else None,
        )

    def close(self) -> None:
        """Let go of the database; what was submitted stays."""
        self.database.close()

    def _report(self) -> IndexReport:
        seal, generation, documents = published_now(self.database)
        outcomes = []
        for name in self.work.order:
            outcome = self.course.outcomes[name]
            entry = outcome.entry
            read = entry is not None and outcome.state in ("indexed", "replaced", "unchanged")
            outcomes.append(
                replace(outcome, document=documents.get(entry.document_id)) if entry and read else outcome
            )
        self.course.tell("done")
        chat = self.recipe.models.chat
        return IndexReport(
            outcomes=tuple(outcomes),
            generation=generation,
            digest=seal.digest if seal is not None else "",
            changed=generation != self._published,
            documents=seal.documents if seal is not None else 0,
            chunks=seal.chunks if seal is not None else 0,
            duplicates=seal.duplicates if seal is not None else 0,
            triplets=seal.triplets if seal is not None else 0,
            seconds=round(time.monotonic() - self._started, 3),
            spent=self.spent,
            extractor=chat.id if chat is not None else "local",
        )
