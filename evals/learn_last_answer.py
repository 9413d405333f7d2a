"""Learn to tell a turn about the answer before it ('which page is that on?') from one that asks something new: the
weights of `tools.ranking.last_answer`.

Run as `python -m evals.learn_last_answer [--try]`. The turns are those of evals/data/natural/last_answer.jsonl; what
people ask of documents, and on after an answer (the tuning halves there), stands beside them as new. --try prints, in
place of writing the weights, how many turns of the held half are told.
"""

from __future__ import annotations

import argparse
import json
import sys

import numpy as np

from evals import records
from evals.dialogues import DIALOGUES
from evals.dialogues import Dialogue as LastTurn
from evals.learning import Matrix, yes_or_no
from evals.natural import FOLDER, SETS, Natural, load
from evals.natural_dialogues import Dialogue
from tools.ranking.last_answer import MIN_CHANCE, WEIGHTS, chance_about_answer
from tools.vector.embeddings import LocalEmbeddings

DECAY, ROUNDS, RATE = 1e-4, 500, 0.3


def turns(half: str) -> list[Natural]:
    """Those of one half; kind `about` where they are about the answer before."""
    lines = (FOLDER / "last_answer.jsonl").read_text(encoding="utf-8").splitlines()
    return [Natural(**row) for row in map(json.loads, lines) if row["half"] == half]


def follow_ups() -> list[Natural]:
    """What the dialogues of the tuning half ask on, as something new."""
    lines = (FOLDER / "dialogues_tune.jsonl").read_text(encoding="utf-8").splitlines()
    dialogues = map(Dialogue.model_validate_json, lines)
    said = [turn.question for each in dialogues for turn in each.turns[1:] if turn.kind != "meta"]
    said += [turn for each in records.load(DIALOGUES, LastTurn, "tune") for turn in each.turns[1:]]
    return [Natural(id="", kind="contrast", question=turn) for turn in said]


def learn() -> Matrix:
    """(embedding + 1,) weights."""
    every = [*turns("tune"), *load(SETS, "tune"), *follow_ups()]
    given = np.append(embedded(every), np.ones((len(every), 1)), axis=1).astype(np.float64)
    right = np.array([each.kind == "about" for each in every], float)
    return yes_or_no(given, right, DECAY, ROUNDS, RATE)


def embedded(questions: list[Natural]) -> Matrix:
    """(questions, embedding) float32."""
    embedder = LocalEmbeddings(threads=2)
    return np.stack([embedder.embed_query(each.question) for each in questions])


def main() -> int:
    """Learn, or try what is learnt on the held half."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_last_answer", description=__doc__)
    parser.add_argument("--try", dest="trial", action="store_true", help="tell the turns of the held half")
    args = parser.parse_args()
    weights = [round(float(weight), 4) for weight in learn()]
    if args.trial:
        held = turns("held")
        told = [chance_about_answer(v, weights) >= MIN_CHANCE for v in embedded(held)]
        for kind in ("about", "contrast"):
            right = [t == (kind == "about") for each, t in zip(held, told, strict=True) if each.kind == kind]
            print(f"{kind}: {sum(right)} of {len(right)} told right")
        return 0
    WEIGHTS.write_text(json.dumps(weights) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
