"""How fast workers read beside `index` into a folder: `python -m tests.desk_speed FOLDER [--workers 1,2]`.

Of each the seconds by the clock from the first document to the last, and the processor seconds of all processes that
read meanwhile: on a machine that does other things too, the ratio of the latter tells what a document costs. Models are
loaded before, and nothing is published before the last document.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tests.postgres_here import postgres_here
from tools.store.jobs.desk_worker import DeskWorker
from tools.store.jobs.queue_status import queue_status
from tools.store.jobs.submitting import Submission
from tools.store.jobs.worker_cache import WorkerCache
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import Database
from tools.store.reading.recipe import Recipe
from tools.store.reading.report import Progress
from tools.store.runs.index_run import index_paths

LATER = 86_400.0
"""Seconds: nothing is published meanwhile."""
TICKS = os.sysconf("SC_CLK_TCK")


def used(leaders: list[int]) -> float:
    """Processor seconds of these processes' sessions, ended children among them."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (
                (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            )
        except OSError:
            continue  # ended meanwhile
        if int(fields[3]) in leaders:
            total += sum(map(int, fields[11:15]))  # its own, and its ended children's
    return total / TICKS


def by_workers(documents: Path, count: int, work: Path, address: StoreAddress) -> tuple[float, float, str]:
    """Seconds by the clock and of processors, and the digest."""
    child = [sys.executable, "-m", "tests.desk_speed", "--cache"]
    environment = {**os.environ, "HYBRIDRAG_STORE": address.secret}
    workers = [
        subprocess.Popen(
            [*child, str(work / str(number))],
            start_new_session=True,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for number in range(count)
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "begun\n"
    leaders = [worker.pid for worker in workers]
    with Submission(Database(address), [documents], Recipe()) as run:
        run.plan()
        started, before = time.monotonic(), used(leaders)
        run.submit()
        while (status := queue_status(run.database)).waiting or status.running:
            time.sleep(0.1)
        seconds, processor = time.monotonic() - started, used(leaders) - before
        digest = run.wait().digest
    for worker in workers:
        worker.terminate()
        worker.communicate()
    return seconds, processor, digest


def by_folder(documents: Path, processes: int, home: Path) -> tuple[float, float, str]:
    """The same of `index`, in a session of its own; the first document is at hand when the models are loaded."""
    command = [
        sys.executable,
        "-m",
        "tests.desk_speed",
        str(documents),
        "--home",
        str(home),
        "--workers",
        str(processes),
    ]
    told = subprocess.run(
        command, start_new_session=True, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.split()
    return float(told[0]), float(told[1]), told[2]


def _index(documents: Path, processes: int, home: Path) -> None:
    seen: list[tuple[float, float]] = []

    def look(at: Progress) -> None:
        if at.stage == "reading" and (at.in_hand or at.outcome):
            seen.append((time.monotonic(), used([os.getpid()])))

    report = index_paths(home, [documents], workers=processes, on_progress=look, publish_after=LATER)
    print(seen[-1][0] - seen[0][0], seen[-1][1] - seen[0][1], report.digest)


def _work(cache: Path) -> None:
    address = StoreAddress.of(os.environ["HYBRIDRAG_STORE"])
    with DeskWorker(Database(address), WorkerCache(cache, address), Recipe(), publish_after=LATER) as worker:
        worker.begin()
        print("begun", flush=True)
        with suppress(KeyboardInterrupt):
            worker.run()


def main() -> None:
    """Measure and print; a line a way."""
    parser = argparse.ArgumentParser(description="Workers of a database beside index into a folder.")
    parser.add_argument("documents", type=Path, metavar="FOLDER")
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--cache", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.cache:
        _work(args.documents)
    elif args.home is not None:
        _index(args.documents, int(args.workers), args.home)
    else:
        _measure(args.documents, [int(count) for count in args.workers.split(",")])


def _measure(documents: Path, counts: list[int]) -> None:
    digests = set()
    with tempfile.TemporaryDirectory() as work, postgres_here(durable=True) as here:
        for count in counts:
            address, place = StoreAddress.of(here.address()), Path(work)
            ways = {
                f"{count} workers": by_workers(documents, count, place / f"workers-{count}", address),
                f"a folder, {count} processes": by_folder(documents, count, place / f"folder-{count}"),
            }
            for way, (seconds, processor, digest) in ways.items():
                digests.add(digest)
                print(f"{way}: {seconds:.1f} s, {processor:.1f} processor s", flush=True)
    print(f"{len(digests)} digest")


if __name__ == "__main__":
    main()
