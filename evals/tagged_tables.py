"""Tagged filings as an answer key: how well tables are read without tags, and whether every tagged figure arrives.

python -m evals.tagged_tables --docs FOLDER [--first N] [--figures] [--json]

The tags are read here a second time, with the standard library alone, so that a mistake of the reader shows. Each
tagged cell is then compared with what the table parser says of the same cell after the tags were taken away.
`--figures` compares the tags with the triplets of the filing instead.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from decimal import Decimal
from pathlib import Path

from evals.records import percent
from evals.stated_figures import Stated, plain_amount, read_stated
from tools.documents.ids import document_id
from tools.documents.metadata.document_metadata import NO_OVERRIDES, read_metadata
from tools.documents.read.page_reader import HTML_SUFFIXES, read_pages
from tools.documents.read.parse import parse_document
from tools.documents.tables import find_tables
from tools.documents.types import Document, Page, Table, TableFact
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.types import Triplet


@dataclass(frozen=True, slots=True)
class Reading:
    """Amount, unit, end and length of one figure, comparable."""

    amount: str
    unit: str
    end: date | None
    months: int | None

    def __str__(self) -> str:
        span = "?" if self.months is None else "as of" if self.months == 0 else f"{self.months} months to"
        return f"{self.amount} {self.unit or 'count'}, {span} {self.end}"


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell of which the parser says something else than its tag."""

    file: str
    page: int
    table: str
    row: str
    printed: str
    ours: str
    theirs: str
    parts: tuple[str, ...]


def _reading(fact: TableFact | Triplet) -> Reading:
    amount = Decimal(fact.value or "0").scaleb(fact.scale)
    return Reading(plain_amount(amount), fact.unit, fact.period.end, fact.period.months)


def _truth(stated: Stated) -> Reading:
    return Reading(stated.amount, stated.unit, stated.end, stated.months)


def parts_that_differ(ours: Reading, theirs: Reading) -> tuple[str, ...]:
    """Which of value, sign, unit, end and length differ; a sign alone is no other value."""
    parts = []
    if ours.amount != theirs.amount:
        parts.append("sign" if ours.amount.lstrip("-") == theirs.amount.lstrip("-") else "value")
    names = ("unit", "end", "months")
    return (*parts, *(name for name in names if getattr(ours, name) != getattr(theirs, name)))


@dataclass(slots=True)
class Filing:
    """A filing with its tags read twice."""

    path: Path
    document: Document
    pages: tuple[Page, ...]
    stated: list[Stated]
    places: list[tuple[int, int, int]]
    """(page, line, start) of each shown one of `stated`, by our reader."""


def read_filing(path: Path) -> Filing:
    """Raises ValueError where our reader does not see the same figures in the same order."""
    pages = read_pages(path)
    stated = [s for s in read_stated(path) if not s.hidden]
    tags = [(page.number, tag) for page in pages for tag in page.tags if tag.line >= 0]
    ours = [tag.concept for _, tag in tags]
    if ours != [s.concept for s in stated]:
        raise ValueError(
            f"{path.name}: {len(ours)} tags are read, {len(stated)} are shown, or their order differs."
        )
    document = read_metadata(path, path.name, document_id(path), pages, NO_OVERRIDES)
    return Filing(path, document, pages, stated, [(number, tag.line, tag.start) for number, tag in tags])


def compare_tables(filing: Filing) -> tuple[Counter[str], list[Difference]]:
    """Counts over the tagged cells of tables, and every cell that the parser reads otherwise or not at all."""
    bare = [replace(page, tags=()) for page in filing.pages]
    by_line: dict[tuple[int, int], list[tuple[TableFact, Table]]] = defaultdict(list)
    tables = find_tables(bare, filing.document)
    for table in tables:
        for fact in table.facts:
            by_line[fact.page, fact.line].append((fact, table))
    counts: Counter[str] = Counter(tables=len(tables))
    differences = []
    for stated, (page, line, start) in zip(filing.stated, filing.places, strict=True):
        if not stated.in_table or not stated.amount:
            continue
        counts["cells"] += 1
        layout = (filing.pages[page - 1].layout or filing.pages[page - 1].text).split("\n")[line]
        near = [pair for pair in by_line[page, line] if pair[0].start <= start]
        nearest = max(near, key=lambda pair: pair[0].start, default=None)
        if nearest is None or stated.printed not in layout[nearest[0].start :][: len(nearest[0].printed) + 2]:
            inside = next((t for t in tables if t.page == page and t.first_line <= line < t.last_line), None)
            missing = "no fact" if inside is not None else "no table"
            counts[missing] += 1
            title = inside.title if inside is not None else ""
            differences.append(
                Difference(filing.path.name, page, title, " ".join(layout.split())[:90], stated.printed, missing,
                           f"{_truth(stated)} ({stated.concept})", (missing,))
            )  # fmt: skip
            continue
        fact, table = nearest
        parts = parts_that_differ(_reading(fact), _truth(stated))
        counts["found"] += 1
        counts["same"] += not parts
        counts["same but for the sign"] += not set(parts) - {"sign"}
        for part in parts:
            counts[f"other {part}"] += 1
        if set(parts) - {"sign"}:
            heads = f"{table.statement}: {table.title}", " / ".join((*fact.path, fact.metric))
            said = str(_reading(fact)), f"{_truth(stated)} ({stated.concept})"
            differences.append(Difference(filing.path.name, page, *heads, fact.printed, *said, parts))
    return counts, differences


def compare_figures(path: Path) -> tuple[Counter[str], list[Difference]]:
    """Counts over all tagged figures of a filing, and those of which no triplet says the same, or too many do. What a
    page prints twice in the same words is one triplet."""
    started = time.perf_counter()
    parsed = parse_document(path, path.parent)
    triplets = [t for t in LocalExtractor(prose=False).extract(parsed) if t.concept and t.value is not None]
    counts: Counter[str] = Counter(tables=len(parsed.tables), seconds=round(time.perf_counter() - started))
    key = Counter((t.concept, _reading(t)) for t in triplets)
    wanted = Counter((s.concept, _truth(s)) for s in read_stated(path) if s.amount)
    differences = []
    for (concept, truth), n in wanted.items():
        got = key.pop((concept, truth), 0)
        counts["tagged"] += n
        counts["triplets"] += n if got else 0
        counts["printed again"] += max(n - got, 0) if got else 0
        if not got or got > n:
            counts["too many" if got else "missing"] += abs(got - n)
            differences.append(
                Difference(path.name, 0, "", concept, "", f"{got} times", f"{n} times {truth}", ())
            )
    for (concept, reading), n in key.items():
        counts["not tagged so"] += n
        differences.append(Difference(path.name, 0, "", concept, "", f"{n} times {reading}", "none", ()))
    return counts, differences


def report(name: str, counts: Counter[str]) -> str:
    """One line a filing."""
    if "tagged" in counts:
        share = percent(counts["triplets"], counts["tagged"])
        rest = ", ".join(
            f"{k} {counts[k]}"
            for k in ("printed again", "missing", "too many", "not tagged so", "tables", "seconds")
        )
        return f"{name}: {counts['triplets']} of {counts['tagged']} tagged figures are triplets ({share}); {rest}"
    rest = ", ".join(f"{k} {n}" for k, n in sorted(counts.items()) if k.startswith(("no ", "other ")))
    return (
        f"{name}: {counts['tables']} tables; of {counts['cells']} tagged cells {counts['found']} are facts"
        f" ({percent(counts['found'], counts['cells'])}), the same in all {counts['same']}, but for the sign"
        f" {counts['same but for the sign']} ({percent(counts['same but for the sign'], counts['found'])} of the facts,"
        f" {percent(counts['same but for the sign'], counts['cells'])} of the cells); {rest}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare every filing of a folder; 0 unless a filing could not be compared."""
    parser = argparse.ArgumentParser(prog="python -m evals.tagged_tables", description=__doc__.split("\n")[0])
    parser.add_argument("--docs", type=Path, required=True, help="folder of filings with inline XBRL")
    parser.add_argument("--only", default="", help="only files whose name holds this")
    parser.add_argument("--first", type=int, default=20, help="differences to print")
    parser.add_argument("--part", default="", help="only differences in this part (no table, unit, end, ...)")
    parser.add_argument(
        "--figures", action="store_true", help="tags against triplets, not tables without tags"
    )
    parser.add_argument("--json", action="store_true", help="counts and all differences as JSON")
    options = parser.parse_args(arguments)
    total: Counter[str] = Counter()
    everything: list[Difference] = []
    failed = 0
    for path in sorted(
        p for p in options.docs.iterdir() if p.suffix.lower() in HTML_SUFFIXES and options.only in p.name
    ):
        try:
            counts, found = compare_figures(path) if options.figures else compare_tables(read_filing(path))
        except ValueError as error:
            print(error, file=sys.stderr)
            failed = 1
            continue
        total += counts
        everything += [d for d in found if not options.part or options.part in d.parts]
        if not options.json:
            print(report(path.name, counts))
    if options.json:
        print(
            json.dumps(
                {"counts": total, "differences": [asdict(d) for d in everything]}, default=str, indent=1
            )
        )
        return failed
    print(report("all", total))
    for one in everything[: options.first]:
        print(
            f"- {one.file} p.{one.page} [{one.table}] {one.row} | {one.printed}: ours {one.ours}; theirs {one.theirs}"
        )
    return failed


if __name__ == "__main__":
    sys.exit(main())
