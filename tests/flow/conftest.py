"""What several files of this folder need."""

from __future__ import annotations

import pytest

from evals.kills import write_documents
from tests.endpoint import serving
from tests.model_indexing import index_with_model
from tests.reading_model import reading
from tools.store.reading.report import IndexReport


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> IndexReport:
    """Three documents read by a model that never fails."""
    folder = tmp_path_factory.mktemp("undisturbed")
    with serving(reading) as server:
        return index_with_model(server, folder / "home", write_documents(folder / "in", 0))
