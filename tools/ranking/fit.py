"""The learned fit of lines to a question: which answers, and how likely it does.

`python -m evals.learn_fit` writes the weights, `data/fit.json`: a softmax over the question's embedding tells the
kind of answer that is wanted; a linear score over `features`, learnt listwise (the share of a question's softmax
that falls on lines that answer), orders the lines; a logistic regression over the best one's standing gives the
probability that it answers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tools.ranking.line_features import Line, Stems, features, first_guess, overlap

WEIGHTS = Path(__file__).parent / "data" / "fit.json"
MAX_SCORED = 60
"""Lines that the cross-encoder reads; the first guess orders them."""
Vector = NDArray[np.float32]


class Scorer(Protocol):
    """A question and texts to numbers, higher where a text answers better."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One for each text."""
        ...


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learnt."""

    kinds: Mapping[str, Sequence[float]]
    """Kind of answer -> weights of the question's embedding, the last the constant."""
    lines: Mapping[str, float]
    """Feature -> weight."""
    chance: Mapping[str, float]
    """Standing of the best line -> weight."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A line with its score; those of one question can be compared."""

    line: Line
    position: int
    """In the lines that were given."""
    score: float
    share: float
    """Its part of the softmax over the question's lines."""
    logit: float
    """The cross-encoder's."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question's lines, best first, and the probability that the best one answers."""

    lines: tuple[Scored, ...]
    wanted: Mapping[str, float]
    """Kind of answer -> probability."""
    chance: float

    @property
    def kind(self) -> str:
        """The likeliest kind of answer."""
        return max(self.wanted, key=lambda kind: self.wanted[kind])


def judge(
    question: str,
    vector: Vector,
    lines: Sequence[Line],
    scorer: Scorer,
    stems: Stems,
    weights: Weights | None = None,
) -> Judged:
    """`vector`: the question's embedding. Raises what the scorer raises."""
    weights = weights or learnt()
    wanted = kinds_wanted(vector, weights)
    kept, shares = shortlist(question, lines, stems)
    logits = scorer.scores(question, [lines[k].shown for k in kept])
    best = max(logits, default=0.0)
    found = [
        features(question, lines[k], share, logit, best, wanted)
        for k, share, logit in zip(kept, shares, logits, strict=True)
    ]
    scored = in_order([lines[k] for k in kept], kept, found, logits, weights.lines)
    standing = standing_of(scored, wanted)
    chance = 1 / (1 + math.exp(-dot(weights.chance, standing))) if scored else 0.0
    return Judged(scored, wanted, chance)


def shortlist(
    question: str, lines: Sequence[Line], stems: Stems
) -> tuple[list[int], list[tuple[float, float]]]:
    """Positions of the lines worth the cross-encoder's time, the likeliest first, and what `overlap` says of each."""
    shares = overlap(question, lines, stems)
    guesses = first_guess(lines, shares)
    kept = sorted(range(len(lines)), key=lambda k: (-guesses[k], k))[:MAX_SCORED]
    return kept, [shares[k] for k in kept]


def in_order(
    lines: Sequence[Line],
    positions: Sequence[int],
    found: Sequence[Mapping[str, float]],
    logits: Sequence[float],
    weights: Mapping[str, float],
) -> tuple[Scored, ...]:
    """Lines with their positions, features and the cross-encoder's scores, by the weighted sum of the features."""
    scores = [dot(weights, each) for each in found]
    scored = map(Scored, lines, positions, scores, softmax(scores), logits)
    return tuple(sorted(scored, key=lambda each: (-each.score, each.position)))


def standing_of(scored: Sequence[Scored], wanted: Mapping[str, float]) -> dict[str, float]:
    """Feature -> value of how the best line stands: alone, and against the others."""
    if not scored:
        return {"": 1.0}
    best = scored[0]
    second = next((each for each in scored[1:] if each.line.text != best.line.text), best)
    basic = {
        "share": best.share,
        "lead": min(best.score - second.score, 4.0) / 4,
        "logit": best.logit / 5,
        "highest": max(each.logit for each in scored) / 5,
        "cosine": best.line.cosine,
        "match": best.line.match,
        "period": best.line.period,
        "named": best.line.named,
        "sure of kind": max(wanted.values()),
    }
    return {"": 1.0, **basic, **{f"wants {kind}": chance for kind, chance in wanted.items()}}


def kinds_wanted(vector: Vector, weights: Weights) -> dict[str, float]:
    """Kind of answer -> probability that a question of this embedding wants it."""
    given = np.append(vector, 1.0)
    values = [float(given @ np.asarray(each)) for each in weights.kinds.values()]
    return dict(zip(weights.kinds, softmax(values), strict=True))


def softmax(values: Sequence[float]) -> list[float]:
    """Shares that add up to 1; none of nothing."""
    most = max(values, default=0.0)
    raised = [math.exp(value - most) for value in values]
    whole = sum(raised)
    return [each / whole for each in raised]


def dot(weights: Mapping[str, float], values: Mapping[str, float]) -> float:
    """The weighted sum; what has no weight counts nothing."""
    return sum(weights.get(name, 0.0) * value for name, value in values.items())


@lru_cache(maxsize=1)
def learnt() -> Weights:
    """The weights that come with the program."""
    read = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Weights(read["kinds"], read["lines"], read["chance"])
