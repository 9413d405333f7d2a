"""Whether what pages print answers a question that may ask for something to be computed: a logistic regression over
what the reader of sums thinks of the question, and how much of it the answer says."""

from __future__ import annotations

import math

from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.knowledge.lexicon.word_forms import words_of
from tools.ranking.fit import dot

WEIGHTS = {
    "": 0.4123,
    "sum": -4.2405,
    "covered": 2.3262,
    "words": -0.8655,
    "uncomputed": 2.3281,
}
"""Feature -> weight, learnt from 156 answers to tuning questions, 53 of them wrong; `python -m
evals.learn_printed_answers` learns them."""
MIN_OF_SUM = 0.1
"""Probability that something has to be computed from which it is asked at all whether what is printed will do."""
MIN_CHANCE = 0.5
"""Probability from which it does: of parts of these 156 not learnt from 23 wrong ones and 12 right ones are below."""
SPREAD = 10
"""What log-odds and words are told as parts of, so that features are of one size."""
_EDGE = 1e-4


def features(question: str, answer: str, of_sum: float, *, uncomputed: bool) -> dict[str, float]:
    """Feature -> value. `of_sum`: probability that something has to be computed; `uncomputed`: it was tried, and
    nothing came of it."""
    said = {word for word in words_of(question) - FUNCTION_WORDS if word.isalpha()}
    odds = math.log((of_sum + _EDGE) / (1 - of_sum + _EDGE))
    return {
        "": 1.0,
        "sum": odds / SPREAD,
        "covered": len(said & words_of(answer)) / max(1, len(said)),
        "words": len(said) / SPREAD,
        "uncomputed": float(uncomputed),
    }


def answers(question: str, answer: str, of_sum: float, *, uncomputed: bool) -> bool:
    """Whether a printed answer will do, see `features`."""
    if of_sum < MIN_OF_SUM:
        return True
    found = features(question, answer, of_sum, uncomputed=uncomputed)
    return 1 / (1 + math.exp(-dot(WEIGHTS, found))) >= MIN_CHANCE
