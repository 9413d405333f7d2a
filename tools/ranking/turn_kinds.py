"""What kind of turn a text is, told by its embedding: about the answer before it, off the topic of filings, of
how the figures compare that were told, of the table that one stands in, of all
that was said, or for more of it.

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

TurnKind = Literal[
    "about_answer",
    "off_topic",
    "of_figures",
    "of_table",
    "of_conversation",
    "of_more",
]
WEIGHTS = Path(__file__).parent / "data" / "turn_kinds.json"
MIN_CHANCE: Mapping[TurnKind, float] = {
    "about_answer": 0.5,
    "off_topic": 0.8,
    "of_figures": 0.5,
    "of_table": 0.5,
    "of_conversation": 0.5,
    "of_more": 0.5,
}
"""Probability from which a turn is taken to be of a kind: one refused as off the topic is not looked up."""


def is_turn(
    kind: TurnKind, vector: Vector, weights: Sequence[float] | None = None, least: float | None = None
) -> bool:
    """Whether a turn of this embedding is of a kind, with a probability of `MIN_CHANCE`, or `least`; `weights`: for
    each of the embedding's numbers, then the constant."""
    return turn_chance(kind, vector, weights) >= (MIN_CHANCE[kind] if least is None else least)


def turn_chance(kind: TurnKind, vector: Vector, weights: Sequence[float] | None = None) -> float:
    """Probability that a turn of this embedding is of a kind; `weights` as of `is_turn`."""
    given = learnt()[kind] if weights is None else weights
    return float(1 / (1 + np.exp(-(np.append(vector, 1.0) @ np.asarray(given)))))


@lru_cache(maxsize=1)
def learnt() -> Mapping[TurnKind, Sequence[float]]:
    """The weights that come with the program."""
    read: Mapping[TurnKind, Sequence[float]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return read
