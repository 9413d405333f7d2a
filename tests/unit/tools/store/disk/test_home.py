from __future__ import annotations

import resource
from pathlib import Path

import orjson
import pytest

from tools.store.disk.home import MANIFEST, Entry, Home, Manifest, delete_tree, replace_file
from tools.store.errors import FormatVersionError, HomeWriteError, ManifestDamagedError, command


def entry(number: int) -> Entry:
    return Entry(
        document_id=f"{number:016x}",
        record=f"{number:016x}-abc",
        record_sha256="0" * 64,
        source=f"/docs/{number}.txt",
        path=f"{number}.txt",
        name=f"{number}.txt",
        company_key="ABC",
        company="Abc",
        doc_type="call",
        pages=1,
        chunks=2,
        triplets=3,
        same_as=("/docs/copy.txt",),
    )


def test_a_manifest_comes_back_as_it_was_stored(tmp_path: Path) -> None:
    home, manifest = Home(tmp_path), Manifest("model", (entry(1), entry(2)))
    home.set_manifest(manifest)
    assert home.manifest() == manifest
    assert [path.name for path in tmp_path.iterdir()] == [MANIFEST]


@pytest.mark.parametrize("position", [10, 60, -5])
def test_a_changed_byte_in_the_manifest_is_noticed(tmp_path: Path, position: int) -> None:
    home = Home(tmp_path)
    home.set_manifest(Manifest("model", (entry(1),)))
    data = bytearray((tmp_path / MANIFEST).read_bytes())
    data[position] ^= 1
    (tmp_path / MANIFEST).write_bytes(data)
    with pytest.raises((ManifestDamagedError, FormatVersionError)):
        home.manifest()


def test_a_damaged_manifest_is_replaced_by_that_of_the_generation_in_use(tmp_path: Path) -> None:
    home, manifest = Home(tmp_path), Manifest("model", (entry(1),))
    home.generation(3).mkdir(parents=True)
    (home.generation(3) / MANIFEST).write_bytes(manifest.dump())
    home.set_current(3)
    (tmp_path / MANIFEST).write_bytes(b'{"format": 1, "doc')
    assert home.manifest() == manifest


def test_a_manifest_of_another_format_is_refused_with_a_command(tmp_path: Path) -> None:
    stored = orjson.loads(Manifest("model").dump())
    (tmp_path / MANIFEST).write_bytes(orjson.dumps({**stored, "format": 3}))
    with pytest.raises(FormatVersionError, match=r"format version 3.*hybridrag index PATH --home"):
        Home(tmp_path).manifest()


def test_a_refused_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    replace_file(path, b"old")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, usual[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            replace_file(path, b"new" * 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


def test_a_generation_number_is_never_used_twice(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert (home.current(), home.next_number()) == (None, 1)
    home.set_current(7)
    assert (home.current(), home.next_number()) == (7, 8)
    home.set_current(None)
    assert (home.current(), home.next_number()) == (None, 8)


def test_a_damaged_pointer_leads_to_the_newest_generation(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.generation(4).mkdir(parents=True)
    (tmp_path / "CURRENT").write_bytes(b"\x00\xff")
    assert home.current() == 4


def test_what_the_system_refuses_is_a_write_error_of_this_home(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    with pytest.raises(HomeWriteError, match=r"Cannot write to .*home.*File exists|Not a directory"):
        Home(tmp_path / "home").set_current(1)


def test_deleting_a_folder_twice_is_harmless(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    delete_tree(folder)
    delete_tree(folder)
    assert not list(tmp_path.iterdir())


def test_commands_name_a_home_that_is_not_the_usual_one() -> None:
    assert command(Path(".hybridrag"), "index PATH") == "hybridrag index PATH"
    assert command(Path("my home"), "documents") == "hybridrag documents --home 'my home'"
