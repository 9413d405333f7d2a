"""A database that is away for a while is waited for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from tools.store.postgres.errors import DatabaseError

T = TypeVar("T")
MAX_WAIT_SECONDS = 30.0
"""Between two tries."""


class Patience:
    """Waits longer each time, and says so; any success ends it."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._waited = 0.0

    def wait(self, error: DatabaseError) -> None:
        """Sleep before another try; raises the error where no try would help."""
        if not error.passing:
            raise error
        self._waited = min(MAX_WAIT_SECONDS, 2 * self._waited or 1.0)
        self._say(f"{error} Trying again in {self._waited:.0f} s.")
        time.sleep(self._waited)

    def done(self) -> None:
        """It is there again."""
        self._waited = 0.0

    def until(self, action: Callable[[], T]) -> T:
        """What the action gives, once it does."""
        while True:
            try:
                result = action()
            except DatabaseError as error:
                self.wait(error)
            else:
                self.done()
                return result
