"""How fast an endpoint is asked: requests at once, requests a minute, waits between a request and its retry."""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from weakref import WeakValueDictionary

from tools.model.types import DeadlineError

MAX_REQUESTS = 3
"""Most requests of one logical call."""
SERVER_QUESTION_SECONDS = 5.0
"""Seconds for a question about the server itself."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Waits between requests; tests bring their own clock."""

    first: float = 0.5
    """Seconds before the second request, unless the endpoint says."""
    factor: float = 4.0
    most: float = 8.0
    """Longest such wait, and the longest that a pause which the endpoint asks one caller for holds the others back."""
    jitter: float = 0.5
    """Up to this many seconds more, so that threads do not come back at once."""
    longest: float = 120.0
    """Longest wait that an endpoint may ask for where no deadline is set."""
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def wait(self, attempt: int, after: float | None) -> float:
        """Seconds to wait after the `attempt`th request failed (1-based); `after`: what the endpoint asked for."""
        return (after or self._backoff(attempt)) + random.uniform(0, self.jitter)

    @property
    def bound(self) -> float:
        """Most seconds that one logical call waits between requests, where the endpoint asks for nothing."""
        return sum(self._backoff(attempt) + self.jitter for attempt in range(1, MAX_REQUESTS))

    def _backoff(self, attempt: int) -> float:
        return min(self.most, self.first * self.factor ** (attempt - 1))


def limits_of(origin: str, at_once: int, a_minute: int | None, pace: Pace) -> Limits:
    """The gate in front of a host, the same for its chat model and its embeddings, as long as either is in use."""
    with _MAKING:
        key = (origin, at_once, a_minute, pace)
        found = _SHARED.get(key)
        if found is None:
            found = _SHARED[key] = Limits(at_once, a_minute, pace)
        return found


class Limits:
    """Gate in front of one endpoint, shared by all threads of the process."""

    def __init__(self, at_once: int, a_minute: int | None, pace: Pace) -> None:
        self._gate = threading.BoundedSemaphore(at_once)
        self._a_minute = a_minute
        self._pace = pace
        self._lock = threading.Lock()
        self._begun: deque[float] = deque()
        self._closed_until = 0.0

    @contextmanager
    def slot(self, left: float | None) -> Iterator[None]:
        """Room for one request. `left`: seconds that may pass; DeadlineError at once if room comes later."""
        began = self._pace.clock()
        wait = self._reserve(left)
        if wait > 0:
            self._pace.sleep(wait)
        rest = None if left is None else max(0.0, left - (self._pace.clock() - began))
        if not self._gate.acquire(timeout=rest):
            raise DeadlineError("The question's time ran out while other requests were under way.")
        try:
            yield
        finally:
            self._gate.release()

    def hold(self, seconds: float) -> None:
        """The endpoint asks for a pause: no request begins before it ends."""
        with self._lock:
            self._closed_until = max(self._closed_until, self._pace.clock() + seconds)

    def _reserve(self, left: float | None) -> float:
        with self._lock:
            now = self._pace.clock()
            start = max(now, self._closed_until)
            if self._a_minute is not None and len(self._begun) >= self._a_minute:
                start = max(start, self._begun[-self._a_minute] + 60.0)
            if left is not None and start - now >= left:
                raise DeadlineError(
                    "The question's time would run out before the endpoint may be asked again."
                )
            if self._a_minute is not None:
                self._begun.append(start)
                while len(self._begun) > self._a_minute:
                    self._begun.popleft()
            return start - now


_SHARED: WeakValueDictionary[tuple[str, int, int | None, Pace], Limits] = WeakValueDictionary()
_MAKING = threading.Lock()
