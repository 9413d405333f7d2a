from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tools.store.disk.home import Entry, Home, Manifest
from tools.store.reading.plan import Plan, RecipeKey, Wanted, donors, failure, make_plan, what_became
from tools.store.reading.tasks import reading_task

KEY = RecipeKey("{}", "structure", "code", "extractor", "embedder")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for name, text in (("b.txt", "Orla grew."), ("a.txt", "Orla grew."), ("c.txt", "Kestrel grew.")):
        (tmp_path / "in" / name).write_text(text)
    return tmp_path / "in"


def entry(wanted: Wanted, **changes: str) -> Entry:
    key = wanted.key
    name, counts = wanted.file.name, (1, 1, 1)
    made = Entry(
        key.document_id, key.folder, "sha", wanted.source, key.path, name, "ORL", "Orla", "other", *counts
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def plan(home: Home, folder: Path, *entries: Entry) -> Plan:
    return make_plan(home, Manifest(embedder="embedder", entries=entries), [folder], KEY)


def test_files_of_the_same_bytes_are_one_document_and_the_first_by_path_is_read(
    home: Home, folder: Path
) -> None:
    made = plan(home, folder)
    assert [wanted.file.name for wanted in made.wanted] == ["a.txt", "c.txt"]
    same = made.outcomes[str(folder / "b.txt")]
    assert (same.state, same.reason) == ("same", str(folder / "a.txt"))
    assert made.wanted[0].same_as == (str((folder / "b.txt").resolve()),)


def test_documents_of_other_files_stay_and_copies_are_noted(home: Home, folder: Path, tmp_path: Path) -> None:
    first, second = plan(home, folder).wanted
    outside = tmp_path / "elsewhere.txt"
    outside.write_text("Orla grew.")
    other = entry(second, document_id="f" * 16, source="/gone/other.txt")
    made = plan(home, folder, entry(first, source=str(outside)), other)
    assert [wanted.file.name for wanted in made.wanted] == ["c.txt"]
    kept = {kept.source: kept for kept in made.retained}
    assert set(kept) == {str(outside), "/gone/other.txt"}
    assert kept[str(outside)].same_as == tuple(str((folder / name).resolve()) for name in ("a.txt", "b.txt"))


def test_a_file_that_failed_keeps_what_was_indexed_of_it(home: Home, folder: Path) -> None:
    wanted = plan(home, folder).wanted[1]
    before = entry(wanted)
    assert failure(wanted.file, "It broke.", {before.source: before}).entry is before
    outcome = failure(wanted.file, "It broke.", {})
    assert (outcome.entry, outcome.reason) == (None, "It broke.")


def test_what_became_of_a_document_is_said_by_what_changed(home: Home, folder: Path) -> None:
    wanted = plan(home, folder).wanted[1]
    now = entry(wanted)
    assert what_became(wanted, now)[0] == "indexed"
    for changes, state, reason in (
        ({}, "unchanged", ""),
        ({"document_id": "f" * 16, "record": "f"}, "replaced", "the file has changed"),
        ({"source": "/old/c.txt"}, "replaced", "moved here from /old/c.txt"),
        (
            {"record": "other"},
            "replaced",
            "same file, read by other settings or by another version of the program",
        ),
    ):
        before = entry(wanted, **changes)
        sealed = replace(wanted, before=before, seal="sealed")  # type: ignore[arg-type]
        assert what_became(sealed, now) == (state, reason)


def test_a_task_names_file_key_and_the_records_that_may_hold_its_texts(home: Home, folder: Path) -> None:
    wanted = plan(home, folder).wanted[1]
    for name in (wanted.key.folder, f"{wanted.key.document_id}-older", "f" * 16 + "-other"):
        (home.documents / name).mkdir(parents=True)
    assert donors(home, wanted) == [f"{wanted.key.document_id}-older"]
    task = reading_task(home, wanted)
    assert (task["file"], task["root"]) == (str(folder / "c.txt"), str(folder))
    assert task["key"]["sha256"] == wanted.key.sha256
    assert task["donors"] == donors(home, wanted)
