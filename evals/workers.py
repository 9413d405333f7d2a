"""Questions side by side: processes for the local engine, which keeps a processor busy; threads for a model's,
which waits, and whose request limits hold within one process."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from agent.settings import Settings
from evals.datasets.types import Item
from evals.pipelines import Pipeline, failed_row
from evals.rows import Row
from evals.worker import Asker
from tools.documents.read.parse import Splitter
from tools.store.disk.child_process import ChildProcess

Task = tuple[Item, tuple[Pipeline, ...]]
"""A question, and the pipelines that it is still to be asked of."""
START_SECONDS = 300.0
"""For opening indexes and models on a busy machine."""
DEADLINES_UNTIL_HUNG = 5.0
"""A process that takes this many times a question's deadline hangs."""


class WorkerStartError(OSError):
    """An asking process could not be started."""


class WorkerEndedError(Exception):
    """The process ended, or was ended, in the middle of a question; the message says how."""


class Worker(Protocol):
    """Asks one question at a time."""

    def ask(self, pipeline: Pipeline, item: Item) -> Row:
        """A scored row. WorkerEndedError: it is of no more use."""
        ...

    def kill(self) -> None:
        """Stop now; whoever waits for a row gets a WorkerEndedError."""
        ...

    def end(self) -> None:
        """Stop, if it still runs, and let go of everything; only where nobody waits for a row."""
        ...


class ProcessWorker:
    """One asking process."""

    def __init__(
        self, settings: Settings, homes: Mapping[Splitter, Path], pipelines: Sequence[Pipeline]
    ) -> None:
        self._seconds = max(START_SECONDS, DEADLINES_UNTIL_HUNG * settings.deadline)
        self._child = ChildProcess("evals.worker")
        # a judge's endpoint without its key would be refused there, and no worker judges
        secret = ("api_key", "judge_", "store")  # evals ask folders
        plain = {name for name in Settings.model_fields if not any(part in name for part in secret)}
        start = {
            "parent": os.getpid(),
            "settings": {**settings.model_dump(mode="json", include=plain), "engine": "local"},
            "homes": {splitter: str(home) for splitter, home in homes.items()},
            "pipelines": [pipeline.name for pipeline in pipelines],
        }
        try:
            self._write(start)
            self._line()
        except WorkerEndedError as error:
            self.end()
            raise WorkerStartError(f"No process could be started to ask questions: {error}") from error

    def ask(self, pipeline: Pipeline, item: Item) -> Row:
        """See `Worker`."""
        self._write({"pipeline": pipeline.name, "item": item.model_dump(mode="json")})
        return Row.model_validate_json(self._line())

    @property
    def child(self) -> ChildProcess:
        """The process itself."""
        return self._child

    def kill(self) -> None:
        """See `Worker`."""
        self._child.kill()

    def end(self) -> None:
        """See `Worker`."""
        self._child.end()

    def _write(self, message: dict[str, Any]) -> None:
        try:
            self._child.send(message)
        except BrokenPipeError:
            raise WorkerEndedError(self._how_it_ended()) from None

    def _line(self) -> bytes:
        until = time.monotonic() + self._seconds
        while (line := self._child.take_line()) is None:
            try:
                heard = self._child.receive(max(0.0, until - time.monotonic()))
            except EOFError:
                raise WorkerEndedError(self._how_it_ended()) from None
            if not heard:
                self._child.kill()
                raise WorkerEndedError("it took too long and was stopped")
        return line

    def _how_it_ended(self) -> str:
        killer, code, error = self._child.how_it_ended()
        if killer:
            return f"its process was ended by {killer} (out of memory?)"
        return error or f"its process ended with exit code {code}"


class ThreadWorker:
    """A place in a thread of this process; all share one asker."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def ask(self, pipeline: Pipeline, item: Item) -> Row:
        """See `Worker`."""
        return self._asker.ask(pipeline, item)

    def kill(self) -> None:
        """A request under way can't be stopped; its thread does not outlive the program."""

    def end(self) -> None:
        """Nothing is held."""


def ask_all(
    tasks: Sequence[Task], count: int, make: Callable[[], Worker]
) -> Generator[tuple[Item, Row], None, None]:
    """A row for every question and pipeline, as each is done; the first tasks first, a question's pipelines together.

    A worker that dies fails its question (a row without scores) and is replaced. Closing the generator stops the
    workers at once. What `make` raises is raised here.
    """
    crew = _Crew(tasks, make)
    crew.start(min(count, len(tasks)))
    try:
        for _ in range(sum(len(pipelines) for _, pipelines in tasks)):
            yield crew.next()
    finally:
        crew.stop()


class _Crew:
    """The threads, each driving a worker and its successors."""

    def __init__(self, tasks: Sequence[Task], make: Callable[[], Worker]) -> None:
        self._make = make
        self._waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
        for task in tasks:
            self._waiting.put(task)
        self._done: queue.SimpleQueue[tuple[Item, Row] | BaseException] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._guard = threading.Lock()
        self._live: set[Worker] = set()
        self._threads: list[threading.Thread] = []

    def start(self, count: int) -> None:
        """Begin."""
        self._threads = [threading.Thread(target=self._drive, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def next(self) -> tuple[Item, Row]:
        """The next row that is done; waits in short steps, so that Ctrl-C is heard at once."""
        while True:
            with contextlib.suppress(queue.Empty):
                result = self._done.get(timeout=0.2)
                if isinstance(result, BaseException):
                    raise result
                return result

    def stop(self) -> None:
        """End all workers; a thread that waits for an endpoint is left behind."""
        self._stopped.set()
        with self._guard:
            for worker in self._live:
                worker.kill()
        for thread in self._threads:
            thread.join(timeout=1.0)

    def _drive(self) -> None:
        worker: Worker | None = None
        try:
            while not self._stopped.is_set():
                try:
                    item, pipelines = self._waiting.get_nowait()
                except queue.Empty:
                    break
                for pipeline in pipelines:
                    worker = worker or self._started()
                    try:
                        row = worker.ask(pipeline, item)
                    except WorkerEndedError as error:
                        self._drop(worker)
                        worker = None
                        row = failed_row(pipeline.name, item, f"WorkerEndedError: {error}")
                    if self._stopped.is_set():
                        break
                    self._done.put((item, row))
        except BaseException as error:  # noqa: BLE001 - raised again in `next`
            self._done.put(error)
        finally:
            if worker is not None:
                self._drop(worker)

    def _started(self) -> Worker:
        worker = self._make()
        with self._guard:
            self._live.add(worker)
            if self._stopped.is_set():
                worker.kill()
        return worker

    def _drop(self, worker: Worker) -> None:
        with self._guard:
            self._live.discard(worker)
        worker.end()
