"""The learned fit of companies to what is asked of them all: of which is it true?

`python -m evals.learn_company_fit` writes the weights, `data/company_fit.json`: a logistic regression over what each
company's lines have for it, by themselves and beside those of all other companies: a line that is about as near to the
question as anybody's says little.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from tools.ranking.fit import Vector, dot

WEIGHTS = Path(__file__).parent / "data" / "company_fit.json"
NO_LOGIT, NO_NEARNESS = -12.0, 0.0
"""Of a company that has no such line."""
LEAST_SPREAD = {"logit": 0.5, "second logit": 0.5}
USUAL_SPREAD = 0.03
"""What spread counts where companies hardly differ, by feature."""


@dataclass(frozen=True, slots=True)
class SeenLine:
    """A line of a company, and what speaks for it."""

    text: str
    place: int
    """Position of its evidence in what was given."""
    stems: frozenset[str]
    """Of its content words."""
    nearness: float
    """Cosine with what is asked."""
    logit: float | None
    """The cross-encoder's; None where it has not read it."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one company's evidence has for a question."""

    lines: tuple[SeenLine, ...]
    words: float
    """Score of the passage that holds most of the words, 0 to 1."""
    relevance: float
    """Of the nearest passage."""


def chances(asked: Set[str], seen: Sequence[Seen], weights: Mapping[str, float] | None = None) -> list[float]:
    """For each company the probability that what is asked, of these stems, is true of it."""
    known = learnt() if weights is None else weights
    return [1 / (1 + math.exp(-dot(known, found))) for found in compared(asked, seen)]


def compared(asked: Set[str], seen: Sequence[Seen]) -> list[dict[str, float]]:
    """Feature -> value for each company: what its best lines have, how far that stands out from all companies' middle
    (in spreads), and how far it stays behind the best company's."""
    if not seen:
        return []
    worth = _worth(asked, seen)
    own = [_own(each, worth) for each in seen]
    found: list[dict[str, float]] = [{"": 1.0, **each} for each in own]
    for name in own[0]:
        values: Vector = np.array([each[name] for each in own], np.float32)
        middle, best = float(np.median(values)), float(values.max())
        spread = float(values.std()) + LEAST_SPREAD.get(name, USUAL_SPREAD)
        for each, value in zip(found, values.tolist(), strict=True):
            each |= {f"{name}, out": (value - middle) / spread, f"{name}, behind": value - best}
            each |= {f"{name}, best": best, f"{name}, middle": middle}
    return found


def best_line(seen: Seen) -> SeenLine | None:
    """The line that says it, if any does: of those the cross-encoder has read the one it puts first."""
    return max(seen.lines, key=_standing, default=None)


def _standing(line: SeenLine) -> tuple[float, float]:
    return (NO_LOGIT if line.logit is None else line.logit), line.nearness


def _worth(asked: Set[str], seen: Sequence[Seen]) -> dict[str, float]:
    """Of each word that is asked for its share of what all are worth: one that many companies use is worth less."""
    users = Counter(word for each in seen for word in {w for line in each.lines for w in line.stems} & asked)
    worth = {w: math.log(1 + (len(seen) - users[w] + 0.5) / (users[w] + 0.5)) for w in sorted(asked)}
    whole = sum(worth.values()) or 1.0
    return {word: value / whole for word, value in worth.items()}


def _own(seen: Seen, worth: Mapping[str, float]) -> dict[str, float]:
    logits = sorted((line.logit for line in seen.lines if line.logit is not None), reverse=True)
    near = sorted((line.nearness for line in seen.lines), reverse=True)
    said = [sum(worth.get(word, 0.0) for word in line.stems) for line in seen.lines]
    best = best_line(seen)
    return {
        "logit": _at(logits, 0, NO_LOGIT),
        "second logit": _at(logits, 1, NO_LOGIT),
        "nearness": _at(near, 0, NO_NEARNESS),
        "second nearness": _at(near, 1, NO_NEARNESS),
        "third nearness": _at(near, 2, NO_NEARNESS),
        "said": max(said, default=0.0),
        "said by best": sum(worth.get(word, 0.0) for word in best.stems) if best else 0.0,
        "words": seen.words,
        "relevance": seen.relevance,
    }


def _at(values: Sequence[float], place: int, missing: float) -> float:
    return values[place] if place < len(values) else missing


@lru_cache(maxsize=1)
def learnt() -> Mapping[str, float]:
    """The weights that come with the program."""
    read: Mapping[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return read
