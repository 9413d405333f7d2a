"""`vector_search`: the passages of the documents in scope that speak of what a question asks."""

from __future__ import annotations

from typing import cast

from tools.evidence import Evidence, EvidenceKind
from tools.scope import Scope
from tools.vector import ranking
from tools.vector.index import VectorIndex

EVERYTHING = Scope()
WORDS = 0.1
"""Weight of the coverage beside the cosine, where relevance is judged absolutely."""
FLOOR = 0.35
"""Least relevance of a chunk worth reading: its cosine with the question, and WORDS times its coverage.

Measured on 26 real and sample documents: the best chunk of 27 general or nonsense questions reaches 0.33,
that of 186 questions about these documents at least 0.36.
"""


def vector_search(
    index: VectorIndex,
    question: str,
    scope: Scope = EVERYTHING,
    k: int = 8,
    *,
    pool: int = 20,
    dense_weight: float = 0.8,
    floor: float = FLOOR,
    diversity: float = 0.0,
) -> list[Evidence]:
    """Up to `k` chunks within `scope`, best first, with scores in 0..1 and source 'vector'.

    The `pool` best by cosine and the `pool` best by BM25 are mixed, `dense_weight` to the rest, normalised.
    A text that a company repeats counts once. A chunk below `floor` (see FLOOR) is left out: a question of
    which the documents do not speak finds nothing. IndexDamagedError when the stored index is not sound.
    """
    if not question.strip() or k <= 0:
        return []
    found = index.candidates(question, scope, pool)
    ids = [row.id for row in found.rows]
    scores = ranking.mix(found.dense, found.keyword, dense_weight)
    relevance = found.dense + WORDS * found.coverage
    order = [position for position in ranking.best_first(scores, ids) if relevance[position] >= floor]
    companies = [index.documents[row.document_id].company_key for row in found.rows]
    keys = [(company, row.folded) for company, row in zip(companies, found.rows, strict=True)]
    order = ranking.without_twins(order, keys)
    order = ranking.diversify(order, scores, found.vectors, k, diversity)
    return _evidence(
        index, [(ids[position], float(scores[position]), float(relevance[position])) for position in order]
    )


def _evidence(index: VectorIndex, ranked: list[tuple[str, float, float]]) -> list[Evidence]:
    """Evidence of (chunk id, score, relevance), best first."""
    texts = index.texts([chunk for chunk, _, _ in ranked])
    evidence = []
    for rank, ((chunk, score, near), (text, fields)) in enumerate(zip(ranked, texts, strict=True), start=1):
        document = index.documents[str(fields["document_id"])]
        evidence.append(
            Evidence(
                rank=rank,
                source="vector",
                text=text,
                document=document.name,
                document_id=document.id,
                page=int(fields["page"]),
                score=min(1.0, max(0.0, score)),
                relevance=near,
                item_id=chunk,
                kind=cast(EvidenceKind, fields["kind"]),
                company_key=document.company_key,
                company=document.company,
                doc_type=document.doc_type,
                period=document.period,
                section=str(fields["section"]),
            )
        )
    return evidence
