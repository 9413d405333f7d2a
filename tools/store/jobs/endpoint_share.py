"""What all workers of a database ask of one model endpoint, together: requests a minute, and requests at once.

Each counts by its own settings what all of them ask. A place is an advisory lock: a worker that is killed gives it
back. Moments are the database's, so that no machine's clock matters.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

from tools.store.postgres.database import Database

POLL_SECONDS = 0.1
"""Between looks for a place."""
_MINUTE = "interval '1 minute'"


class EndpointShare:
    """A `Share` of the endpoint at one origin. Raises DatabaseError."""

    def __init__(self, database: Database, origin: str) -> None:
        self._database, self._origin = database, origin
        self._lock = int.from_bytes(hashlib.sha256(f"endpoint {origin}".encode()).digest()[:4], signed=True)

    def turn(self, a_minute: int, after: float, left: float | None) -> float | None:
        """Seconds until one more request may begin, `after` at least; None, and nothing counted, if those are `left` or
        more."""
        values = {"origin": self._origin, "before": a_minute - 1, "lock": self._lock}
        with self._database.changing(durable=False) as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%(lock)s, -1)", values)
            connection.execute(
                "DELETE FROM hybridrag.requests "
                f"WHERE endpoint = %(origin)s AND begins < clock_timestamp() - {_MINUTE}".encode(),
                values,
            )
            row = connection.execute(
                f"SELECT extract(epoch FROM begins + {_MINUTE} - clock_timestamp())::float FROM hybridrag.requests "
                "WHERE endpoint = %(origin)s ORDER BY begins DESC OFFSET %(before)s LIMIT 1".encode(),
                values,
            ).fetchone()
            wait: float = max(after, row[0] if row is not None else 0.0)
            if left is not None and wait >= left:
                return None
            connection.execute(
                "INSERT INTO hybridrag.requests (endpoint, begins) "
                "VALUES (%(origin)s, clock_timestamp() + %(wait)s * interval '1 second')",
                values | {"wait": wait},
            )
        return wait

    def place(self, at_once: int, seconds: float | None) -> Callable[[], None] | None:
        """One of so many places, to be given back by what is returned; None if `seconds` pass without one."""
        end = None if seconds is None else time.monotonic() + seconds
        while (held := self._database.try_lock_one_of(self._lock, at_once)) is None:
            if end is not None and time.monotonic() >= end:
                return None
            time.sleep(POLL_SECONDS)
        return held.release


def shares_of(database: Database) -> Callable[[str], EndpointShare]:
    """Of an origin."""
    return lambda origin: EndpointShare(database, origin)
