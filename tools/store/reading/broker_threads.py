"""Threads that carry the questions of reading processes to the broker, several at once."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tools.model.cache import Source
from tools.model.types import ModelDownError
from tools.store.reading.model_broker import ModelBroker
from tools.store.reading.plan import Wanted
from tools.store.reading.pool import Answer
from tools.store.reading.worker_pipe import error_to_json

_LOST = {"error": error_to_json(ModelDownError("asking the model failed unexpectedly"))}


@dataclass(frozen=True, slots=True)
class TaskSource:
    """Whose replies a task may use: the document it is about, and others that hold the same text."""

    source: Source
    donors: tuple[str, ...] = ()
    """Ids of documents whose replies may be used as well."""


def task_source_of(wanted: Wanted) -> TaskSource:
    """Of a document that is to be read; replies for the file's former content may serve again."""
    before = wanted.before.document_id if wanted.before is not None else wanted.key.document_id
    donors = (before,) if before != wanted.key.document_id else ()
    return TaskSource(Source(wanted.key.document_id, wanted.source, wanted.key.path), donors)


class BrokerThreads:
    """A `tools.store.reading.pool.Server` over a broker; `stop` lets the threads go."""

    def __init__(self, broker: ModelBroker, task_sources: Sequence[TaskSource]) -> None:
        """`task_sources`: one for each task, by position."""
        self._broker = broker
        self._task_sources = task_sources
        self._waiting: queue.SimpleQueue[tuple[int, dict[str, Any], Answer] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._work, daemon=True) for _ in range(max(1, broker.models.at_once))
        ]
        for thread in self._threads:
            thread.start()

    def refusal(self, position: int) -> str:
        """A dead endpoint is no reason to read a document of which it has said nothing yet."""
        source = self._task_sources[position].source
        return "" if self._broker.knows(source.document_id) else self._broker.closed

    def serve(self, position: int, question: dict[str, Any], answer: Answer) -> None:
        """See `Server.serve`."""
        self._waiting.put((position, question, answer))

    def stop(self) -> None:
        """No more questions; a call under way ends by itself, and nothing is kept of it."""
        self._broker.stop()
        for _ in self._threads:
            self._waiting.put(None)

    def _work(self) -> None:
        while (item := self._waiting.get()) is not None:
            position, question, answer = item
            task_source = self._task_sources[position]
            reply = _LOST
            try:
                reply = self._broker.answer(task_source.source, task_source.donors, question)
            finally:
                answer(reply)  # whatever happens: a process that waits for ever would stall the run
