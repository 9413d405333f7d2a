"""Which concepts the pieces of documents speak of: names that are unmistakable are taken, others where the meaning of
the piece agrees with the concept's definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.ontology.names import ConceptNames, Found
from tools.ontology.types import Concept

Vectors = NDArray[np.float32]
SURE = 1.0
"""Confidence of a name of several words that one concept bears."""
MIN_TYPICAL = 0.12
"""By how much the pieces that hold a name must come nearer to a concept's definition than pieces do in the mean, by
cosine, where the name alone does not tell: one word, or several concepts that bear it. 'Future' is named in pieces that
are no nearer to the definition of a contract than others: these documents mean another thing by it."""
MIN_AGREEMENT = 0.06
"""Likewise of the one piece in which such a name stands."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A name in a piece of a document, taken for a concept."""

    concept: int
    """Its place among the concepts."""
    start: int
    end: int
    """Characters of the piece's text."""
    confidence: float
    """0 to 1."""


def annotate(
    concepts: Sequence[Concept], definitions: Vectors, texts: Sequence[str], vectors: Vectors
) -> Iterator[list[Annotation]]:
    """The annotations of each text, in order. `definitions`: (concepts, dimension), rows of length 1, or of zeros where
    a concept has none; `vectors`: (texts, dimension), of the same model. Nothing is embedded.

    A name that modifies the next noun is another thing's: it is left out."""
    names = ConceptNames(concepts)
    named = [[each for each in names.find(text) if not each.modifies] for text in texts]
    usual: Vectors = np.zeros(len(concepts), np.float32)
    if len(vectors):
        usual = (definitions @ vectors.mean(axis=0)).astype(np.float32)
    typical: Vectors = _typical(named, definitions, vectors) - usual
    for found, vector in zip(named, vectors, strict=True):
        meant = [_meant(each, definitions, usual, typical, vector) for each in found]
        yield [each for each in meant if each is not None]


def _typical(named: Sequence[Sequence[Found]], definitions: Vectors, vectors: Vectors) -> Vectors:
    """(concepts,) mean cosine of each definition with the texts that hold a name of its concept."""
    total: Vectors = np.zeros(len(definitions), np.float32)
    count: Vectors = np.zeros(len(definitions), np.float32)
    for found, vector in zip(named, vectors, strict=True):
        bearers = sorted({concept for each in found for concept in each.concepts})
        total[bearers] += definitions[bearers] @ vector
        count[bearers] += 1
    return np.divide(total, np.maximum(count, 1), dtype=np.float32)


def _meant(
    found: Found, definitions: Vectors, usual: Vectors, typical: Vectors, vector: Vectors
) -> Annotation | None:
    """The concept that a name means in a piece; None where that is not told."""
    if found.words > 1 and len(found.concepts) == 1:
        return Annotation(found.concepts[0], found.start, found.end, SURE)
    bearers = np.array(found.concepts)
    agreement = np.where(
        typical[bearers] >= MIN_TYPICAL, definitions[bearers] @ vector - usual[bearers], -1.0
    )
    best = int(np.argmax(agreement))
    if agreement[best] < MIN_AGREEMENT:
        return None
    confidence = min(SURE, 0.5 + 2.5 * float(agreement[best] - MIN_AGREEMENT))
    return Annotation(found.concepts[best], found.start, found.end, round(confidence, 2))
