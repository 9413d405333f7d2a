"""Whether a turn of a conversation is about the answer before it: where that comes from, whether it is sure.

`python -m evals.learn_last_answer` writes the weights, `data/last_answer.json`: a logistic regression over the
turn's embedding.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from tools.ranking.fit import Vector

WEIGHTS = Path(__file__).parent / "data" / "last_answer.json"
MIN_CHANCE = 0.5
"""Probability from which a turn is taken to be about the answer before it."""


def chance_about_answer(vector: Vector, weights: Sequence[float] | None = None) -> float:
    """Probability by the turn's embedding; `weights`: for each of its numbers, then the constant."""
    given = learnt() if weights is None else weights
    return float(1 / (1 + np.exp(-(np.append(vector, 1.0) @ np.asarray(given)))))


@lru_cache(maxsize=1)
def learnt() -> tuple[float, ...]:
    """The weights that come with the program."""
    return tuple(json.loads(WEIGHTS.read_text(encoding="utf-8")))
