"""Ranking for questions put as on a call: whose passage answers, rather than whose asks the same."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.scope import Scope
from tools.vector.chunk_index import ChunkIndex
from tools.vector.embeddings import Vectors
from tools.vector.passages import ROLES, PassageIndex
from tools.vector.ranking import Scores

COLUMNS = ("meaning", "words", "in questions", "asked", "opens", "addressed")
"""Of `features`."""
WEIGHTS = (1.05, 0.66, 2.87, -3.29, 0.17, 0.98)
"""Learnt by `python -m evals.train_spoken`: the log-odds of a passage to be of the answer, up to a constant."""
GOES_ON_PROBABILITY = 0.5
"""How likely an answer that fills its chunk is taken to be in the next part of the exchange, too."""
MAX_ADDRESS = 150
"""Characters at a question's start in which somebody is called by name."""
_NAME = re.compile(r"\b[A-Z][a-z]{2,}\b")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chunk as its passages rank it."""

    position: int
    """Among the index's rows."""
    probability: float
    """That the answer is in it, as far as it is in scope: the softmax of its passages' scores, summed up."""
    cosine: float
    """Of the question with the nearest of its passages."""


def rank_chunks(index: ChunkIndex, question: str, scope: Scope) -> list[Ranked]:
    """The chunks within `scope` that have passages, best first; none where no call is in scope."""
    passages = index.passages
    if passages is None:
        return []
    positions = index.passages_in(scope)
    if not len(positions):
        return []
    query = index.embedder.embed_query(question)
    scores = features(passages, positions, question, query) @ np.array(WEIGHTS, dtype=np.float32)
    odds = np.exp(scores - scores.max())
    probability, cosine = defaultdict[int, float](float), defaultdict[int, float](lambda: -1.0)
    nearness = passages.vectors[positions] @ query
    for chunk, share, near in zip(passages.chunks[positions], odds / odds.sum(), nearness, strict=True):
        probability[int(chunk)] += float(share)
        cosine[int(chunk)] = max(cosine[int(chunk)], float(near))
    for first in probability.keys() - passages.continued.values():
        before = first
        while (after := passages.continued.get(before, -1)) in probability:
            probability[after] = max(probability[after], GOES_ON_PROBABILITY * probability[before])
            before = after
    total = sum(probability.values())
    ranked = [Ranked(chunk, share / total, cosine[chunk]) for chunk, share in probability.items()]
    return sorted(ranked, key=lambda each: (-each.probability, each.position))


def features(
    passages: PassageIndex, positions: NDArray[np.int64], question: str, query: Vectors
) -> NDArray[np.float32]:
    """(len(positions), COLUMNS) of the passages at these rising positions; `query` is the question's vector.

    Cosine and BM25 are in standard deviations from their mean over these passages; the rest is 0 or 1: said in an
    answer, by an analyst, as the first words of a turn, by somebody whom the question calls by the first name.
    """
    called = {name[:3] for name in _NAME.findall(question[:MAX_ADDRESS])}
    columns = [
        _standardised(passages.vectors[positions] @ query),
        _standardised(passages.keywords.scores_among(question, positions)),
        # an analyst's words stand among the answers, too
        passages.roles[positions] != ROLES.index("remarks"),
        passages.roles[positions] == ROLES.index("question"),
        passages.opens[positions],
        [passages.speakers[position][:3] in called for position in positions],
    ]
    return np.array(columns, dtype=np.float32).T


def _standardised(values: Scores) -> Scores:
    spread = float(values.std())
    if spread == 0:
        return np.zeros_like(values)
    standard: Scores = (values - values.mean()) / spread
    return standard
