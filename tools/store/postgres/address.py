"""Where a database is: its address, which may hold a password, and what may be shown of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, urlsplit

from tools.store.errors import UserStoreError

SCHEMES = ("postgresql://", "postgres://")
SHOWN_OPTIONS = ("host", "port")


class AddressError(UserStoreError):
    """What should be the address of a database is none. The address itself is never repeated."""


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """A PostgreSQL database, as libpq takes it."""

    secret: str = field(repr=False)
    """With whatever password it holds: for the driver alone."""
    shown: str
    """Without a password, and without options but those that say where it is."""

    @classmethod
    def of(cls, text: str) -> StoreAddress:
        """The address that `text` gives; a password may stand in it, or where libpq looks for it (PGPASSWORD, a
        password file). AddressError."""
        given = text.strip()
        if not is_address(given):
            raise AddressError(
                "The address of a store begins with postgresql://, as postgresql://host/database."
            )
        try:
            parts = urlsplit(given)
            host = _host(parts)
        except ValueError:
            raise AddressError(
                "The address of the store can't be read: write postgresql://user@host:5432/database, and special "
                "characters of a password as %XX."
            ) from None  # the reason would repeat the address
        user = f"{parts.username}@" if parts.username else ""
        where = [f"{name}={value}" for name, value in parse_qsl(parts.query) if name in SHOWN_OPTIONS]
        return cls(given, f"postgresql://{user}{host}{parts.path}{'?' if where else ''}{'&'.join(where)}")

    @property
    def has_password(self) -> bool:
        """Whether one stands in it."""
        parts = urlsplit(self.secret)
        return parts.password is not None or "password=" in parts.query.lower()

    def __str__(self) -> str:
        return self.shown


def is_address(text: str) -> bool:
    """Whether `text` is meant to be the address of a database rather than a folder."""
    return text.strip().lower().startswith(SCHEMES)


def _host(parts: SplitResult) -> str:
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.hostname or ''}{port}"
