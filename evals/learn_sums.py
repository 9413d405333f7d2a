"""Learn what a question asks to be computed: the weights of `tools.calculate.questions`.

Run as `python -m evals.learn_sums [--try AUTHOR,...]`. Learnt from sums.jsonl, questions that people labelled, and
from what people ask of documents without anything to compute (the tuning halves of evals/data/natural, and of figures
that pages print). --try learns
without the questions of some authors and tells theirs, in place of writing the weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sparse
from pydantic import BaseModel, ConfigDict

from evals import records
from evals.learning import Matrix, descend, softmax_rows
from evals.natural import SETS, load
from evals.records import DATA
from tools.calculate import questions as q
from tools.vector.embeddings import LocalEmbeddings

LABELLED = DATA / "sums.jsonl"
MIN_GRAM, MIN_FEATURE = 3, 3
"""Questions, and words, that a feature must be of."""
PLAIN_WEIGHT = 0.25
"""What a question from the natural sets counts beside a labelled one."""
DECAY, ROUNDS, RATE = 2e-5, 400, 0.3
ROLE_DECAY, ROLE_ROUNDS = 1e-6, 250
PRUNED = 0.02
"""Weights of a row that are all nearer to zero are left out."""


class Labelled(BaseModel):
    """A question with what it asks to be computed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    author: str
    operation: q.Operation
    use: q.Use
    measure: str = ""
    a: str = ""
    b: str = ""
    more: tuple[str, ...] = ()
    set: str = ""


def labelled() -> list[Labelled]:
    """All that were labelled."""
    lines = LABELLED.read_text(encoding="utf-8").splitlines()
    return [Labelled.model_validate_json(line) for line in lines]


def plain() -> list[Labelled]:
    """Questions with nothing to compute."""
    asked = [each.question for each in load(SETS, "tune")]
    for name in ("filing_facts", "filing_facts_2", "filing_facts_3"):
        asked += [each.question for each in records.load(DATA / f"{name}.jsonl", records.Record, "tune")]
    asked += [each.question for each in records.load(DATA / "ranker_train.jsonl", records.Record)]
    return [Labelled(question=text, author="natural", operation="none", use="value") for text in asked]


def roles_of(each: Labelled) -> list[int]:
    """The role of every word, by the spans that were labelled."""
    words, found = q.words_of(each.question), dict[int, int]()
    spans = (("set", [each.set]), ("a", [each.a]), ("b", [each.b]), ("more", each.more))
    for role, texts in spans:
        for text in filter(None, texts):
            start = each.question.find(text)
            for at, word in enumerate(words):
                if start <= word.start < start + len(text):
                    found[at] = q.ROLES.index(role)
    return [found.get(at, 0) for at in range(len(words))]


def _sparse(rows: Sequence[Sequence[int]], width: int) -> Any:
    """A sparse matrix (rows, width) of ones at these places."""
    counts = np.cumsum([0, *(len(row) for row in rows)])
    places = np.concatenate([np.asarray(row, np.int32) for row in rows])
    ones = np.ones(len(places), np.float32)
    return sparse.csr_matrix((ones, places, counts), shape=(len(rows), width))


def learn(rows: Sequence[Labelled], embedded: Callable[[str], Matrix]) -> q.Weights:
    """The weights that these questions give."""
    counted = Counter(gram for each in rows for gram in q.grams_of(each.question))
    grams = {gram: at for at, gram in enumerate(sorted(g for g, n in counted.items() if n >= MIN_GRAM))}
    places = [[grams[g] for g in q.grams_of(each.question) if g in grams] for each in rows]
    own: Any = _sparse(places, len(grams)) * np.float32(q.GRAM_WEIGHT)
    dense = np.stack([np.append(embedded(each.question), 1.0) for each in rows]).astype(np.float32)
    dense[:, :-1] *= q.DENSE_WEIGHT
    measures = tuple(sorted({each.measure for each in rows if each.measure}))
    heads: list[tuple[Sequence[str], list[str], Matrix]] = [
        (q.OPERATIONS, [each.operation for each in rows], np.ones(len(rows))),
        (q.USES, [each.use for each in rows], np.ones(len(rows))),
        (measures, [each.measure or measures[0] for each in rows], np.array([bool(r.measure) for r in rows])),
    ]
    learnt = [_softmax(own, dense, names, said, counts * _weights(rows)) for names, said, counts in heads]
    gram_weights = np.hstack([each[: len(grams)] for each in learnt])
    dense_weights = np.hstack([each[len(grams) :] for each in learnt])
    dense_weights[:-1] *= q.DENSE_WEIGHT
    kept = np.flatnonzero(np.abs(gram_weights).max(axis=1) > PRUNED)
    names = list(grams)
    features, role_weights, moves = _roles([each for each in rows if each.author != "natural"])
    return q.Weights(
        {names[old]: new for new, old in enumerate(kept)},
        measures,
        gram_weights[kept],
        dense_weights,
        features,
        role_weights,
        moves,
    )


def _weights(rows: Sequence[Labelled]) -> Matrix:
    return np.array([PLAIN_WEIGHT if each.author == "natural" else 1.0 for each in rows])


def _softmax(own: Any, dense: Matrix, names: Sequence[str], said: Sequence[str], counts: Matrix) -> Matrix:
    """(grams + embedding + 1, names) weights of a softmax regression."""
    right = np.zeros((len(said), len(names)), np.float32)
    right[np.arange(len(said)), [names.index(each) for each in said]] = 1
    share = (counts / counts.sum())[:, None].astype(np.float32)
    width = own.shape[1]

    def slope(weights: Matrix) -> Matrix:
        off = share * (softmax_rows(own @ weights[:width] + dense @ weights[width:]) - right)
        return np.vstack([own.T @ off, dense.T @ off]) + DECAY * weights

    return descend(np.zeros((width + dense.shape[1], len(names)), np.float32), slope, ROUNDS, RATE)


def _roles(rows: Sequence[Labelled]) -> tuple[dict[str, int], Matrix, Matrix]:
    """Features, their weights for each role, and log-probabilities of one role after another."""
    found = [q.features_of(each.question, each.operation, each.use) for each in rows]
    counted = Counter(feature for words in found for word in words for feature in word)
    features = {f: at for at, f in enumerate(sorted(f for f, n in counted.items() if n >= MIN_FEATURE))}
    given: Any = _sparse(
        [[features[f] for f in w if f in features] for words in found for w in words], len(features)
    )
    said = [roles_of(each) for each in rows]
    right = np.eye(len(q.ROLES), dtype=np.float32)[[role for roles in said for role in roles]]
    moves = np.full((len(q.ROLES) + 1, len(q.ROLES)), 0.5)
    for roles in said:
        for before, role in zip([len(q.ROLES), *roles], roles, strict=False):
            moves[before, role] += 1

    def slope(weights: Matrix) -> Matrix:
        off = softmax_rows(given @ weights) - right
        result: Matrix = given.T @ off / len(right) + ROLE_DECAY * weights
        return result

    weights = descend(np.zeros((len(features), len(q.ROLES)), np.float32), slope, ROLE_ROUNDS, RATE)
    kept = np.flatnonzero(np.abs(weights).max(axis=1) > PRUNED)
    names = list(features)
    return (
        {names[old]: n for n, old in enumerate(kept)},
        weights[kept],
        np.log(moves / moves.sum(1, keepdims=True)),
    )


def told(
    rows: Sequence[Labelled], weights: q.Weights, embedded: Callable[[str], Matrix]
) -> dict[str, tuple[int, int]]:
    """How many are read right: (right, all) for operation, use, measure, spans, and all of it."""
    found: dict[str, list[bool]] = {}
    for each in rows:
        read = q.read_sum(each.question, embedded(each.question), weights)
        right = {"operation": read.operation == each.operation, "use": read.use == each.use}
        if each.measure:
            right["measure"] = read.measures[0] == each.measure
        for role, span in (("a", each.a), ("b", each.b), ("set", each.set)):
            if span and each.operation != "none":
                right[role] = getattr(read, "set_words" if role == "set" else role) == span
        for name, holds in (*right.items(), ("all", all(right.values()))):
            found.setdefault(name, []).append(holds)
    return {name: (sum(holds), len(holds)) for name, holds in found.items()}


def main() -> int:
    """Learn, or try what is learnt on some authors' questions."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_sums", description=__doc__)
    parser.add_argument(
        "--try", dest="authors", default="", help="authors whose questions are told, by commas"
    )
    args = parser.parse_args()
    embedder, known = LocalEmbeddings(threads=2), dict[str, Matrix]()

    def embedded(text: str) -> Matrix:
        if text not in known:
            known[text] = embedder.embed_query(q.to_embed(text))
        return known[text]

    left_out = set(filter(None, args.authors.split(",")))
    rows = labelled()
    weights = learn([each for each in rows if each.author not in left_out] + plain(), embedded)
    for author in sorted(left_out):
        own = told([each for each in rows if each.author == author], weights, embedded)
        print(author, json.dumps(own))
    if not left_out:
        q.save(weights)
    return 0


if __name__ == "__main__":
    sys.exit(main())
