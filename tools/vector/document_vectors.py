"""The vectors of a document: of its chunks and of the passages of a call, each text embedded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tools.documents.types import Chunk, Document
from tools.vector.embeddings import Vectors, unit_vector
from tools.vector.passages import Passage, passages_of

CONTEXT_SHARE = 0.45
"""Length of the context line's vector beside that of the passages' mean; measured beside 0, 0.3 and 0.6."""

Embed = Callable[[Sequence[str]], Vectors]
"""(len(texts), dimension), rows of length 1."""


def texts_to_embed(chunks: Sequence[Chunk], document: Document) -> list[str]:
    """What is embedded of a document, each text once."""
    found = [passages_of(chunk, document) for chunk in chunks]
    texts = [_context(chunk) if said else chunk.embed_text for chunk, said in zip(chunks, found, strict=True)]
    return [text for text in dict.fromkeys([*texts, *_texts(found)]) if text]


def embed_document(chunks: Sequence[Chunk], document: Document, embed: Embed) -> Vectors:
    """(chunks and passages, dimension) float32, rows of length 1: of the chunks, then of all their passages.

    A chunk with passages has the mean of theirs by length, and its context line's: what is said is not embedded twice.
    On 136 questions to 17 calls that finds as much within a call, and more among all of them, than a vector of its own.
    """
    texts = texts_to_embed(chunks, document)
    vectors = dict(zip(texts, rows := embed(texts), strict=True))
    found = [passages_of(chunk, document) for chunk in chunks]
    whole = [
        _mean(said, _context(chunk), vectors) if said else vectors[chunk.embed_text]
        for chunk, said in zip(chunks, found, strict=True)
    ]
    every = [*whole, *(vectors[text] for text in _texts(found))]
    return np.stack(every) if every else np.zeros((0, rows.shape[1]), np.float32)


def vectors_by_text(
    chunks: Sequence[Chunk], document: Document, vectors: Vectors, *, same_passages: bool
) -> dict[str, Vectors]:
    """The texts of a document that have vectors of their own among `vectors`, which `embed_document` made.

    `same_passages`: by this version of `passages_of`; of a call, nothing is known otherwise.
    """
    found = [passages_of(chunk, document) for chunk in chunks]
    if not same_passages and (any(found) or len(vectors) != len(chunks)):
        return {}
    own = ["" if said else chunk.embed_text for chunk, said in zip(chunks, found, strict=True)]
    return {text: row for text, row in zip([*own, *_texts(found)], vectors, strict=True) if text}


def _texts(found: Sequence[Sequence[Passage]]) -> list[str]:
    return [passage.text for said in found for passage in said]


def _context(chunk: Chunk) -> str:
    """The line before a chunk's text that says whose words it holds."""
    return chunk.embed_text.removesuffix(chunk.text).strip()


def _mean(said: Sequence[Passage], context: str, vectors: dict[str, Vectors]) -> Vectors:
    lengths = np.array([len(passage.text) for passage in said], dtype=np.float32)
    mean = unit_vector(lengths @ np.stack([vectors[passage.text] for passage in said]))
    return unit_vector(mean + CONTEXT_SHARE * vectors[context]) if context else mean
