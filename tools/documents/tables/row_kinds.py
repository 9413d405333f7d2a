"""Whether a row of a table states a balance or a flow, told by its words.

A logistic regression over words, learnt from figures that filers tagged or whose columns state their length:
`python -m evals.learn_row_kinds` writes the weights, `data/row_kinds.json`.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from tools.period_words import MONTH_NAME

WEIGHTS = Path(__file__).parent / "data" / "row_kinds.json"
Weights = Mapping[str, float]
"""Feature -> weight; the feature '' is the constant."""

_WORD = re.compile(r"[a-z]+|%")
MAX_WORDS = 40
"""Of a label, heading or introduction that are looked at."""
MAX_HEADINGS = 4
HEADING_SHARE, TITLE_SHARE, HEAD_SHARE = 0.7, 0.5, 0.4
"""Weight of what stands around a label, the label's own being 1."""
MAX_ENDS = 4
_HEADS = {
    "day": re.compile(rf"\b(?:{MONTH_NAME})\.? ?\d{{1,2}}\b", re.IGNORECASE),
    "length": re.compile(r"\b(?:months?|weeks?|years?|quarters?) ended\b", re.IGNORECASE),
    "year": re.compile(r"(?:19|20)\d\d"),
}
"""What the head of a column may give."""


def row_features(label: str, path: Sequence[str], head: str, title: str, ends: int) -> dict[str, float]:
    """The words of a row by where they stand, with their shares: label, headings (`path`, nearest last), words before
    the table; and the number of days at which the row's periods end. Of the head of the column only what kind of period
    it gives counts: its other words are a heading's."""
    words = _words(label)
    own = [f"l:{word}" for word in words] + [f"l:{a} {b}" for a, b in itertools.pairwise(words)]
    own += [f"first:{words[0]}", f"last:{words[-1]}"] if words else []
    above = [f"p:{word}" for text in path[-MAX_HEADINGS:] for word in _words(text)]
    before = [f"t:{word}" for word in _words(title)[-MAX_WORDS:]]
    features = {f"h:{kind}": HEAD_SHARE for kind, pattern in _HEADS.items() if pattern.search(head)}
    features[f"n:{min(ends, MAX_ENDS)}"] = HEAD_SHARE
    for group, share in ((own, 1.0), (above, HEADING_SHARE), (before, TITLE_SHARE)):
        names = set(group)
        features |= {name: share / math.sqrt(len(names)) for name in names}
    return features


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())[: 4 * MAX_WORDS]


def chance_of_balance(weights: Weights, features: Mapping[str, float]) -> float:
    """Probability of a balance."""
    score = weights.get("", 0.0) + sum(weights.get(name, 0.0) * share for name, share in features.items())
    return 1 / (1 + math.exp(-score))


@lru_cache(maxsize=1)
def _learnt() -> dict[str, float]:
    loaded: dict[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return loaded


def balance_chance(features: Mapping[str, float], lengths: bool) -> float:
    """Probability that a row of these features states what is there on a day, not what came and went in a time.

    `lengths`: True in a document that heads its flows by their length; in others a day or year over a column says
    nothing.
    """
    return chance_of_balance(_learnt(), features if lengths else without_heads(features))


def without_heads(features: Mapping[str, float]) -> dict[str, float]:
    """The features without what kind of period heads the column."""
    return {name: share for name, share in features.items() if not name.startswith("h:")}
