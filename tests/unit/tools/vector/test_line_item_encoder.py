"""Which printed line words mean, as learnt: what comes with the program, vectors, damaged files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tools.model_files import ModelFileError
from tools.vector import line_item_encoder
from tools.vector.line_item_encoder import MAX_PIECES, LineItemEncoder, learnt, pieces_of, row_text, save
from tools.vector.line_vectors import LineVectors

ENCODER = LineItemEncoder()
LINES = [
    row_text(*each)
    for each in (
        ("Merchandise inventories", ("Current assets",), "balance"),
        ("Accounts receivable, net", ("Current assets",), "balance"),
        ("Repurchases of common stock", ("Financing activities",), "cash_flow"),
        ("Purchases of property and equipment", ("Investing activities",), "cash_flow"),
        ("Marketing", ("Operating expenses",), "income"),
    )
]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file of weights of its own in place of the program's."""
    path = tmp_path / "line_items.npz"
    monkeypatch.setattr(line_item_encoder, "WEIGHTS", path)
    learnt.cache_clear()
    yield path
    learnt.cache_clear()


def test_a_line_is_read_with_its_statement_and_headings() -> None:
    assert LINES[0] == "balance sheet: Current assets: Merchandise inventories"
    assert row_text("Stores", (), "other") == "Stores"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("goods waiting to be sold", 0),
        ("what customers still owe", 1),
        ("money spent on buybacks", 2),
        ("spending on new plant", 3),
        ("cost of advertising", 4),
    ],
)
def test_words_are_nearest_to_the_line_that_they_mean(words: str, line: int) -> None:
    assert int((ENCODER.vectors(LINES) @ ENCODER.vectors([words])[0]).argmax()) == line


def test_a_vector_is_of_length_one_and_depends_on_its_text_alone() -> None:
    together = ENCODER.vectors([*LINES, ""])
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-4)  # they are rounded to 16 bits
    assert (ENCODER.vectors(LINES[1:2]) == together[1:2]).all()
    assert ENCODER.vectors([]).shape == (0, 384)


def test_of_a_long_text_the_beginning_is_read() -> None:
    assert len(pieces_of("a " * 500)) == MAX_PIECES + 2
    assert pieces_of("\ud800 sales")


def test_what_was_learnt_is_read_as_it_was_written(kept: Path) -> None:
    change = {"x.a": np.ones((2, 1)), "x.b": np.zeros((1, 3))}
    save(change)
    assert {name: each.shape for name, each in learnt().items()} == {"x.a": (2, 1), "x.b": (1, 3)}


@pytest.mark.parametrize("content", [None, b"", b"not weights", b"PK\x03\x04 cut off"])
def test_a_file_that_cannot_be_read_is_named(kept: Path, content: bytes | None) -> None:
    if content is not None:
        kept.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"line_items\.npz is damaged"):
        learnt()


def test_vectors_are_remembered_until_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_item_encoder, "KEPT_VECTORS", 3)
    reader = LineItemEncoder()
    first = reader.vectors(["cash", "debt"])
    read = list[str]()
    monkeypatch.setattr(
        line_item_encoder, "_unit", lambda _, text: read.append(text) or np.zeros(384, np.float32)
    )
    assert (reader.vectors(["debt", "cash"]) == first[::-1]).all() and read == []
    reader.vectors(["rent", "debt", "fuel"])
    assert read == ["rent", "fuel"]
    reader.vectors(["cash"])
    assert read == ["rent", "fuel", "cash"]


def test_stored_vectors_are_at_hand_and_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ENCODER.stored(LINES).save(tmp_path / "lines")
    reader = LineItemEncoder()
    reader.recall(LineVectors.load(tmp_path / "lines"))
    read = list[str]()
    monkeypatch.setattr(
        line_item_encoder, "_unit", lambda _, text: read.append(text) or np.zeros(384, np.float32)
    )
    assert (reader.vectors([*LINES, "rent"])[:-1] == ENCODER.vectors(LINES)).all()
    assert read == ["rent"]


def test_stored_vectors_of_another_encoder_are_of_no_use() -> None:
    stored = ENCODER.stored(LINES)
    reader = LineItemEncoder({})
    reader.recall(stored)
    assert reader.id != ENCODER.id
    assert (reader.vectors(LINES) != ENCODER.vectors(LINES)).any()
