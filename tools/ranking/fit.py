"""The learned fit of lines to a question: which answers, and how likely it does.

`python -m evals.learn_fit` writes the weights, `data/fit.json`: a softmax over the question's embedding tells the
kind of answer that is wanted; a linear score over `features`, learnt listwise (the share of a question's softmax
that falls on lines that answer), first without and, of those it puts first, with the cross-encoder's, orders the
lines; a logistic regression over the best ones' standing gives the probability that one of them answers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from tools.ranking.line_features import Line, Stems, features, overlap

WEIGHTS = Path(__file__).parent / "data" / "fit.json"
MAX_SCORED = 32
"""Lines that the cross-encoder reads."""
MAX_SHOWN = 3
"""Lines that are shown together, at most."""
MIN_SHARES = {"fact": 0.35, "relation": 0.2, "list": 0.2, "reason": 0.2, "summary": 0.15, "definition": 0.2}
"""By kind of answer the part of the best line's share from which further lines are shown: a second figure confuses,
a second cause may be the one that is meant."""
FLOORS = {"fact": 0.5, "relation": 0.4, "list": 0.18, "reason": 0.3, "summary": 0.09, "definition": 0.22}
"""By kind of answer the probability from which lines are shown: a wrong figure harms more than a quotation that is
beside the point. Chosen on companies left out in turn (`python -m evals.learn_fit --try`), that of reasons on fresh
questions (set `fourth`, tuning half: from 0.22 on 12 of 42 were beside the point, from 0.3 on 10)."""
MIN_FIGURE = 0.3
"""Probability from which a figure may be asked for: less in 108 of 122 questions for something else, in 1 of 90 for one
(fresh questions of two authors)."""
OF_PART = 1.5
"""What a line loses that is said of a part of the company where the whole is asked about: 'Operating profit decreased
22%' of one division answers nothing about all. Of 188 reasons of tuning sets none went from right to wrong or back."""
MAX_LIKENESS = 85.0
"""Of 100: from which a sentence says what another one said."""
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
    guess: Mapping[str, float]
    """Feature -> weight, for lines that the cross-encoder has not read."""
    lines: Mapping[str, float]
    """Feature -> weight."""
    chance: Mapping[str, float]
    """Standing of the lines to be shown -> weight."""
    chance_of_guess: Mapping[str, float]
    """The same where the cross-encoder has read none."""
    about: Sequence[float]
    """Weights of the question's embedding, the last the constant: is it about the assistant or its index?"""


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
    found: Mapping[str, float]
    """Its features."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question's lines, best first, and the probability that one of those to be shown answers."""

    lines: tuple[Scored, ...]
    wanted: Mapping[str, float]
    """Kind of answer -> probability."""
    chance: float

    @property
    def floor(self) -> float:
        """The probability from which lines are shown, for the kinds of answer that may be wanted."""
        return sum(FLOORS.get(kind, 1.0) * share for kind, share in self.wanted.items())


def judge(
    question: str,
    vector: Vector,
    lines: Sequence[Line],
    scorer: Scorer | None,
    stems: Stems,
    weights: Weights | None = None,
    most: int = MAX_SCORED,
) -> Judged:
    """`vector`: the question's embedding; without a `scorer` the first guess stands, with one it reads the `most` lines
    that are likeliest at first. Raises what the scorer raises."""
    weights = weights or learnt()
    wanted = kinds_wanted(vector, weights)
    kept, shares = shortlist(question, lines, stems, wanted, weights.guess, most)
    read = [lines[k] for k in kept]
    logits = scorer.scores(question, [line.shown for line in read]) if scorer else [0.0] * len(read)
    best, nearest = max(logits, default=0.0), nearest_of(read)
    found = [
        features(question, line, share, logit, best, nearest, wanted)
        for line, share, logit in zip(read, shares, logits, strict=True)
    ]
    scored = in_order(read, kept, found, logits, weights.lines if scorer else weights.guess)
    standing = dot(weights.chance if scorer else weights.chance_of_guess, standing_of(scored, wanted))
    return Judged(scored, wanted, 1 / (1 + math.exp(-standing)) if scored else 0.0)


def shortlist(
    question: str,
    lines: Sequence[Line],
    stems: Stems,
    wanted: Mapping[str, float],
    guess: Mapping[str, float],
    most: int = MAX_SCORED,
) -> tuple[list[int], list[tuple[float, float]]]:
    """Positions of the lines worth the cross-encoder's time, the likeliest first, and what `overlap` says of each."""
    shares, nearest = overlap(question, lines, stems), nearest_of(lines)
    guesses = [
        dot(guess, features(question, line, share, 0.0, 0.0, nearest, wanted))
        for line, share in zip(lines, shares, strict=True)
    ]
    kept = sorted(range(len(lines)), key=lambda k: (-guesses[k], k))[:most]
    return kept, [shares[k] for k in kept]


def nearest_of(lines: Sequence[Line]) -> float:
    """The greatest nearness of a line."""
    return max((line.nearness for line in lines), default=0.0)


def in_order(
    lines: Sequence[Line],
    positions: Sequence[int],
    found: Sequence[Mapping[str, float]],
    logits: Sequence[float],
    weights: Mapping[str, float],
) -> tuple[Scored, ...]:
    """Lines with their positions, features and the cross-encoder's scores, by the weighted sum of the features."""
    scores = [dot(weights, each) - OF_PART * line.of_part for line, each in zip(lines, found, strict=True)]
    scored = map(Scored, lines, positions, scores, softmax(scores), logits, found)
    return _with_replies(sorted(scored, key=lambda each: (-each.score, each.position)))


def _with_replies(scored: Sequence[Scored]) -> tuple[Scored, ...]:
    """Where what an analyst asks comes first, the reply stands in its place: an analyst who asks the same is answered
    in words that may share nothing with the question."""
    asked = scored[0] if scored and scored[0].line.asked else None
    if asked is None:
        return tuple(scored)
    replies = [
        each
        for each in scored
        if each.line.passage == asked.line.passage and each.line.quotable and each.position > asked.position
    ]
    if not replies:
        return tuple(scored)
    best = replies[0]
    raised = {
        each.position: replace(
            each,
            score=each.score + asked.score - best.score,
            share=each.share * asked.share / best.share,
            logit=max(each.logit, asked.logit),
        )
        for each in replies
    }
    rest = [raised.get(each.position, each) for each in scored if each is not asked]
    return tuple(sorted(rest, key=lambda each: (-each.score, each.position)))


def shown_of(scored: Sequence[Scored], wanted: Mapping[str, float]) -> list[Scored]:
    """Of lines in order those to be shown: of what may be, the best one, and what comes near it and does not say
    the same. `wanted`: kind of answer -> probability."""
    least = sum(MIN_SHARES.get(kind, 1.0) * share for kind, share in wanted.items())
    shown: list[Scored] = []
    for each in scored:
        near = not shown or each.share >= least * shown[0].share
        if each.line.may_be_shown and near and len(shown) < MAX_SHOWN and not _is_said(each.line, shown):
            shown.append(each)
    return shown


def _is_said(line: Line, shown: Sequence[Scored]) -> bool:
    """Whether a sentence is one of those shown but for a few letters: reports repeat themselves."""
    return line.kind == "sentence" and any(
        fuzz.ratio(line.text, each.line.text) >= MAX_LIKENESS for each in shown
    )


def standing_of(scored: Sequence[Scored], wanted: Mapping[str, float]) -> dict[str, float]:
    """Feature -> value of how the lines to be shown stand: alone, and against the others."""
    shown = shown_of(scored, wanted)
    if not shown:
        return {"": 1.0}
    best = shown[0]
    second = next((each for each in scored if each not in shown), best)
    basic = {
        "share": best.share,
        "together": sum(each.share for each in shown),
        "shown": len(shown) / MAX_SHOWN,
        "lead": min(best.score - second.score, 4.0) / 4,
        "logit": best.logit / 5,
        "highest": max(each.logit for each in scored) / 5,
        "sure of kind": max(wanted.values()),
        **{name: best.found.get(name, 0.0) for name in STANDING},
    }
    crossed = {
        f"{kind}*{name}": chance * basic[name] for kind, chance in wanted.items() for name in CROSSED_STANDING
    }
    return {"": 1.0, **basic, **{f"wants {kind}": chance for kind, chance in wanted.items()}, **crossed}


STANDING = (
    "words",
    "around",
    "cosine",
    "match",
    "nearness",
    "less near",
    "period",
    "named",
    "year",
    "fact",
    "relation",
    "length",
    "number",
    "amount",
    "names",
)
"""Features of the best line that say something about whether it answers at all."""
CROSSED_STANDING = (
    "share",
    "lead",
    "logit",
    "words",
    "match",
    "nearness",
    "fact",
    "number",
    "amount",
    "names",
)
"""What of the standing counts differently by the kind of answer that is wanted."""


def kinds_wanted(vector: Vector, weights: Weights) -> dict[str, float]:
    """Kind of answer -> probability that a question of this embedding wants it."""
    given = np.append(vector, 1.0)
    values = [float(given @ np.asarray(each)) for each in weights.kinds.values()]
    return dict(zip(weights.kinds, softmax(values), strict=True))


def asks_no_figure(wanted: Mapping[str, float]) -> bool:
    """Whether a question surely asks for something else than a figure. `wanted`: kind of answer -> probability."""
    return wanted.get("fact", 1.0) < MIN_FIGURE


def chance_about_index(vector: Vector, weights: Weights | None = None) -> float:
    """Probability that a question of this embedding is about the assistant or its index, not about what documents
    say."""
    weights = weights or learnt()
    return float(1 / (1 + np.exp(-(np.append(vector, 1.0) @ np.asarray(weights.about)))))


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
    return Weights(**read)
