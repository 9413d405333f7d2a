from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tools.store.disk.seal import SEAL, GenerationSeal, compact, damage, hash_file, hash_files
from tools.vector.chroma import DATABASE, ChromaFolder

SEALED = GenerationSeal("model", "code", "v", "k", "c", 1, 2, 0, 3, {"a": "b"})


@pytest.fixture
def database(tmp_path: Path) -> Path:
    ids, vectors = [f"id{n}" for n in range(50)], np.eye(50, 64, dtype=np.float32)
    ChromaFolder.build(
        tmp_path / "vectors", ids, vectors, ["words " * 99] * 50, [{"page": n} for n in range(50)]
    )
    compact(tmp_path)
    return tmp_path / "vectors" / DATABASE


def test_opening_a_chroma_folder_leaves_its_hash(database: Path) -> None:
    before, data = hash_file(database), database.read_bytes()
    for _ in range(3):
        folder = ChromaFolder.open(database.parent)
        assert folder.count() == 50
        assert "id7" in folder.nearest(np.eye(50, 64, dtype=np.float32)[7], 50, None)
        folder.close()
    assert database.read_bytes() != data, "the premise: opening writes"
    assert hash_file(database) == before


def test_a_thousand_openings_leave_the_hash(database: Path) -> None:
    before, size = hash_file(database), database.stat().st_size
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executemany("INSERT INTO acquire_write (lock_status) VALUES (?)", [(1,)] * 3_000)
    assert database.stat().st_size > size, "the premise: the table outgrows its page"
    assert hash_file(database) == before


def test_a_flipped_bit_changes_the_hash_of_a_database(database: Path) -> None:
    before, data = hash_file(database), database.read_bytes()
    assert damage(database.parent, {DATABASE: before}) == ""
    for position in [60, 3_000, *range(4 * 4096 + 7, len(data), 20_011)]:
        changed = bytearray(data)
        changed[position] ^= 1
        database.write_bytes(changed)
        assert damage(database.parent, {DATABASE: before}), position


def test_a_file_that_is_no_database_is_an_sqlite_error(database: Path) -> None:
    database.write_bytes(b"junk" * 5_000)
    with pytest.raises(sqlite3.Error):
        hash_file(database)
    assert "chroma.sqlite3" in damage(database.parent, {DATABASE: "x"})


def test_damage_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one").write_bytes(b"1")
    (tmp_path / "two").write_bytes(b"2")
    files = hash_files(tmp_path, leave_out=["three"])
    assert set(files) == {"deep/one", "two"}
    assert damage(tmp_path, files) == ""
    (tmp_path / "deep" / "one").write_bytes(b"0")
    assert damage(tmp_path, files) == "deep/one has changed"
    (tmp_path / "deep" / "one").unlink()
    assert damage(tmp_path, files) == "deep/one is missing"


def test_a_seal_comes_back_or_is_refused(tmp_path: Path) -> None:
    (tmp_path / SEAL).write_bytes(SEALED.dump())
    assert GenerationSeal.load(tmp_path) == SEALED
    (tmp_path / SEAL).write_bytes(SEALED.dump().replace(b'"triplets":3', b'"triplets":4'))
    with pytest.raises(ValueError, match="has changed"):
        GenerationSeal.load(tmp_path)


def test_the_digest_depends_on_each_part_of_the_content() -> None:
    from dataclasses import replace

    others = [replace(SEALED, **{name: "x"}).digest for name in ("vectors", "knowledge", "catalog")]
    assert len({SEALED.digest, *others}) == 4
    assert replace(SEALED, code="y", files={}).digest == SEALED.digest
