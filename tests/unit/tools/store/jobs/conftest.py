"""A database for each test, and documents; reading processes begin with their modules loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evals.kills import write_documents
from tests.desk_here import OPENED
from tests.postgres_here import PostgresHere
from tests.warm_processes import Nursery, warm_processes
from tools.store.postgres.address import StoreAddress

Documents = Callable[[int], Path]


@pytest.fixture(autouse=True)
def forked(nursery: Nursery) -> Iterator[None]:
    """Nearly all of the time of a small run goes to load what reads. No connection outlives a test."""
    with warm_processes(nursery):
        yield
    while OPENED:
        OPENED.pop().close()


@pytest.fixture
def address(postgres: PostgresHere) -> StoreAddress:
    """An empty database."""
    return StoreAddress.of(postgres.emptied())


@pytest.fixture
def documents(tmp_path: Path) -> Documents:
    """`documents(revision)`: a folder of three small calls; from revision 1 on of four, and the second changes."""
    return lambda revision: write_documents(tmp_path / "documents", revision)
