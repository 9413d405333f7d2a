"""`vector_search`: the passages of the documents in scope that speak of what a question asks."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import cast

import numpy as np

from tools.evidence import Evidence, EvidenceKind
from tools.scope import Scope
from tools.vector import ranking
from tools.vector.chunk_index import ChunkIndex
from tools.vector.index_record import Row
from tools.vector.spoken import Ranked, rank_chunks

EVERYTHING = Scope()
COVERAGE_WEIGHT = 0.1
"""Weight of the coverage beside the cosine, where relevance is judged absolutely."""
MIN_RELEVANCE = 0.35
"""Least relevance of a chunk worth reading: its cosine with the question, and COVERAGE_WEIGHT times its coverage.

Measured on 26 real and sample documents: the best chunk of 27 general or nonsense questions reaches 0.33,
that of 186 questions about these documents at least 0.36.
"""


POOL = 20
"""Chunks that are the best by meaning, and by words, among which a search chooses."""


def vector_search(
    index: ChunkIndex,
    question: str,
    scope: Scope = EVERYTHING,
    k: int = 8,
    *,
    pool: int = POOL,
    dense_weight: float = 0.8,
    floor: float = MIN_RELEVANCE,
    diversity: float = 0.0,
    spoken: bool = False,
) -> list[Evidence]:
    """Up to `k` chunks within `scope`, best first, with scores in 0..1 and source 'vector'.

    The `pool` best by cosine and the `pool` best by BM25 are mixed, `dense_weight` to the rest, normalised.
    A text that a company repeats counts once. A chunk below `floor` (see MIN_RELEVANCE) is left out: a question of
    which the documents do not speak finds nothing. IndexDamagedError when the stored index is not sound.

    `spoken`: the question is put as on a call. Calls are then ranked by the passage that may answer it (see
    `tools.vector.spoken`), and stand among other documents by relevance.
    """
    if not question.strip() or k <= 0 or not index.admitted(scope).any():
        return []
    heard = spoken and all(document.id in index.heard for document in index.documents_in(scope))
    if heard and (said := _said(index, question, scope, floor, k)):
        return evidence_of(index, said)
    meaning = index.embedder.embed_query(question)
    with ThreadPoolExecutor(1) as aside:  # databases and arrays leave the other thread its time
        saying = aside.submit(_said, index, question, scope, floor, k) if spoken and not heard else None
        found = index.candidates(question, scope, pool, meaning)
        said = saying.result() if saying else []
    scores = ranking.mix(found.dense, found.keyword, dense_weight)
    relevance = found.dense + COVERAGE_WEIGHT * found.coverage
    ids = [row.id for row in found.rows]
    order = [position for position in ranking.best_first(scores, ids) if relevance[position] >= floor]
    order = ranking.without_twins(order, [twin_key(index, row) for row in found.rows])
    order = ranking.diversify(order, scores, found.vectors, k, diversity)
    if said:
        order = [at for at in order if found.rows[at].document_id not in index.heard]
    hits = [Hit(ids[at], float(scores[at]), float(relevance[at])) for at in order]
    return evidence_of(index, (_by_relevance(said, hits) if said else hits)[:k])


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found."""

    chunk: str
    score: float
    """0..1, among those found with it."""
    relevance: float
    """As `Evidence.relevance`."""


ENOUGH_PROBABILITY = 0.99
"""Chunks of calls are returned until the answer is in them with this probability."""


def _said(index: ChunkIndex, question: str, scope: Scope, floor: float, k: int) -> list[Hit]:
    """The `k` likeliest chunks of calls, best first; none where of all of them not even one is relevant."""
    ranked = rank_chunks(index, question, scope)
    shares = np.cumsum(ranked.probability)
    likely = min(len(shares), int(np.searchsorted(shares, ENOUGH_PROBABILITY)) + 1)
    first: dict[tuple[str, str], tuple[int, Row]] = {}
    for at in range(likely):
        row = index.row_at(int(ranked.positions[at]))
        first.setdefault(twin_key(index, row), (at, row))
        if len(first) == k:
            break
    found = list(first.values())
    coverage = index.coverage(question, [row.id for _, row in found]) if found else np.zeros(0, np.float32)
    relevance = ranked.cosine[[at for at, _ in found]] + np.float32(COVERAGE_WEIGHT) * coverage
    if relevance.max(initial=-1.0) < floor and not _any_relevant(index, question, ranked, floor):
        return []
    return [
        Hit(row.id, float(ranked.probability[at]), float(relevant))
        for (at, row), relevant in zip(found, relevance, strict=True)
    ]


def _any_relevant(index: ChunkIndex, question: str, ranked: Ranked, floor: float) -> bool:
    """Whether one of all chunks is."""
    ids = [index.row_at(position).id for position in ranked.positions.tolist()]
    coverage = index.coverage(question, ids) if ids else np.zeros(0, np.float32)
    return bool((ranked.cosine + np.float32(COVERAGE_WEIGHT) * coverage).max(initial=-1.0) >= floor)


def twin_key(index: ChunkIndex, row: Row) -> tuple[str, str]:
    """What chunks share that a company repeats."""
    return index.documents[row.document_id].company_key, row.folded


def _by_relevance(first: Sequence[Hit], second: Sequence[Hit]) -> list[Hit]:
    """Two rankings as one: each in its order, of the two next hits the more relevant one."""
    one, other, merged = deque(first), deque(second), list[Hit]()
    while one and other:
        merged.append((one if one[0].relevance >= other[0].relevance else other).popleft())
    return [*merged, *one, *other]


def evidence_of(index: ChunkIndex, hits: Sequence[Hit]) -> list[Evidence]:
    """The chunks found, with their texts, ranked as they come. IndexDamagedError."""
    texts = index.texts([hit.chunk for hit in hits])
    evidence = []
    for rank, (hit, (text, fields)) in enumerate(zip(hits, texts, strict=True), start=1):
        document = index.documents[str(fields["document_id"])]
        evidence.append(
            Evidence(
                rank=rank,
                source="vector",
                text=text,
                document=document.name,
                document_id=document.id,
                page=int(fields["page"]),
                score=min(1.0, max(0.0, hit.score)),
                relevance=hit.relevance,
                item_id=hit.chunk,
                kind=cast(EvidenceKind, fields["kind"]),
                company_key=document.company_key,
                company=document.company,
                doc_type=document.doc_type,
                period=document.period,
                section=str(fields["section"]),
            )
        )
    return evidence
