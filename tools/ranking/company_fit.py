"""The learned fit of companies to what is asked of them all: of which is it true?

`python -m evals.learn_company_fit` writes the weights, `data/company_fit.json`: a logistic regression over what each
company's best line has for it, and how far its passages stand out from those of all companies: what everybody speaks of
in passing says little.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from tools.ranking.fit import Vector, dot

WEIGHTS = Path(__file__).parent / "data" / "company_fit.json"
NO_LOGIT = -12.0
"""Of a company that has no line."""
USUAL_SPREAD = 0.03
"""What spread counts where companies hardly differ."""


OUT = ("words, out", "relevance, out")
"""How far a company's passages stand out."""
READ_SHARE, LEAST_READ = 0.6, 12
"""Share of the companies whose lines are read, and how many are anyhow. Of 164 right ones of tuning questions over 37
companies 96 % are among these by their passages alone."""


@dataclass(frozen=True, slots=True)
class SeenLine:
    """A line of a company, and what speaks for it."""

    text: str
    place: int
    """Position of its evidence in what was given."""
    nearness: float
    """Cosine with what is asked."""
    logit: float | None
    """The cross-encoder's; None where it has not read it."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one company's evidence has for a question."""

    lines: tuple[SeenLine, ...]
    """() where none has been read."""
    words: float
    """Score of the passage that holds most of the words, 0 to 1."""
    relevance: float
    """Of the nearest passage."""


def chances(seen: Sequence[Seen], weights: Mapping[str, float] | None = None) -> list[float]:
    """For each company the probability that what is asked is true of it."""
    known = learnt() if weights is None else weights
    return [1 / (1 + math.exp(-dot(known, found))) for found in compared(seen)]


def compared(seen: Sequence[Seen]) -> list[dict[str, float]]:
    """Feature -> value for each company; passages are told by spreads from all companies' middle, too."""
    found = [{"": 1.0, **_own(each)} for each in seen]
    for name, out in zip(("words", "relevance"), OUT, strict=True) if found else ():
        values: Vector = np.array([each[name] for each in found], np.float32)
        middle, spread = float(np.median(values)), float(values.std()) + USUAL_SPREAD
        for each in found:
            each[out] = (each[name] - middle) / spread
    return found


def promising(seen: Sequence[Seen]) -> list[int]:
    """Positions of the companies whose lines are worth reading, by their passages alone; the likeliest first."""
    found = compared(seen)
    order = sorted(range(len(seen)), key=lambda at: (-max(found[at][name] for name in OUT), at))
    return order[: max(LEAST_READ, math.ceil(READ_SHARE * len(seen)))]


def _own(seen: Seen) -> dict[str, float]:
    return {
        "logit": max((line.logit for line in seen.lines if line.logit is not None), default=NO_LOGIT),
        "nearness": max((line.nearness for line in seen.lines), default=0.0),
        "words": seen.words,
        "relevance": seen.relevance,
    }


def best_lines(seen: Seen) -> list[SeenLine]:
    """The line that says it first, if any does: of those the cross-encoder has read the one it puts first."""
    return sorted(seen.lines, key=_standing, reverse=True)


def _standing(line: SeenLine) -> tuple[float, float]:
    return (NO_LOGIT if line.logit is None else line.logit), line.nearness


@lru_cache(maxsize=1)
def learnt() -> Mapping[str, float]:
    """The weights that come with the program."""
    read: Mapping[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return read
