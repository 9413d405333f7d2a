"""Learn which line answers a question: the weights of `tools.ranking.fit`.

Run as `python -m evals.learn_fit --home HOME [--try]`, with the documents of the tuning halves of
evals/data/natural indexed in HOME. What the assistant finds for each question is read line by line; a line answers
if it holds what a right answer holds. --try leaves out the companies in turn and prints how often an answer is
first, and how well its probability is known, instead of writing the weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from evals.learning import Matrix, descend, softmax_rows
from evals.natural import SETS, Natural, holds, is_shown, load
from graphs.contracts import Draft, Reading
from graphs.drafts.words import content
from graphs.local.answer.line_ranking import lines_of
from tools.evidence import Evidence
from tools.ranking.cross_encoder import CrossEncoder
from tools.ranking.fit import WEIGHTS, dot, in_order, shortlist, standing_of
from tools.ranking.line_features import Line, features
from tools.vector.embeddings import LocalEmbeddings

KINDS = ("fact", "relation", "list", "reason", "definition")
FOLDS = 6
ROUNDS, RATE = 500, 0.1
DECAY_OF_KINDS, DECAY_OF_LINES, DECAY_OF_CHANCE = 1e-3, 1e-2, 1e-2


@dataclass(frozen=True, slots=True)
class Example:
    """A question with the lines that were found for it."""

    question: Natural
    vector: Matrix
    """The question's embedding, and a 1 for the constant."""
    lines: tuple[Line, ...]
    shares: tuple[tuple[float, float], ...]
    logits: tuple[float, ...]
    answers: tuple[bool, ...]
    """For each line whether it answers."""


class _Recorder:
    """Keeps what it is given to rank."""

    def __init__(self) -> None:
        self.seen: tuple[Reading, list[Evidence]] | None = None

    def rank(self, reading: Reading, evidence: Sequence[Evidence]) -> list[Evidence]:
        self.seen = reading, list(evidence)
        return list(evidence)


class _Silent:
    """Finds no answer, so that everything is looked up."""

    def draft(self, reading: Reading, evidence: Sequence[Evidence]) -> Draft:
        return Draft(text="", abstained="no_evidence", detail="")

    def revise(self, reading: Reading, evidence: Sequence[Evidence], draft: Draft, verdict: Any) -> Draft:
        return draft


def gather(home: Path, questions: Sequence[Natural]) -> list[Example]:
    """What the assistant finds for each question, line by line, with the cross-encoder's scores of those that it
    reads."""
    from agent.assistant import Assistant
    from agent.engines import local_engine
    from agent.settings import Settings

    recorder, scorer, embedder = _Recorder(), CrossEncoder(threads=2), LocalEmbeddings(threads=2)
    engine = replace(local_engine(), ranker=recorder, answerer=_Silent())
    assistant = Assistant(Settings(home=home), engine)
    found: list[Example] = []
    for question in questions:
        recorder.seen = None
        assistant.ask(question.question)
        if recorder.seen is None:
            continue
        reading, evidence = recorder.seen
        lines, _ = lines_of(reading, evidence)
        kept, shares = shortlist(reading.question, lines, content)
        own = tuple(lines[k] for k in kept)
        logits = scorer.scores(reading.question, [line.shown for line in own])
        vector = np.append(embedder.embed_query(reading.question), 1.0).astype(np.float64)
        answers = tuple(_answers(question, line) for line in own)
        found.append(Example(question, vector, own, tuple(shares), tuple(logits), answers))
    assistant.close()
    return found


def _answers(question: Natural, line: Line) -> bool:
    if question.kind == "absent":
        return False
    return holds(question, line.text) or is_shown(question, line.text)


@dataclass(frozen=True, slots=True)
class Learnt:
    """Weights as they are written."""

    kinds: dict[str, list[float]]
    lines: dict[str, float]
    chance: dict[str, float]


def learn(examples: Sequence[Example]) -> Learnt:
    """The weights, from these examples. The probability is learnt from lines ordered by weights that had not seen
    them."""
    kinds = learn_kinds(examples)
    names, lines = learn_lines(examples, [wanted_by(kinds, each) for each in examples])
    unseen = []
    for fold in range(FOLDS):
        rest, own = _split(examples, fold)
        if not own or not rest:
            continue
        their_kinds = learn_kinds(rest)
        their_names, theirs = learn_lines(rest, [wanted_by(their_kinds, each) for each in rest])
        weights = dict(zip(their_names, theirs, strict=True))
        unseen += [(each, standing(each, wanted_by(their_kinds, each), weights)) for each in own]
    chance = learn_chance([(each.question, place) for each, place in unseen])
    return Learnt(
        {kind: [round(float(w), 4) for w in kinds[:, k]] for k, kind in enumerate(KINDS)},
        {name: round(float(w), 4) for name, w in zip(names, lines, strict=True)},
        chance,
    )


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
    best = max(example.logits, default=0.0)
    return [
        features(example.question.question, line, share, logit, best, wanted)
        for line, share, logit in zip(example.lines, example.shares, example.logits, strict=True)
    ]


def learn_lines(examples: Sequence[Example], wanted: Sequence[dict[str, float]]) -> tuple[list[str], Matrix]:
    """Names and weights that raise the share of a question's softmax that falls on lines that answer."""
    useful = [(each, want) for each, want in zip(examples, wanted, strict=True) if any(each.answers)]
    rows, answers, owner = list[dict[str, float]](), list[bool](), list[int]()
    for number, (each, want) in enumerate(useful):
        rows += _features(each, want)
        answers += each.answers
        owner += [number] * len(each.answers)
    names = list(rows[0])
    given, right, own = (
        np.array([[row[n] for n in names] for row in rows]),
        np.array(answers, float),
        np.array(owner),
    )

    def slope_at(weights: Matrix) -> Matrix:
        scores = given @ weights
        most = np.full(len(useful), -np.inf)
        np.maximum.at(most, own, scores)
        raised = np.exp(scores - most[own])
        shares = raised / np.bincount(own, raised)[own]
        aims = shares * right / np.bincount(own, shares * right)[own]
        slope: Matrix = given.T @ (shares - aims) / len(useful) + DECAY_OF_LINES * weights
        return slope

    return names, descend(np.zeros(len(names)), slope_at, ROUNDS, RATE)


def standing(
    example: Example, wanted: dict[str, float], weights: dict[str, float]
) -> tuple[dict[str, float], bool]:
    """How the best line stands, and whether it answers."""
    positions = range(len(example.lines))
    scored = in_order(example.lines, positions, _features(example, wanted), example.logits, weights)
    return standing_of(scored, wanted), bool(scored) and example.answers[scored[0].position]


def learn_chance(known: Sequence[tuple[Natural, tuple[dict[str, float], bool]]]) -> dict[str, float]:
    """A logistic regression: does the best line answer?"""
    names = list(dict.fromkeys(name for _, (place, _) in known for name in place))
    given = np.array([[place.get(n, 0.0) for n in names] for _, (place, _) in known])
    right = np.array([answers for _, (_, answers) in known], float)

    def slope_at(weights: Matrix) -> Matrix:
        chances = 1 / (1 + np.exp(-(given @ weights)))
        slope: Matrix = given.T @ (chances - right) / len(right) + DECAY_OF_CHANCE * weights
        return slope

    weights = descend(np.zeros(len(names)), slope_at, ROUNDS, 2 * RATE)
    return {name: round(float(w), 4) for name, w in zip(names, weights, strict=True)}


def _company(question: Natural) -> str:
    return question.company.lower().split()[0]


def _split(examples: Sequence[Example], fold: int) -> tuple[list[Example], list[Example]]:
    companies = sorted({_company(each.question) for each in examples})
    own = {company for k, company in enumerate(companies) if k % FOLDS == fold}
    return (
        [each for each in examples if _company(each.question) not in own],
        [each for each in examples if _company(each.question) in own],
    )


def try_out(examples: Sequence[Example]) -> str:
    """How often an answer is first, and what each floor of the probability leaves, on companies left out in turn."""
    firsts, asked = Counter[str](), Counter[str](each.question.kind for each in examples)
    judged: list[tuple[float, bool, str]] = []
    for fold in range(FOLDS):
        rest, own = _split(examples, fold)
        learnt = learn(rest)
        kinds = np.array([learnt.kinds[kind] for kind in KINDS]).T
        for each in own:
            place, answers = standing(each, wanted_by(kinds, each), learnt.lines)
            chance = 1 / (1 + float(np.exp(-dot(learnt.chance, place))))
            firsts[each.question.kind] += answers
            judged.append((chance, answers, each.question.kind))
    lines = [f"first line answers: {', '.join(f'{kind} {firsts[kind]} of {asked[kind]}' for kind in KINDS)}"]
    for floor in (0.2, 0.3, 0.35, 0.4, 0.5, 0.6):
        shown = [(right, kind) for chance, right, kind in judged if chance >= floor]
        absent = sum(kind == "absent" for _, kind in shown)
        lines.append(
            f"from {floor}: {len(shown)} shown, {sum(right for right, _ in shown)} answer;"
            f" {absent} of {asked['absent']} absent ones shown"
        )
    return "\n".join(lines)


def main() -> int:
    """Learn, or try what is learnt on companies left out."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_fit", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--try", dest="trial", action="store_true", help="leave companies out in turn")
    args = parser.parse_args()
    examples = gather(args.home, load(SETS, "tune"))
    if args.trial:
        print(try_out(examples))
        return 0
    learnt = learn(examples)
    WEIGHTS.parent.mkdir(exist_ok=True)
    written = {"kinds": learnt.kinds, "lines": learnt.lines, "chance": learnt.chance}
    WEIGHTS.write_text(json.dumps(written, indent=0) + "\n", encoding="utf-8")
    print(f"{len(examples)} questions -> {WEIGHTS.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
