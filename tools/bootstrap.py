"""How far a mean over questions, or over users, is to be trusted: percentile bootstrap (Efron and Tibshirani 1993,
chapters 13 and 16).

Questions are drawn with replacement; pipelines that answered the same questions are compared question by question, so
that what makes a question hard for both does not widen the interval of their difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2000
"""Resamples: the ends of a 95 % interval then vary by about a hundredth of its width from seed to seed."""
_CELLS = 4_000_000
"""Values drawn at once: 32 MB, whatever the number of questions."""


@dataclass(frozen=True, slots=True)
class Paired:
    """The mean of `b - a` over questions that both have, and its 95 % interval."""

    difference: float
    low: float
    high: float
    up: int
    """Questions where `b` is greater."""
    down: int
    """Questions where `b` is less."""
    ties: int

    @property
    def count(self) -> int:
        """Questions compared."""
        return self.up + self.down + self.ties

    @property
    def certain(self) -> bool:
        """Whether the interval leaves out no difference at all."""
        return self.low > 0 or self.high < 0


def interval(values: Sequence[float], seed: int = 0, samples: int = RESAMPLES) -> tuple[float, float]:
    """95 % interval of the mean of `values`, in their unit; the same for the same seed. One value is its own interval.

    Raises:
        ValueError: no values, or one that is not finite.
    """
    means = _means(_array(values), seed, samples)
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)


def paired(a: Sequence[float], b: Sequence[float], seed: int = 0, samples: int = RESAMPLES) -> Paired:
    """How much greater `b` is than `a`; the same place in both is the same question.

    Raises:
        ValueError: of different lengths, empty, or with a value that is not finite.
    """
    if len(a) != len(b):
        raise ValueError(f"paired values differ in number: {len(a)} and {len(b)}")
    first, second = _array(a), _array(b)
    apart = second - first
    # Rounding alone does not make a winner.
    apart[np.isclose(first, second, rtol=1e-9, atol=1e-12)] = 0.0
    low, high = np.percentile(_means(apart, seed, samples), (2.5, 97.5))
    up, down = int((apart > 0).sum()), int((apart < 0).sum())
    return Paired(float(apart.mean()), float(low), float(high), up, down, len(apart) - up - down)


def _array(values: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    array = np.asarray(values, dtype=np.float64)
    if array.size == 0:
        raise ValueError("no values to take a mean of")
    if not np.isfinite(array).all():
        raise ValueError("a value is not finite")
    return array


def _means(
    values: np.ndarray[tuple[int], np.dtype[np.float64]], seed: int, samples: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Means of `samples` resamples."""
    generator = np.random.default_rng(seed)
    step = max(1, _CELLS // len(values))
    parts = []
    for start in range(0, samples, step):
        drawn = generator.integers(0, len(values), (min(step, samples - start), len(values)))
        parts.append(values[drawn].mean(axis=1))
    return np.concatenate(parts)
