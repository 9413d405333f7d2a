"""Learn to tell a turn about the answer before it ('which page is that on?'), one off the topic of filings ('write me a
poem', 'should I buy?'), and such as go on in a conversation: how the figures compare that were told, the table that one
stands in, all that was said, what more there is to say; from questions that documents answer: the weights of
`tools.ranking.turn_kinds`.

Run as `python -m evals.learn_turn_kinds --home HOME [--kind KIND ...] [--try]`. The turns are those of
last_answer.jsonl, going_on.jsonl and off_topic.jsonl in evals/data/natural, and of
unanswerable.jsonl; what people ask of documents, of the index, and on after an answer (the tuning halves) stands beside
them. What is off the topic is told without the names of companies of HOME: a name drowns what is asked. --try prints,
in place of writing the weights, how many turns of the held halves are told.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from evals import records
from evals.dialogues import DIALOGUES
from evals.dialogues import Dialogue as LastTurn
from evals.learning import Matrix, yes_or_no
from evals.natural import ABOUT, FOLDER, SETS, load
from evals.natural_dialogues import Dialogue
from evals.records import DATA
from tools.documents.metadata.catalog import Catalog
from tools.ranking.fit import Vector
from tools.ranking.turn_kinds import WEIGHTS, TurnKind, is_turn, learnt
from tools.vector.embeddings import LocalEmbeddings

DECAY: Mapping[TurnKind, float] = {
    "about_answer": 1e-4,
    "off_topic": 1e-5,
    "of_figures": 1e-4,
    "of_table": 1e-4,
    "of_conversation": 1e-4,
    "of_more": 1e-4,
}
GOING_ON: Mapping[TurnKind, str] = {
    "of_figures": "figures",
    "of_table": "table",
    "of_conversation": "summary",
    "of_more": "more",
}
"""What going_on.jsonl calls them."""
ROUNDS, RATE = 800, 0.3
OFF_TOPIC = ("general", "nonsense", "advice")
"""Why no document answers, of unanswerable.jsonl."""
Turns = list[tuple[str, bool]]
"""Texts, and whether they are of the kind."""


def turns(kind: TurnKind, half: str) -> Turns:
    """Those that were written to tell it by."""
    going_on = [(row["question"], row["kind"]) for row in _rows("natural/going_on", half)]
    if kind in GOING_ON:
        return [(text, each == GOING_ON[kind]) for text, each in going_on]
    if kind == "about_answer":
        about = [(row["question"], row["kind"] == "about") for row in _rows("natural/last_answer", half)]
        return about + [(text, False) for text, each in going_on if each in ("figures", "goes_on")]
    own = [(row["question"], row["kind"] == "off_topic") for row in _rows("natural/off_topic", half)]
    return own + [(row["question"], row["why"] in OFF_TOPIC) for row in _rows("unanswerable", half)]


def others() -> Turns:
    """What people ask of documents, and on after an answer."""
    lines = (FOLDER / "dialogues_tune.jsonl").read_text(encoding="utf-8").splitlines()
    dialogues = map(Dialogue.model_validate_json, lines)
    said = [turn.question for each in dialogues for turn in each.turns[1:] if turn.kind != "meta"]
    said += [turn for each in records.load(DIALOGUES, LastTurn, "tune") for turn in each.turns[1:]]
    said += [each.question for each in load(SETS, "tune")]
    return [(text, False) for text in said]


def beside(kind: TurnKind) -> Turns:
    """What else is not of the kind."""
    if kind == "about_answer":
        return others()
    asked = [each.question for each in load(ABOUT, "tune")]
    asked += [row["question"] for row in _rows("routes", "tune")]
    if kind in GOING_ON:  # what others go on with is not labelled
        asked += [each.question for each in load(SETS, "tune")]
        about = [row["question"] for row in _rows("natural/last_answer", "tune") if row["kind"] == "about"]
        asked += [text for text in about if kind != "of_table" or "table" not in text]
        return [(text, False) for text in asked]
    return others() + [(text, False) for text in asked]


def _rows(name: str, half: str) -> list[dict[str, str]]:
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["half"] == half]


def unnamed(kind: TurnKind, given: Turns, catalog: Catalog) -> Turns:
    """As the program is given turns to tell whether they are of a kind."""
    return [(catalog.without_names(text), own) for text, own in given] if kind == "off_topic" else given


def learn(kind: TurnKind) -> Matrix:
    """(embedding + 1,) weights."""
    every = [*turns(kind, "tune"), *beside(kind)]
    given = np.append(embedded([text for text, _ in every]), np.ones((len(every), 1)), axis=1)
    right = np.array([of_kind for _, of_kind in every], float)
    return yes_or_no(given.astype(np.float64), right, DECAY[kind], ROUNDS, RATE)


def embedded(texts: Sequence[str]) -> Matrix:
    """(texts, embedding) float32."""
    return np.stack([_embedded(text) for text in texts])


@cache
def _embedded(text: str) -> Vector:
    """Kinds share most of what is beside them."""
    return _embedder().embed_query(text)


@cache
def _embedder() -> LocalEmbeddings:
    return LocalEmbeddings(threads=2)


def main() -> int:
    """Learn, or try what is learnt on the held halves."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_turn_kinds", description=__doc__)
    parser.add_argument(
        "--home", type=Path, required=True, help="an index whose companies' names are left out"
    )
    parser.add_argument("--try", dest="trial", action="store_true", help="tell the turns of the held halves")
    parser.add_argument("--kind", choices=DECAY, nargs="+", default=list(DECAY), help="learn these alone")
    args = parser.parse_args()
    from agent.assistant import Assistant

    with Assistant.open(args.home) as assistant:
        catalog = assistant.current().catalog
    weights = {kind: [round(float(weight), 4) for weight in learn(kind)] for kind in args.kind}
    if not args.trial:
        WEIGHTS.write_text(json.dumps({**learnt(), **weights}) + "\n", encoding="utf-8")
        return 0
    for kind, own in weights.items():
        held = unnamed(kind, turns(kind, "held"), catalog)
        told = [is_turn(kind, vector, own) for vector in embedded([text for text, _ in held])]
        for wanted in (True, False):
            right = [
                each == wanted for each, (_, of_kind) in zip(told, held, strict=True) if of_kind == wanted
            ]
            print(f"{kind}, {'it' if wanted else 'others'}: {sum(right)} of {len(right)} told right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
