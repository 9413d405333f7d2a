"""Routing measured: `python -m evals.routes` prints macro-F1, confusion and milliseconds, per half.

The held half was written before the router and is only ever scored, not read.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from graphs.local.question.reading import read_question
from graphs.local.question.router import LocalRouter
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import Document

KINDS = ("extractive", "abstractive", "uncertain")
QUESTIONS = Path(__file__).parent / "data" / "routes.jsonl"
COMPANIES = Path(__file__).parent / "data" / "companies.jsonl"


@dataclass(frozen=True, slots=True)
class Case:
    """A question, its route as a reader would choose it, and the route chosen."""

    id: str
    question: str
    expected: str
    got: str
    seconds: float


def load_catalog(path: Path = COMPANIES) -> Catalog:
    """A catalog of company names without documents: routing needs names only."""
    documents = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        documents.append(
            Document(
                id=row["ticker"],
                name=f"{row['ticker']}.pdf",
                path=f"{row['ticker']}.pdf",
                title=row["name"],
                company=row["name"],
                company_key=row["ticker"],
                ticker=row["ticker"],
                aliases=tuple(row["aliases"]),
                doc_type="other",
                fiscal_year=None,
                fiscal_quarter=None,
                period_end=None,
                pages=1,
            )
        )
    return Catalog(documents)


def run(half: str, catalog: Catalog, path: Path = QUESTIONS) -> list[Case]:
    """Route every question of a half."""
    router = LocalRouter()
    cases = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["half"] != half:
            continue
        start = time.perf_counter()
        route = router.route(read_question(row["question"], catalog))
        cases.append(Case(row["id"], row["question"], row["route"], route.kind, time.perf_counter() - start))
    return cases


def macro_f1(pairs: Sequence[tuple[str, str]]) -> float:
    """Unweighted mean over the kinds of F1 = 2 TP / (2 TP + FP + FN), of (expected, got) pairs."""
    scores = []
    for kind in KINDS:
        hits = sum(expected == got == kind for expected, got in pairs)
        wrong = sum((expected == kind) != (got == kind) for expected, got in pairs)
        scores.append(2 * hits / (2 * hits + wrong) if hits or wrong else 1.0)
    return sum(scores) / len(scores)


def report(half: str, cases: Sequence[Case], *, errors: bool) -> None:
    """Print the scores of one half; its errors only on request, and never of the held half."""
    pairs = [(case.expected, case.got) for case in cases]
    confusion = Counter(pairs)
    times = sorted(case.seconds for case in cases)
    print(f"{half}: {len(cases)} questions, macro-F1 {macro_f1(pairs):.3f}, "
          f"{1000 * times[len(times) // 2]:.2f} ms median, {1000 * times[-1]:.2f} ms at most")  # fmt: skip
    for expected in KINDS:
        print(f"  {expected:12}" + "".join(f"{confusion[expected, got]:5}" for got in KINDS))
    if errors and half != "held":
        for case in cases:
            if case.expected != case.got:
                print(f"  {case.id} {case.expected} -> {case.got}: {case.question}")


def main() -> None:
    """Both halves."""
    parser = argparse.ArgumentParser(description="Score the local router.")
    parser.add_argument("--errors", action="store_true", help="show the wrong ones of the tune half")
    parser.add_argument("--half", nargs="+", choices=["tune", "held"], default=["tune", "held"])
    arguments = parser.parse_args()
    catalog = load_catalog()
    read_question("warm up", catalog)
    for half in arguments.half:
        report(half, run(half, catalog), errors=arguments.errors)


if __name__ == "__main__":
    main()
