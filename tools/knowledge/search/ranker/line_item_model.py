"""The ranker: a softmax over the line items in scope and 'none of them', linear in the features.

log-odds of row i: w . x_i; of none: v . z, z from the whole set. The probability of a figure is the sum over the
rows that print it, since one figure may stand in several tables. Trained by `python -m evals.train_ranker`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.knowledge.search.line_items import THREE_STATEMENTS
from tools.knowledge.search.ranker.candidates import Candidate
from tools.knowledge.search.ranker.features import Floats, feature_names

WEIGHTS_FILE = Path(__file__).parent / "weights.json"

_LARGEST = ("called", "match", "shared part", "asked in row", "f1", "left strange")
_SMALLEST = ("left", "left part", "left capital")
NONE_NAMES = (
    "none",
    *(f"most {name}" for name in _LARGEST),
    *(f"least {name}" for name in _SMALLEST),
    "rows",
)


@dataclass(frozen=True, slots=True)
class Ranker:
    """Trained weights."""

    rows: Floats
    """One for each of `feature_names`."""
    none: Floats
    """One for each of `NONE_NAMES`, for features less their mean by their spread."""
    mean: Floats
    spread: Floats
    threshold: float
    """Least probability of a figure that is given as the answer."""

    def scores(self, table: Floats) -> tuple[NDArray[np.float64], float]:
        """Probability of each row, and of none."""
        logits = (table @ self.rows).astype(np.float64)
        none = float(((none_features(table) - self.mean) / self.spread) @ self.none)
        top = max(float(logits.max()), none)
        raised, rest = np.exp(logits - top), float(np.exp(none - top))
        return raised / (raised.sum() + rest), rest / (float(raised.sum()) + rest)


def none_features(table: Floats) -> Floats:
    """What the whole set says about whether any row can be meant, in the order of `NONE_NAMES`."""
    place = _places()
    return np.array(
        [
            1.0,
            *(table[:, place[name]].max() for name in _LARGEST),
            *(table[:, place[name]].min() for name in _SMALLEST),
            np.log(len(table)),
        ],
        np.float32,
    )


@lru_cache(maxsize=1)
def _places() -> dict[str, int]:
    return {name: index for index, name in enumerate(feature_names())}


Figure = tuple[Decimal, str, date | None, int | None]


def best_figure(candidates: Sequence[Candidate], shares: NDArray[np.float64]) -> tuple[Candidate, float]:
    """The most probable figure, as a primary statement or else the most probable row prints it, and its probability."""
    sums: dict[Figure, float] = {}
    for candidate, share in zip(candidates, shares, strict=True):
        key = _figure(candidate)
        sums[key] = sums.get(key, 0.0) + float(share)
    best = max(sums, key=lambda key: sums[key])
    same = [i for i, c in enumerate(candidates) if _figure(c) == best]
    row = max(same, key=lambda i: (candidates[i].item.statement in THREE_STATEMENTS, shares[i]))
    return candidates[row], sums[best]


def _figure(candidate: Candidate) -> Figure:
    return abs(candidate.amount), candidate.item.unit, candidate.period.end, candidate.period.months


@lru_cache(maxsize=1)
def load_ranker() -> Ranker:
    """The trained weights; features that training never saw weigh nothing."""
    stored = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    rows, none = stored["rows"], stored["none"]

    def column(name: str) -> Floats:
        return np.array([none[key][name] for key in NONE_NAMES], np.float32)

    return Ranker(
        rows=np.array([rows.get(name, 0.0) for name in feature_names()], np.float32),
        none=column("weight"),
        mean=column("mean"),
        spread=column("spread"),
        threshold=float(stored["threshold"]),
    )


def dump_ranker(ranker: Ranker) -> str:
    """The weights as JSON, for `load_ranker`."""
    named = zip(feature_names(), ranker.rows, strict=True)
    stored = {
        "threshold": ranker.threshold,
        "none": {
            name: {"weight": round(float(w), 4), "mean": round(float(m), 4), "spread": round(float(s), 4)}
            for name, w, m, s in zip(NONE_NAMES, ranker.none, ranker.mean, ranker.spread, strict=True)
        },
        "rows": {name: round(float(weight), 4) for name, weight in named if abs(weight) >= 0.0001},
    }
    return json.dumps(stored, indent=1, ensure_ascii=False) + "\n"
