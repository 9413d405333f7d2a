"""Files that servers of the page pass on to one another through a database arrive whole or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.requests import Request

from agent.assistant import Assistant
from agent.errors import UsageError
from agent.settings import Settings
from agent.threads.database_threads import DatabaseThreads
from agent.web import uploads
from agent.web.uploads import Uploads
from tests.postgres_here import PostgresHere
from tools.store.postgres.address import StoreAddress


@pytest.fixture
def address(postgres: PostgresHere) -> str:
    """An empty database."""
    return postgres.emptied()


@pytest.fixture
def servers(address: str, tmp_path: Path) -> Iterator[tuple[Uploads, Uploads]]:
    """The uploads of two servers, each with a home of its own."""
    settings = [Settings(_env_file=None, home=tmp_path / name, store=address) for name in ("1", "2")]
    threads = [DatabaseThreads(StoreAddress.of(address)) for _ in settings]
    first, second = (Uploads(Assistant(own), kept) for own, kept in zip(settings, threads, strict=True))
    yield first, second
    for each in threads:
        each.close()


def received(by: Uploads, content: bytes) -> str:
    """The id of a file that a server was given."""

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": content, "more_body": False}

    scope = {"type": "http", "method": "PUT", "query_string": b"name=a.txt", "headers": []}
    return asyncio.run(by.receive(Request(scope, receive)))  # type: ignore[arg-type]


def test_an_empty_file_is_passed_on(servers: tuple[Uploads, Uploads]) -> None:
    (path,) = servers[1].files([received(servers[0], b"")])
    assert path.read_bytes() == b""


def test_a_file_of_which_another_server_has_taken_a_piece_is_not_there(
    servers: tuple[Uploads, Uploads], address: str, postgres: PostgresHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "PIECE_BYTES", 8)
    id_ = received(servers[0], b"Alder Corporation")
    postgres.run(address, "DELETE FROM hybridrag_threads.uploads WHERE number = 2")
    with pytest.raises(UsageError, match="was not uploaded"):
        servers[1].files([id_])
    assert not [each for each in servers[1].folder.rglob("*") if each.is_file()]
    again = received(servers[0], b"Alder Corporation")
    assert [path.read_bytes() for path in servers[1].files([again])] == [b"Alder Corporation"]


def test_a_database_keeps_a_file_until_it_is_indexed_or_too_old(
    servers: tuple[Uploads, Uploads], address: str, postgres: PostgresHere
) -> None:
    id_ = received(servers[0], b"Alder Corporation")
    for server in servers:  # the second takes it, too: the first was ended before it had it indexed
        taken = server.files([id_])
        assert taken[0].read_bytes() == b"Alder Corporation"
    servers[1].clear(taken)
    with pytest.raises(UsageError, match="is indexed already"):
        servers[1].files([id_])
    left = received(servers[0], b"Birch Corporation")
    postgres.run(address, "UPDATE hybridrag_threads.uploads SET uploaded = now() - interval '2 days'")
    servers[1].clear()  # as a server does that starts
    with pytest.raises(UsageError, match="was not uploaded"):
        servers[0].files([left])
