"""Files that were found sound lately and not touched since are not hashed again; any other is."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from evals.kills import write_documents
from tests.light_index import index_light
from tests.store_stand_ins import HashEmbedder
from tests.vectors_here import vectors_in_this_process
from tools.store.disk.seal import hash_file
from tools.store.generation import checked_files
from tools.store.generation.checked_files import CHECKED, damage_unless_checked, note_sound
from tools.store.generation.opening import open_generation


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    for name in ("one", "two"):
        (tmp_path / name).write_text(f"content of {name}")
    return {name: hash_file(tmp_path / name) for name in ("one", "two")}


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The names that were hashed, each time."""
    seen: list[set[str]] = []
    real = checked_files.damage

    def noting(folder: Path, files: dict[str, str]) -> str:
        seen.append(set(files))
        return real(folder, files)

    monkeypatch.setattr(checked_files, "damage", noting)
    return seen


def test_what_was_sound_and_is_untouched_is_not_hashed_again(
    tmp_path: Path, files: dict[str, str], hashed: list[set[str]]
) -> None:
    for _ in range(3):
        assert damage_unless_checked(tmp_path, files) == ""
    assert hashed == [{"one", "two"}, set(), set()]


def test_what_was_hashed_when_it_was_written_is_not_hashed_at_the_first_opening(
    tmp_path: Path, files: dict[str, str], hashed: list[set[str]]
) -> None:
    note_sound(tmp_path, files)
    assert damage_unless_checked(tmp_path, files) == "" and hashed == [set()]


def test_a_touched_file_is_hashed_even_if_its_size_and_time_are_set_back(
    tmp_path: Path, files: dict[str, str], hashed: list[set[str]]
) -> None:
    assert damage_unless_checked(tmp_path, files) == ""
    before = (tmp_path / "two").stat()
    time.sleep(0.02)
    (tmp_path / "two").write_text("CONTENT of two")
    os.utime(tmp_path / "two", ns=(before.st_atime_ns, before.st_mtime_ns))
    for _ in range(2):
        assert damage_unless_checked(tmp_path, files) == "two has changed"
    assert hashed[1:] == [{"two"}, {"two"}]


def test_a_file_is_held_against_the_hash_that_is_asked_for(
    tmp_path: Path, files: dict[str, str], hashed: list[set[str]]
) -> None:
    assert damage_unless_checked(tmp_path, files) == ""
    assert damage_unless_checked(tmp_path, files | {"two": files["one"]}) == "two has changed"
    assert hashed[1] == {"two"}


def test_a_missing_file_is_missed(tmp_path: Path, files: dict[str, str]) -> None:
    assert damage_unless_checked(tmp_path, files) == ""
    (tmp_path / "one").unlink()
    assert damage_unless_checked(tmp_path, files) == "one is missing"


def test_all_are_hashed_again_a_day_later_and_by_a_clock_that_was_set_back(
    tmp_path: Path, files: dict[str, str], hashed: list[set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert damage_unless_checked(tmp_path, files) == ""
    now = time.time()
    for at in (now + 25 * 3600, now - 3600):
        monkeypatch.setattr(time, "time", lambda at=at: at)
        assert damage_unless_checked(tmp_path, files) == ""
    assert hashed == [{"one", "two"}] * 3


@pytest.mark.parametrize("noted", [b"", b"[1]", b'{"one": 3, "two": ["x", "y", []]}', b"\xff"])
def test_a_note_that_can_t_be_read_is_none(
    tmp_path: Path, files: dict[str, str], hashed: list[set[str]], noted: bytes
) -> None:
    (tmp_path / CHECKED).write_bytes(noted)
    assert damage_unless_checked(tmp_path, files) == "" and hashed == [{"one", "two"}]


def test_where_nothing_can_be_noted_all_is_hashed_every_time(
    tmp_path: Path, files: dict[str, str], hashed: list[set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*given: object, **more: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(checked_files, "replace_file", refused)
    for _ in range(2):
        assert damage_unless_checked(tmp_path, files) == ""
    assert hashed == [{"one", "two"}] * 2


def test_a_generation_that_was_just_derived_is_opened_without_hashing_it(
    tmp_path: Path, hashed: list[set[str]]
) -> None:
    with vectors_in_this_process():
        index_light(tmp_path / "home", [write_documents(tmp_path / "documents", 0)])
    with open_generation(tmp_path / "home", HashEmbedder()) as opened:
        assert opened.seal.files
    assert hashed == [set()]
