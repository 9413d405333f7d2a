"""`ontology_search`: the regular retrieval, led by a question's concepts and their neighbours in an ontology.

The source (Kopaneva 2025) mixes 70 parts of annotated chunks with 30 of BM25 and dense vectors. Measured here on 29
questions that lead to a concept, five chunks each: so mixed, recall falls from 0.57 to 0.23, since an annotation says
that a chunk speaks of a concept, not that it answers. Concepts therefore lead the search: the meaning that is searched
for moves towards their definitions, their names are searched for, too, and a chunk that names one gains a little.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tools.evidence import ONTOLOGY, Evidence
from tools.ontology.annotate import Vectors
from tools.ontology.annotated import AnnotatedConcepts
from tools.ontology.concept_graph import Reached
from tools.ontology.navigate import Walk, walk
from tools.periods import Period
from tools.scope import Scope
from tools.vector import ranking
from tools.vector.chunk_index import ChunkIndex
from tools.vector.embeddings import unit_vector
from tools.vector.vector_search import (
    COVERAGE_WEIGHT,
    EVERYTHING,
    MIN_RELEVANCE,
    Hit,
    evidence_of,
    vector_search,
)

CONCEPT_WEIGHT = 0.3
"""Parts of the concepts' definitions in the meaning that is searched for, the rest being the question's."""
DEFINITIONS = 3
"""Nearest concepts whose definitions count."""
NAMED_BONUS = 0.04
"""Of a chunk that names a concept of weight 1, beside a mixed score of 0 to 1."""
ENOUGH_RARITY = 5.0
"""Rarity (see `AnnotatedConcepts.rarity`) from which naming a concept counts in full."""


def ontology_search(
    index: ChunkIndex,
    known: AnnotatedConcepts,
    question: str,
    scope: Scope = EVERYTHING,
    k: int = 8,
    *,
    pool: int = 20,
    dense_weight: float = 0.8,
    concept_weight: float = CONCEPT_WEIGHT,
) -> list[Evidence]:
    """Up to `k` chunks within `scope`, best first; one that names a concept to which the question leads says so in
    `why`. Where no document in particular is asked about, the definitions of concepts that it names come before them.
    Where it leads to none that documents name, exactly what `vector_search` finds.

    IndexDamagedError as there."""
    vector = index.embedder.embed_query(question) if question.strip() else None
    walked = walk(known, question, vector) if vector is not None else None
    if vector is None or walked is None or concept_weight <= 0:
        return vector_search(index, question, scope, k, pool=pool, dense_weight=dense_weight)
    meaning = _meaning(known, walked, vector, concept_weight)
    found = index.candidates(question, scope, pool, meaning, " ".join(walked.names))
    ids = [row.id for row in found.rows]
    reached = {each.concept: each for each in walked.reached}
    led = {chunk: by for chunk in ids if (by := _leads(known, reached, chunk)) is not None}
    bonus = [NAMED_BONUS * led[chunk][0] if chunk in led else 0.0 for chunk in ids]
    scores = ranking.mix(found.dense, found.keyword, dense_weight) + np.array(bonus, np.float32)
    relevance = found.vectors @ vector + COVERAGE_WEIGHT * found.coverage
    order = [at for at in ranking.best_first(scores, ids) if ids[at] in led or relevance[at] >= MIN_RELEVANCE]
    twins = [(index.documents[row.document_id].company_key, row.folded) for row in found.rows]
    best = ranking.without_twins(order, twins)[:k]
    hits = [Hit(ids[at], float(scores[at]), float(relevance[at])) for at in best]
    found_led = [
        item.model_copy(update={"why": why_led(led[item.item_id][1])}) if item.item_id in led else item
        for item in evidence_of(index, hits)
    ]
    return [*(_definitions(known, walked, vector) if scope == EVERYTHING else ()), *found_led][:k]


def _definitions(known: AnnotatedConcepts, walked: Walk, vector: Vectors) -> list[Evidence]:
    """What the concepts that a question names are, where it asks about no documents in particular."""
    named = [at for at in walked.starts if known.concepts[at].definition] if walked.named else []
    return [
        Evidence(
            rank=rank,
            source="vector",
            text=f"{concept.label[:1].upper()}{concept.label[1:]} means {concept.definition.rstrip('.')}.",
            document=concept.file,
            document_id=ONTOLOGY,
            page=1,
            score=1.0,
            relevance=float(known.definitions[at] @ vector),
            item_id=concept.iri,
            kind="prose",
            company_key="",
            company=concept.file,
            doc_type="other",
            period=Period(),
            section=concept.version,
            why=f"{concept.label}, is defined as",
        )
        for rank, at in enumerate(named, start=1)
        for concept in (known.concepts[at],)
    ]


def why_led(by: Reached) -> str:
    """What led to a chunk, in words: 'derivative instrument, is broader than, interest rate swap'."""
    return ", ".join(by.steps)


def _meaning(known: AnnotatedConcepts, walked: Walk, vector: Vectors, weight: float) -> Vectors:
    """The question's vector, moved towards the definitions of the nearest concepts."""
    near = walked.reached[:DEFINITIONS]
    definitions = known.definitions[[each.concept for each in near]]
    total = np.array([each.weight for each in near], np.float32) @ definitions
    return unit_vector((1 - weight) * vector + weight * unit_vector(total)) if total.any() else vector


def _leads(
    known: AnnotatedConcepts, reached: Mapping[int, Reached], chunk: str
) -> tuple[float, Reached] | None:
    """How much the concept that counts most speaks for a chunk, and which one; None where it names none."""
    counted = [
        (each.weight * min(1.0, known.rarity(each.concept) / ENOUGH_RARITY) * mention.confidence, each)
        for mention in known.mentions.get(chunk, ())
        if (each := reached.get(mention.concept)) is not None
    ]
    return max(counted, key=lambda pair: (pair[0], -pair[1].concept), default=None)
