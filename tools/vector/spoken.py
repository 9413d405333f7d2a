"""Ranking for questions put as on a call: whose passage answers, rather than whose asks the same."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.scope import Scope
from tools.vector.chunk_index import ChunkIndex
from tools.vector.embeddings import Vectors
from tools.vector.passages import CALLED_BY, ROLES, PassageIndex
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
    """Chunks as their passages rank them, best first; one entry each in every field."""

    positions: NDArray[np.int64]
    """Among the index's rows."""
    probability: NDArray[np.float64]
    """That the answer is in it, as far as it is in scope: the softmax of its passages' scores, summed up."""
    cosine: Vectors
    """Of the question with the nearest of its passages."""


def rank_chunks(index: ChunkIndex, question: str, scope: Scope) -> Ranked:
    """The chunks within `scope` that have passages; none where no call is in scope."""
    passages = index.passages
    positions = np.zeros(0, np.int64) if passages is None else index.passages_in(scope)
    if passages is None or not len(positions):
        return Ranked(positions, np.zeros(0), np.zeros(0, np.float32))
    query = index.embedder.embed_query(question)
    whole = len(positions) == len(passages.vectors)
    nearness = (passages.vectors if whole else passages.vectors[positions]) @ query
    scores = features(passages, positions, question, nearness) @ np.array(WEIGHTS, dtype=np.float32)
    odds = np.exp(scores - scores.max())
    chunks, starts = np.unique(passages.chunks[positions], return_index=True)
    probability = np.add.reduceat((odds / odds.sum()).astype(np.float64), starts)
    probability = _carried_on(passages, chunks, probability)
    order = np.lexsort((chunks, -probability))
    cosine = np.maximum.reduceat(nearness, starts)
    return Ranked(chunks[order], (probability / probability.sum())[order], cosine[order])


def _carried_on(
    passages: PassageIndex, chunks: NDArray[np.int64], probability: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The probabilities of these rising chunks, where answers go on in the next one."""
    carried = probability.copy()
    places = {chunk: at for at, chunk in enumerate(chunks.tolist())}
    for first in passages.begun & places.keys():
        before = first
        while (after := passages.continued.get(before, -1)) in places:
            least = GOES_ON_PROBABILITY * carried[places[before]]
            carried[places[after]] = max(carried[places[after]], least)
            before = after
    return carried


def features(
    passages: PassageIndex, positions: NDArray[np.int64], question: str, nearness: Vectors
) -> NDArray[np.float32]:
    """(len(positions), COLUMNS) of the passages at these rising positions; `nearness`: (len(positions),) their cosines
    with the question.

    Cosine and BM25 are in standard deviations from their mean over these passages; the rest is 0 or 1: said in an
    answer, by an analyst, as the first words of a turn, by somebody whom the question calls by the first name.
    """
    called = sorted({name[:CALLED_BY] for name in _NAME.findall(question[:MAX_ADDRESS])})
    columns = [
        _standardised(nearness),
        _standardised(passages.keywords.scores_among(question, positions)),
        # an analyst's words stand among the answers, too
        passages.roles[positions] != ROLES.index("remarks"),
        passages.roles[positions] == ROLES.index("question"),
        passages.opens[positions],
        np.isin(passages.called[positions], called),
    ]
    return np.array(columns, dtype=np.float32).T


def _standardised(values: Scores) -> Scores:
    spread = float(values.std())
    if spread == 0:
        return np.zeros_like(values)
    standard: Scores = (values - values.mean()) / spread
    return standard
