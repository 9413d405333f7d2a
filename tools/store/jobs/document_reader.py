"""Reading one document after another in a process that is kept: its models are loaded once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from tools.store.disk.home import Home
from tools.store.errors import HomeWriteError, WorkerError
from tools.store.reading.broker_threads import BrokerThreads, TaskSource
from tools.store.reading.model_broker import ModelBroker
from tools.store.reading.pool import ReadingProcess, WorkerEndedError
from tools.store.reading.recipe import Recipe
from tools.store.reading.token_budget import TokenBudget


class DocumentReader:
    """One reading process and its successors."""

    def __init__(self, home: Home, recipe: Recipe) -> None:
        self._home, self._recipe = home, recipe
        self._start = recipe.start(home.root)
        self._process: ReadingProcess | None = None

    def warm(self) -> None:
        """Start the process. WorkerError where its models are missing."""
        if self._process is None:
            try:
                self._process = ReadingProcess(self._start)
            except WorkerEndedError as error:
                raise WorkerError(f"No reading process: {error}") from error

    def read(
        self,
        task: Mapping[str, Any],
        source: TaskSource,
        on_at: Callable[[list[Any]], None],
        budget: TokenBudget | None = None,
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The reply to a task (see `worker.do`), or {'ended': how} where the process ended over it, with 'overspent'
        where `budget` left it incomplete; and what was spent on model endpoints. WorkerError, HomeWriteError."""
        models = self._recipe.models
        broker = ModelBroker(self._home.cache, models, budget=budget)
        remote = models.chat is not None or models.embedder is not None
        threads = BrokerThreads(broker, [source]) if remote else None
        try:
            reply = self._asked(task, threads, on_at)
        finally:
            if threads is not None:
                threads.stop()
        if broker.broken is not None:
            raise HomeWriteError(self._home.root, broker.broken.strerror or str(broker.broken))
        if "refused" in reply:
            raise HomeWriteError(self._home.root, reply["refused"])
        if "incomplete" in reply and broker.overspent:
            reply["overspent"] = True
        return reply, asdict(broker.spent)

    def _asked(
        self, task: Mapping[str, Any], threads: BrokerThreads | None, on_at: Callable[[list[Any]], None]
    ) -> dict[str, Any]:
        self.warm()
        assert self._process is not None
        try:
            serve = None if threads is None else partial(threads.serve, 0)
            return self._process.ask(task, serve=serve, tell=on_at)
        except WorkerEndedError as error:
            self.close()
            return {"ended": str(error)}

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.end()
