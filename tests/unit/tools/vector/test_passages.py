"""tools.vector.passages: who says what on a call, in pieces short enough for one vector, kept with the index."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tools.documents.types import Chunk, Document
from tools.vector.passages import (
    MAX_CHARS,
    ROLES,
    TARGET_CHARS,
    PassageIndex,
    passages_of,
)

SENTENCE = "We shipped more sensors than planned, number {}, and customers took all of them."
LONG = " ".join(SENTENCE.format(number) for number in range(30))


@pytest.fixture
def orla(document: Any, call: Any) -> Any:
    """A call with one remark and two exchanges."""
    return call(
        document("orla-call.pdf", "ORLA", "call", None, 2024, 2),
        "Orders grew in spring.",
        ("Ana Reyes", "How are inventories?", "Marta Lindqvist", "They came down."),
        ("Bob Roy", "And pricing?", "Tom Birch", "Pricing held up."),
    )


@pytest.fixture
def told(orla: Any) -> Document:
    (only,) = orla.documents.values()
    assert isinstance(only, Document)
    return only


def exchange(told: Document, text: str, asker: str = "Ana Reyes") -> Chunk:
    section = f"Questions and Answers > {asker}"
    return Chunk("c", told.id, text, text, (1,), section, "exchange", asker)


def shape(chunk: Chunk, told: Document) -> list[tuple[str, str, str, bool]]:
    return [(p.speaker, p.role, p.text, p.opens) for p in passages_of(chunk, told)]


def test_a_call_is_remarks_questions_and_answers_and_the_operator_says_nothing(
    orla: Any, told: Document
) -> None:
    assert [line for chunk in orla.chunks for line in shape(chunk, told)] == [
        ("Marta Lindqvist", "remarks", "Orders grew in spring.", True),
        ("Ana Reyes", "question", "How are inventories?", True),
        ("Marta Lindqvist", "answer", "They came down.", True),
        ("Bob Roy", "question", "And pricing?", True),
        ("Tom Birch", "answer", "Pricing held up.", True),
    ]


def test_what_is_said_among_the_questions_outside_an_exchange_is_an_answer(orla: Any, told: Document) -> None:
    closing = replace(orla.chunks[0], section="Questions and Answers > Tom Birch", speaker="Tom Birch")
    assert shape(closing, told) == [("Tom Birch", "answer", "Orders grew in spring.", True)]
    assert shape(replace(closing, speaker="Operator"), told) == []


def test_a_later_part_of_an_exchange_goes_on_with_who_spoke_and_drops_the_note_of_it(told: Document) -> None:
    part = exchange(told, "[Ana Reyes's question, continued]\nTom Birch: It fell.\nAna Reyes: Why: costs?")
    assert shape(part, told) == [
        ("Tom Birch", "answer", "It fell.", True),
        ("Ana Reyes", "question", "Why: costs?", True),
    ]


def test_a_turn_that_fits_stays_whole_and_a_longer_one_is_cut_at_sentence_ends_into_equal_pieces(
    told: Document,
) -> None:
    fits = LONG[: MAX_CHARS - 1] + "."
    assert [line[2] for line in shape(exchange(told, f"Tom Birch: {fits}"), told)] == [fits]
    cut = shape(exchange(told, f"Tom Birch: {LONG}"), told)
    assert " ".join(text for _, _, text, _ in cut) == LONG
    assert len(cut) == round(len(LONG) / TARGET_CHARS) > 2
    lengths = [len(text) for _, _, text, _ in cut]
    assert max(lengths) <= MAX_CHARS and max(lengths) - min(lengths) < 200
    assert all(text.startswith("We shipped") and text.endswith("of them.") for _, _, text, _ in cut)
    assert [opens for *_, opens in cut] == [True] + [False] * (len(cut) - 1)
    assert {(speaker, role) for speaker, role, *_ in cut} == {("Tom Birch", "answer")}


def test_filings_and_plain_pieces_have_no_passages(orla: Any, told: Document) -> None:
    for chunk in orla.chunks:
        assert passages_of(chunk, replace(told, doc_type="10-Q")) == ()
        assert passages_of(replace(chunk, section=""), told) == ()


def build(folder: Path, corpus: Any, embedder: Any, kept: list[int]) -> None:
    said = embedder.embed(corpus.said())
    PassageIndex.build(folder, corpus.chunks, corpus.documents, kept, said)


def test_what_is_built_is_read_back_for_the_kept_chunks_in_their_order(
    orla: Any, embedder: Any, tmp_path: Path
) -> None:
    build(tmp_path / "passages", orla, embedder, [2, 0])
    read = PassageIndex.load(tmp_path / "passages")
    assert read.chunks.tolist() == [0, 0, 1]
    assert [ROLES[role] for role in read.roles] == ["question", "answer", "remarks"]
    assert read.speakers == ["Bob Roy", "Tom Birch", "Marta Lindqvist"]
    assert read.opens.tolist() == [True, True, True]
    said = ["And pricing?", "Pricing held up.", "Orders grew in spring."]
    assert np.array_equal(read.vectors, embedder.embed(said))
    assert np.flatnonzero(read.keywords.scores("pricing held")).tolist() == [0, 1]


def test_where_nobody_speaks_no_folder_is_written(
    orla: Any, corpus: Any, embedder: Any, tmp_path: Path
) -> None:
    filings = corpus.without("bolt-call.pdf")
    build(tmp_path / "passages", filings, embedder, list(range(len(filings.chunks))))
    build(tmp_path / "passages", orla, embedder, [])
    assert not (tmp_path / "passages").exists()


@pytest.mark.parametrize("change", [-1, 1])
def test_vectors_of_another_number_are_refused(orla: Any, embedder: Any, tmp_path: Path, change: int) -> None:
    said = embedder.embed([*orla.said(), "more"])[: len(orla.said()) + change]
    with pytest.raises(ValueError, match="5 passages, but embeddings of shape"):
        PassageIndex.build(tmp_path / "passages", orla.chunks, orla.documents, [0, 1, 2], said)
    assert not (tmp_path / "passages").exists()


@pytest.mark.parametrize("column", ["chunks", "roles", "opens", "speakers", "vectors"])
def test_columns_that_differ_in_length_are_refused(
    orla: Any, embedder: Any, tmp_path: Path, column: str
) -> None:
    folder = tmp_path / "passages"
    build(folder, orla, embedder, [0, 1, 2])
    if column == "vectors":
        np.save(folder / "vectors.npy", np.load(folder / "vectors.npy")[:-1])
    else:
        table = json.loads((folder / "rows.json").read_text(encoding="utf-8"))
        table[column].pop()
        (folder / "rows.json").write_text(json.dumps(table), encoding="utf-8")
    with pytest.raises(ValueError, match="differ in number"):
        PassageIndex.load(folder)


def test_a_call_that_an_earlier_version_read_has_no_passages(orla: Any, tmp_path: Path) -> None:
    none = np.zeros((0, 2), np.float32)
    unheard = {chunk.document_id for chunk in orla.chunks}
    PassageIndex.build(tmp_path / "passages", orla.chunks, orla.documents, [0, 1, 2], none, unheard)
    assert not (tmp_path / "passages").exists()
