"""Whether a row of a table states a balance or a flow, told by its words.

A logistic regression over words, learnt from figures that filers tagged themselves:
`python -m evals.learn_row_kinds`, writes the weights, `row_kinds.json`.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

WEIGHTS = Path(__file__).with_name("row_kinds.json")
Weights = Mapping[str, float]
"""Feature -> weight; the feature '' is the constant."""

_WORD = re.compile(r"[a-z]+|%")
MAX_WORDS = 40
"""Of a label, heading or introduction that are looked at."""


def row_features(label: str, path: Sequence[str], column: str, title: str) -> set[str]:
    """The words of a row, each with where it stands: pairs of neighbours and the first word of the label besides."""
    words = _words(label)
    features = {f"l:{word}" for word in words}
    features |= {f"l:{a} {b}" for a, b in itertools.pairwise(words)}
    if words:
        features.add(f"first:{words[0]}")
        features.add(f"last:{words[-1]}")
    if path:
        features |= {f"p:{word}" for word in _words(path[-1])}
    features |= {f"p:{word}" for word in _words(column)}
    features |= {f"t:{word}" for word in _words(title)[-MAX_WORDS:]}
    return features


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())[: 4 * MAX_WORDS]


def chance_of_balance(weights: Weights, features: Iterable[str]) -> float:
    """Probability of a balance."""
    known = [weights[f] for f in features if f in weights]
    score = weights.get("", 0.0) + sum(known) / math.sqrt(max(len(known), 1))
    return 1 / (1 + math.exp(-score))


@lru_cache(maxsize=1)
def _learnt() -> dict[str, float]:
    loaded: dict[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return loaded


def is_balance(label: str, path: Sequence[str], column: str, title: str) -> bool:
    """True if a row states what is there on a day, not what came and went in a time."""
    return chance_of_balance(_learnt(), row_features(label, path, column, title)) > 0.5
