"""Did COMPANY do well in QUARTER_MONTHS? The 10-Q chatbot write-up's yes/no judgement, asked of an index's 10-Qs.

python -m evals.did_well --home DIR [--pipeline agent|vector|graph|hybrid] [--rows]

Yes, if at least two of diluted earnings per share, revenue and net income are up on the same quarter a year before.
The truth is computed from each filing's own income statement, both columns of one line as printed: neither the ranking
of `kg_search` nor the assistant's own reading of line items is asked.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path

from evals.metrics.judgement import said
from tools.documents.text.cleaning import squeeze
from tools.knowledge.types import Triplet
from tools.store.disk.home import Entry
from tools.store.disk.records import StoredRecord
from tools.store.generation.opening import list_entries

MIN_FIGURES_UP = 2
"""Figures that must be up."""
QUARTER_MONTHS = 3
"""Months."""
LINES = {
    "diluted earnings per share": re.compile(r"\bdiluted\b", re.IGNORECASE),
    "revenue": re.compile(r"^(?:total\s+)?(?:net\s+)?(?:revenues?|sales)(?:,?\s+net)?:?$", re.IGNORECASE),
    "net income": re.compile(
        r"^net\s+(?:income|earnings|loss)(?:\s+\((?:loss|income)\))?(?:\s+attributable\s+to\s+(?!non).+)?:?$",
        re.IGNORECASE,
    ),
}
"""Line items of an income statement, by what is judged."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the statement: the quarter's column and the year-ago quarter's."""

    label: str
    now: Decimal
    then: Decimal
    page: int

    @property
    def up(self) -> bool:
        return self.now > self.then


@dataclass(frozen=True, slots=True)
class Quarter:
    """A 10-Q's own quarter."""

    entry: Entry
    end: date
    lines: dict[str, Line]
    """By the keys of LINES; what the statement does not print in both columns is left out."""

    @property
    def well(self) -> bool | None:
        """None where what is missing could turn it."""
        up = sum(line.up for line in self.lines.values())
        if up >= MIN_FIGURES_UP:
            return True
        return False if up + len(LINES) - len(self.lines) < MIN_FIGURES_UP else None

    @property
    def question(self) -> str:
        return f"Did {self.entry.company} do well in the quarter ended {self.end:%B} {self.end.day}, {self.end.year}?"


def quarters(home: Path) -> list[Quarter]:
    """One for each 10-Q of an index whose period end is known, by document name. The store's errors."""
    found = []
    for entry in sorted(list_entries(home), key=lambda entry: entry.name):
        if entry.doc_type != "10-Q":
            continue
        record = StoredRecord(home, entry.record, entry.name)
        end = record.document().period.end
        if end is not None:
            found.append(Quarter(entry, end, dict(_lines(record.triplets(), end))))
    return found


def _lines(triplets: Sequence[Triplet], end: date) -> Iterator[tuple[str, Line]]:
    for name, pattern in LINES.items():
        printed = [t for t in triplets if _is_of(t, name, pattern)]
        printed.sort(key=lambda t: not t.head.lower().startswith("total"))
        for now in printed:
            then = next((t for t in printed if now.period.end == end and _is_year_before(t, now)), None)
            values = (_amount(now), _amount(then)) if then is not None else (None, None)
            if values[0] is not None and values[1] is not None:
                yield name, Line(squeeze(now.head), values[0], values[1], now.page)
                break


def _is_of(triplet: Triplet, name: str, pattern: re.Pattern[str]) -> bool:
    if triplet.statement != "income" or triplet.value is None or triplet.period.months != QUARTER_MONTHS:
        return False
    if name == "diluted earnings per share":
        return triplet.unit == "USD/share" and bool(pattern.search(" ".join((*triplet.path, triplet.head))))
    return triplet.unit == "USD" and bool(pattern.match(squeeze(triplet.head)))


def _is_year_before(triplet: Triplet, now: Triplet) -> bool:
    if (
        triplet.period.end is None
        or now.period.end is None
        or (triplet.head, triplet.path) != (now.head, now.path)
    ):
        return False
    return abs((now.period.end - triplet.period.end).days - 364) <= 11


def _amount(triplet: Triplet) -> Decimal | None:
    try:
        return Decimal(triplet.value or "").scaleb(triplet.scale)
    except InvalidOperation:
        return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask and count; 1 if a judgement is wrong or missing."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--pipeline", default="agent")
    parser.add_argument("--rows", action="store_true", help="print each quarter, its lines and what was said")
    options = parser.parse_args(arguments)
    from agent.assistant import Assistant

    known = quarters(options.home)
    judged = [quarter for quarter in known if quarter.well is not None]
    right = missing = 0
    with Assistant.open(options.home) as assistant:
        for quarter in judged:
            answer = assistant.ask(quarter.question, pipeline=options.pipeline)
            told = said(answer.answer) if answer.status != "abstained" else None
            right += told == quarter.well
            missing += told is None
            if options.rows:
                lines = ", ".join(f"{line.label} {line.now} / {line.then}" for line in quarter.lines.values())
                print(f"{quarter.entry.path}: {quarter.well}, said {told}, {answer.status} ({lines})")
    print(f"{len(known)} 10-Qs, {len(judged)} with a truth ({sum(q.well is True for q in judged)} yes)")
    print(
        f"{options.pipeline}: {right} right, {len(judged) - right - missing} wrong, {missing} without a judgement"
    )
    return int(right < len(judged))


if __name__ == "__main__":
    sys.exit(main())
