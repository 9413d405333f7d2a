"""tools.vector.document_vectors: each text once, and chunks of calls by what is said in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tools.documents.types import Chunk, Document
from tools.vector.document_vectors import CONTEXT_SHARE, embed_document, texts_to_embed, vectors_by_text
from tools.vector.embeddings import Vectors


@pytest.fixture
def orla(document: Any, call: Any) -> Any:
    """A call with one remark and an exchange in which an answer is three times as long as its question."""
    return call(
        document("orla-call.pdf", "ORLA", "call", None, 2024, 2),
        "Orders grew in spring.",
        ("Ana Reyes", "Inventories?", "Marta Lindqvist", "They came down by two weeks in June."),
    )


@pytest.fixture
def told(orla: Any) -> Document:
    (only,) = orla.documents.values()
    assert isinstance(only, Document)
    return only


class Counting:
    """Each text a direction of its own, in the order in which they come."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return np.eye(20, dtype=np.float32)[[self.texts.index(text) for text in texts]]


def test_no_text_is_embedded_twice_and_no_exchange_beside_its_passages(orla: Any, told: Document) -> None:
    counting = Counting()
    vectors = embed_document(orla.chunks, told, counting.embed)
    assert counting.texts == texts_to_embed(orla.chunks, told)
    assert len(set(counting.texts)) == len(counting.texts)
    assert set(orla.said()) < set(counting.texts)
    assert not any("Inventories?" in text and "two weeks" in text for text in counting.texts)
    assert len(vectors) == len(orla.chunks) + len(orla.said())


def test_a_chunk_of_a_call_has_the_mean_of_its_passages_by_length_and_its_context(told: Document) -> None:
    text = "Ana Reyes: Up?\nTom Birch: Twelve chars"
    section = "Questions and Answers > Ana Reyes"
    chunk = Chunk("c", told.id, text, f"Orla call\n{text}", (1,), section, "exchange", "Ana Reyes")
    context, up, twelve = np.eye(20)[:3]
    whole, *said = embed_document([chunk], told, Counting().embed)
    mean = 3 * up + 12 * twelve
    expected = mean / np.linalg.norm(mean) + CONTEXT_SHARE * context
    assert np.allclose(whole, expected / np.linalg.norm(expected), atol=1e-6)
    assert np.array_equal(said, [up, twelve])


def test_chunks_of_filings_have_the_vectors_of_their_texts(orla: Any, told: Document) -> None:
    filing = replace(told, doc_type="10-Q")
    assert texts_to_embed(orla.chunks, filing) == [chunk.embed_text for chunk in orla.chunks]
    assert np.array_equal(
        embed_document(orla.chunks, filing, Counting().embed), np.eye(20)[: len(orla.chunks)]
    )


def test_a_document_without_chunks_has_no_vectors(told: Document) -> None:
    assert embed_document([], told, lambda texts: np.zeros((len(texts), 4), np.float32)).shape == (0, 4)


def test_vectors_are_known_by_text_where_a_text_has_one_of_its_own(orla: Any, told: Document) -> None:
    vectors = embed_document(orla.chunks, told, Counting().embed)
    known = vectors_by_text(orla.chunks, told, vectors, same_passages=True)
    assert sorted(known) == sorted(orla.said())
    assert all(
        np.array_equal(known[text], row)
        for text, row in zip(orla.said(), vectors[len(orla.chunks) :], strict=True)
    )
    assert vectors_by_text(orla.chunks, told, vectors, same_passages=False) == {}
    filing = replace(told, doc_type="10-Q")
    assert vectors_by_text(orla.chunks, filing, vectors, same_passages=False) == {}
    rows = vectors[: len(orla.chunks)]
    assert len(vectors_by_text(orla.chunks, filing, rows, same_passages=False)) == len(orla.chunks)
