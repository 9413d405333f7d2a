from __future__ import annotations

import gc
from collections.abc import Iterator
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from tests.store_stand_ins import HashEmbedder, MissingModel, TitleExtractor
from tools.documents.metadata.document_metadata import Overrides
from tools.documents.read.child import Limits
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.store.errors import HomeWriteError, WorkerError
from tools.store.generation.opening import list_entries
from tools.store.reading.flags import overrides_from_json, overrides_to_json
from tools.store.reading.worker import describe_factory
from tools.store.runs.index_run import index_paths
from tools.vector.embeddings import LocalEmbeddings


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    yield
    gc.collect()


def write(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_a_factory_is_described_by_name_and_arguments() -> None:
    assert describe_factory(LocalExtractor) == {
        "target": "tools.knowledge.extract.local_extractor:LocalExtractor",
        "arguments": {},
    }
    assert describe_factory(partial(LocalEmbeddings, threads=2))["arguments"] == {"threads": 2}


def test_a_factory_that_cannot_be_imported_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be imported"):
        describe_factory(lambda: LocalExtractor())
    with pytest.raises(ValueError, match="by keyword"):
        describe_factory(partial(LocalEmbeddings, 2))


def test_what_the_user_said_survives_the_trip_to_a_process() -> None:
    said = Overrides(company="Alder", year=2024, quarter=2, period_end=date(2024, 6, 30))
    assert overrides_from_json(overrides_to_json(said)) == said
    assert overrides_from_json(overrides_to_json(Overrides())) == Overrides()


def test_a_document_that_ends_its_process_is_named_and_the_rest_go_on(tmp_path: Path) -> None:
    documents = write(
        tmp_path / "in",
        a="Alder reported.",
        b="Please KILL ME now, " * 9,
        c="Cedar reported.",
        d="You CONFUSE ME. " * 8,
    )
    report = index_paths(
        tmp_path / "home",
        [documents],
        embedder_factory=HashEmbedder,
        extractor_factory=TitleExtractor,
        workers=1,
    )
    reasons = {Path(o.file).name: o.reason for o in report.outcomes if o.state == "failed"}
    assert report.counts == {"indexed": 2, "failed": 2}
    assert "SIGKILL" in reasons["b.txt"]
    assert "RuntimeError: no rule for this sentence" in reasons["d.txt"]
    assert {entry.name for entry in list_entries(tmp_path / "home")} == {"a.txt", "c.txt"}


def test_a_missing_model_stops_the_run_before_any_document_is_blamed(tmp_path: Path) -> None:
    documents = write(tmp_path / "in", a="Alder reported.")
    with pytest.raises(WorkerError, match="The model is missing"):
        index_paths(
            tmp_path / "home", [documents], embedder_factory=MissingModel, extractor_factory=TitleExtractor
        )


def test_limits_and_overrides_reach_the_reading_process(tmp_path: Path) -> None:
    documents = write(tmp_path / "in", a="Alder reported.", b="Birch reported. " * 99)
    report = index_paths(
        tmp_path / "home",
        [documents],
        embedder_factory=HashEmbedder,
        extractor_factory=TitleExtractor,
        overrides=Overrides(company="Dogwood Inc.", ticker="DOG"),
        limits=Limits(file_bytes=500),
    )
    assert report.counts == {"indexed": 1, "failed": 1}
    (entry,) = list_entries(tmp_path / "home")
    assert (entry.company, entry.company_key) == ("Dogwood Inc.", "DOG")


def test_a_home_that_cannot_be_written_ends_the_run(tmp_path: Path) -> None:
    documents = write(tmp_path / "in", a="Alder reported.")
    home = tmp_path / "home"
    home.mkdir()
    (home / "documents").write_text("in the way", encoding="utf-8")
    with pytest.raises(HomeWriteError, match=r"Cannot write to .*home.*File exists"):
        index_paths(home, [documents], embedder_factory=HashEmbedder, extractor_factory=TitleExtractor)
