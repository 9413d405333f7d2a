"""Whether a question asks of which companies something is true, told by its embedding and by the words it begins with:
'who is audited by KPMG?' and 'who audits it?' mean nearly the same to an embedding.

`python -m evals.learn_company_questions` writes the weights, `data/company_questions.json`: a logistic regression.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from tools.ranking.fit import Vector

WEIGHTS = Path(__file__).parent / "data" / "company_questions.json"
MIN_CHANCE = 0.45
"""Probability from which a question is taken to be one. Of questions left out in turn (`python -m
evals.learn_company_questions --try`) 90 % of those that are reach it, 29 % of those written to sound so, and 2 % of
5,871 that people ask of documents and else."""
WORD_WEIGHT = 0.3
"""Of a word in the place of an embedding's number."""
FIRST_WORDS, EARLY_WORDS = 3, 8
"""Words that are read in their order from the first one on, and in whatever order."""
_WORD = re.compile(r"[a-z']+")


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learnt."""

    vector: Sequence[float]
    """Of the embedding's numbers, then the constant."""
    beginnings: Mapping[str, float]
    """Of `beginnings`."""


def chance_of_companies(vector: Vector, question: str, weights: Weights | None = None) -> float:
    """Probability that a question, of this embedding, asks for companies."""
    known = learnt() if weights is None else weights
    said = sum(known.beginnings.get(each, 0.0) for each in beginnings(question))
    score = float(np.append(vector, 1.0) @ np.asarray(known.vector)) + WORD_WEIGHT * said
    return float(1 / (1 + np.exp(-score)))


def beginnings(question: str) -> list[str]:
    """What a question begins with, each once: its first word, first two and three words, and its early words."""
    words = _WORD.findall(question.lower())
    first = [f"{count}: {' '.join(words[:count])}" for count in range(1, FIRST_WORDS + 1)]
    return list(dict.fromkeys([*first, *words[:EARLY_WORDS]]))


@lru_cache(maxsize=1)
def learnt() -> Weights:
    """The weights that come with the program."""
    return Weights(**json.loads(WEIGHTS.read_text(encoding="utf-8")))
