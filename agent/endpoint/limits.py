"""How fast an endpoint is asked: requests at once, requests a minute, waits between a request and its retry."""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol
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


class Share(Protocol):
    """What several processes ask of one endpoint, together."""

    def turn(self, a_minute: int, after: float, left: float | None) -> float | None:
        """Seconds until one more request may begin, `after` at least; it is counted among the requests of its minute.
        None, and it is not, if those are `left` or more."""

    def place(self, at_once: int, seconds: float | None) -> Callable[[], None] | None:
        """One of so many places, to be given back by what is returned; None if `seconds` pass without one."""


Shares = Callable[[str], Share]
"""Of an origin."""


def limits_of(
    origin: str, at_once: int, a_minute: int | None, pace: Pace, shares: Shares | None = None
) -> Limits:
    """The gate in front of a host, the same for its chat model and its embeddings, as long as either is in use;
    `shares`: what is shared of a host with other processes, None for nothing."""
    with _MAKING:
        key = (origin, at_once, a_minute, pace, shares)
        found = _SHARED.get(key)
        if found is None:
            share = shares(origin) if shares is not None else None
            found = _SHARED[key] = Limits(at_once, a_minute, pace, share)
        return found


class Limits:
    """Gate in front of one endpoint, shared by all threads of the process, and by others as far as there is a share."""

    def __init__(self, at_once: int, a_minute: int | None, pace: Pace, share: Share | None = None) -> None:
        self._gate = threading.BoundedSemaphore(at_once)
        self._at_once = at_once
        self._a_minute = a_minute
        self._share = share
        self._pace = pace
        self._lock = threading.Lock()
        self._begun: deque[float] = deque()
        self._closed_until = 0.0

    @contextmanager
    def slot(self, left: float | None) -> Iterator[None]:
        """Room for one request. `left`: seconds that may pass; DeadlineError at once if room comes later. A share's
        errors."""
        end = None if left is None else self._pace.clock() + left
        if self._share is None:
            self._wait_turn(left)
        if not self._gate.acquire(timeout=self._until(end)):
            raise DeadlineError(_BUSY)
        try:
            if self._share is None:
                yield
                return
            give_back = self._share.place(self._at_once, self._until(end))
            if give_back is None:
                raise DeadlineError(_BUSY)
            try:
                # last: many may wait for a place, and their turns would pass
                self._wait_turn(self._until(end))
                yield
            finally:
                give_back()
        finally:
            self._gate.release()

    def _wait_turn(self, left: float | None) -> None:
        wait = self._reserve(left)
        if wait > 0:
            self._pace.sleep(wait)

    def _until(self, end: float | None) -> float | None:
        return None if end is None else max(0.0, end - self._pace.clock())

    def hold(self, seconds: float) -> None:
        """The endpoint asks for a pause: no request begins before it ends."""
        with self._lock:
            self._closed_until = max(self._closed_until, self._pace.clock() + seconds)

    def _reserve(self, left: float | None) -> float:
        with self._lock:
            now = self._pace.clock()
            pause = max(0.0, self._closed_until - now)
            wait = self._turn(self._a_minute, pause, now, left) if self._a_minute is not None else pause
            if wait is None or (left is not None and wait >= left):
                raise DeadlineError(
                    "The question's time would run out before the endpoint may be asked again."
                )
            if self._a_minute is not None:
                self._begun.append(now + wait)
                while len(self._begun) > self._a_minute:
                    self._begun.popleft()
            return wait

    def _turn(self, a_minute: int, pause: float, now: float, left: float | None) -> float | None:
        """See `Share.turn`."""
        if self._share is not None:
            return self._share.turn(a_minute, pause, left)
        return max(pause, self._begun[-a_minute] + 60.0 - now) if len(self._begun) >= a_minute else pause


_BUSY = "The question's time ran out while other requests were under way."
_SHARED: WeakValueDictionary[tuple[Any, ...], Limits] = WeakValueDictionary()
_MAKING = threading.Lock()
