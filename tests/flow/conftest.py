"""What several files of this folder need."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evals.kills import write_documents
from tests.desk import history, write
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


@pytest.fixture(scope="module")
def desk_home(untouched_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample home with a desk's histories, learned from. Its documents are not written to."""
    from agent.cli.main import main

    folder = tmp_path_factory.mktemp("desk")
    home = Path(shutil.copytree(untouched_home, folder / "home"))
    file = write(folder / "desk.jsonl", history())
    assert main(["recommend", "import", str(file), "--home", str(home)]) == 0
    assert main(["recommend", "train", "--model", "transitions", "--home", str(home)]) == 0
    return home
