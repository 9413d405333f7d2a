"""Learn from tagged filings whether a figure of a table is money, an amount per share or a number of shares.

Run as `python -m evals.learn_unit_kinds --docs FOLDER ...`: reads filings with inline XBRL; the truth of a figure is
the unit of its tag. Figures with a percent sign of their own or of their column are left out, as the reader needs no
words for them. The weights are written to `tools/documents/tables/data/unit_kinds.json`; --try leaves one company out
after the other and prints how often its figures are told right, instead.
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

from evals.learning import Features, Matrix, descend, files_in, softmax_rows, tables_of, word_matrix
from tools.documents.read.page_reader import HTML_SUFFIXES
from tools.documents.tables.table_units import TableUnits
from tools.documents.tables.tagged import tag_of
from tools.documents.tables.unit_kinds import KINDS, MIN_CHANCE, WEIGHTS, chances, unit_features

MIN_WEIGHT = 0.05
RARENESS = 0.3
"""How much more a figure of a rare kind counts: its share to this power, inverted."""
ROUNDS, RATE, DECAY = 250, 0.5, 3e-5


@dataclass(frozen=True, slots=True)
class Example:
    """A figure of known kind."""

    company: str
    features: Features
    kind: str


def examples_of(path: Path) -> Iterator[Example]:
    """The figures of a filing's tables whose unit is tagged."""
    document, blocks = tables_of(path)
    for block in blocks:
        units = TableUnits(block)
        for position, row in enumerate(block.rows):
            for cell, k in zip(row.cells, row.columns, strict=True):
                tag = tag_of(block, row, cell)
                kind = _kind(tag.unit) if tag is not None else None
                if kind is not None and not units.is_percent(position, cell, k):
                    features = unit_features(units.surroundings(position, cell, k))
                    yield Example(document.company_key, tuple(sorted(features.items())), kind)


def _kind(unit: str) -> str | None:
    if unit.endswith("/share"):
        return "per share"
    return unit if unit == "shares" else "money" if len(unit) == 3 and unit.isupper() else None


def fit(examples: Sequence[Example]) -> dict[str, list[float]]:
    """Feature -> weight of each kind; '' is the constant. What a company repeats in the same words counts once."""
    distinct = sorted({(e.company, e.features, e.kind) for e in examples})
    names, matrix = word_matrix([(company, features) for company, features, _ in distinct])
    wanted = np.eye(len(KINDS), dtype=np.float32)[[KINDS.index(kind) for _, _, kind in distinct]]
    rareness: Matrix = (1 / wanted.mean(axis=0)) ** RARENESS
    counted: Matrix = (wanted @ rareness)[:, None]
    counted /= counted.mean()

    def slope(weights: Matrix) -> Matrix:
        errors = counted * (softmax_rows(matrix @ weights) - wanted)
        return matrix.T @ errors / len(distinct) + DECAY * weights

    weights = descend(np.zeros((len(names) + 1, len(KINDS)), np.float32), slope, ROUNDS, RATE)
    return {
        name: [round(float(weight), 2) for weight in row]
        for name, row in zip([*names, ""], weights, strict=True)
        if not name or max(abs(row)) >= MIN_WEIGHT
    }


def main() -> int:
    """Learn, or try what is learnt on companies left out."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_unit_kinds", description=__doc__)
    parser.add_argument("--docs", type=Path, nargs="+", required=True)
    parser.add_argument(
        "--try", dest="trial", action="store_true", help="leave one company out after the other"
    )
    args = parser.parse_args()
    paths = files_in(args.docs, tuple(HTML_SUFFIXES))
    examples = [example for path in paths for example in examples_of(path)]
    if args.trial:
        _try(examples)
        return 0
    weights = sorted(fit(examples).items())
    lines = ",\n".join(
        f"{json.dumps(name)}:{json.dumps(row, separators=(',', ':'))}" for name, row in weights
    )
    WEIGHTS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{len(examples):,} figures of {len({e.company for e in examples})} companies -> {WEIGHTS.name}")
    return 0


def _try(examples: Sequence[Example]) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for company in sorted({e.company for e in examples}):
        learnt = fit([e for e in examples if e.company != company])
        for example in examples:
            if example.company != company:
                continue
            chance, kind = max(zip(chances(learnt, dict(example.features)), KINDS, strict=True))
            told = "unsure" if chance < MIN_CHANCE else "right" if kind == example.kind else "wrong"
            counts[example.kind, told] += 1
    for kind in KINDS:
        print(f"{kind}: {', '.join(f'{counts[kind, told]} {told}' for told in ('right', 'unsure', 'wrong'))}")


if __name__ == "__main__":
    sys.exit(main())
