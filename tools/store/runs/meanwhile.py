"""Publishing what is read so far, while the rest is read: when it is worth it, and what is then in the index."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping

from tools.store.disk.home import Entry, Home, Manifest
from tools.store.errors import RecordDamagedError
from tools.store.generation.generations import sweep
from tools.store.generation.vector_builder import build_generation
from tools.store.reading.plan import Wanted

PUBLISH_AFTER_SECONDS = 30.0
"""Shortest time between two generations of one run."""
MAX_SHARE = 0.1
"""Of a run's time that may be spent on generations before its last."""


class Meanwhile:
    """When to publish: the first documents as soon as they are worth it, then each time their number has doubled,
    and never so often that it costs more than a share of the run."""

    def __init__(
        self, after: float = PUBLISH_AFTER_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._after = after
        self._clock = clock
        self._last = clock()
        self._published = 0
        self._cost = 0.0
        self.stopped = False

    def is_due(self, finished: int) -> bool:
        """Whether to publish now that so many documents of this run are read."""
        wait = max(self._after, self._cost * (1 / MAX_SHARE - 1) if self._after else 0.0)
        doubled = finished >= max(1, 2 * self._published)
        return not self.stopped and doubled and self._clock() - self._last >= wait

    def publish(self, home: Home, manifest: Manifest, finished: int) -> bool:
        """Derive a generation and switch readers to it; False, and never again in this run, where a record of an
        earlier run is damaged: what was in use stays. HomeWriteError."""
        started = self._clock()
        home.set_manifest(manifest)
        try:
            build_generation(home, manifest)
        except RecordDamagedError:
            self.stopped = True
        sweep(home)
        self._published, self._last = finished, self._clock()
        self._cost = self._last - started
        return not self.stopped


def so_far(embedder: str, entries: Mapping[str, Entry], waiting: Iterable[Wanted]) -> Manifest:
    """The documents that are read, and of files that wait what was indexed of them before."""
    found = dict(entries)
    for wanted in waiting:
        if wanted.before is not None:
            found.setdefault(wanted.before.document_id, wanted.before)
    return Manifest(embedder, tuple(found[key] for key in sorted(found)))
