"""What learners of small linear models share: tables to learn from, words as a matrix, descent along a slope."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.documents.ids import document_id
from tools.documents.metadata.document_metadata import NO_OVERRIDES, read_metadata
from tools.documents.read.page_reader import read_pages
from tools.documents.tables.find import read_blocks
from tools.documents.tables.table_parts import Block
from tools.documents.types import Document

MIN_COMPANIES = 2
"""Companies by which a word must be used to be weighed: what one alone says is its own."""
Features = tuple[tuple[str, float], ...]
Matrix = NDArray[Any]


def files_in(folders: Sequence[Path], suffixes: Sequence[str]) -> list[Path]:
    """The files of folders that end so, folder by folder in the order of their names."""
    return [
        path for folder in folders for path in sorted(folder.iterdir()) if path.suffix.lower() in suffixes
    ]


def tables_of(path: Path) -> tuple[Document, list[Block]]:
    """A filing and its tables, read but not yet made facts of. Raises what reading it raises."""
    pages = read_pages(path)
    document = read_metadata(path, path.name, document_id(path), pages, NO_OVERRIDES)
    blocks, _ = read_blocks(pages, document)
    return document, blocks


def word_matrix(examples: Sequence[tuple[str, Features]]) -> tuple[list[str], Matrix]:
    """Names of the features that several companies use, and (examples, names + 1) float32, a constant 1 in the last
    column. `examples`: company and features."""
    companies: dict[str, set[str]] = {}
    for company, features in examples:
        for feature, _ in features:
            companies.setdefault(feature, set()).add(company)
    names = sorted(feature for feature, seen in companies.items() if len(seen) >= MIN_COMPANIES)
    position = {name: k for k, name in enumerate(names)}
    matrix: Matrix = np.zeros((len(examples), len(names) + 1), np.float32)
    for k, (_, features) in enumerate(examples):
        for name, share in features:
            if name in position:
                matrix[k, position[name]] = share
    matrix[:, -1] = 1.0
    return names, matrix


def descend(weights: Matrix, slope: Callable[[Matrix], Matrix], rounds: int, rate: float) -> Matrix:
    """The weights after `rounds` steps along `slope`, each feature at its own pace (AdaGrad, Duchi et al. 2011)."""
    squares = np.full_like(weights, 1e-8)
    for _ in range(rounds):
        step = slope(weights)
        squares += step**2
        weights = weights - rate * step / np.sqrt(squares)
    return weights


def yes_or_no(given: Matrix, right: Matrix, decay: float, rounds: int, rate: float) -> Matrix:
    """(features,) weights of a logistic regression from (n, features) examples to (n,) ones and zeros, both of which
    count alike; the last feature is the constant."""
    counts = np.where(right > 0, 0.5 / right.sum(), 0.5 / (len(right) - right.sum()))

    def slope_at(weights: Matrix) -> Matrix:
        chances = 1 / (1 + np.exp(-(given @ weights)))
        slope: Matrix = given.T @ (counts * (chances - right)) + decay * weights
        return slope

    return descend(np.zeros(given.shape[1]), slope_at, rounds, rate)


def chances_of(
    rows: Sequence[Mapping[str, float]], right: Matrix, counts: Matrix, decay: float, rounds: int, rate: float
) -> dict[str, float]:
    """Feature -> weight of a logistic regression from rows of features to (rows,) ones and zeros that count `counts`;
    features are learnt at one spread each, nothing holds the constant '' down."""
    names = sorted({name for row in rows for name in row if name})
    values: Matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    middle, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    given = np.append((values - middle) / spread, np.ones((len(rows), 1)), axis=1)
    shares, held = counts / counts.sum(), np.append(np.ones(len(names)), 0.0)

    def slope_at(weights: Matrix) -> Matrix:
        chance = 1 / (1 + np.exp(-(given @ weights)))
        slope: Matrix = given.T @ (shares * (chance - right)) + decay * held * weights
        return slope

    weights = descend(np.zeros(given.shape[1]), slope_at, rounds, rate)
    own = weights[:-1] / spread
    return {"": float(weights[-1] - own @ middle), **dict(zip(names, own.tolist(), strict=True))}


def softmax_rows(scores: Matrix) -> Matrix:
    """Each row as shares that add up to 1."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Matrix = raised / raised.sum(axis=1, keepdims=True)
    return shares
