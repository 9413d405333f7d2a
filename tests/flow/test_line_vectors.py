"""Vectors of printed lines are made when documents are indexed, not when they are asked."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from agent.assistant import Assistant
from agent.home_shelf import HomeShelf
from agent.open_indexes import LINE_ITEMS, OpenIndex
from agent.settings import Settings
from tools.scope import Scope
from tools.store.disk.home import Home
from tools.store.generation.generations import LINES, build_knowledge
from tools.store.generation.opening import open_generation
from tools.vector import line_item_encoder
from tools.vector.embeddings import LocalEmbeddings, Vectors
from tools.vector.line_vectors import VECTORS, LineVectors


@pytest.fixture
def home(untouched_home: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(untouched_home, tmp_path / "home"))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that the encoder reads; nothing is remembered from before."""
    texts = list[str]()

    def unit(_: object, text: str) -> Vectors:
        texts.append(text)
        return np.ones(LocalEmbeddings.dimension, np.float32)

    monkeypatch.setattr(line_item_encoder, "_unit", unit)
    monkeypatch.setattr(LINE_ITEMS, "_kept", {})
    return texts


def test_a_question_alone_is_read(home: Path, read: list[str]) -> None:
    index = HomeShelf(home, LocalEmbeddings()).current()
    company = min(index.catalog.companies)
    assert index.nearest_figures("money owed to suppliers", Scope((company,)), None, 3)
    assert read == ["money owed to suppliers"]


def test_what_is_there_is_not_made_again(home: Path, read: list[str]) -> None:
    """But only what is as it was sealed."""
    place = Home(home)
    place.generation(7).mkdir()
    build_knowledge(place, 7, place.manifest())
    assert read == []
    vectors = place.generation(place.current() or 0) / LINES / VECTORS
    vectors.write_bytes(vectors.read_bytes()[:-2] + b"??")
    place.generation(8).mkdir()
    build_knowledge(place, 8, place.manifest())
    made = [LineVectors.load(place.generation(number) / LINES) for number in (7, 8)]
    assert sorted(read) == sorted(made[0].places) == sorted(made[1].places)


def test_vectors_of_another_encoder_are_made_anew_when_indexing(
    home: Path, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all else as it was; and but once."""
    monkeypatch.setattr(line_item_encoder.LineItemEncoder, "id", "another")
    numbers = [Home(home).current()]
    for _ in range(2):
        Assistant(Settings(_env_file=None, home=home)).index([samples])
        numbers.append(Home(home).current())
    assert numbers == [1, 2, 2]
    assert LineVectors.load(Home(home).generation(2) / LINES).encoder == "another"


def test_damaged_vectors_are_made_anew(home: Path) -> None:
    lines = home / "generations" / "1" / LINES
    before = np.load(lines / VECTORS)
    (lines / VECTORS).write_bytes((lines / VECTORS).read_bytes()[:-1] + b"?")
    with open_generation(home, LocalEmbeddings()) as mended:
        assert mended.number == 2
        assert (np.load(mended.folder / LINES / VECTORS) == before).all()


def test_lines_of_an_index_without_vectors_are_read_when_asked(home: Path, read: list[str]) -> None:
    """As of one that an earlier version made; those of an index opened before are of no use."""
    HomeShelf(home, LocalEmbeddings()).current()
    with open_generation(home, LocalEmbeddings()) as generation:
        shutil.rmtree(generation.folder / LINES)
        index = OpenIndex(generation)
        index.nearest_figures("money owed to suppliers", Scope((min(index.catalog.companies),)), None, 3)
    assert len(read) > 1
