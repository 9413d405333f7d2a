"""An indexing run: plan, read, derive, switch. Each step leaves the home whole; a rerun goes on where a kill
struck.
"""

from __future__ import annotations

import contextlib
import shlex
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tools.closing import Closing
from tools.documents.metadata.document_metadata import NO_OVERRIDES, Overrides
from tools.documents.read.child import DEFAULT_LIMITS, Limits
from tools.documents.read.parse import Splitter, find_documents
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.types import TripletExtractor
from tools.model.cache import Source
from tools.private_files import make_folder
from tools.store.disk.home import Entry, Home, Manifest, delete_tree, reading, writing
from tools.store.disk.lock import WriterLock
from tools.store.disk.records import StoredRecord
from tools.store.disk.removal_note import drop_note
from tools.store.disk.seal import GenerationSeal
from tools.store.disk.user_decisions import decisions_of
from tools.store.errors import HomeReadError, HomeWriteError, StoreError, command
from tools.store.generation import generations as generations
from tools.store.generation.vector_builder import vectors_being_built
from tools.store.reading.broker_threads import BrokerThreads, TaskSource, task_source_of
from tools.store.reading.flags import to_keep
from tools.store.reading.model_broker import ModelBroker, Models
from tools.store.reading.plan import Plan, Wanted, failure, incomplete, make_plan, what_became
from tools.store.reading.pool import run_tasks
from tools.store.reading.recipe import NO_MODELS, Recipe
from tools.store.reading.report import FileOutcome, IndexReport
from tools.store.reading.tasks import reading_task
from tools.store.runs.course import Course, OnProgress
from tools.store.runs.leftovers import delete_leftovers, forget_replaced
from tools.store.runs.meanwhile import PUBLISH_AFTER_SECONDS, Meanwhile, so_far
from tools.store.runs.removal import note_removal, take_out_noted
from tools.vector.embeddings import Embedder, LocalEmbeddings

NO_TALLY: Mapping[str, int] = MappingProxyType({})
PROCESS_BYTES = 100_000
"""Files of fewer bytes in all are read in less time than a further process takes to load its models."""


class IndexingRun(Closing):
    """One run, step by step: `plan`, `read`, `begin`, then `build_vectors` and `build_knowledge` in any
    order or side by side, then `publish`. Holds the writer's lock until `close`; a context manager."""

    def __init__(
        self,
        home: Path,
        paths: Sequence[Path],
        *,
        recipe: Recipe | None = None,
        workers: int = 2,
        on_progress: OnProgress | None = None,
        publish_after: float = PUBLISH_AFTER_SECONDS,
        prune: bool = False,
        process_bytes: int = PROCESS_BYTES,
    ) -> None:
        """`workers`: the most processes that read, one for each `process_bytes` to be read and what is left of them (as
        many as there may be where a model's endpoint is waited for); `publish_after`: seconds after which the first
        documents can be asked while the rest is read; `prune`: take out the documents whose files are gone from the
        folders given, as `removal.remove` does.

        HomeLockedError, HomeReadError, HomeWriteError, FormatVersionError, DecisionsError; MissingPathError or
        EmptyFolderError, before a home is made.
        """
        with reading(home):
            new = not home.exists()
        if new:
            find_documents(paths)
        self.started = time.monotonic()
        self.home = Home(home)
        self.paths = paths
        self.workers = workers
        self.process_bytes = process_bytes
        self.prune = prune
        self.recipe = recipe or Recipe()
        self.course = Course(on_progress)
        self.embedder_id = self.recipe.embedder_id
        self.recipe_key = self.recipe.key()
        self.broker = ModelBroker(self.home.cache, self.recipe.models, self.course.spend)
        self._lock = WriterLock.take(home)
        try:
            decisions_of(self.home)  # lines that are none are said before anything is read
            self.before = take_out_noted(self.home)  # by a removal that was killed
            drop_note(self.home)
        except StoreError:
            self._lock.release()
            raise
        self.work = Plan()
        self.manifest = self.before
        self.number: int | None = None
        self._meanwhile = Meanwhile(publish_after)
        self._published = False

    def plan(self) -> Plan:
        """Find and hash the files, see what is there already; take out what is to be pruned, noted until the run has
        published. MissingPathError, EmptyFolderError, HomeWriteError."""
        self.work = make_plan(self.home, self.before, self.paths, self.recipe_key)
        if self.prune and self.work.gone:
            self.work.prune()
            note_removal(self.home, self.work.gone)
            self.before = take_out_noted(self.home)
        self.course.plan(self.work)
        return self.work

    def read(self) -> Manifest:
        """Make the missing records and store the new manifest. A file that fails is named and left out.

        HomeWriteError, WorkerError, RecordDamagedError: finished records are kept for the next run.
        """
        entries = {entry.document_id: entry for entry in self.work.retained}
        missing = [wanted for wanted in self.work.wanted if wanted.seal is None]
        for wanted in self.work.wanted:
            if wanted.seal is not None:
                self._finish(wanted, 0.0, entries)
        missing.sort(key=lambda wanted: (-wanted.size, wanted.source))
        again = [entry for entry in self.work.retained if self._of_other_model(entry)]
        waiting = dict(enumerate(missing))
        sizes = [(wanted.file.name, wanted.size) for wanted in missing] + [(entry.name, 0) for entry in again]
        self.course.begin_reading(sizes)
        self._lock.tell(*self._up_to_date())
        tasks = [reading_task(self.home, wanted) for wanted in missing]
        tasks += [{"again": entry.record} for entry in again]
        with writing(self.home.root):
            make_folder(self.home.documents)
        task_sources = [*map(task_source_of, missing), *map(_task_source_again, again)]
        worth = 1 + sum(wanted.size for wanted in missing) // self.process_bytes
        for position, reply in self._replies(tasks, task_sources, self.workers if again else worth):
            self._check_reply(reply)
            self.course.end(position)
            waiting.pop(position, None)
            if position >= len(missing):
                entry = again[position - len(missing)]
                entries[entry.document_id] = self._entry_again(entry, reply)
            elif "record" in reply:
                self._finish(missing[position], reply["seconds"], entries, reply["tally"])
            else:
                self._leave_out(missing[position], reply, entries)
            if waiting:
                self._publish_meanwhile(entries, waiting.values(), len(missing) - len(waiting))
        ordered = tuple(entries[key] for key in sorted(entries))
        self.manifest = Manifest(self.embedder_id, ordered) if ordered else self.before
        if self.manifest != self.before:
            self.home.set_manifest(self.manifest)
        return self.manifest

    def _up_to_date(self) -> tuple[int, int]:
        """Documents that can be asked before anything is read, as they are now; and of how many."""
        known = {entry.record for entry in self.before.entries}
        ready = sum(wanted.key.folder in known for wanted in self.work.wanted)
        kept = len(self.work.retained)
        return ready + kept, len(self.work.wanted) + kept

    def _publish_meanwhile(
        self, entries: Mapping[str, Entry], waiting: Collection[Wanted], finished: int
    ) -> None:
        """Let what is read be asked, where it is time to. Vectors of two models are never mixed."""
        if self.before.embedder not in ("", self.embedder_id) or not self._meanwhile.is_due(finished):
            return
        manifest = so_far(self.embedder_id, entries, waiting)
        if not entries or generations.is_current(self.home, manifest):
            return
        if self._meanwhile.publish(self.home, manifest, finished):
            self._published = True
            total = len(entries) + len(waiting)
            self._lock.tell(len(entries), total)
            self.course.tell(published=(len(entries), total))

    def begin(self) -> bool:
        """Begin a generation if the one in use does not fit the manifest; False if there is nothing to do."""
        current = generations.is_current(self.home, self.manifest)
        if (current and generations.has_lines_of_encoder(self.home)) or not self.manifest.entries:
            return False
        generations.sweep(self.home)
        self.number = self.home.next_number()  # before it is there: whatever ends the run now clears it away
        generations.begin_generation(self.home, self.manifest)
        return True

    def build_vectors(self) -> None:
        """Write the vector and keyword indexes of the new generation."""
        with self.vectors_being_built() as vectors_are_built:
            vectors_are_built()

    def vectors_being_built(self) -> AbstractContextManager[Callable[[], None]]:
        """See `vector_builder.vectors_being_built`."""
        self.course.tell("vectors")
        return vectors_being_built(self.home, self._number())

    def build_knowledge(self) -> None:
        """Write its knowledge graph and catalogue."""
        self.course.tell("knowledge")
        generations.build_knowledge(self.home, self._number(), self.manifest)

    def publish(self) -> IndexReport:
        """Switch readers to the new generation, if one was begun, and delete what nothing needs any more."""
        changed = self.number is not None or self._published
        if self.number is not None:
            generations.finish_generation(self.home, self.number, self.manifest)
            self.number = None
        elif not self.manifest.entries and self.home.current() is not None:
            self.home.set_current(None)  # a removal of the last document was killed
        held = generations.sweep(self.home)
        delete_leftovers(
            self.home, self.manifest, self.recipe_key
        )  # of this run, or of one that was killed here
        read = {wanted.source: wanted.key.document_id for wanted in self.work.wanted}
        forget_replaced(self.home, self.before, self.manifest, read)
        drop_note(self.home)
        report = _report(self, changed, held)
        self.course.tell("done")
        return report

    def close(self) -> None:
        """Let others write; half a generation is deleted, but not one that readers were switched to."""
        number, self.number = self.number, None
        try:
            with contextlib.suppress(OSError, HomeReadError):  # if refused, the next writer sweeps
                if number is not None and number != self.home.current():
                    delete_tree(self.home.generation(number))
        finally:
            self._lock.release()

    def _replies(
        self, tasks: Sequence[dict[str, Any]], task_sources: Sequence[TaskSource], worth: int
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Of the reading processes, as they come. `worth`: how many the reading is, were no endpoint waited for."""
        models = self.recipe.models
        remote = models.chat is not None or models.embedder is not None
        broker_threads = BrokerThreads(self.broker, task_sources) if remote and tasks else None
        start = self.recipe.start(self.home.root)
        processes = self.workers if remote else min(self.workers, worth)
        replies = run_tasks(start, tasks, processes, broker_threads, self.course.at)
        try:
            yield from replies
        finally:
            replies.close()
            if broker_threads is not None:
                broker_threads.stop()

    def _check_reply(self, reply: dict[str, Any]) -> None:
        if self.broker.broken is not None:
            raise HomeWriteError(self.home.root, self.broker.broken.strerror or str(self.broker.broken))
        if "refused" in reply:
            raise HomeWriteError(self.home.root, reply["refused"])
        if "damaged" in reply:
            raise StoreError(reply["damaged"])

    def _of_other_model(self, entry: Entry) -> bool:
        return self.before.embedder != self.embedder_id and bool(entry.record)

    def _entry_again(self, entry: Entry, reply: dict[str, Any]) -> Entry:
        if "record" not in reply:
            why = reply.get("failed") or reply["incomplete"]
            raise StoreError(f"'{entry.name}' could not be embedded again: {why}")
        seal = StoredRecord(self.home.root, reply["record"], entry.name).seal()
        return replace(entry, record=reply["record"], record_sha256=seal.sha256)

    def _leave_out(self, wanted: Wanted, reply: dict[str, Any], entries: dict[str, Entry]) -> None:
        """A file that could not be read, or not to its end."""
        by_source = {entry.source: entry for entry in self.before.entries}
        if "failed" in reply:
            outcome = failure(wanted.file, reply["failed"], by_source)
        else:
            again = command(self.home.root, f"index {shlex.join(map(str, self.paths))}")
            outcome = incomplete(wanted.file, reply["incomplete"], again, by_source)
        if outcome.entry is not None:
            entries.setdefault(outcome.entry.document_id, outcome.entry)
        self.course.settle(outcome)

    def _finish(
        self, wanted: Wanted, seconds: float, entries: dict[str, Entry], tally: Mapping[str, int] = NO_TALLY
    ) -> None:
        record = StoredRecord(self.home.root, wanted.key.folder, wanted.file.name)
        document = record.document()
        entry = record.entry(wanted.source, wanted.same_as, to_keep(wanted.key.overrides))
        entries[entry.document_id] = entry
        state, reason = what_became(wanted, entry)
        self.course.settle(FileOutcome(str(wanted.file), state, reason, entry, document, seconds, tally))

    def _number(self) -> int:
        if self.number is None:
            raise StoreError("No generation was begun.")
        return self.number


def index_paths(
    home: Path,
    paths: Sequence[Path],
    *,
    embedder_factory: Callable[..., Embedder] = LocalEmbeddings,
    extractor_factory: Callable[..., TripletExtractor] = LocalExtractor,
    overrides: Overrides = NO_OVERRIDES,
    forget_flags: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    splitter: Splitter = "structure",
    models: Models = NO_MODELS,
    workers: int = 2,
    on_progress: OnProgress | None = None,
    publish_after: float = PUBLISH_AFTER_SECONDS,
    prune: bool = False,
    process_bytes: int = PROCESS_BYTES,
) -> IndexReport:
    """Bring the index up to date with these files and folders; documents of other files stay, and so do those whose
    files are gone from the folders, unless `prune`.

    A file that fails is named in the report and the rest go on; so is one that a model's endpoint left
    incomplete, whose replies are kept for the next run. What is unchanged is not read again. Killing it costs
    the documents in hand: finished records are used by the next run. In a long run the first documents can be asked
    while the rest is read. See `Recipe` and `IndexingRun` for arguments, `IndexingRun` for errors.
    """
    recipe = Recipe(embedder_factory, extractor_factory, overrides, forget_flags, limits, splitter, models)
    with IndexingRun(
        home,
        paths,
        recipe=recipe,
        workers=workers,
        on_progress=on_progress,
        publish_after=publish_after,
        prune=prune,
        process_bytes=process_bytes,
    ) as run:
        run.plan()
        run.read()
        if run.begin():
            with run.vectors_being_built() as vectors_are_built:
                run.build_knowledge()
                vectors_are_built()
        return run.publish()


def _report(run: IndexingRun, changed: bool, held: Iterable[int]) -> IndexReport:
    number = run.home.current()
    seal = GenerationSeal.load(run.home.generation(number)) if number is not None else None
    return IndexReport(
        outcomes=tuple(run.course.outcomes[name] for name in run.work.order),
        generation=number,
        digest=seal.digest if seal is not None else "",
        changed=changed,
        documents=seal.documents if seal is not None else 0,
        chunks=seal.chunks if seal is not None else 0,
        duplicates=seal.duplicates if seal is not None else 0,
        triplets=seal.triplets if seal is not None else 0,
        seconds=round(time.monotonic() - run.started, 3),
        held=tuple(held),
        spent=run.broker.spent,
        stopped=run.broker.closed,
        extractor=chat.id if (chat := run.recipe.models.chat) is not None else "local",
    )


def _task_source_again(entry: Entry) -> TaskSource:
    return TaskSource(Source(entry.document_id, entry.source, entry.path))
