"""Learn to tell a question that asks of which companies something is true ('who uses Ernst & Young?') from what else
people ask: the weights of `tools.ranking.company_questions`.

Run as `python -m evals.learn_company_questions [--try]`. The questions are those of of_companies.jsonl in
evals/data/natural (half `tune`); what people ask of documents, of the index, of the last answer, of a company that they
describe and off the topic stands beside them. --try prints, in place of writing the weights, how many are told when
left out of learning.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import NamedTuple

import numpy as np

from evals.learn_turn_kinds import DECAY as KINDS
from evals.learn_turn_kinds import embedded, others, turns
from evals.learning import Matrix, yes_or_no
from evals.natural import ABOUT, HOPS, load
from evals.records import DATA
from tools.ranking.company_questions import (
    MIN_CHANCE,
    WEIGHTS,
    WORD_WEIGHT,
    Weights,
    beginnings,
    chance_of_companies,
)

ROUNDS, RATE, DECAY = 800, 0.3, 3e-5
LEAST_USES = 4
"""Questions for companies, or such as sound so, that begin with what is weighed."""
FOLDS = 5


class Example(NamedTuple):
    """A question, and whether it asks for companies."""

    question: str
    asks: bool
    sounds_so: bool
    """Written to stand beside those that do."""


def examples() -> list[Example]:
    """All that is learnt from."""
    lines = (DATA / "natural" / "of_companies.jsonl").read_text(encoding="utf-8").splitlines()
    own = [row for row in map(json.loads, lines) if row["half"] == "tune"]
    routes = (DATA / "routes.jsonl").read_text(encoding="utf-8").splitlines()
    beside = [text for text, _ in others()]
    beside += [text for kind in KINDS for text, _ in turns(kind, "tune")]
    beside += [each.question for each in load((*ABOUT, *HOPS), "tune")]
    beside += [row["question"] for row in map(json.loads, routes) if row["half"] == "tune"]
    return [Example(row["question"], row["kind"] == "companies", True) for row in own] + [
        Example(text, False, False) for text in beside
    ]


def learn(rows: Sequence[Example], vectors: Matrix) -> Weights:
    """`vectors`: (rows, embedding) of their questions."""
    begun = [beginnings(each.question) for each in rows]
    uses = Counter(word for each, words in zip(rows, begun, strict=True) if each.sounds_so for word in words)
    known = sorted(word for word, count in uses.items() if count >= LEAST_USES)
    place = {word: at for at, word in enumerate(known)}
    held: Matrix = np.zeros((len(rows), len(known)))
    for at, words in enumerate(begun):
        held[at, [place[word] for word in words if word in place]] = WORD_WEIGHT
    given = np.hstack([held, vectors.astype(np.float64), np.ones((len(rows), 1))])
    right = np.array([each.asks for each in rows], float)
    weights = [round(float(each), 4) for each in yes_or_no(given, right, DECAY, ROUNDS, RATE)]
    return Weights(weights[len(known) :], dict(zip(known, weights, strict=False)))


def left_out(rows: Sequence[Example], vectors: Matrix) -> list[float]:
    """The chance of each question, learnt from the others of every fold but its own."""
    folds = np.random.default_rng(0).integers(0, FOLDS, len(rows))
    chances = [0.0] * len(rows)
    for fold in range(FOLDS):
        kept = np.flatnonzero(folds != fold).tolist()
        weights = learn([rows[at] for at in kept], vectors[kept])
        for at in np.flatnonzero(folds == fold).tolist():
            chances[at] = chance_of_companies(vectors[at], rows[at].question, weights)
    return chances


def main() -> int:
    """Learn, or try what is learnt on questions left out."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_company_questions", description=__doc__)
    parser.add_argument(
        "--try", dest="trial", action="store_true", help="tell the questions left out in turn"
    )
    args = parser.parse_args()
    rows = examples()
    vectors = embedded([each.question for each in rows])
    if not args.trial:
        WEIGHTS.write_text(json.dumps(asdict(learn(rows, vectors))) + "\n", encoding="utf-8")
        return 0
    taken = [chance >= MIN_CHANCE for chance in left_out(rows, vectors)]
    for title, asks, sounds_so in (
        ("they ask for companies", True, True),
        ("they sound so", False, True),
        ("others", False, False),
    ):
        own = [yes for yes, each in zip(taken, rows, strict=True) if each[1:] == (asks, sounds_so)]
        print(f"{title}: {sum(own)} of {len(own)} taken to ask for companies")
    return 0


if __name__ == "__main__":
    sys.exit(main())
