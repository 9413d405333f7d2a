"""Learn from filings whether a row of a table states a balance or a flow.

Run as `python -m evals.learn_row_kinds --docs FOLDER ...`: reads filings. The truth of a figure is its
tag, in inline XBRL; in a PDF it is what the head of a primary statement's column says ('Three Months Ended', 'As of'):
those of notes head balances and flows alike. A logistic regression over the words of the row and around it is written
to `tools/documents/tables/data/row_kinds.json`; --try leaves one company out after the other and prints how often its
rows are told right, instead.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evals.learning import Features, Matrix, descend, files_in, tables_of, word_matrix
from tools.documents.read.page_reader import HTML_SUFFIXES
from tools.documents.tables.fact_periods import words_around
from tools.documents.tables.row_kinds import WEIGHTS, chance_of_balance, without_heads
from tools.documents.tables.row_labels import clean_label
from tools.documents.tables.table_parts import PRIMARY
from tools.documents.tables.tagged import tag_of

MIN_WEIGHT = 0.05
ROUNDS, RATE, DECAY = 600, 0.5, 5e-5
MAX_ROWS = 600
"""Distinct rows of a filing that count: no filing outweighs the others."""


@dataclass(frozen=True, slots=True)
class Example:
    """A figure of known kind."""

    company: str
    features: Features
    balance: bool


def examples_of(path: Path) -> Iterator[Example]:
    """The distinct rows of a filing's tables whose kind is known, with and without the heads of their columns: not
    every report heads its columns alike."""
    document, blocks = tables_of(path)
    seen: dict[Example, None] = {}
    for block in blocks:
        for row in block.rows:
            label = clean_label(row.label)
            for cell, k in zip(row.cells, row.columns, strict=True):
                column, tag = block.columns[k], tag_of(block, row, cell)
                months = tag.period.months if tag is not None else column.period.months
                headed = column.stated and row.period is None and not row.moved
                known = tag is not None or (headed and block.statement in PRIMARY)
                if months is None or not known or not label:
                    continue
                features = words_around(row, label, column, block)
                seen[Example(document.company_key, tuple(sorted(features.items())), months == 0)] = None
    for example in [*seen][:: max(1, len(seen) // MAX_ROWS)]:
        yield example
        unheaded = without_heads(dict(example.features))
        yield Example(example.company, tuple(sorted(unheaded.items())), example.balance)


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Feature -> weight of a balance; '' is the constant. Each distinct row counts once."""
    distinct = sorted(
        {(e.company, e.features, e.balance) for e in examples},
    )
    names, matrix = word_matrix([(company, features) for company, features, _ in distinct])
    wanted = np.array([balance for _, _, balance in distinct], np.float32)

    def slope_at(weights: Matrix) -> Matrix:
        chances = 1 / (1 + np.exp(-(matrix @ weights)))
        slope: Matrix = matrix.T @ (chances - wanted) / len(distinct) + DECAY * weights
        return slope

    weights = descend(np.zeros(len(names) + 1, np.float32), slope_at, ROUNDS, RATE)
    return {
        name: round(float(weight), 2)
        for name, weight in zip([*names, ""], weights, strict=True)
        if abs(weight) >= MIN_WEIGHT
    }


def main() -> int:
    """Learn, or try what is learnt on companies left out."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_row_kinds", description=__doc__)
    parser.add_argument("--docs", type=Path, nargs="+", required=True)
    parser.add_argument(
        "--try", dest="trial", action="store_true", help="leave one company out after the other"
    )
    args = parser.parse_args()
    paths = files_in(args.docs, (*HTML_SUFFIXES, ".pdf"))
    examples = [example for path in paths for example in examples_of(path)]
    if args.trial:
        _try(examples)
        return 0
    WEIGHTS.write_text(json.dumps(fit(examples), indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{len(examples):,} rows of {len({e.company for e in examples})} companies -> {WEIGHTS.name}")
    return 0


def _try(examples: Sequence[Example]) -> None:
    counts: Counter[tuple[bool, bool]] = Counter()
    for company in sorted({e.company for e in examples}):
        learnt = fit([e for e in examples if e.company != company])
        for features, balance in {(e.features, e.balance) for e in examples if e.company == company}:
            counts[balance, chance_of_balance(learnt, dict(features)) > 0.5] += 1
    for balance in (True, False):
        total = counts[balance, True] + counts[balance, False]
        print(f"{'balances' if balance else 'flows'}: {counts[balance, balance]} of {total} told right")


if __name__ == "__main__":
    sys.exit(main())
