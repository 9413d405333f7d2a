"""Learn of which companies it is true what a question says of them: the weights of `tools.ranking.company_fit`.

Run as `python -m evals.learn_company_fit --home HOME [--try]`. The questions are those of of_companies_tune.jsonl and
of_companies_tune_2.jsonl in evals/data; of companies about which readers may differ nothing is learnt. Each question is
also asked of a few of the companies alone, as of a small index. --try prints, in place of writing the weights, how
many companies are found from which probability on when neither their question nor they themselves were learnt from.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evals.corpus import Asked, load
from evals.learning import chances_of
from graphs.engine import Engine
from graphs.index import Index
from graphs.local.question.said_of_companies import said_of_companies
from graphs.steps.corpus import evidence_of_company
from tools.ranking.company_fit import WEIGHTS, Seen, chances, compared, promising
from tools.scope import Scope

HALVES = ("tune", "tune_2")
FEW, DRAWS = (2, 4, 10), 2
"""Sizes of the groups of companies that a question is asked of besides, and how many of each are drawn."""
ROUNDS, RATE, DECAY = 1000, 0.1, 0.03
FOLDS = 6


class Example(NamedTuple):
    """A question with what each company's evidence has for it."""

    question: str
    companies: tuple[str, ...]
    seen: tuple[Seen, ...]
    true: tuple[bool | None, ...]
    """None where readers may differ."""


def gathered(home: Path) -> list[Example]:
    """Every question, of all companies that any of them is true of."""
    from agent.assistant import Assistant

    asked = [each for half in HALVES for each in load(half)]
    companies = sorted({key for each in asked for key in (*each.companies, *each.borderline)})
    with Assistant.open(home) as assistant:
        return [_example(each, companies, assistant.current(), assistant.engine) for each in asked]


def _example(asked: Asked, companies: Sequence[str], index: Index, engine: Engine) -> Example:
    if engine.ranker is None:
        raise ValueError("the engine ranks no lines")
    said = said_of_companies(asked.question)
    reading = engine.reader.read(asked.question, index, Scope()).model_copy(update={"of_companies": said})
    kinds = engine.ranker.profile_kinds(reading)
    seen = [
        engine.ranker.seen_of_company(
            reading, evidence_of_company(index, said, replace(reading.scope, companies=(key,)), kinds)
        )
        for key in companies
    ]
    true = tuple(None if key in asked.borderline else key in asked.companies for key in companies)
    return Example(asked.question, tuple(companies), tuple(seen), true)


def learn(examples: Sequence[Example], without: frozenset[str] = frozenset()) -> dict[str, float]:
    """Feature -> weight; the lines of companies `without` are compared with, but not learnt from."""
    draw = np.random.default_rng(0)
    rows: list[Mapping[str, float]] = []
    right: list[bool] = []
    share: list[float] = []
    for each in examples:
        every = np.arange(len(each.companies))
        groups = [every, *(draw.permutation(every)[:size] for size in FEW for _ in range(DRAWS))]
        for group in groups:
            own = [each.seen[at] for at in group]
            found, read = compared(own), frozenset(promising(own))
            for place, (at, row) in enumerate(zip(group, found, strict=True)):
                if place in read and each.true[at] is not None and each.companies[at] not in without:
                    rows.append(row)
                    right.append(bool(each.true[at]))
                    share.append(1.0 if group is every else len(every) / (len(group) * len(FEW) * DRAWS))
    learnt = chances_of(rows, np.array(right, float), np.array(share), DECAY, ROUNDS, RATE)
    return {name: round(value, 5) for name, value in learnt.items()}


def left_out(examples: Sequence[Example]) -> list[tuple[float, bool]]:
    """Chance and truth of each company for each question, learnt from other questions about other companies."""
    draw = np.random.default_rng(1)
    folds = draw.permutation(len(examples)) % FOLDS
    companies = examples[0].companies
    sides = draw.permutation(len(companies)) % 2
    found: list[tuple[float, bool]] = []
    for fold in range(FOLDS):
        for side in range(2):
            without = frozenset(key for key, own in zip(companies, sides, strict=True) if own == side)
            weights = learn([each for each, own in zip(examples, folds, strict=True) if own != fold], without)
            for each, own in zip(examples, folds, strict=True):
                if own == fold:
                    likely, read = chances(each.seen, weights), frozenset(promising(each.seen))
                    found += [
                        (likely[at] if at in read else 0.0, true)
                        for at, (key, true) in enumerate(zip(each.companies, each.true, strict=True))
                        if true is not None and key in without
                    ]
    return found


def told(found: Sequence[tuple[float, bool]]) -> str:
    """Precision and recall by probability, for a reader."""
    whole, lines = sum(true for _, true in found), []
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8):
        named = [true for chance, true in found if chance >= least]
        share = sum(named) / max(1, len(named))
        lines.append(f"from {least}: {sum(named)} of {whole} right, precision {share:.2f} of {len(named)}")
    return "\n".join(lines)


def main() -> int:
    """Learn, or try what is learnt on questions and companies left out."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_company_fit", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument(
        "--try", dest="trial", action="store_true", help="tell questions and companies left out"
    )
    args = parser.parse_args()
    examples = gathered(args.home)
    if args.trial:
        print(told(left_out(examples)))
    else:
        WEIGHTS.write_text(json.dumps(learn(examples)) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
