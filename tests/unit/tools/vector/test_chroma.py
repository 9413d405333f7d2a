"""tools.vector.chroma: the store keeps bits and finds every neighbour, filter or not."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tools.vector import chroma
from tools.vector.chroma import ChromaFolder


@pytest.fixture(scope="module")
def rows() -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """2,500 vectors in 40 clusters: more than one batch, and harder for a graph than plain noise."""
    random = np.random.default_rng(7)
    centres = random.normal(size=(40, 96))
    points = centres[random.integers(0, 40, 2_500)] + 0.5 * random.normal(size=(2_500, 96))
    return (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def folder(
    rows: np.ndarray[tuple[int, int], np.dtype[np.float32]], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    path = tmp_path_factory.mktemp("chroma")
    ids = [f"{number:04d}" for number in range(len(rows))]
    metadata = [{"document_id": f"d{number % 25}"} for number in range(len(rows))]
    ChromaFolder.build(path, ids, rows, ids, metadata)
    return path


@pytest.mark.parametrize(
    "documents", [None, ["d3"], ["d0", "d7", "d19"], [f"d{number}" for number in range(24)]]
)
def test_a_query_finds_every_true_neighbour(
    documents: list[str] | None, rows: np.ndarray[tuple[int, int], np.dtype[np.float32]], folder: Path
) -> None:
    store = ChromaFolder.open(folder)
    owners = np.array([f"d{number % 25}" for number in range(len(rows))])
    inside = np.ones(len(rows), bool) if documents is None else np.isin(owners, documents)
    for query in rows[::250]:
        cosines = np.where(inside, rows @ query, -2)
        exact = {f"{number:04d}" for number in np.argsort(-cosines)[:20]}
        assert set(store.nearest(query, 20, documents)) == exact
    store.close()


def test_vectors_come_back_bit_for_bit(
    rows: np.ndarray[tuple[int, int], np.dtype[np.float32]], folder: Path
) -> None:
    store = ChromaFolder.open(folder)
    found = store.vectors(["0000", "2499"])
    assert found["0000"].tobytes() == rows[0].tobytes()
    assert found["2499"].tobytes() == rows[2_499].tobytes()
    store.close()


def test_all_vectors_leave_the_write_ahead_queue(
    rows: np.ndarray[tuple[int, int], np.dtype[np.float32]], folder: Path
) -> None:
    """What stays in the queue is not covered by the hashes of the vector files."""
    (level,) = folder.rglob("data_level0.bin")
    assert level.stat().st_size >= rows.nbytes


def test_room_for_rows_to_come_holds_nothing_that_the_process_had_in_memory(
    rows: np.ndarray[tuple[int, int], np.dtype[np.float32]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blanked, blank, held = list[Path](), chroma._blank_unused, 0

    def dirtied(folder: Path) -> None:
        """As it comes, where memory was in use before."""
        nonlocal held
        level = folder / "data_level0.bin"
        data = level.read_bytes()
        last = max(data.index(row.tobytes()) for row in rows[:2])  # in either order
        held = last + rows[0].nbytes + 8  # a row's label comes last
        level.write_bytes(data[:held] + b"k" * (len(data) - held))
        blanked.append(level)
        blank(folder)

    monkeypatch.setattr(chroma, "_blank_unused", dirtied)
    ChromaFolder.build(tmp_path, ["0", "1"], rows[:2], ["a", "b"], [{"document_id": "d"}] * 2)
    (level,) = blanked
    assert level.stat().st_size > 10 * held
    assert not any(level.read_bytes()[held:])
    store = ChromaFolder.open(tmp_path)
    assert list(store.nearest(rows[1], 2, None)) == ["1", "0"]
    store.close()


def test_texts_and_numbers_are_read_without_opening_chroma(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chroma, "_client", None)
    store = ChromaFolder.open(folder)
    assert store.count() == 2_500
    assert store.texts(["0001", "none", "0026"]) == {
        "0001": ("0001", {"document_id": "d1"}),
        "0026": ("0026", {"document_id": "d1"}),
    }
    store.close()


def test_a_row_that_lost_its_text_is_not_found(tmp_path: Path) -> None:
    ChromaFolder.build(tmp_path, ["0", "1"], np.eye(2, 8, dtype=np.float32), ["a", "b"], [{"page": 1}] * 2)
    with closing(sqlite3.connect(tmp_path / chroma.DATABASE)) as database, database:
        database.execute("DELETE FROM embedding_metadata WHERE key = ? AND string_value = 'a'", [chroma.TEXT])
    assert ChromaFolder.open(tmp_path).texts(["0", "1"]) == {"1": ("b", {"page": 1})}


def test_a_folder_without_a_database_is_an_error_not_a_new_database(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        ChromaFolder.open(tmp_path)
    assert list(tmp_path.iterdir()) == []
