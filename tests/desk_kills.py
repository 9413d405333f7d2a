"""Workers and their database killed at random moments: `python -m tests.desk_kills [--kills 100] [--readers 50]`.

Two workers read what is submitted, revision after revision of some documents: some change, some come, some go. By turns
a worker alone, with all its processes, both workers, and the database are killed (SIGKILL; the database as by a loss of
power) and started again. After each revision the digest must be that of a folder indexed with the same files, nothing
may be left over, and no document may have been written twice. Then readers ask while the documents are read anew: each
must see one index, the old or the new, whole.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from evals.kills import CALL
from tests import desk_here
from tests.light_index import index_light
from tests.postgres_here import PostgresHere, postgres_here
from tests.store_stand_ins import HashEmbedder
from tools.scope import Scope
from tools.store.jobs.publishing_changes import BETWEEN_SECONDS
from tools.store.jobs.submitting import Submission
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.errors import PublishedReplacedError
from tools.store.postgres.published import open_published
from tools.store.postgres.schema import SUBMITTED

KINDS = ("worker", "group", "both", "database")
COMPANIES = (
    "Alder",
    "Birch",
    "Cedar",
    "Dogwood",
    "Elm",
    "Fir",
    "Gum",
    "Hazel",
    "Iron",
    "Juniper",
    "Katsura",
    "Larch",
)
USUAL_SECONDS = 1.0
"""That a revision takes where nobody is killed."""
MAX_PAUSE_SECONDS = 6.0
"""Between two kills: a worker takes two to load what it needs, and less to read what is left of a revision."""
LEFT_OVER = {
    "changes": "SELECT count(*) FROM hybridrag.changes",
    "uploads": "SELECT count(*) FROM hybridrag.uploads",
    "submitted files": f"SELECT count(*) FROM hybridrag.files WHERE since = {SUBMITTED}",
    "jobs": "SELECT count(*) FROM hybridrag.jobs WHERE state <> 'done'",
}


class LostError(AssertionError):
    """A kill cost more than it may."""


@dataclass(slots=True)
class Tally:
    """What was seen."""

    kills: Counter[str] = field(default_factory=Counter)
    revisions: int = 0
    documents: int = 0
    """Read in all."""
    reads: int = 0
    """Of whole indexes, by readers meanwhile."""
    again: int = 0
    """Of them told to ask again: two later ones were there."""
    digests: int = 0
    """Different ones that readers saw."""
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"kills {dict(self.kills)} over {self.revisions} revisions and {self.documents} documents, digests equal, "
            f"nothing twice, nothing left over; {self.reads} reads of {self.digests} generations meanwhile: 0 errors, "
            f"0 mixtures, {self.again} told to ask again; {self.seconds:.0f} s"
        )


def write_revision(folder: Path, revision: int) -> int:
    """Twelve calls but the one whose turn it is to be missing; every third one changes with the revision. How many."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, name in enumerate(COMPANIES):
        if number == revision % len(COMPANIES):
            continue
        changed = revision if number % 3 == revision % 3 else 0
        text = CALL.format(
            ticker=name[:3].upper(), name=f"{name} Corporation", quarter=2, revenue=100 + 7 * number + changed,
            growth=3 + number, remark=f"We opened {number + 2 + changed} plants in Ohio.",
        )  # fmt: skip
        (folder / f"call-{number:02}.txt").write_text(text, encoding="utf-8")
    return len(COMPANIES) - 1


class Desk:
    """A database and two workers, which are started again when they are killed."""

    def __init__(self, here: PostgresHere, work: Path) -> None:
        self.here, self.address = here, StoreAddress.of(here.address())
        self._work, self.between = work, 0.0
        self.said: list[str] = []
        self._hearing: list[tuple[threading.Thread, subprocess.Popen[str]]] = []
        self.workers = [self._started(number) for number in range(2)]

    def _started(self, number: int) -> subprocess.Popen[str]:
        process = desk_here.start(
            self.address, self._work / f"worker-{number}", **{desk_here.BETWEEN: str(self.between)}
        )
        reader = threading.Thread(target=self._heard, args=(process,))
        reader.start()
        self._hearing.append((reader, process))
        return process

    def _heard(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                self.said.append(line.strip())

    def kill(self, kind: str, chance: random.Random) -> None:
        """Kill and start again."""
        if kind == "database":
            self.here.crash()
            time.sleep(chance.uniform(0, 0.5))
            self.here.begin_again()
            return
        numbers = (0, 1) if kind == "both" else (chance.randrange(2),)
        for number in numbers:
            self._end(number, group=kind != "worker")
        for number in numbers:
            self.workers[number] = self._started(number)

    def revive(self) -> None:
        """Start again who was being started while the database was away."""
        for number in range(2):
            if self.workers[number].poll() == desk_here.AWAY:
                self.workers[number] = self._started(number)

    def heard(self) -> list[str]:
        """What workers have said since this was asked before."""
        for reader, process in self._hearing:
            if process.poll() is not None:
                reader.join()
        self._hearing = [each for each in self._hearing if each[0].is_alive()]
        said, self.said[:] = list(self.said), []
        return said

    def _end(self, number: int, *, group: bool) -> None:
        process = self.workers[number]
        if process.poll() not in (None, desk_here.AWAY):
            raise LostError(f"a worker has ended by itself: {process.returncode}")
        if process.poll() is not None:
            return
        if group:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()  # what it has started ends with it
        process.wait()

    def close(self) -> None:
        """End both."""
        for number in range(2):
            self._end(number, group=True)
        self.heard()


@contextmanager
def _desk(here: PostgresHere, work: Path) -> Iterator[Desk]:
    desk = Desk(here, work)
    try:
        yield desk
    finally:
        desk.close()


def run_kills(work: Path, kills: int, readers: int, seed: int) -> Tally:
    """Kill so many times in the empty folder `work`; LostError at the first that costs too much."""
    chance, tally, started = random.Random(seed), Tally(), time.monotonic()
    documents, folder = work / "documents", work / "folder"
    with postgres_here(durable=True) as here, _desk(here, work) as desk:
        while tally.kills.total() < kills:
            tally.documents += write_revision(documents, tally.revisions)
            run = desk_here.submitted(desk.address, [documents], prune=True)
            done = threading.Event()
            digest: list[str] = []
            waiting = threading.Thread(target=_wait, args=(run, digest, done), daemon=True)
            waiting.start()
            due = time.monotonic() + chance.uniform(0, USUAL_SECONDS)
            while not done.wait(0.05):
                desk.revive()
                if time.monotonic() >= due and tally.kills.total() < kills:
                    kind = KINDS[tally.kills.total() % len(KINDS)]
                    desk.kill(kind, chance)
                    tally.kills[kind] += 1
                    due = time.monotonic() + chance.uniform(0, MAX_PAUSE_SECONDS)
            waiting.join()
            _check(desk, digest, index_light(folder, [documents], prune=True).digest)
            tally.revisions += 1
            print(f"revision {tally.revisions}: kills {dict(tally.kills)}", flush=True)
        desk.between = BETWEEN_SECONDS  # as it is for users
        desk.kill("both", chance)
        _read_meanwhile(desk, work, readers, tally)
    tally.seconds = time.monotonic() - started
    return tally


def _wait(run: Submission, digest: list[str], done: threading.Event) -> None:
    try:
        digest.append(run.wait().digest)
    finally:
        done.set()


def _check(desk: Desk, found: list[str], expected: str) -> None:
    if found != [expected]:
        raise LostError(f"the digest is {found}, that of a folder {expected}")
    for what, query in LEFT_OVER.items():
        if (left := desk.here.run(desk.address.secret, query)) != [(0,)]:
            raise LostError(f"left over: {left} {what}")
    with open_published(desk.address, HashEmbedder()) as opened:
        opened.vectors.verify(None)
        if len(opened.graph) != opened.seal.triplets:
            raise LostError("the knowledge graph is thinner")
    read = Counter(line for line in desk.heard() if line.startswith(("indexed: ", "replaced: ")))
    if twice := [line for line, count in read.items() if count > 1]:
        raise LostError(f"twice: {twice}")


def _read_meanwhile(desk: Desk, work: Path, readers: int, tally: Tally) -> None:
    """Ask from many threads while the documents are read anew, twice."""
    seen: dict[str, set[str]] = {}
    errors: list[BaseException] = []
    done, guard = threading.Event(), threading.Lock()

    def read() -> None:
        while not done.is_set():
            try:
                with open_published(desk.address, HashEmbedder()) as opened:
                    found = opened.vectors.candidates("plants in Ohio and revenue growth", Scope(), 20)
                    told = [[row.id for row in found.rows], found.keyword.tolist(), sorted(opened.documents)]
                    told.append(len(opened.graph) == opened.seal.triplets)
                with guard:
                    tally.reads += 1
                    seen.setdefault(opened.digest, set()).add(repr(told))
            except PublishedReplacedError:
                with guard:
                    tally.again += 1
            except Exception as error:  # noqa: BLE001 - whatever it is, it is counted and told
                errors.append(error)
                return

    threads = [threading.Thread(target=read) for _ in range(readers)]
    for thread in threads:
        thread.start()
    allowed = set()
    for revision in (tally.revisions, tally.revisions + 1):
        write_revision(work / "documents", revision)
        run = desk_here.submitted(desk.address, [work / "documents"], prune=True)
        allowed.add(run.wait().digest)
        time.sleep(1)
    done.set()
    for thread in threads:
        thread.join()
    if errors:
        raise LostError(f"{len(errors)} readers failed, the first: {errors[0]!r}")
    if mixed := [digest for digest, answers in seen.items() if len(answers) > 1]:
        raise LostError(f"mixtures of {mixed}")
    if not allowed <= set(seen):
        raise LostError("readers never saw what was published")
    tally.digests = len(seen)


def main() -> None:
    """Run and print the tally."""
    parser = argparse.ArgumentParser(description="Kill workers and their database at random moments.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--readers", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        print(run_kills(Path(work), args.kills, args.readers, args.seed))


if __name__ == "__main__":
    main()
