"""What kind of turn a text is, told by its embedding: about the answer before it, or off the topic of filings.

`python -m evals.learn_turn_kinds` writes the weights, `data/turn_kinds.json`: for each kind a logistic regression.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np

from tools.ranking.fit import Vector

TurnKind = Literal["about_answer", "off_topic"]
WEIGHTS = Path(__file__).parent / "data" / "turn_kinds.json"
MIN_CHANCE: Mapping[TurnKind, float] = {"about_answer": 0.5, "off_topic": 0.87}
"""Probability from which a turn is taken to be of a kind: one refused as off the topic is not looked up."""


def is_turn(
    kind: TurnKind, vector: Vector, weights: Sequence[float] | None = None, least: float | None = None
) -> bool:
    """Whether a turn of this embedding is of a kind, with a probability of `MIN_CHANCE`, or `least`; `weights`: for
    each of the embedding's numbers, then the constant."""
    given = learnt()[kind] if weights is None else weights
    chance = 1 / (1 + np.exp(-(np.append(vector, 1.0) @ np.asarray(given))))
    return bool(chance >= (MIN_CHANCE[kind] if least is None else least))


@lru_cache(maxsize=1)
def learnt() -> Mapping[TurnKind, Sequence[float]]:
    """The weights that come with the program."""
    read: Mapping[TurnKind, Sequence[float]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return read
