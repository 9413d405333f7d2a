"""Workers of a database with stand-ins for the models; `python -m tests.desk_here FOLDER` is one to be killed, at the
address in HYBRIDRAG_STORE."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.store_stand_ins import HashEmbedder, TitleExtractor
from tests.vectors_here import vectors_in_this_process as vectors_in_this_process
from tools.store.jobs.desk_worker import DeskWorker
from tools.store.jobs.submitting import Submission
from tools.store.jobs.worker_cache import WorkerCache
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import Database
from tools.store.postgres.errors import DatabaseError
from tools.store.reading.recipe import Recipe
from tools.store.reading.report import IndexReport

RECIPE = Recipe(HashEmbedder, TitleExtractor)
POLL = 0.05
BETWEEN = "HYBRID_TEST_BETWEEN"
"""Environment variable: seconds between two generations that this process publishes."""
AWAY = 75
"""Exit code of a worker that finds no database when it starts."""
OPENED: list[Database] = []
"""Databases to be closed at the end of a test."""


def opened(address: StoreAddress) -> Database:
    """A database that is closed at the end of the test: see `conftest`."""
    OPENED.append(Database(address))
    return OPENED[-1]


def submitted(address: StoreAddress, paths: Sequence[Path], **more: Any) -> Submission:
    """A run whose jobs are in the database."""
    recipe = more.pop("recipe", RECIPE)
    run = Submission(opened(address), paths, recipe, poll=POLL, on_nobody=lambda nobody: None, **more)
    run.plan()
    run.submit()
    return run


def worker(address: StoreAddress, folder: Path, **more: Any) -> DeskWorker:
    """A worker; a context manager that is to be begun."""
    recipe = more.pop("recipe", RECIPE)
    return DeskWorker(
        Database(address), WorkerCache(folder, address), recipe, **{"poll": POLL, "between": 0.0, **more}
    )


def served(address: StoreAddress, folder: Path, **more: Any) -> list[str]:
    """What a worker says that ends when nothing waits."""
    lines: list[str] = []
    with vectors_in_this_process(), worker(address, folder, on_line=lines.append, **more) as one:
        one.begin()
        one.run(once=True)
    return lines


def indexed(address: StoreAddress, paths: Sequence[Path], folder: Path, **more: Any) -> IndexReport:
    """Submit, and serve until it is published."""
    run = submitted(address, paths, **more)
    served(address, folder)
    return run.wait()


def start(address: StoreAddress, folder: Path, **environment: str) -> subprocess.Popen[str]:
    """A worker in a process of its own, whose lines can be read."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.desk_here", str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1],
        env={**os.environ, "HYBRIDRAG_STORE": address.secret, **environment},
        start_new_session=True,
    )


def main() -> None:
    """Serve until killed."""
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a suite in the background ignores it, and its children
    address = StoreAddress.of(os.environ["HYBRIDRAG_STORE"])
    with (
        vectors_in_this_process(),
        worker(
            address,
            Path(sys.argv[1]),
            between=float(os.environ.get(BETWEEN, "0")),
            on_line=lambda line: print(line, flush=True),
        ) as one,
    ):
        try:
            one.begin()
        except DatabaseError:
            sys.exit(AWAY)
        print(one.name, flush=True)
        one.run()


if __name__ == "__main__":
    main()
