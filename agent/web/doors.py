"""What lets a browser in: of one server, or the same for all that serve the threads of a database."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import closing
from dataclasses import dataclass, field

from agent.settings import Settings
from agent.web.access import SECRET_BYTES, secret_of

TOKEN_BYTES = 24


@dataclass(frozen=True, slots=True)
class Door:
    """A first address' token, and the cookie that it is exchanged for."""

    token: str = field(repr=False)
    cookie: str
    secret: str = field(repr=False)


def door_of(settings: Settings, name: str = "") -> Door:
    """The door to the page over these threads. `name`: of the cookie, where the server is the only one; else it is
    made of the secret, for cookies know no ports. HomeWriteError, ThreadsUnusableError."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    if settings.threads_address is None:
        secret = secret_of(settings.home)
    else:  # whichever server a balancer chooses knows who was let in
        from agent.threads.database_threads import DatabaseThreads

        with closing(DatabaseThreads(settings.threads_address)) as kept:
            secret = kept.door("secret", secrets.token_urlsafe(SECRET_BYTES))
            token, name = kept.door("token", token), ""
    return Door(token, name or f"hybridrag-{hashlib.sha256(secret.encode()).hexdigest()[:8]}", secret)
