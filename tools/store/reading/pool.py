"""Reading processes side by side, each fed one document at a time."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import orjson

from tools.documents.read.child import Limits
from tools.store.disk.child_process import ChildProcess
from tools.store.errors import WorkerError
from tools.store.reading.allowance import exceeded

MAX_SILENT_SECONDS = 3_600
"""More than the longest filing needs: a process that hangs must not stall the run."""
MAX_START_SECONDS = 300
POLL_SECONDS = 1.0

Answer = Callable[[dict[str, Any]], None]
Serve = Callable[[dict[str, Any], Answer], None]


class Server(Protocol):
    """Answers what reading processes ask about the task at a position."""

    def refusal(self, position: int) -> str:
        """Why the task need not be begun; '' if it is to be."""
        ...

    def serve(self, position: int, question: dict[str, Any], answer: Answer) -> None:
        """Take a question and return at once; `answer` is called when the answer is there, by any thread."""
        ...


class WorkerEndedError(Exception):
    """The process ended, or was ended, in the middle of a task; the message says how."""


class ReadingProcess:
    """One reading process: documents go in one at a time."""

    def __init__(self, start: Mapping[str, Any]) -> None:
        self._child = ChildProcess("tools.store.reading.worker")
        self._limits = Limits(**start.get("limits", {}))
        self._lock = threading.Lock()
        self._open_questions = 0
        self._heard = time.monotonic()
        try:
            answer = self.ask({**start, "parent": os.getpid()}, MAX_START_SECONDS)
            if "unfit" in answer:
                raise WorkerError(answer["unfit"])
        except (WorkerError, WorkerEndedError):
            self.end()
            raise

    def ask(
        self,
        message: Mapping[str, Any],
        seconds: float = MAX_SILENT_SECONDS,
        serve: Serve | None = None,
        tell: Callable[[list[Any]], None] | None = None,
    ) -> dict[str, Any]:
        """The reply; WorkerEndedError if there is none, or if nothing is heard for `seconds` while no question of
        its own is open. `serve` takes such a question and, later, gives its answer to the function it gets; `tell`
        takes where it says it is."""
        try:
            self._child.send(message)
        except BrokenPipeError:
            raise WorkerEndedError(self._how_it_ended()) from None
        self._heard = time.monotonic()
        while "ask" in (answer := orjson.loads(self._line(seconds))) or "at" in answer:
            if "at" in answer:
                if tell is not None:
                    tell(answer["at"])
                continue
            assert serve is not None
            with self._lock:
                self._open_questions += 1
            serve(answer, partial(self._answer, answer["ask"]))
        return dict(answer)

    def _answer(self, number: int, answer: dict[str, Any]) -> None:
        """Give the answer to one question; a process that has ended meanwhile needs none."""
        with self._lock:
            self._open_questions -= 1
            self._heard = time.monotonic()
        with contextlib.suppress(BrokenPipeError, ValueError):
            self._child.send({"answer": number, **answer})

    def _line(self, seconds: float) -> bytes:
        while (line := self._child.take_line()) is None:
            try:
                heard = self._child.receive(max(0.0, self._heard + seconds - time.monotonic()))
            except EOFError:
                raise WorkerEndedError(self._how_it_ended()) from None
            if heard:
                self._heard = time.monotonic()
            elif self._open_questions or self._heard + seconds > time.monotonic():
                self._heard = max(self._heard, time.monotonic() - seconds + POLL_SECONDS)
            else:
                self._child.kill()
                raise WorkerEndedError("it took too long and was stopped.")
        return line

    def _how_it_ended(self) -> str:
        killer, code, error = self._child.how_it_ended()
        if why := exceeded(killer, error, self._limits):
            return why
        if killer:
            return f"the process that read it was ended by {killer} (out of memory?)."
        return f"reading it failed unexpectedly: {error or f'exit code {code}'}"

    def kill(self) -> None:
        """Stop it now; whoever waits for a reply gets a WorkerEndedError."""
        self._child.kill()

    def end(self) -> None:
        """Kill it, if it still runs, and close its pipes."""
        self._child.end()


def run_tasks(
    start: Mapping[str, Any],
    tasks: Sequence[Mapping[str, Any]],
    workers: int,
    server: Server | None = None,
    on_at: Callable[..., None] | None = None,
) -> Generator[tuple[int, dict[str, Any]], None, None]:
    """Do the tasks, the first ones first; yields (position, reply) as each is done.

    A process that ends in the middle of a task gives the reply {'failed': how} and is replaced. What a process
    asks, `server` answers; a task that it refuses gives {'incomplete': why}. `on_at` is told (position, stage, done,
    total) by whoever takes the replies. Closing the generator kills the processes. WorkerError if a process cannot be
    started.
    """
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for position in range(len(tasks)):
        waiting.put(position)
    done: queue.SimpleQueue[tuple[int, dict[str, Any]] | BaseException] = queue.SimpleQueue()
    stop = threading.Event()
    live: set[ReadingProcess] = set()
    guard = threading.Lock()
    threads = [
        threading.Thread(
            target=_drive, args=(start, tasks, waiting, done, stop, live, guard, server), daemon=True
        )
        for _ in range(min(workers, len(tasks)))
    ]
    for thread in threads:
        thread.start()
    try:
        left = len(tasks)
        while left:
            result = done.get()
            if isinstance(result, BaseException):
                raise result
            position, reply = result
            if "at" not in reply:
                left -= 1
                yield position, reply
            elif on_at is not None:
                on_at(position, *reply["at"])
    finally:
        stop.set()
        with guard:
            for process in live:
                process.kill()
        for thread in threads:
            thread.join()


def _drive(
    start: Mapping[str, Any],
    tasks: Sequence[Mapping[str, Any]],
    waiting: queue.SimpleQueue[int],
    done: queue.SimpleQueue[tuple[int, dict[str, Any]] | BaseException],
    stop: threading.Event,
    live: set[ReadingProcess],
    guard: threading.Lock,
    server: Server | None,
) -> None:
    """One process and its successors, until no task waits. The thread stays: processes die with it."""
    process: ReadingProcess | None = None
    while not stop.is_set():
        try:
            position = waiting.get_nowait()
        except queue.Empty:
            break
        if server is not None and (why := server.refusal(position)):
            done.put((position, {"incomplete": why, "seconds": 0.0}))
            continue
        serve = partial(server.serve, position) if server is not None else None
        tell = partial(_tell, done, position)
        try:
            if process is None:
                process = _started(start, live, guard, stop)
        except (WorkerError, WorkerEndedError, OSError) as error:
            done.put(error if isinstance(error, WorkerError) else WorkerError(f"No reading process: {error}"))
            break
        try:
            done.put((position, process.ask(tasks[position], serve=serve, tell=tell)))
        except WorkerEndedError as error:
            _drop(process, live, guard)
            process = None
            done.put((position, {"failed": str(error), "seconds": 0.0}))
    if process is not None:
        _drop(process, live, guard)


def _tell(
    done: queue.SimpleQueue[tuple[int, dict[str, Any]] | BaseException], position: int, at: list[Any]
) -> None:
    done.put((position, {"at": at}))


def _started(
    start: Mapping[str, Any], live: set[ReadingProcess], guard: threading.Lock, stop: threading.Event
) -> ReadingProcess:
    """A process that can be killed from now on; killed at once where that was wished while it started."""
    process = ReadingProcess(start)
    with guard:
        live.add(process)
        if stop.is_set():
            process.kill()
    return process


def _drop(process: ReadingProcess, live: set[ReadingProcess], guard: threading.Lock) -> None:
    with guard:
        live.discard(process)
    process.end()
