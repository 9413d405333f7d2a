"""From a list of paths to parsed documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.attacks.damage import nested_folders
from tools.documents import errors
from tools.documents.metadata.document_metadata import Overrides
from tools.documents.read.parse import find_documents, parse_document

CALL = """AUR Q2 2024 Earnings Call Transcript
Call participants
Ann Lee--Chief Executive Officer
Bob Roy--Harbor Bank -- Analyst
Prepared Remarks
Operator
Welcome to the Aurora Devices second quarter 2024 earnings call.
Ann Lee
Thank you. Revenue grew 12% to $1.5 billion.
Questions and Answers
Operator
Our first question comes from Bob Roy of Harbor Bank.
Bob Roy
What drove margins?
Ann Lee
Mix and lower freight.
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_files_are_found_in_sorted_order_and_the_rest_is_named(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.md", "a/c.TXT", "notes.rtf", ".hidden.txt", ".git/x.txt"):
        write(tmp_path / name, "x")
    files, skipped = find_documents([tmp_path])
    assert [path.relative_to(tmp_path).as_posix() for path, _ in files] == ["a/c.TXT", "a/z.md", "b.txt"]
    assert {root for _, root in files} == {tmp_path}
    assert [(path.name, "kind of file" in reason) for path, reason in skipped] == [("notes.rtf", True)]


def test_a_file_given_twice_is_found_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "x")
    files, _ = find_documents([tmp_path, path])
    assert [found for found, _ in files] == [path]


def test_links_that_lead_out_of_the_folder_are_refused_by_name(tmp_path: Path) -> None:
    secret = write(tmp_path / "outside" / "secret.txt", "secret")
    inside = write(tmp_path / "in" / "a.txt", "x")
    (tmp_path / "in" / "leak.txt").symlink_to(secret)
    (tmp_path / "in" / "folder").symlink_to(secret.parent)
    (tmp_path / "in" / "nowhere.txt").symlink_to(tmp_path / "none")
    (tmp_path / "in" / "same.txt").symlink_to(inside)
    files, skipped = find_documents([tmp_path / "in"])
    assert [path.name for path, _ in files] == ["a.txt"]
    reasons = {path.name: reason for path, reason in skipped}
    assert "out of the given folder" in reasons["leak.txt"]
    assert "out of the given folder" in reasons["folder"]
    assert "nowhere" in reasons["nowhere.txt"]


def test_a_missing_path_and_an_empty_folder_are_errors(tmp_path: Path) -> None:
    with pytest.raises(errors.MissingPathError, match="none"):
        find_documents([tmp_path / "none"])
    with pytest.raises(errors.EmptyFolderError, match=r"no file of a kind that is read \(.*\.pdf, \.txt"):
        find_documents([tmp_path])
    write(tmp_path / "a.rtf", "x")
    with pytest.raises(errors.EmptyFolderError, match="1 other files skipped"):
        find_documents([tmp_path])


def test_a_text_transcript_is_parsed_like_a_pdf(tmp_path: Path) -> None:
    path = write(tmp_path / "AUR" / "2024" / "ECT" / "ECT-Q2-2024.txt", CALL)
    parsed = parse_document(path, tmp_path)
    assert parsed.document.path == "AUR/2024/ECT/ECT-Q2-2024.txt"
    assert parsed.document.company == "Aurora Devices"
    assert parsed.document.company_key == "AUR"
    assert (parsed.document.doc_type, parsed.document.fiscal_year, parsed.document.fiscal_quarter) == (
        "call",
        2024,
        2,
    )
    assert parsed.document.period_end is None
    assert [(p.name, p.is_analyst) for p in parsed.participants] == [("Ann Lee", False), ("Bob Roy", True)]
    assert [chunk.kind for chunk in parsed.chunks] == ["prose", "prose", "exchange"]


def test_the_same_bytes_give_the_same_result(tmp_path: Path) -> None:
    one, two = (write(tmp_path / folder / "c.txt", CALL) for folder in ("x", "y"))
    assert parse_document(one, tmp_path / "x") == parse_document(two, tmp_path / "y")


def test_the_recursive_splitter_is_a_setting(tmp_path: Path) -> None:
    path = write(tmp_path / "c.txt", CALL)
    parsed = parse_document(path, tmp_path, splitter="recursive")
    assert [chunk.text for chunk in parsed.chunks] == [" ".join(CALL.split())]
    assert parsed.chunks[0].embed_text == " ".join(CALL.split())


def test_overrides_win_and_say_so(tmp_path: Path) -> None:
    path = write(tmp_path / "c.txt", CALL)
    overrides = Overrides(company="Aurora Inc.", ticker="arx", year=2030, quarter=4)
    document = parse_document(path, tmp_path, overrides=overrides).document
    assert (document.company, document.company_key, document.fiscal_year, document.fiscal_quarter) == (
        "Aurora Inc.",
        "ARX",
        2030,
        4,
    )
    assert document.sources["company"] == document.sources["fiscal_year"] == "flag"
    assert document.sources["doc_type"] == "cover"


def test_a_file_below_more_folders_than_python_may_nest_calls_is_found(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", CALL)
    with nested_folders(tmp_path, "d", 1_200, CALL):
        files, skipped = find_documents([tmp_path])
    assert [path.name for path, _ in files] == ["a.txt", "call.txt"] and skipped == []


def test_a_folder_too_deep_for_the_system_is_said_and_the_rest_is_found(tmp_path: Path) -> None:
    write(tmp_path / "z.txt", CALL)
    with nested_folders(tmp_path, "n" * 200, 40, CALL):
        files, skipped = find_documents([tmp_path])
    assert [path.name for path, _ in files] == ["z.txt"]
    assert len(skipped) == 1 and "File name too long" in skipped[0][1]


def test_a_path_that_no_system_takes_is_the_users_mistake() -> None:
    with pytest.raises(errors.MissingPathError, match="file name too long"):
        find_documents([Path("x" * 5_000)])
