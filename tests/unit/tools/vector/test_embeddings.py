"""tools.vector.embeddings: vectors that depend on their text alone, from checked files."""

from __future__ import annotations

import numpy as np
import pytest

from tools.vector.embeddings import (
    MAX_WINDOWS,
    WINDOW_PIECES,
    LocalEmbeddings,
)


@pytest.fixture(scope="module")
def embedder() -> LocalEmbeddings:
    return LocalEmbeddings()


def test_rows_are_unit_vectors_of_384_numbers(embedder: LocalEmbeddings) -> None:
    vectors = embedder.embed(["Net sales rose.", "The warehouse burned down."])
    assert vectors.shape == (2, embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_no_texts_give_no_rows(embedder: LocalEmbeddings) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_a_vector_depends_on_its_text_alone(embedder: LocalEmbeddings) -> None:
    text = "Operating expenses grew, driven by headcount."
    among_others = embedder.embed(["Short.", text, "A much longer neighbour, " * 60])[1]
    assert among_others.tobytes() == embedder.embed([text])[0].tobytes()


def test_two_loads_of_the_model_give_the_same_bytes(embedder: LocalEmbeddings) -> None:
    text = "Free cash flow for the nine months ended September 30, 2023."
    assert LocalEmbeddings().embed([text]).tobytes() == embedder.embed([text]).tobytes()


def test_a_question_is_nearest_to_the_text_that_answers_it(embedder: LocalEmbeddings) -> None:
    texts = [
        "Our supply of memory chips was short, so shipments slipped into the next quarter.",
        "The board declared a cash dividend of 24 cents a share.",
        "We opened twelve stores and closed three.",
    ]
    query = embedder.embed_query("How much does the company pay its shareholders?")
    assert int(np.argmax(embedder.embed(texts) @ query)) == 1


def test_the_end_of_a_long_text_counts(embedder: LocalEmbeddings) -> None:
    start = "We thank our employees for their work. " * 60
    plain, ending = embedder.embed([start, start + "The factory in Leeds was destroyed by a flood. " * 8])
    query = embedder.embed_query("flood at the factory")
    assert float(ending @ query) > float(plain @ query) + 0.05


def test_text_beyond_the_last_window_does_not_count(embedder: LocalEmbeddings) -> None:
    full = "word " * (WINDOW_PIECES * MAX_WINDOWS)
    first, longer = embedder.embed([full, full + "flood " * 500])
    assert first.tobytes() == longer.tobytes()


def test_a_hundred_kilobyte_question_and_broken_unicode_are_embedded(embedder: LocalEmbeddings) -> None:
    for text in ("What about margins? " * 5_000, "", "   ", "\ud800 half a surrogate", "\x00\x1b[31m"):
        assert np.isclose(np.linalg.norm(embedder.embed_query(text)), 1, atol=1e-6)


def test_a_questions_vector_is_made_once_and_cannot_be_spoilt(embedder: LocalEmbeddings) -> None:
    first = embedder.embed_query("What was net income?")
    assert embedder.embed_query("What was net income?") is first
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1.0
