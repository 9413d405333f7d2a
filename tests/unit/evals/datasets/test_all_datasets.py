"""Question sets by name: the sample set, paths that are of no use, and the digest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.datasets.all_datasets import DATASETS, load_dataset
from evals.records import DATA
from evals.samples import DOCUMENTS

WITH_PATH = sorted(set(DATASETS) - {"sample"})


@pytest.fixture
def own(put: Callable[..., Path]) -> Path:
    """A user's set of one question over two documents."""
    put("own/docs/b.txt", "two")
    put("own/docs/a/b.txt", "one")
    return put("own/set.jsonl", [{"question": "Who?"}])


def test_the_sample_set_asks_every_sample_question_without_filters() -> None:
    dataset = load_dataset("sample", None)
    lines = (DATA / "sample.jsonl").read_text(encoding="utf-8").splitlines()
    given = {line["id"]: line for line in map(json.loads, lines)}
    assert [item.id for item in dataset.items] == list(given)
    assert dataset.documents == (DOCUMENTS,)
    names = {path.name for path in DOCUMENTS.rglob("*.pdf")}
    for item in dataset.items:
        assert (item.company, item.year, item.quarter) == (None, None, None)
        assert item.answerable is given[item.id]["answerable"]
        assert item.route == given[item.id]["route"]
        assert len(item.numbers) == len(given[item.id]["expected_numbers"])
        assert len(item.places) == bool(given[item.id]["source"]) + len(given[item.id].get("also", ()))
        assert {place.document for place in (*item.places, *item.alternates)} <= names
        assert bool(item.places) is item.answerable
    kinds = {item.kind for item in dataset.items}
    assert kinds == {"extractive", "abstractive", "uncertain", "no_evidence", "out_of_scope"}


def test_the_sample_set_takes_no_path(refusal: Callable[..., str], tmp_path: Path) -> None:
    assert "takes no --path" in refusal("sample", tmp_path)


def test_an_unknown_name_is_told_the_known_ones(refusal: Callable[..., str]) -> None:
    told = refusal("earnings", None)
    assert all(name in told for name in DATASETS)


@pytest.mark.parametrize("name", WITH_PATH)
def test_a_set_that_lies_somewhere_needs_a_path(name: str, refusal: Callable[..., str]) -> None:
    assert "needs --path" in refusal(name, None)


@pytest.mark.parametrize("name", WITH_PATH)
def test_a_path_that_is_not_there_is_named(name: str, refusal: Callable[..., str], tmp_path: Path) -> None:
    told = refusal(name, tmp_path / "nowhere")
    assert "There is no" in told
    assert str(tmp_path / "nowhere") in told


@pytest.mark.parametrize("name", sorted(set(WITH_PATH) - {"jsonl", "questions"}))
def test_a_file_where_a_folder_is_due_is_told_so(
    name: str, refusal: Callable[..., str], put: Callable[..., Path]
) -> None:
    assert "is a file" in refusal(name, put("qa.jsonl", [{"question": "Who?"}]))


@pytest.mark.parametrize("name", WITH_PATH)
def test_an_empty_folder_is_told_what_it_lacks(
    name: str, refusal: Callable[..., str], tmp_path: Path
) -> None:
    told = refusal(name, tmp_path)
    assert any(lacking in told for lacking in (".jsonl", "qna_data.csv", "an index that holds 10-Qs"))


@pytest.mark.parametrize(("name", "file"), [("earnings-calls", "qa.jsonl"), ("sec-10q", "qna_data.csv")])
def test_a_folder_in_the_place_of_the_question_file_is_told_so(
    name: str, file: str, refusal: Callable[..., str], tmp_path: Path
) -> None:
    (tmp_path / file).mkdir()
    assert f"{file}' is a folder" in refusal(name, tmp_path)


def test_documents_must_be_a_folder_that_holds_some(own: Path, refusal: Callable[..., str]) -> None:
    docs = own.parent / "docs"
    shutil.rmtree(docs)
    assert f"The folder of documents '{docs}' is missing" in refusal("jsonl", own)
    docs.write_text("not a folder", encoding="utf-8")
    assert "is a file" in refusal("jsonl", own)
    docs.unlink()
    docs.mkdir()
    (docs / "picture.png").write_bytes(b"\0")
    assert "no file of a kind that is read" in refusal("jsonl", own)


@pytest.mark.parametrize("broken", ["set.jsonl", "b.txt"])
def test_a_file_that_may_not_be_read_is_told(
    own: Path, refusal: Callable[..., str], monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def refuse(path: Path, *args: Any, **more: Any) -> Any:
        if path.name == broken:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *args, **more)

    def whole(path: Path) -> bytes:
        with refuse(path, "rb") as stream:
            return bytes(stream.read())

    opened = Path.open
    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "read_bytes", whole)
    complaint = refusal("jsonl", own)
    assert complaint.startswith("Can't read '")
    assert complaint.endswith(f"{broken}': Permission denied.")


def test_the_digest_is_that_of_names_and_bytes_wherever_they_lie(own: Path, tmp_path: Path) -> None:
    first = load_dataset("jsonl", own).data_hash
    assert len(first) == 64
    moved = shutil.copytree(own.parent, tmp_path / "elsewhere")
    (moved / "docs" / "picture.png").write_bytes(b"not a document")
    assert load_dataset("jsonl", moved).data_hash == first


@pytest.mark.parametrize("change", ["question", "byte", "name", "swap", "more"])
def test_the_digest_changes_with_any_question_and_any_document(own: Path, change: str) -> None:
    first = load_dataset("jsonl", own).data_hash
    docs = own.parent / "docs"
    match change:
        case "question":
            own.write_text('{"question": "Why?"}\n', encoding="utf-8")
        case "byte":
            (docs / "b.txt").write_text("twp", encoding="utf-8")
        case "name":
            (docs / "b.txt").rename(docs / "c.txt")
        case "swap":
            (docs / "b.txt").write_text("one", encoding="utf-8")
            (docs / "a" / "b.txt").write_text("two", encoding="utf-8")
        case "more":
            (docs / "z.md").write_text("", encoding="utf-8")
    assert load_dataset("jsonl", own).data_hash != first
