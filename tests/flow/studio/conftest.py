"""One LangGraph server for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.endpoint import KEY, Server, serving
from tests.server import Studio, server


@pytest.fixture(scope="package")
def endpoint() -> Iterator[Server]:
    """The model that runs on `studio` may ask for; a test gives it its script."""
    with serving("no script") as started:
        yield started


@pytest.fixture(scope="package")
def studio(sample_home: Path, endpoint: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A server over the sample home: the local engine, and `endpoint` for runs that ask for a model."""
    settings = {
        "HYBRIDRAG_ENGINE": "local",
        "HYBRIDRAG_LLM_BASE_URL": endpoint.base_url,
        "HYBRIDRAG_LLM_MODEL": "scripted",
        "HYBRIDRAG_LLM_API_KEY": KEY,
        "HYBRIDRAG_DEADLINE": "45",
    }
    with server(sample_home, tmp_path_factory.mktemp("studio"), settings) as started:
        yield started
