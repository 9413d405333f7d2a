from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evals.kills import write_documents
from tests.light_index import index_light
from tests.store_stand_ins import HashEmbedder
from tools.store.disk.home import Home, Manifest
from tools.store.errors import IndexMissingError, SelectorError
from tools.store.generation.opening import list_entries, open_generation
from tools.store.runs.index_run import index_paths
from tools.store.runs.removal import remove
from tools.vector.embeddings import LocalEmbeddings

REMOVED = b"Birch"


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three documents and the home they were indexed into."""
    folder = tmp_path_factory.mktemp("three")
    index_light(folder / "home", [write_documents(folder / "in", 0)], apart=True)
    return folder


@pytest.fixture
def home(indexed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(indexed / "home", tmp_path / "home"))


def traces(home: Path, text: bytes) -> list[str]:
    """Files of a home that hold `text`, in their names or bytes."""
    files = [path for path in home.rglob("*") if path.is_file()]
    return [str(path.relative_to(home)) for path in files if text in path.read_bytes()]


def test_removing_one_of_three_is_never_having_indexed_it(three_calls: Path, tmp_path: Path) -> None:
    """With the real models."""
    home = Path(shutil.copytree(three_calls / "home", tmp_path / "home"))
    report = remove(home, "call-1.txt")
    assert [entry.name for entry in report.removed] == ["call-1.txt"]
    others = Path(shutil.copytree(three_calls / "in", tmp_path / "in"))
    (others / "call-1.txt").unlink()
    never = index_paths(tmp_path / "never", [others], workers=1)
    assert report.digest == never.digest
    embedder = LocalEmbeddings()
    with open_generation(home, embedder) as left, open_generation(tmp_path / "never", embedder) as right:
        assert left.vectors.digest() == right.vectors.digest()
        assert left.graph.digest() == right.graph.digest()
        assert left.documents == right.documents
        assert left.periods == right.periods


@pytest.mark.usefixtures("cold")  # what a builder of vectors leaves of removed text
def test_removal_leaves_no_trace_in_any_file(home: Path) -> None:
    (record,) = (entry.record for entry in list_entries(home) if entry.name == "call-1.txt")
    assert traces(home, REMOVED), "the premise: its text is there before"
    remove(home, "call-1.txt")
    assert traces(home, REMOVED) == []
    assert traces(home, record.encode()) == []
    assert not [path for path in home.rglob("*") if record[:16] in path.name]


@pytest.mark.usefixtures("vectors_here")
@pytest.mark.parametrize("selector", ["call-2.txt", "CALL-2.TXT", "Cedar Corporation", "ccc", "ID", "PATH"])
def test_a_document_is_found_by_id_name_path_or_company(indexed: Path, home: Path, selector: str) -> None:
    (entry,) = (entry for entry in list_entries(home) if entry.name == "call-2.txt")
    said = {"ID": entry.document_id[:6], "PATH": str(indexed / "in" / "call-2.txt")}.get(selector, selector)
    company = {entry.company, entry.company_key}
    if selector in {"Cedar Corporation", "ccc"} and selector.casefold() not in {
        c.casefold() for c in company
    }:
        pytest.skip(f"the company is called {company} here")
    report = remove(home, said)
    assert [entry.name for entry in report.removed] == ["call-2.txt"]
    assert {entry.name for entry in list_entries(home)} == {"call-0.txt", "call-1.txt"}


def test_a_wrong_name_changes_nothing(home: Path) -> None:
    before = open_generation(home, HashEmbedder())
    for wrong in ("nobody", "", "../call-1.txt", "abc"):
        with pytest.raises(SelectorError, match="hybridrag documents --home"):
            remove(home, wrong)
    assert before.is_current()
    before.close()


@pytest.mark.usefixtures("vectors_here")
def test_a_name_that_means_two_documents_is_refused_with_both(tmp_path: Path) -> None:
    for year in ("2023", "2024"):
        (tmp_path / "in" / year).mkdir(parents=True)
        (tmp_path / "in" / year / "note.txt").write_text(f"A note of {year}.", encoding="utf-8")
    index_light(tmp_path / "home", [tmp_path / "in"])
    with pytest.raises(SelectorError, match=r"2023/note\.txt.*2024/note\.txt|2024/note\.txt.*2023/note\.txt"):
        remove(tmp_path / "home", "note.txt")
    assert [entry.path for entry in remove(tmp_path / "home", "2023/note.txt").removed] == ["2023/note.txt"]


@pytest.mark.usefixtures("vectors_here")
def test_after_the_last_document_there_is_no_index_until_the_next(indexed: Path, home: Path) -> None:
    for name in ("call-0.txt", "call-1.txt", "call-2.txt"):
        report = remove(home, name)
    assert (report.generation, report.digest) == (None, "")
    with pytest.raises(IndexMissingError, match=r"No index at .*Run: hybridrag index PATH --home"):
        open_generation(home, HashEmbedder())
    assert not list((home / "generations").iterdir())
    assert not list((home / "documents").iterdir())
    assert index_light(home, [indexed / "in"]).generation == 4


def test_removing_from_nothing_says_there_is_no_index(tmp_path: Path) -> None:
    with pytest.raises(IndexMissingError):
        remove(tmp_path / "home", "call-1.txt")
    assert not (tmp_path / "home").exists()


@pytest.mark.usefixtures("cold")
def test_a_reader_keeps_its_index_and_takes_the_last_trace_with_it(home: Path) -> None:
    reader = open_generation(home, HashEmbedder())
    report = remove(home, "call-1.txt")
    assert report.held == (reader.number,)
    assert not reader.is_current()
    assert len(reader.documents) == 3
    assert reader.vectors.count() == len(reader.vectors.record.rows)
    assert reader.graph.documents.keys() == reader.documents.keys()
    reader.close()
    assert traces(home, REMOVED) == []


@pytest.mark.usefixtures("cold")
def test_a_removal_that_was_killed_is_finished_by_the_next(indexed: Path, home: Path) -> None:
    manifest = Home(home).manifest()
    left = tuple(entry for entry in manifest.entries if entry.name != "call-1.txt")
    Home(home).set_manifest(Manifest(manifest.embedder, left))  # as far as a killed run may have come
    assert traces(home, REMOVED)
    remove(home, "call-1.txt")
    assert traces(home, REMOVED) == []
    assert len(list_entries(home)) == 2


def test_what_a_killed_run_has_read_can_be_removed(home: Path) -> None:
    manifest = Home(home).manifest()
    shutil.rmtree(home / "generations")
    (home / "CURRENT").unlink()
    (home / "manifest.json").unlink()
    assert len(manifest.entries) == 3
    remove(home, "call-1.txt")
    assert traces(home, REMOVED) == []


def test_a_killed_removal_of_the_last_document_is_finished_by_the_next_run(
    home: Path, tmp_path: Path
) -> None:
    Home(home).set_manifest(Manifest(""))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "empty.txt").touch()
    assert index_light(home, [tmp_path / "in"]).generation is None
    with pytest.raises(IndexMissingError):
        open_generation(home, HashEmbedder())
