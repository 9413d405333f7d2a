"""Threads of the parent that carry questions of reading processes to the desk."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tools.model.cache import Source
from tools.model.types import ModelDownError
from tools.store.reading.model_broker import Desk
from tools.store.reading.plan import Wanted
from tools.store.reading.pool import Answer
from tools.store.reading.worker_pipe import error_to_json

_LOST = {"error": error_to_json(ModelDownError("asking the model failed unexpectedly"))}


@dataclass(frozen=True, slots=True)
class Asker:
    """The document that a task is about."""

    source: Source
    donors: tuple[str, ...] = ()
    """Ids of documents whose replies may be used as well."""


def asker_of(wanted: Wanted) -> Asker:
    """Of a document that is to be read; replies for the file's former content may serve again."""
    before = wanted.before.document_id if wanted.before is not None else wanted.key.document_id
    donors = (before,) if before != wanted.key.document_id else ()
    return Asker(Source(wanted.key.document_id, wanted.source, wanted.key.path), donors)


class Clerks:
    """A `tools.store.reading.pool.Server` over a desk; `stop` lets the threads go."""

    def __init__(self, desk: Desk, askers: Sequence[Asker]) -> None:
        """`askers`: one for each task, by position."""
        self._desk = desk
        self._askers = askers
        self._waiting: queue.SimpleQueue[tuple[int, dict[str, Any], Answer] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._work, daemon=True) for _ in range(max(1, desk.models.at_once))
        ]
        for thread in self._threads:
            thread.start()

    def refusal(self, position: int) -> str:
        """A dead endpoint is no reason to read a document of which it has said nothing yet."""
        source = self._askers[position].source
        return "" if self._desk.knows(source.document_id) else self._desk.closed

    def serve(self, position: int, question: dict[str, Any], answer: Answer) -> None:
        """See `Server.serve`."""
        self._waiting.put((position, question, answer))

    def stop(self) -> None:
        """No more questions; a call under way ends by itself, and nothing is kept of it."""
        self._desk.stop()
        for _ in self._threads:
            self._waiting.put(None)

    def _work(self) -> None:
        while (item := self._waiting.get()) is not None:
            position, question, answer = item
            asker = self._askers[position]
            told = _LOST
            try:
                told = self._desk.answer(asker.source, asker.donors, question)
            finally:
                answer(told)  # whatever happens: a process that waits for ever would stall the run
