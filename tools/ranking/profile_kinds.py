"""Which of the things that people ask of any company a question asks for ("who runs it?", "where is it based?"), by its
embedding.

`python -m evals.learn_profile_kinds` writes the weights, `data/profile_kinds.json`: a softmax over the kinds of
`tools.knowledge.lexicon.company_profile` and 'none'.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from tools.ranking.fit import Vector, softmax

WEIGHTS = Path(__file__).parent / "data" / "profile_kinds.json"
NONE = "none"
MIN_CHANCE = 0.6
"""Probability from which a question is taken to ask for it: what it says is then answered without a ranking."""


def profile_kind(
    vector: Vector, weights: Mapping[str, Sequence[float]] | None = None, least: float = MIN_CHANCE
) -> str:
    """The kind that a question of this embedding asks for with at least this probability, '' for none of them;
    `weights`: for each kind those of the embedding's numbers, then the constant."""
    kind, chance = next(iter(_chances(vector, weights).items()))
    return kind if kind != NONE and chance >= least else ""


def likely_kinds(vector: Vector, least: float) -> dict[str, float]:
    """The kinds that a question of this embedding asks for with at least this probability, the likeliest first."""
    chances = _chances(vector, None).items()
    return {kind: chance for kind, chance in chances if kind != NONE and chance >= least}


def _chances(vector: Vector, weights: Mapping[str, Sequence[float]] | None) -> dict[str, float]:
    """Kind -> probability, the likeliest first."""
    kinds, matrix = learnt() if weights is None else _as_matrix(weights)
    shares = softmax((matrix @ np.append(vector, 1.0)).tolist())
    return dict(sorted(zip(kinds, shares, strict=True), key=lambda each: -each[1]))


@lru_cache(maxsize=1)
def learnt() -> tuple[tuple[str, ...], Vector]:
    """The kinds, and the weights of each, (kinds, embedding + 1), that come with the program."""
    return _as_matrix(json.loads(WEIGHTS.read_text(encoding="utf-8")))


def _as_matrix(weights: Mapping[str, Sequence[float]]) -> tuple[tuple[str, ...], Vector]:
    return tuple(weights), np.stack([np.asarray(own) for own in weights.values()])
