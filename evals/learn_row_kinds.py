"""Learn from tagged filings whether a row of a table states a balance or a flow.

Run as `python -m evals.learn_row_kinds --docs FOLDER`: reads every .htm of the folder (inline XBRL), takes each tagged
figure of a table with its row's label, the heading above it and the words before the table, and fits a logistic
regression over their words. Writes `tools/documents/tables/row_kinds.json`; --try leaves one
filing out after the other and prints how often its rows are told right, instead.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from tools.documents.tables.row_kinds import WEIGHTS, chance_of_balance, row_features

IX = "{http://www.xbrl.org/2013/inlineXBRL}"
XBRLI = "{http://www.xbrl.org/2003/instance}"
WORDS_BEFORE = 60
"""Words before a table that may be its title and introduction."""
MAX_HEAD = 300
"""Characters of a table's header rows."""
MIN_FILINGS = 2
"""Filings in which a word must stand to be weighed: what one company alone says is its own."""
MIN_WEIGHT = 0.05
ROUNDS, RATE, DECAY = 600, 0.5, 2e-4
Matrix = NDArray[np.float32]
Contexts = Mapping[str, tuple[bool, str]]


@dataclass(frozen=True, slots=True)
class Example:
    """A tagged figure in a table."""

    filing: str
    features: tuple[tuple[str, float], ...]
    balance: bool


def examples_of(path: Path) -> Iterator[Example]:
    """The tagged figures of a filing's tables."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True, recover=True)
    root = etree.parse(str(path), parser).getroot()
    contexts = {c.get("id"): _when(c) for c in root.iter(f"{XBRLI}context")}
    words: list[str] = []
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        name = etree.QName(element).localname
        if name == "table" and not any(etree.QName(a).localname == "table" for a in element.iterancestors()):
            yield from _of_table(path.name, element, " ".join(words[-WORDS_BEFORE:]), contexts)
        if not any(etree.QName(a).localname == "table" for a in element.iterancestors()) and name != "table":
            words += (element.text or "").split()
        words += (element.tail or "").split() if name == "table" else []
        del words[: -2 * WORDS_BEFORE]


def _of_table(filing: str, table: Any, before: str, contexts: Contexts) -> Iterator[Example]:
    heading, head, begun = "", "", False
    for row in table.iter("{*}tr"):
        facts = list(row.iter(f"{IX}nonFraction"))
        cells = [" ".join("".join(cell.itertext()).split()) for cell in row.iter("{*}td")]
        label = next((text for text in cells if any(c.isalpha() for c in text)), "")
        if not facts:
            heading = label if label and len([c for c in cells if c]) == 1 else heading
            head = head if begun else f"{head} {' '.join(cells)}"
            continue
        begun = True
        ends = len({contexts.get(fact.get("contextRef"), (False, ""))[1] for fact in facts})
        for fact in facts:
            instant, _ = contexts.get(fact.get("contextRef"), (None, ""))
            if instant is not None and label:
                features = row_features(label, (heading,) if heading else (), head[-MAX_HEAD:], before, ends)
                unheaded = {name: share for name, share in features.items() if not name.startswith("h:")}
                for shown in (features, unheaded):  # not every report heads its columns alike
                    yield Example(filing, tuple(sorted(shown.items())), instant)


def _when(context: Any) -> tuple[bool, str]:
    """Whether a context is a day, and its last day."""
    instant, end = context.find(f".//{XBRLI}instant"), context.find(f".//{XBRLI}endDate")
    last = instant if instant is not None else end
    return instant is not None, (last.text or "").strip() if last is not None else ""


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Feature -> weight of a balance; '' is the constant. Each distinct row of a filing counts once."""
    distinct = sorted(
        {(e.filing, e.features, e.balance) for e in examples},
    )
    filings: dict[str, set[str]] = {}
    for filing, features, _ in distinct:
        for feature, _ in features:
            filings.setdefault(feature, set()).add(filing)
    names = sorted(feature for feature, seen in filings.items() if len(seen) >= MIN_FILINGS)
    position = {name: k for k, name in enumerate(names)}
    matrix: Matrix = np.zeros((len(distinct), len(names) + 1), np.float32)
    for k, (_, features, _) in enumerate(distinct):
        for name, share in features:
            if name in position:
                matrix[k, position[name]] = share
    matrix[:, -1] = 1.0
    wanted = np.array([balance for _, _, balance in distinct], np.float32)
    weights: Matrix = np.zeros(len(names) + 1, np.float32)
    squares = np.full_like(weights, 1e-8)
    for _ in range(ROUNDS):
        chances = 1 / (1 + np.exp(-(matrix @ weights)))
        slope = matrix.T @ (chances - wanted) / len(distinct) + DECAY * weights
        squares += slope**2
        weights -= RATE * slope / np.sqrt(squares)
    return {
        name: round(float(weight), 2)
        for name, weight in zip([*names, ""], weights, strict=True)
        if abs(weight) >= MIN_WEIGHT
    }


def main() -> int:
    """Learn, or try what is learnt on filings left out."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_row_kinds", description=__doc__)
    parser.add_argument("--docs", type=Path, required=True)
    parser.add_argument(
        "--try", dest="trial", action="store_true", help="leave one filing out after the other"
    )
    args = parser.parse_args()
    examples = [e for path in sorted(args.docs.glob("*.htm*")) for e in examples_of(path)]
    if args.trial:
        _try(examples)
        return 0
    WEIGHTS.write_text(json.dumps(fit(examples), indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print(
        f"{len(examples):,} tagged figures of {len({e.filing for e in examples})} filings -> {WEIGHTS.name}"
    )
    return 0


def _try(examples: Sequence[Example]) -> None:
    counts: Counter[tuple[bool, bool]] = Counter()
    for filing in sorted({e.filing for e in examples}):
        learnt = fit([e for e in examples if e.filing != filing])
        for features, balance in {(e.features, e.balance) for e in examples if e.filing == filing}:
            counts[balance, chance_of_balance(learnt, dict(features)) > 0.5] += 1
    for balance in (True, False):
        total = counts[balance, True] + counts[balance, False]
        print(f"{'balances' if balance else 'flows'}: {counts[balance, balance]} of {total} told right")


if __name__ == "__main__":
    sys.exit(main())
