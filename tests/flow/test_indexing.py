from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from evals.kills import write_documents
from tests.light_index import index_light
from tests.store_stand_ins import HashEmbedder
from tools.documents.errors import EmptyFolderError, MissingPathError
from tools.store.disk.lock import WriterLock
from tools.store.errors import HomeLockedError, IndexMissingError, IndexReplacedError
from tools.store.generation.opening import list_entries, open_generation
from tools.store.reading.report import IndexReport, Progress
from tools.store.runs.index_run import index_paths
from tools.vector.embeddings import LocalEmbeddings


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three documents, `work/in`, and the home they were indexed into, `home`."""
    folder = tmp_path_factory.mktemp("three")
    index_light(folder / "home", [write_documents(folder / "work" / "in", 0)])
    return folder


@pytest.fixture
def work(template: Path) -> Path:
    """A folder with a home of three documents, `home`, and these, `in`."""
    work = template / "work"
    shutil.rmtree(work)
    write_documents(work / "in", 0)
    shutil.copytree(template / "home", work / "home")
    return work


def states(report: IndexReport) -> dict[str, str]:
    return {Path(outcome.file).name: outcome.state for outcome in report.outcomes}


def snapshot(home: Path) -> dict[str, tuple[int, int]]:
    """Times and sizes of all files but the lock."""
    files = {path: path.stat() for path in home.rglob("*") if path.is_file() and path.name != "lock"}
    return {str(path): (stat.st_mtime_ns, stat.st_size) for path, stat in files.items()}


def found(home: Path, text: bytes) -> bool:
    return any(text in path.read_bytes() for path in home.rglob("*") if path.is_file())


def test_the_same_run_twice_gives_the_same_bytes(three_calls: Path, tmp_path: Path) -> None:
    """With the real models, in one reading process and in two."""
    again = index_paths(tmp_path / "home", [three_calls / "in"], workers=1)
    with open_generation(three_calls / "home", LocalEmbeddings()) as first:
        assert first.digest == again.digest
    records = [three_calls / "home" / "documents", tmp_path / "home" / "documents"]
    first_bytes, second_bytes = (
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in records
    )
    assert len(first_bytes) == 3 * 9
    assert first_bytes == second_bytes


def test_what_is_unchanged_is_neither_read_nor_written(work: Path) -> None:
    before = snapshot(work / "home")
    report = index_light(work / "home", [work / "in"])
    assert report.counts == {"unchanged": 3}
    assert not report.changed
    assert snapshot(work / "home") == before


def test_a_changed_file_replaces_its_old_self_everywhere(work: Path, tmp_path: Path) -> None:
    assert found(work / "home", b"opened 3 plants")
    write_documents(work / "in", 1)
    report = index_light(work / "home", [work / "in"], apart=True)
    assert states(report) == {
        "call-0.txt": "unchanged",
        "call-1.txt": "replaced",
        "call-2.txt": "unchanged",
        "call-3.txt": "indexed",
    }
    assert not found(work / "home", b"opened 3 plants")
    assert report.digest == index_light(tmp_path / "fresh", [work / "in"]).digest


def test_documents_of_other_folders_stay(work: Path) -> None:
    other = work / "other"
    other.mkdir()
    (other / "note.md").write_text("# A note\n\nElm Corporation opened.\n", encoding="utf-8")
    report = index_light(work / "home", [other])
    assert (report.documents, states(report)) == (4, {"note.md": "indexed"})


def test_the_order_of_coming_does_not_matter(work: Path, tmp_path: Path) -> None:
    home = tmp_path / "by-one"
    for number in (2, 0, 1):
        report = index_light(home, [work / "in" / f"call-{number}.txt"])
    with open_generation(work / "home", HashEmbedder()) as generation:
        assert report.digest == generation.digest


def test_the_same_content_at_two_paths_is_one_document(work: Path) -> None:
    shutil.copy(work / "in" / "call-0.txt", work / "in" / "copy.txt")
    report = index_light(work / "home", [work / "in"])
    assert states(report)["copy.txt"] == "same"
    (copy,) = (outcome for outcome in report.outcomes if outcome.state == "same")
    assert copy.reason.endswith("call-0.txt")
    assert report.documents == 3
    assert (work / "in" / "call-0.txt").unlink() is None
    report = index_light(work / "home", [work / "in"])
    assert states(report) == {"call-1.txt": "unchanged", "call-2.txt": "unchanged", "copy.txt": "replaced"}
    assert {entry.name for entry in list_entries(work / "home")} == {"copy.txt", "call-1.txt", "call-2.txt"}


def test_a_copy_elsewhere_survives_the_change_of_the_first(work: Path) -> None:
    (work / "elsewhere").mkdir()
    shutil.copy(work / "in" / "call-1.txt", work / "elsewhere" / "copy.txt")
    report = index_light(work / "home", [work / "elsewhere"])
    assert states(report) == {"copy.txt": "same"}
    write_documents(work / "in", 1)
    assert index_light(work / "home", [work / "in"]).documents == 5
    assert found(work / "home", b"opened 3 plants")


def test_bad_files_are_named_and_the_rest_go_on(work: Path) -> None:
    folder = work / "in"
    (folder / "empty.pdf").touch()
    (folder / "text.pdf").write_text("no PDF at all", encoding="utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (work / "secret.txt").write_text("not in the folder", encoding="utf-8")
    (folder / "link.txt").symlink_to(work / "secret.txt")
    progress: list[Progress] = []
    report = index_light(work / "home", [folder], on_progress=progress.append)
    assert report.counts == {"unchanged": 3, "failed": 2, "skipped": 2}
    reasons = {Path(outcome.file).name: outcome.reason for outcome in report.outcomes}
    assert "empty.pdf" in reasons["empty.pdf"]
    assert "text.pdf" in reasons["text.pdf"]
    assert "out of the given folder" in reasons["link.txt"]
    assert progress[-1].stage == "done"
    assert {p.outcome.file for p in progress if p.outcome} == {outcome.file for outcome in report.outcomes}


def test_a_file_that_became_unreadable_keeps_what_was_indexed_of_it(work: Path) -> None:
    (work / "in" / "call-1.txt").write_bytes(b"\xff\xfe\x00broken" * 20)
    report = index_light(work / "home", [work / "in"])
    assert states(report)["call-1.txt"] == "failed"
    assert "kept" in next(outcome.reason for outcome in report.outcomes if outcome.state == "failed")
    assert report.documents == 3
    assert found(work / "home", b"opened 3 plants")


def test_paths_that_lead_nowhere_make_no_home(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError):
        index_light(tmp_path / "home", [tmp_path / "nowhere"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(EmptyFolderError):
        index_light(tmp_path / "home", [tmp_path / "empty"])
    assert not (tmp_path / "home").exists()


def test_asking_before_indexing_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(IndexMissingError, match=r"No index at '.*home'\. Run: hybridrag index PATH --home"):
        open_generation(tmp_path / "home", HashEmbedder())
    with pytest.raises(IndexMissingError):
        list_entries(tmp_path / "home")


def test_a_run_in_which_every_file_fails_leaves_no_index(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "empty.txt").touch()
    report = index_light(tmp_path / "home", [tmp_path / "in"])
    assert (report.counts, report.generation, report.documents) == ({"failed": 1}, None, 0)
    with pytest.raises(IndexMissingError):
        open_generation(tmp_path / "home", HashEmbedder())


def test_a_second_indexing_run_is_refused(work: Path) -> None:
    with (
        WriterLock.take(work / "home"),
        pytest.raises(HomeLockedError, match=f"process {os.getpid()} on"),
    ):
        index_light(work / "home", [work / "in"])


def test_a_reader_sees_the_old_index_until_it_opens_the_new_one(work: Path) -> None:
    embedder = HashEmbedder()
    reader, late = (open_generation(work / "home", embedder) for _ in range(2))
    write_documents(work / "in", 1)
    report = index_light(work / "home", [work / "in"])
    assert report.held == (reader.number,)
    assert not reader.is_current()
    reader.vectors.verify(sample=None)
    (chunk,) = (row.id for row in reader.vectors.record.rows[:1])
    assert len(reader.documents) == len(reader.graph.documents) == 3
    with open_generation(work / "home", embedder) as second:
        assert (second.number, len(second.documents)) == (report.generation, 4)
    reader.close()
    late.close()
    assert [path.name for path in (work / "home" / "generations").iterdir()] == [str(report.generation)]
    for part in ("graph", "vectors"):
        with pytest.raises(IndexReplacedError, match="Ask the question again"):
            getattr(late, part)
    with pytest.raises(IndexReplacedError, match="Ask the question again"):
        reader.vectors.texts([chunk])
    assert reader.graph.triplets()  # what is mapped stays


def test_a_reader_whose_index_was_replaced_again_and_again_still_reads(work: Path) -> None:
    reader = open_generation(work / "home", HashEmbedder())
    for revision in (1, 2):
        write_documents(work / "in", revision)
        index_light(work / "home", [work / "in"])
    assert len(reader.graph.documents) == 3
    assert reader.vectors.count() == reader.seal.chunks
    reader.close()


def test_unfinished_work_of_other_files_waits_for_its_rerun(work: Path) -> None:
    """Records that a killed run finished are used by its rerun, even if another run comes between."""
    home = work / "home"
    for name in ("generations", "documents"):
        assert (home / name).is_dir()
    shutil.rmtree(home / "generations")
    (home / "CURRENT").unlink()
    (home / "manifest.json").unlink()
    other = work / "other"
    other.mkdir()
    (other / "note.md").write_text("# A note\n\nElm Corporation opened.\n", encoding="utf-8")
    (home / "documents" / ".draft-1234-99").mkdir()
    assert index_light(home, [other]).documents == 1
    assert not (home / "documents" / ".draft-1234-99").exists()
    times = {path: path.stat().st_mtime_ns for path in home.glob("documents/*/record.json")}
    report = index_light(home, [work / "in"])
    assert (report.documents, states(report)["call-0.txt"]) == (4, "indexed")
    assert {path: path.stat().st_mtime_ns for path in times} == times
