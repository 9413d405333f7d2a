"""Semantic similarity: is the answer about what the expected answer is about?"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from evals.datasets.types import Item
from evals.metrics.answer_text import compared
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score
from tools.documents.text.cleaning import sentences
from tools.vector.embeddings import Embedder, Vectors

PIECE = 1_000
"""Characters embedded at once: within the 254 word pieces that the local model reads at once."""


def semantic_similarity(embedder: Embedder | None) -> Metric:
    """The metric over an embedding model; without one it applies to nothing."""
    return Metric(
        "semantic_similarity",
        "Semantic similarity",
        "answer",
        _without if embedder is None else _by(embedder),
    )


def pieces(text: str) -> list[str]:
    """A text in parts of up to PIECE characters, cut at sentence ends; a longer sentence is a part, cut in lengths."""
    found: list[str] = []
    for sentence in sentences(" ".join(text.split())):
        for start in range(0, len(sentence), PIECE):
            part = sentence[start : start + PIECE]
            if found and len(found[-1]) + len(part) < PIECE:
                found[-1] += f" {part}"
            else:
                found.append(part)
    return found


def _without(item: Item, row: Row) -> Score:
    return not_applicable("no embedding model is set")


def _by(embedder: Embedder) -> Callable[[Item, Row], Score]:
    """Cosine, 0 to 1 (an opposite direction counts 0), of the answer's vector without markers and the expected
    answer's: the mean of the vectors of their `pieces`, weighted by length, normalised."""

    @lru_cache(maxsize=4096)
    def vector(text: str) -> Vectors:
        parts = pieces(text)
        mean = np.average(embedder.embed(parts), axis=0, weights=[len(part) for part in parts])
        unit: Vectors = (mean / np.linalg.norm(mean)).astype(np.float32)
        return unit

    def score(item: Item, row: Row) -> Score:
        texts = compared(item, row)
        if isinstance(texts, Score):
            return texts
        if not texts[0].strip():
            return Score(value=0, reason="the answer is empty")
        cosine = float(vector(texts[0]) @ vector(texts[1]))
        return Score(value=min(1.0, max(0.0, cosine)), reason=f"cosine {cosine:.2f}")

    return score
