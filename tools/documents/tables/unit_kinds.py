"""Whether a figure is money, an amount per share or a number of shares, told by its words and the marks around it.

A logistic regression, learnt from figures that filers tagged: `python -m evals.learn_unit_kinds` writes the weights,
`data/unit_kinds.json`.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

WEIGHTS = Path(__file__).parent / "data" / "unit_kinds.json"
KINDS = ("money", "per share", "shares")
Weights = Mapping[str, Sequence[float]]
"""Feature -> weight of each kind; the feature '' is the constant."""

MIN_CHANCE = 0.6
"""From which the likeliest kind is believed. Of 8,339 tagged figures, each company's told by what the others taught, 22
were told wrong and 26 left open; patterns written by hand told about 80 wrong and left 39 open."""
_WORD = re.compile(r"[a-z]+|%|\$")
MAX_WORDS = 40
"""Of a label, heading or introduction that are looked at."""
_SHARES = {
    "label": 1.0,
    "column": 1.0,
    "heading": 0.8,
    "before": 0.5,
    "above": 0.5,
    "below": 0.5,
    "note": 0.4,
}
"""Weight of words by where they stand."""
MARK_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Words around a figure, by where they stand, and its marks."""

    label: str
    column: str
    heading: str
    before: str
    """Title and introduction of the table."""
    above: str
    """Label of the row of figures above."""
    below: str
    note: str
    """The table's unit note."""
    marks: tuple[str, ...]
    """How the figure and its neighbours are printed: signs, decimals."""


def unit_features(where: Surroundings) -> dict[str, float]:
    """The words around a figure and its marks, with their shares."""
    features = dict.fromkeys((f"mark:{mark}" for mark in where.marks), MARK_SHARE)
    for place, share in _SHARES.items():
        words = _WORD.findall(getattr(where, place).lower())[:MAX_WORDS]
        if place in ("label", "column") and words:
            pairs = [f"{a} {b}" for a, b in itertools.pairwise(words)]
            words = [*words, *pairs, f"^{words[0]}", f"{words[-1]}$"]
        names = {f"{place}:{word}" for word in words}
        features |= {name: share / math.sqrt(len(names)) for name in names}
    return features


def chances(weights: Weights, features: Mapping[str, float]) -> tuple[float, ...]:
    """Probability of each of `KINDS`."""
    scores = list(weights[""])
    for name, share in features.items():
        for k, weight in enumerate(weights.get(name, ())):
            scores[k] += weight * share
    powers = [math.exp(score - max(scores)) for score in scores]
    return tuple(power / sum(powers) for power in powers)


@lru_cache(maxsize=1)
def _learnt() -> dict[str, list[float]]:
    loaded: dict[str, list[float]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return loaded


def unit_kind(where: Surroundings) -> str | None:
    """The likeliest of `KINDS`; None where it is not likely enough."""
    best, kind = max(zip(chances(_learnt(), unit_features(where)), KINDS, strict=True))
    return kind if best >= MIN_CHANCE else None
