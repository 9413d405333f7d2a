"""Where a database is: its address, which may hold a password, and what may be shown of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from tools.store.errors import UserStoreError

SCHEMES = ("postgresql://", "postgres://")
SHOWN_OPTIONS = ("host", "port")
SECRET_OPTIONS = ("password", "sslpassword", "oauth_client_secret", "scram_client_key")
_HOST = r"([^\s:,@/\[\]]*|\[[^\s,@/\[\]]+\])(:\d{0,5})?"
_HOSTS = re.compile(rf"{_HOST}(,{_HOST})*")
"""libpq tries several in turn."""


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
            _check(given, parts)
        except ValueError:
            raise AddressError(
                "The address of the store can't be read: write postgresql://user@host:5432/database, and special "
                "characters of names and passwords as %XX."
            ) from None  # the reason would repeat the address
        user = f"{parts.username}@" if parts.username else ""
        host = parts.netloc.rpartition("@")[2].lower()
        where = [f"{name}={value}" for name, value in _options(parts) if value and name in SHOWN_OPTIONS]
        return cls(given, f"postgresql://{user}{host}{parts.path}{'?' if where else ''}{'&'.join(where)}")

    @property
    def has_password(self) -> bool:
        """Whether one stands in it."""
        parts = urlsplit(self.secret)
        return parts.password is not None or any(name in SECRET_OPTIONS for name, _ in _options(parts))

    @property
    def has_options(self) -> bool:
        """Whether it says more than where the database is."""
        return any(name not in SHOWN_OPTIONS for name, _ in _options(urlsplit(self.secret)))

    @property
    def user(self) -> str:
        """The role that it names; '' where libpq finds one elsewhere."""
        return unquote(urlsplit(self.secret).username or "")

    def __str__(self) -> str:
        return self.shown


def is_address(text: str) -> bool:
    """Whether `text` is meant to be the address of a database rather than a folder."""
    return text.strip().lower().startswith(SCHEMES)


def _check(given: str, parts: SplitResult) -> None:
    """ValueError where libpq may read another password than we do: it ends one at the first "@" and knows no "#"."""
    if "#" in given or given.count("@") > parts.netloc.count("@") or parts.netloc.count("@") > 1:
        raise ValueError
    if not _HOSTS.fullmatch(parts.netloc.rpartition("@")[2]):
        raise ValueError


def _options(parts: SplitResult) -> list[tuple[str, str]]:
    """Names and values as libpq decodes them; names in small letters, without the blanks that it skips."""
    return [(name.strip().lower(), value) for name, value in parse_qsl(parts.query, keep_blank_values=True)]
