"""Learn which line answers a question: the weights of `tools.ranking`, and which printed line words mean.

Run as `python -m evals.learn_fit --home HOME [--try]`, with the documents of the tuning halves of evals/data/natural
indexed in HOME and the extra `learn`. What the assistant finds for each question is read line by line; a line answers
if it holds what a right answer holds. Companies are parted in two: an encoder of printed lines and a change of the
cross-encoder are learnt from each part, and what they are worth for the other part's questions teaches the weights on
top of them, so that no score is trusted more than it deserves on what is new. The program has the averages of the two.
Takes some two hours on two cores. --try prints, in place of writing, how often an answer is shown, and how well its
probability is known, for companies left out of all.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from evals import asked_lines, learn_line_items
from evals.found_lines import Example, companies_of, gather, split
from evals.learn_cross_encoder import Asked, States, learn_change, lower_states
from evals.learning import Matrix, descend, softmax_rows, yes_or_no
from evals.low_rank import averaged
from evals.natural import ABOUT, SETS, Natural, load
from evals.records import DATA
from graphs.drafts.words import content
from tools.ranking.cross_encoder import LEARNT, CrossEncoder
from tools.ranking.fit import (
    WEIGHTS,
    Weights,
    dot,
    in_order,
    nearest_of,
    shortlist,
    shown_of,
    standing_of,
)
from tools.ranking.line_features import features
from tools.vector import line_item_encoder
from tools.vector.embeddings import LocalEmbeddings
from tools.vector.line_item_encoder import LineItemEncoder

KINDS = ("fact", "relation", "list", "reason", "summary", "definition")
PARTS = 2
"""Of the companies, with models of their own: two are averaged."""
FOLDS = 4
ROUNDS, RATE = 500, 0.1
DECAY_OF_KINDS, DECAY_OF_LINES, DECAY_OF_CHANCE, DECAY_OF_ABOUT = 1e-3, 1e-2, 1e-2, 1e-4
SHARE_WITHOUT = 0.5
"""What a question counts once more with the lines that answer it taken away: as if nothing did."""
LEAST = 0.005
"""Weights below this are not written."""
TRIED_FLOORS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8)


def guessed(examples: Sequence[Example], kinds: Matrix, guess: dict[str, float]) -> list[Example]:
    """Each with the lines that the cross-encoder is to read."""
    kept = [shortlist(each.text, each.lines, content, wanted_by(kinds, each), guess)[0] for each in examples]
    return [each.of(positions) for each, positions in zip(examples, kept, strict=True)]


def read_by(examples: Sequence[Example], change: dict[str, Matrix]) -> list[Example]:
    """Each with the scores of the cross-encoder with this change."""
    floats = {name: each.astype(np.float32) for name, each in change.items()}
    scorer = CrossEncoder(threads=2, learnt=floats)
    return [
        replace(each, logits=tuple(scorer.scores(each.text, [line.shown for line in each.lines])))
        for each in examples
    ]


def lower_states_of(examples: Sequence[Example]) -> dict[str, States]:
    """By question what the cross-encoder's lower layers make of its lines."""
    asked = [
        Asked(
            each.text,
            [line.shown for line in (*each.lines, *each.unfound)],
            (*each.answers, *(True for _ in each.unfound)),
        )
        for each in examples
    ]
    return dict(zip((each.question.id for each in examples), lower_states(asked), strict=True))


def learn(
    read: Sequence[Example], found: Sequence[Example], about: Sequence[tuple[Natural, Matrix]]
) -> Weights:
    """The weights: of lines that a cross-encoder has read which had not seen their companies, of all that were found,
    and of questions about the index."""
    kinds = learn_kinds(found)
    return Weights(
        {kind: [round(float(w), 4) for w in kinds[:, k]] for k, kind in enumerate(KINDS)},
        guess=learn_lines(found, kinds),
        lines=learn_lines(read, kinds),
        chance=learn_chance(read, read),
        chance_of_guess=learn_chance([replace(each, logits=()) for each in read], found),
        about=[round(float(w), 4) for w in learn_about(about, found)],
    )


def learn_about(about: Sequence[tuple[Natural, Matrix]], found: Sequence[Example]) -> Matrix:
    """(embedding + 1,) weights of a logistic regression: is a question about the assistant or its index? Both sides
    count alike."""
    given = np.stack([vector for _, vector in about] + [each.vector for each in found])
    right = np.array([question.kind == "about" for question, _ in about] + [False] * len(found), float)
    return yes_or_no(given, right, DECAY_OF_ABOUT, ROUNDS, 3 * RATE)


def questions_about() -> list[Natural]:
    """Questions about the assistant and its index, and others: such as sound like them, such as nothing answers, be
    they off the topic or not, and those whose routes are known."""
    others = [
        Natural(id=row["id"], kind="contrast", question=row["question"])
        for name in ("unanswerable", "routes", "natural/off_topic")
        for row in map(json.loads, (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
        if row["half"] == "tune"
    ]
    return [*load([ABOUT], "tune"), *others]


def embedded(questions: Sequence[Natural]) -> list[tuple[Natural, Matrix]]:
    """Each with its embedding, and a 1 for the constant."""
    embedder = LocalEmbeddings(threads=2)
    return [
        (each, np.append(embedder.embed_query(each.question), 1.0).astype(np.float64)) for each in questions
    ]


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


def try_out(read: Sequence[Example]) -> str:
    """How often an answer is shown, and what each floor of the probability leaves, on companies left out in turn."""
    firsts, asked = Counter[str](), Counter[str](each.question.kind for each in read)
    judged: list[tuple[float, bool, str]] = []
    for fold in range(FOLDS):
        rest, own = split(read, fold, FOLDS)
        kinds = learn_kinds(rest)
        weights, likely = learn_lines(rest, kinds), learn_chance(rest, rest)
        for each in own:
            place, answers = standing(each, kinds, weights)
            chance = 1 / (1 + float(np.exp(-dot(likely, place))))
            firsts[each.question.kind] += answers
            judged.append((chance, answers, each.question.kind))
    lines = [
        f"lines to be shown answer: {', '.join(f'{kind} {firsts[kind]} of {asked[kind]}' for kind in KINDS)}"
    ]
    for floor in TRIED_FLOORS:
        shown = Counter[str](kind for chance, _, kind in judged if chance >= floor)
        right = Counter[str](kind for chance, answers, kind in judged if chance >= floor and answers)
        each_kind = ", ".join(f"{kind} {right[kind]} of {shown[kind]}" for kind in KINDS)
        lines.append(f"from {floor}: {each_kind}; {shown['absent']} of {asked['absent']} absent ones shown")
    return "\n".join(lines)


def write(weights: Weights) -> None:
    """Puts weights where the program reads them. OSError if it cannot."""
    WEIGHTS.write_text(json.dumps(asdict(weights), indent=0) + "\n", encoding="utf-8")


def found_by_parts(home: Path) -> tuple[list[list[Example]], dict[str, Matrix]]:
    """What is found for each part's questions with an encoder of printed lines that was learnt without them, and the
    average of these encoders' changes."""
    asked, lines = asked_lines.gather(home)
    questions = load(SETS, "tune")
    companies = companies_of(home, questions)
    numbers = {company: number for number, company in enumerate(sorted({*companies.values()}))}
    changes, found = list[dict[str, Matrix]](), list[list[Example]]()
    for part in range(PARTS):
        seen = [each for each in asked if numbers.get(each.company, 0) % PARTS != part]
        change = learn_line_items.learn(learn_line_items.rows(), seen, lines, seed=part)
        encoder = LineItemEncoder({name: each.astype(np.float32) for name, each in change.items()})
        unseen = [each for each in asked if each not in seen]
        print(f"part {part}: {learn_line_items.found(unseen, lines, encoder)}", file=sys.stderr, flush=True)
        own = {id: company for id, company in companies.items() if numbers[company] % PARTS == part}
        found.append(gather(home, [each for each in questions if each.id in own], own, encoder))
        changes.append(change)
    return found, averaged(*changes)


def main() -> int:
    """Learn, or try what is learnt on companies left out."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_fit", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--try", dest="trial", action="store_true", help="leave companies out in turn")
    args = parser.parse_args()
    parts, of_lines = found_by_parts(args.home)
    found = [each for own in parts for each in own]
    kinds = learn_kinds(found)
    guess = learn_lines(found, kinds)
    short = [guessed(own, kinds, guess) for own in parts]
    changes, read = list[dict[str, Matrix]](), list[Example]()
    for part, own in enumerate(short):
        others = [each for number, rest in enumerate(short) if number != part for each in rest]
        changes.append(learn_change(list(lower_states_of(others).values()), seed=part))
        read += read_by(own, changes[-1])
    if args.trial:
        print(try_out(read))
        return 0
    write(learn(read, found, embedded(questions_about())))
    line_item_encoder.save(of_lines)
    change: dict[str, Any] = averaged(*changes)
    np.savez_compressed(LEARNT, **change)
    print(f"{len(found)} questions -> {WEIGHTS.name}, {line_item_encoder.WEIGHTS.name}, {LEARNT.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
