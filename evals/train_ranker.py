"""Train the ranker of line items, and measure it on companies it was not trained on.

python -m evals.train_ranker --home DIR [--cross]

Learns from the `tune` halves of the filing facts, from `ranker_train.jsonl` and from questions without an answer:
`absent.jsonl`, `unanswerable.jsonl`, every question once more with its own rows taken away. Each question also
comes without the word matcher's columns, as the ranker is asked where that has found nothing. Deterministic.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.facts import FilingFact
from evals.records import DATA, Record, load
from evals.unanswerable import Unanswerable
from graphs.contracts import Reading
from graphs.index import Index
from graphs.local.question.reading import read_question
from tools.knowledge.graph import triplet_rows
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.ranker.candidates import Candidate
from tools.knowledge.search.ranker.features import Floats, feature_names
from tools.knowledge.search.ranker.line_item_model import (
    WEIGHTS_FILE,
    Ranker,
    best_figure,
    dump_ranker,
    none_features,
)
from tools.knowledge.search.ranker.second_look import choices
from tools.scope import Scope

FACTS = ("filing_facts.jsonl", "filing_facts_2.jsonl", "filing_facts_3.jsonl", "ranker_train.jsonl")
NOTHING = ("absent.jsonl", "unanswerable.jsonl")
MATCHER = ("match", "match 0.5", "match 0.75", "rank match", "called")
"""Columns of the word matcher, which a copy of each question lacks."""
THRESHOLD = 0.8
KEEP, KEEP_NONE = 60, 30
"""Rows of a question that are learned from, the likely ones, and of one whose own rows are taken away."""
PENALTY, TIED_PENALTY = 4.0, 8.0
"""L2 of the weights, and of those of single topics."""
STEPS, RATE = 150, 0.05
WITHOUT_ROWS, WITHOUT_MATCHER, NOTHING_WEIGHT = 0.5, 0.5, 2.0
"""What a question counts with its rows taken away, without the matcher's columns, and one without an answer."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question as the ranker sees it."""

    id: str
    company: str
    candidates: tuple[Candidate, ...]
    table: Floats
    right: NDArray[np.bool_]
    """Rows that answer; none where nothing does."""
    weight: float = 1.0


def read_cases(home: Path) -> dict[str, list[Case]]:
    """Cases by file; questions that the ranker is not asked are left out. The store's errors."""
    from agent.assistant import Assistant

    with_index = Assistant.open(home)
    index = with_index.current()
    found: dict[str, list[Case]] = {}
    for name in FACTS:
        facts = load(DATA / name, FilingFact, "tune")
        made = [(fact, _case(index, fact, fact)) for fact in facts]
        found[name] = [case for _, case in made if case is not None]
    for name in NOTHING:
        asked = load(DATA / name, Unanswerable, "tune")
        none = [_case(index, question, None) for question in asked]
        found[name] = [replace(case, weight=NOTHING_WEIGHT) for case in none if case is not None]
    with_index.close()
    return found


def _case(index: Index, question: Record, fact: FilingFact | None) -> Case | None:
    reading: Reading = read_question(question.question, index.catalog, known_names=index.known_names)
    if reading.out_of_scope or reading.unknown_companies or reading.unknown_periods:
        return None
    graph: KnowledgeGraph = index.graph
    choice = choices(graph, question.question, reading.scope, reading.months)
    if choice is None:
        return None
    right = np.array(
        [fact is not None and _prints(graph, c, fact, reading.scope) for c in choice.candidates], bool
    )
    if fact is not None and not right.any():
        return None
    return Case(question.id, reading.scope.companies[0], choice.candidates, choice.table, right)


def _prints(graph: KnowledgeGraph, candidate: Candidate, fact: FilingFact, scope: Scope) -> bool:
    """Whether one of the line item's figures in scope is the one asked for."""
    tables = graph.tables
    for position in candidate.item.rows if candidate.item.unit == fact.unit else ():
        row = tables.rows[position]
        period, scale = (
            tables.periods[row[triplet_rows.PERIOD]],
            tables.contexts[row[triplet_rows.CONTEXT]][4],
        )
        same = period.end == fact.period_end and period.months in (fact.months, None)
        if not same or row[triplet_rows.VALUE] is None or not graph.admits(position, scope):
            continue
        if abs(Decimal(row[triplet_rows.VALUE]).scaleb(scale)) == abs(fact.quantity.amount):
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Sample:
    table: Floats
    right: NDArray[np.bool_]
    none: Floats
    weight: float


def _samples(cases: Iterable[Case]) -> list[_Sample]:
    found: list[_Sample] = []
    places = [feature_names().index(name) for name in MATCHER]
    for case in cases:
        blind = case.table.copy()
        blind[:, places] = 0.0
        answered = bool(case.right.any())
        for table, share in ((case.table, 1.0), (blind, WITHOUT_MATCHER if answered else 0.0)):
            if share:
                found.append(_sample(table, case.right, KEEP, case.weight * share))
        if answered and not case.right.all():
            rest = case.table[~case.right]
            for table in (rest, blind[~case.right]):
                found.append(_sample(table, np.zeros(len(rest), bool), KEEP_NONE, WITHOUT_ROWS * 0.75))
    return found


def _sample(table: Floats, right: NDArray[np.bool_], keep: int, weight: float) -> _Sample:
    """The likely rows alone; the features of 'none' are those of the whole set."""
    names = feature_names()
    likely = (
        table[:, names.index("called")]
        + table[:, names.index("match")]
        + 0.5 * table[:, names.index("asked in row")]
        + 0.5 * table[:, names.index("shared part")]
    )
    kept = np.unique(np.concatenate([np.argsort(-likely, kind="stable")[:keep], np.flatnonzero(right)]))
    return _Sample(table[kept], right[kept], none_features(table), weight)


def train(cases: Iterable[Case]) -> Ranker:
    """Weights by Adam on the L2-penalised log-loss of the rows that answer, or of 'none'."""
    samples = _samples(cases)
    rows = np.concatenate([sample.table for sample in samples])
    spread = rows.std(axis=0)
    used = spread > 1e-4
    scale = np.where(used, 1 / np.maximum(spread, 0.05), 0).astype(np.float32)
    rows = np.ascontiguousarray(rows * scale)
    none = np.stack([sample.none for sample in samples])
    mean, width = none.mean(axis=0), np.maximum(none.std(axis=0), 1e-3)
    mean[0], width[0] = 0, 1
    weights = _fit(rows, ((none - mean) / width).astype(np.float32), samples)
    count = rows.shape[1]
    return Ranker(weights[:count] * scale, weights[count:], mean, width, THRESHOLD)


def _fit(rows: Floats, none: Floats, samples: Sequence[_Sample]) -> Floats:
    starts = np.cumsum([0, *(len(sample.table) for sample in samples)])
    owner = np.repeat(np.arange(len(samples)), np.diff(starts))
    right = np.concatenate([sample.right for sample in samples])
    empty = np.array([not sample.right.any() for sample in samples])
    share = np.array([sample.weight for sample in samples], np.float32)
    share /= share.sum()
    penalty = np.concatenate([_penalties(), np.full(none.shape[1], PENALTY / 10, np.float32)])
    penalty /= np.float32(sum(sample.weight for sample in samples))
    count = rows.shape[1]
    theta = np.zeros(count + none.shape[1], np.float32)
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    for step in range(1, STEPS + 1):
        logits, base = rows @ theta[:count], none @ theta[count:]
        top = np.maximum(np.maximum.reduceat(logits, starts[:-1]), base)
        raised, rest = np.exp(logits - top[owner]), np.exp(base - top)
        whole = np.add.reduceat(raised, starts[:-1]) + rest
        met = np.where(empty, 1, np.add.reduceat(raised * right, starts[:-1]))
        wanted = np.where(empty[owner], 0, raised * right / np.maximum(met, 1e-30)[owner])
        row_error = ((raised / whole[owner] - wanted) * share[owner]).astype(np.float32)
        none_error = ((rest / whole - empty) * share).astype(np.float32)
        slope = np.concatenate([row_error @ rows, none_error @ none]) + penalty * theta
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope * slope
        rate = RATE if step < 0.7 * STEPS else 0.3 * RATE
        change = (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
        theta = (theta - rate * change).astype(np.float32)
    return theta


def _penalties() -> Floats:
    single = [
        name.endswith((" met", " unasked", " unmet")) and "turn " not in name for name in feature_names()
    ]
    return np.where(single, TIED_PENALTY, PENALTY).astype(np.float32)


def measure(ranker: Ranker, cases: Iterable[Case]) -> tuple[int, int, int, int]:
    """(asked, best row right, answered right, answered wrong); an answer where no row answers is wrong."""
    asked = first = right = wrong = 0
    for case in cases:
        shares, _ = ranker.scores(case.table)
        best, share = best_figure(case.candidates, shares)
        good = bool(case.right[case.candidates.index(best)])
        asked, first = asked + 1, first + good
        if share >= ranker.threshold:
            right, wrong = right + good, wrong + (not good)
    return asked, first, right, wrong


def cross(cases: dict[str, list[Case]]) -> list[str]:
    """For each file the figures on one company at a time, trained on the others; then on each file of questions,
    trained on the other files."""
    lines = ["leaving out companies: asked, best row right, answered right, answered wrong"]
    totals = {name: np.zeros(4, int) for name in cases}
    every = [case for found in cases.values() for case in found]
    for company in sorted({case.company for case in every}):
        ranker = train(case for case in every if case.company != company)
        for name, found in cases.items():
            totals[name] += measure(ranker, [case for case in found if case.company == company])
    lines += [f"  {name:22} {' '.join(f'{value:5}' for value in total)}" for name, total in totals.items()]
    lines.append("leaving out files:")
    for name in FACTS:
        ranker = train(case for other, found in cases.items() if other != name for case in found)
        lines.append(f"  {name:22} {' '.join(f'{value:5}' for value in measure(ranker, cases[name]))}")
    return lines


def main(argv: Sequence[str] | None = None) -> int:
    """Write the weights beside the ranker, or with --cross print how it does on what it has not seen."""
    parser = argparse.ArgumentParser(prog="python -m evals.train_ranker", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="home with the 20 filings indexed")
    parser.add_argument("--cross", action="store_true")
    args = parser.parse_args(argv)
    cases = read_cases(args.home)
    if args.cross:
        print("\n".join(cross(cases)))
        return 0
    ranker = train(case for found in cases.values() for case in found)
    WEIGHTS_FILE.write_text(dump_ranker(ranker), encoding="utf-8")
    print(
        f"{sum(map(len, cases.values()))} questions, {len(feature_names())} features -> {WEIGHTS_FILE.name}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
