"""One LangGraph server for the tests of this folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from evals.attacks import server as attacks
from tests.endpoint import KEY, Server, serving
from tests.server import Studio, server


@pytest.fixture(scope="package")
def endpoint() -> Iterator[Server]:
    """The model that runs on `studio` may ask for; a test gives it its script."""
    with serving("no script") as started:
        yield started


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server runs."""
    return tmp_path_factory.mktemp("studio")


@pytest.fixture(scope="package")
def planted(folder: Path) -> dict[Path, bytes]:
    """Pickles that lie there before it starts."""
    return attacks.plant(folder)


@pytest.fixture(scope="package")
def readable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one folder below which it may read."""
    return attacks.lay_out(tmp_path_factory.mktemp("readable"))


@pytest.fixture(scope="package")
def studio(
    untouched_home: Path, endpoint: Server, folder: Path, planted: dict[Path, bytes], readable: Path
) -> Iterator[Studio]:
    """A server over a copy of the sample home, into which it writes its threads: the local engine, and `endpoint` for
    runs that ask for a model."""
    home = Path(shutil.copytree(untouched_home, readable.with_name("home")))
    settings = {
        "HYBRIDRAG_ENGINE": "local",
        "HYBRIDRAG_STUDIO_PAGE": "true",
        "HYBRIDRAG_LLM_BASE_URL": endpoint.base_url,
        "HYBRIDRAG_LLM_MODEL": "scripted",
        "HYBRIDRAG_LLM_API_KEY": KEY,
        "HYBRIDRAG_DEADLINE": "45",
        "HYBRIDRAG_INDEX_ROOTS": str(readable),
    }
    with server(home, folder, settings) as started:
        yield started
