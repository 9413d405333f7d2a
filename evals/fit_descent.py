"""The weights of `tools.ranking.fit` from questions with the lines that were found for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evals.found_lines import Example, split
from evals.learning import Matrix, descend, softmax_rows, yes_or_no
from tools.ranking.fit import Weights, in_order, nearest_of, shown_of, standing_of
from tools.ranking.line_features import features

KINDS = ("fact", "relation", "list", "reason", "summary", "definition")
FOLDS = 4
ROUNDS, RATE = 500, 0.1
DECAY_OF_KINDS, DECAY_OF_LINES, DECAY_OF_CHANCE, DECAY_OF_ABOUT = 1e-3, 1e-2, 1e-2, 1e-4
SHARE_WITHOUT = 0.5
"""What a question counts once more with the lines that answer it taken away: as if nothing did."""
LEAST = 0.005
"""Weights below this are not written."""


def learn(read: Sequence[Example], found: Sequence[Example], about: Sequence[float]) -> Weights:
    """The weights: of lines that a cross-encoder has read which had not seen their companies, and of all that were
    found; `about`: those that tell questions about the index."""
    kinds = learn_kinds(found)
    return Weights(
        {kind: [round(float(w), 4) for w in kinds[:, k]] for k, kind in enumerate(KINDS)},
        guess=learn_lines(found, kinds),
        lines=learn_lines(read, kinds),
        chance=learn_chance(read, read),
        chance_of_guess=learn_chance([replace(each, logits=()) for each in read], found),
        about=about,
    )


def learn_about(given: Matrix, right: Matrix) -> Matrix:
    """(embedding + 1,) weights of a logistic regression: is a question, (embedding + 1,) each, about the assistant or
    its index? Both sides count alike."""
    return yes_or_no(given, right, DECAY_OF_ABOUT, ROUNDS, 3 * RATE)


def learn_chance(judged: Sequence[Example], known: Sequence[Example]) -> dict[str, float]:
    """Weights of the probability, learnt from lines of `judged` in the order of weights that are learnt from the
    `known` of other companies."""
    unseen = list[tuple[dict[str, float], bool, float]]()
    for fold in range(FOLDS):
        rest, own = split(known, fold, FOLDS)[0], split(judged, fold, FOLDS)[1]
        if own and rest:
            kinds = learn_kinds(rest)
            weights = learn_lines(rest, kinds)
            unseen += [place for each in own for place in standings(each, kinds, weights)]
    return _does_one_answer(unseen)


def learn_kinds(examples: Sequence[Example]) -> Matrix:
    """(embedding + 1, kinds) weights of a softmax over the kinds."""
    known = [each for each in examples if each.question.kind != "absent"]
    given = np.stack([each.vector for each in known])
    wanted = np.array([[each.question.kind == kind for kind in KINDS] for each in known], float)

    def slope_at(weights: Matrix) -> Matrix:
        slope: Matrix = (
            given.T @ (softmax_rows(given @ weights) - wanted) / len(known) + DECAY_OF_KINDS * weights
        )
        return slope

    return descend(np.zeros((given.shape[1], len(KINDS))), slope_at, ROUNDS, 3 * RATE)


def wanted_by(kinds: Matrix, example: Example) -> dict[str, float]:
    """Kind of answer -> probability."""
    return dict(zip(KINDS, map(float, softmax_rows(example.vector[None] @ kinds)[0]), strict=True))


def _features(example: Example, wanted: dict[str, float]) -> list[dict[str, float]]:
    logits = example.logits or (0.0,) * len(example.lines)
    best, nearest = max(logits, default=0.0), nearest_of(example.lines)
    return [
        features(example.text, line, share, logit, best, nearest, wanted)
        for line, share, logit in zip(example.lines, example.shares, logits, strict=True)
    ]


def learn_lines(examples: Sequence[Example], kinds: Matrix) -> dict[str, float]:
    """Weights that raise the share of a question's softmax that falls on lines that answer."""
    useful = [each for each in examples if any(each.answers)]
    rows, answers, owner = list[dict[str, float]](), list[bool](), list[int]()
    for number, each in enumerate(useful):
        rows += _features(each, wanted_by(kinds, each))
        answers += each.answers
        owner += [number] * len(each.answers)
    names = list(rows[0])
    values, right, own = (
        np.array([[row[n] for n in names] for row in rows]),
        np.array(answers, float),
        np.array(owner),
    )

    def slope_at(weights: Matrix) -> Matrix:
        scores = values @ weights
        most = np.full(len(useful), -np.inf)
        np.maximum.at(most, own, scores)
        raised = np.exp(scores - most[own])
        shares = raised / np.bincount(own, raised)[own]
        aims = shares * right / np.bincount(own, shares * right)[own]
        slope: Matrix = values.T @ (shares - aims) / len(useful) + DECAY_OF_LINES * weights
        return slope

    return _written(names, descend(np.zeros(len(names)), slope_at, ROUNDS, RATE))


def _written(names: Sequence[str], weights: Matrix) -> dict[str, float]:
    return {name: round(float(w), 4) for name, w in zip(names, weights, strict=True) if abs(w) >= LEAST}


def standings(
    example: Example, kinds: Matrix, weights: Mapping[str, float]
) -> list[tuple[dict[str, float], bool, float]]:
    """How the lines to be shown stand, whether one answers, and how much that counts; and the same as if the lines
    that answer were not there."""
    found = [(*standing(example, kinds, weights), 1.0)]
    if any(example.answers):
        rest = example.of([k for k, answers in enumerate(example.answers) if not answers])
        found.append((standing(rest, kinds, weights)[0], False, SHARE_WITHOUT))
    return found


def standing(example: Example, kinds: Matrix, weights: Mapping[str, float]) -> tuple[dict[str, float], bool]:
    """How the lines to be shown stand, and whether one answers."""
    wanted = wanted_by(kinds, example)
    positions = range(len(example.lines))
    logits = example.logits or (0.0,) * len(example.lines)
    scored = in_order(example.lines, positions, _features(example, wanted), logits, weights)
    return standing_of(scored, wanted), any(
        example.answers[each.position] for each in shown_of(scored, wanted)
    )


def _does_one_answer(known: Sequence[tuple[dict[str, float], bool, float]]) -> dict[str, float]:
    """A logistic regression: does a line that is shown answer?"""
    names = list(dict.fromkeys(name for place, _, _ in known for name in place))
    given = np.array([[place.get(n, 0.0) for n in names] for place, _, _ in known])
    right = np.array([answers for _, answers, _ in known], float)
    counts = np.array([count for _, _, count in known])

    def slope_at(weights: Matrix) -> Matrix:
        chances = 1 / (1 + np.exp(-(given @ weights)))
        slope: Matrix = given.T @ (counts * (chances - right)) / counts.sum() + DECAY_OF_CHANCE * weights
        return slope

    return _written(names, descend(np.zeros(len(names)), slope_at, ROUNDS, 2 * RATE))
