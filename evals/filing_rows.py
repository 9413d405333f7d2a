"""Are rows that readers wrote down from a filing's tables found as facts, with value, unit and period?

Run as `python -m evals.filing_rows --rows ROWS.jsonl --docs FOLDER`. A row has `file`, `page`, `label`,
`heading`, `value` (as printed, signed), `scale` (power of ten), `unit`, `period_end` and `months`; its readers saw
the documents only. Right: a triplet of that page and label states the amount with its unit and period. Wrong: the
figure stands there under that label with another amount, unit or period, and is offered as a fact. Else it is
missing, or kept without unit or period, which no answer uses.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Literal

from rapidfuzz import fuzz

from tools.documents.read.parse import parse_document
from tools.knowledge.extract.printed_figures import printed_triplets
from tools.knowledge.types import Triplet

Outcome = Literal["right", "wrong", "unread", "missing"]
MIN_LIKENESS = 85
"""Of two labels, from 0 to 100, from which they are taken for one: readers join lines and drop marks their way."""
MAX_DAYS_APART = 7
"""Fiscal periods end on a weekday near the month's end; readers and headers may name either."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure as a reader saw it."""

    file: str
    page: int
    table: str
    kind: str
    label: str
    heading: str
    value: Decimal
    scale: int
    unit: str
    period_end: date
    months: int

    @property
    def amount(self) -> Decimal:
        """With its scale applied."""
        return self.value.scaleb(self.scale)


def read_rows(path: Path) -> list[Row]:
    """The rows of a JSON Lines file. ValueError, KeyError or TypeError for what is none."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        rows.append(
            Row(
                **{
                    name: fields[name]
                    for name in ("file", "page", "table", "kind", "label", "unit", "months", "scale")
                },
                heading=fields.get("heading", ""),
                value=Decimal(fields["value"]),
                period_end=date.fromisoformat(fields["period_end"]),
            )
        )
    return rows


def judge(row: Row, triplets: Sequence[Triplet]) -> tuple[Outcome, Triplet | None]:
    """What became of a row among the figures of its document, with the figure that decided it."""
    here = [t for t in triplets if t.page == row.page and t.value is not None and _is_called(t, row)]
    digits = [t for t in here if abs(Decimal(t.value or "0")) == abs(row.value)]
    for triplet in digits:
        if _amount(triplet) == row.amount and _same_unit(triplet, row) and _same_period(triplet, row):
            return "right", triplet
    wrong = next((t for t in digits if _is_offered(t)), None)
    if wrong is not None:
        return "wrong", wrong
    return ("unread", digits[0]) if digits else ("missing", None)


def _is_called(triplet: Triplet, row: Row) -> bool:
    label, head = _fold(row.label), _fold(triplet.head)
    if fuzz.ratio(label, head) >= MIN_LIKENESS:
        return True
    heading = _fold(row.heading)
    named = _fold(" ".join((*triplet.path, triplet.head)))
    return (
        bool(heading)
        and fuzz.token_set_ratio(f"{heading} {label}", named) >= MIN_LIKENESS
        and (label in named or head in label)
    )


def _fold(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9%]+", text.lower()))


def _amount(triplet: Triplet) -> Decimal:
    return Decimal(triplet.value or "0").scaleb(triplet.scale)


def _same_unit(triplet: Triplet, row: Row) -> bool:
    counted = {"", "count"}
    return triplet.unit == row.unit or (triplet.unit in counted and row.unit in counted)


def _same_period(triplet: Triplet, row: Row) -> bool:
    period = triplet.period
    if period.end is None or abs((period.end - row.period_end).days) > MAX_DAYS_APART:
        return False
    return period.months == row.months


def _is_offered(triplet: Triplet) -> bool:
    """True for a figure that answers may use: its unit and its period are known, its duration included."""
    period = triplet.period
    return triplet.unit != "?" and period.end is not None and period.months is not None


def figures_of(path: Path) -> list[Triplet]:
    """The printed figures of a document as triplets."""
    return list(printed_triplets(parse_document(path, path.parent)))


def judge_all(rows: Sequence[Row], docs: Path) -> Iterator[tuple[Row, Outcome, Triplet | None]]:
    """Every row with its outcome, document by document."""
    for file in dict.fromkeys(row.file for row in rows):
        triplets = figures_of(docs / file)
        for row in rows:
            if row.file == file:
                yield row, *judge(row, triplets)


def main() -> int:
    """Print outcomes by document and by kind of table; with --show also each row that is not right."""
    parser = argparse.ArgumentParser(prog="python -m evals.filing_rows", description=__doc__)
    parser.add_argument("--rows", type=Path, nargs="+", required=True)
    parser.add_argument("--docs", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print each row that is not right")
    args = parser.parse_args()
    rows = [row for path in args.rows for row in read_rows(path)]
    files: dict[str, Counter[str]] = {}
    kinds: dict[str, Counter[str]] = {}
    for row, outcome, found in judge_all(rows, args.docs):
        files.setdefault(row.file, Counter())[outcome] += 1
        kinds.setdefault(row.kind, Counter())[outcome] += 1
        if args.show and outcome != "right":
            print(f"{outcome}: {row.file} p. {row.page} | {row.heading} > {row.label} = {row.value}e{row.scale} "
                  f"{row.unit} {row.period_end} {row.months}m")  # fmt: skip
            if found is not None:
                print(
                    f"    read as {found.path} {found.head} = {found.value}e{found.scale} {found.unit} {found.period}"
                )
    total = sum(files.values(), Counter[str]())
    for name, counts in [*files.items(), *kinds.items(), ("all", total)]:
        told = ", ".join(f"{counts[o]} {o}" for o in ("right", "wrong", "unread", "missing"))
        print(f"{name}: {told} of {counts.total()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
