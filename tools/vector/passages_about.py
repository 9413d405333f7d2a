"""The passages of a company that may say what is asked of all companies: near in meaning, or in the same words."""

from __future__ import annotations

from itertools import zip_longest

from tools.evidence import Evidence
from tools.scope import Scope
from tools.vector import ranking
from tools.vector.chunk_index import ChunkIndex
from tools.vector.vector_search import COVERAGE_WEIGHT, POOL, Hit, evidence_of, twin_key

HALF_SCORE = 10.0
"""BM25 score that is half of the best one there can be."""


def passages_about(index: ChunkIndex, question: str, scope: Scope, k: int) -> list[Evidence]:
    """The `k` chunks of `scope` that come nearest to `question` and the `k` that hold most of its words, in turns, each
    once; `score`: by their words, 0 to 1, whatever else is found. Unlike `vector_search` it leaves none out for being
    far: a long answer on a call names a storm in half a sentence. IndexDamagedError when the index is not sound."""
    if not question.strip() or k <= 0:
        return []
    found = index.candidates(question, scope, POOL)
    ids = [row.id for row in found.rows]
    keys = [twin_key(index, row) for row in found.rows]
    near, said = (
        ranking.without_twins(ranking.best_first(scores, ids), keys)[:k]
        for scores in (found.dense, found.keyword)
    )
    said = [at for at in said if found.keyword[at] > 0]
    order = dict.fromkeys(at for pair in zip_longest(near, said) for at in pair if at is not None)
    relevance = found.dense + COVERAGE_WEIGHT * found.coverage
    scores = found.keyword / (found.keyword + HALF_SCORE)
    return evidence_of(index, [Hit(ids[at], float(scores[at]), float(relevance[at])) for at in order])
