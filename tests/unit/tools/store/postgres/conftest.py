"""Homes of three small calls, made once with stand-ins for the models, and a database for each test."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from evals.kills import write_documents
from tests.light_index import index_light
from tests.postgres_here import PostgresHere
from tools.store.postgres.address import StoreAddress

Homes = Callable[[int], Path]


@pytest.fixture(scope="session")
def revisions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A home of three calls; one of four, in which the second has changed. To be copied only."""
    folder = tmp_path_factory.mktemp("light")
    documents = write_documents(folder / "documents", 0)
    index_light(folder / "0", [documents])
    shutil.copytree(folder / "0", folder / "1")
    index_light(folder / "1", [write_documents(documents, 1)])
    return folder / "0", folder / "1"


@pytest.fixture
def home(revisions: tuple[Path, Path], tmp_path: Path) -> Homes:
    """`home(revision)`: a copy."""

    def copy(revision: int) -> Path:
        target = tmp_path / f"home-{revision}"
        return target if target.exists() else Path(shutil.copytree(revisions[revision], target))

    return copy


@pytest.fixture
def address(postgres: PostgresHere) -> StoreAddress:
    """An empty database."""
    return StoreAddress.of(postgres.emptied())
