"""Learn the weights of `tools.vector.spoken` from the calls of an index, and measure them on calls not learnt from.

python -m evals.train_spoken --home DIR [--leave-out QUESTIONS.jsonl]

Every question of an analyst, with its own words taken out of the call, is to find the passages of its answer. The
questions of `--leave-out` (its field `question`) stay where they are and are not learnt from: what the weights are
measured with elsewhere. The calls are halved by a hash of their name; each half is ranked with the weights of the
other. Deterministic.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from tools.documents.types import Chunk, Document
from tools.store.disk.home import Home
from tools.store.disk.records import StoredRecord
from tools.vector.embeddings import Embedder, LocalEmbeddings
from tools.vector.passages import Passage, PassageIndex, passages_of
from tools.vector.spoken import COLUMNS, features

LEAST_QUESTION, LEAST_ANSWER = 120, 300
"""Characters of a question and of an answer worth learning from."""
PENALTY, STEPS, RATE = 0.01, 400, 0.03
"""L2 of the weights; steps and rate of Adam."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question over the passages of its call, its own left out."""

    call: str
    table: NDArray[np.float32]
    right: NDArray[np.bool_]
    chunks: NDArray[np.int64]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the weights of all calls and how they do across the halves."""
    parser = argparse.ArgumentParser(prog="python -m evals.train_spoken", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="index of earnings calls")
    parser.add_argument("--leave-out", type=Path, help="JSON Lines with questions not to learn from")
    args = parser.parse_args(argv)
    left_out = _questions(args.leave_out) if args.leave_out else frozenset()
    cases = list(_cases(Home(args.home), LocalEmbeddings(), left_out))
    if len({_half(case.call) for case in cases}) < 2:
        parser.error(
            f"{args.home} has not enough questions of calls to learn from one half and measure on the other"
        )
    halves = [[case for case in cases if _half(case.call) == half] for half in (0, 1)]
    told = [case_result(case, train(halves[1 - half])) for half in (0, 1) for case in halves[half]]
    print(f"{len(cases)} questions of {len({case.call for case in cases})} calls")
    print(
        f"first chunk right {np.mean([rank == 1 for rank in told]):.3f}, MRR {np.mean([1 / r for r in told]):.3f}"
    )
    print(dict(zip(COLUMNS, (round(float(weight), 2) for weight in train(cases)), strict=True)))
    return 0


def _questions(path: Path) -> frozenset[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(" ".join(json.loads(line)["question"].split()) for line in lines if line.strip())


def _half(call: str) -> int:
    return hashlib.sha256(call.encode()).digest()[0] % 2


def _cases(home: Home, embedder: Embedder, left_out: frozenset[str]) -> Iterator[Case]:
    for entry in home.manifest().entries:
        record = StoredRecord(home.root, entry.record, entry.name)
        document, chunks = record.document(), record.chunks()
        found = [(at, passage) for at, chunk in enumerate(chunks) for passage in passages_of(chunk, document)]
        if not found:
            continue
        index = _passage_index(chunks, document, record)
        for asked, answer in _exchanges(found):
            question = " ".join(found[at][1].text for at in asked)
            said = sum(len(found[at][1].text) for at in answer)
            if question in left_out or "?" not in question:
                continue
            if len(question) < LEAST_QUESTION or said < LEAST_ANSWER:
                continue
            positions = np.array([at for at in range(len(found)) if at not in asked], dtype=np.int64)
            yield Case(
                document.path,
                features(
                    index, positions, question, index.vectors[positions] @ embedder.embed_query(question)
                ),
                np.isin(positions, answer),
                index.chunks[positions],
            )


def _passage_index(chunks: Sequence[Chunk], document: Document, record: StoredRecord) -> PassageIndex:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "passages"
        said = record.embeddings()[len(chunks) :]
        PassageIndex.build(path, chunks, {document.id: document}, range(len(chunks)), said)
        return PassageIndex.load(path)


def _exchanges(found: Sequence[tuple[int, Passage]]) -> Iterator[tuple[list[int], list[int]]]:
    """Positions of each question's passages and of those of its answer, which follow it."""
    asked: list[int] = []
    answer: list[int] = []
    for at, (_, passage) in enumerate(found):
        if passage.role == "question":
            if answer:
                yield asked, answer
                asked, answer = [], []
            if passage.opens:
                asked = []
            asked.append(at)
        elif passage.role == "answer" and asked:
            answer.append(at)
        else:
            if answer:
                yield asked, answer
            asked, answer = [], []
    if answer:
        yield asked, answer


def train(cases: Sequence[Case]) -> NDArray[np.float64]:
    """Weights that make the answer's passages likeliest: cross-entropy with the softmax over a call, L2, Adam."""
    weights, mean, square = (np.zeros(len(COLUMNS)) for _ in range(3))
    for step in range(1, STEPS + 1):
        slope = PENALTY * weights
        for case in cases:
            slope += (
                case.table.T @ (_softmax(case.table @ weights) - case.right / case.right.sum()) / len(cases)
            )
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def case_result(case: Case, weights: NDArray[np.float64]) -> int:
    """Rank, from 1, of the first chunk that holds a passage of the answer."""
    shares = _softmax(case.table @ weights)
    chunks = np.unique(case.chunks)
    order = sorted(chunks, key=lambda chunk: -float(shares[case.chunks == chunk].sum()))
    holders = set(case.chunks[case.right])
    return 1 + next(at for at, chunk in enumerate(order) if chunk in holders)


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    odds = np.exp(scores - scores.max())
    return np.asarray(odds / odds.sum())


if __name__ == "__main__":
    sys.exit(main())
