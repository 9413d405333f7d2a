"""What reading a hostile text costs at two sizes: is every pass near linear?

Run as `python -m evals.reading_costs [PATTERN ...]`: each pattern is written to a text file of 50 kB and of 200 kB, and
both are read in a process of their own, from file to triplets, under a limit of processor time. A pass is near linear
if four times the text costs at most five times the time. Exit code 1 where one is not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count, product
from pathlib import Path
from random import Random
from typing import Any

SIZES = (50_000, 200_000)
"""Characters."""
MAX_RATIO = 5.0
LIMIT_SECONDS = 20
"""Processor seconds for one text."""
_QUICK_SECONDS = 1.0
"""What takes less is read three times, and the quickest counts."""

_LINES = "Net sales rose 5% to $12.3 million in the three months ended June 30, 2023, and Acme Inc. acquired Bolt Corp."
FRAMES: Mapping[str, str] = {
    "plain": "",
    "filing": "UNITED STATES\nSECURITIES AND EXCHANGE COMMISSION\nFORM 10-Q\n\n"
    "For the quarterly period ended June 30, 2023\n\nAcme Motors, Inc.\n"
    "(Exact name of registrant as specified in its charter)\n\n",
    "call": "Acme Motors, Inc. (NYSE: ACM) Q2 2023 Earnings Call\n\nCorporate Participants\n"
    "Ann Lee--Chief Executive Officer\nBob Roy--Harbor Bank -- Analyst\n\nPresentation\n\nOperator\n"
    "Welcome to the second quarter 2023 call of Acme Motors, Inc.\n\nAnn Lee\n",
}
"""What stands before the pattern: it decides which passes read the document."""


def _rows(size: int, columns: int, jitter: int, random: Random) -> str:
    """A table whose columns stand a little elsewhere in each row."""
    lines, length = [" " * 30 + "".join(f"{2000 + n % 24:>12}" for n in range(columns))], 0
    for number in count():
        cells = "".join(" " * random.randint(2, 2 + jitter) + f"{n + number:,}" for n in range(columns))
        lines.append(f"Total {number % 7}".ljust(20) + cells)
        length += len(lines[-1]) + 1
        if length >= size:
            return "\n".join(lines)
    raise AssertionError


def _mixed(size: int, random: Random) -> str:
    bits = (
        *("5% ", "$5 ", "(1 ", "1,", "— ", "Inc. ", "and ", "Acme ", "\n", "\n\n", "  ", "Q1 2023 "),
        *("| ", "•", ".", '"'),
    )
    return "".join(random.choices(bits, k=size // 2))


PATTERNS: Mapping[str, Callable[[int], str]] = {
    "mixed": lambda size: _mixed(size, Random(1)),
    "rows, jitter": lambda size: _rows(size, 3, 9, Random(2)),
    "rows, 40 columns": lambda size: _rows(size, 40, 3, Random(3)),
    "rows, 500 columns": lambda size: _rows(size, 500, 2, Random(4)),
    "one word": lambda size: "x" * size,
    "nested brackets": lambda size: "(" * (size // 2) + ")" * (size // 2),
    **{
        repr(unit)[1:-1]: partial(lambda unit, size: (unit * (size // len(unit) + 1))[:size], unit)
        for unit in (
            *("5% ", "$5 ", "(1 ", "1,", "1", "1 ", "— ", ". ", ".", "-", "_", '"', "' ", "(", ", ", " ", "\n", " \n"),
            *("Inc. ", "Acme ", "Acme Inc. ", "and ", "of the ", "U.S. ", "A.", "a ", "x\n", "Acme\n", "12\n", "5% \n"),
            *("Q1 ", "June 30, 2023 ", "2023 ", "fiscal year 2023 ", "three months ended ", "Item 1. ", "Note 1\n"),
            *("Item 1. Business\n", "PART I\n", "• ", "• item\n", "# ", "# a\n", "| ", "| a | 1 |\n", "|-", "---\n"),
            *("https://a.b/c ", "a@b.c ", "a/", "Total 1 2 3\n", "Total assets     $ 1,234     $ 5,678\n", "Ann Lee: "),
            *("Ann Lee\nWell. \n", "Operator\n", "Q - ", "revenue ", "net sales of $5 million ", "increased by 5% to "),
            *("Acme acquired Bolt. ", "Acme, Bolt and ", "the Company's ", "[1] ", "a-\n", "million "),
            *("employees 1,000 ", "shares outstanding ", "Total\n1\n2\n", "a\n\n", "in the U.S. and ", "one hundred "),
            *("(in millions)\n",),
        )
    },
}  # fmt: skip


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help=f"default: all {len(PATTERNS)}")
    parser.add_argument("--frame", choices=FRAMES, default="plain", help="what stands before the pattern")
    parser.add_argument("--seconds", type=int, default=LIMIT_SECONDS, help="processor seconds for one text")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help=argparse.SUPPRESS)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if unknown := set(args.patterns) - set(PATTERNS):
        parser.error(f"no such pattern: {', '.join(sorted(unknown))}")
    if args.child:
        _measure(args.patterns, args.frame, args.seconds, args.sizes)
        return 0
    print(f"{'pattern':28}{'50 kB':>9}{'200 kB':>9}{'ratio':>7}  dearest stages at the larger size")
    bad = 0
    for name in args.patterns or PATTERNS:
        found = measured([name], args.frame, args.seconds)
        bad += not _near_linear(found)
        print(_row(name, found), flush=True)
    print(f"{bad} over a ratio of {MAX_RATIO:g} or {args.seconds} s")
    return 1 if bad else 0


def _near_linear(found: list[dict[str, Any]]) -> bool:
    return len(found) == len(SIZES) and _ratio(found) <= MAX_RATIO


def _ratio(found: list[dict[str, Any]]) -> float:
    small, large = (sum(one["stages"].values()) for one in found)
    return float(large / max(small, 0.001))


def _row(name: str, found: list[dict[str, Any]]) -> str:
    totals = [f"{sum(one['stages'].values()):.2f}" for one in found]
    totals += ["over"] * (len(SIZES) - len(found))
    ratio = f"{_ratio(found):.1f}" if len(found) == len(SIZES) else "-"
    stages = sorted(found[-1]["stages"].items(), key=lambda item: -item[1])[:3] if found else []
    dearest = ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in stages)
    mark = "" if _near_linear(found) else "  <--"
    return f"{name[:27]:28}{totals[0]:>9}{totals[1]:>9}{ratio:>7}  {dearest}{mark}"


def measured(
    patterns: Sequence[str], frame: str, seconds: int = LIMIT_SECONDS, sizes: Sequence[int] = SIZES
) -> list[dict[str, Any]]:
    """A record for each pattern and size, up to the first that took more than `seconds` of processor time."""
    command = [sys.executable, "-m", "evals.reading_costs", "--child", "--frame", frame]
    command += ["--seconds", str(seconds), "--sizes", *map(str, sizes), "--", *patterns]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode > 0:
        raise RuntimeError(done.stderr.decode("utf-8", "replace")[-2_000:])
    return [json.loads(line) for line in done.stdout.splitlines()]


def _measure(patterns: Sequence[str], frame: str, seconds: int, sizes: Sequence[int]) -> None:
    """Read the patterns at each size; a limit of processor time ends this process."""
    import resource

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hostile.txt"
        path.write_text(_LINES, encoding="utf-8")
        _stages(path)
        for name, size in product(patterns, sizes):
            used = resource.getrusage(resource.RUSAGE_SELF)
            spent = round(used.ru_utime + used.ru_stime)
            resource.setrlimit(resource.RLIMIT_CPU, (spent + seconds, resource.RLIM_INFINITY))
            path.write_text(FRAMES[frame] + PATTERNS[name](size), encoding="utf-8")
            runs = [_stages(path)]
            if len(patterns) == 1 and sum(runs[0].values()) < _QUICK_SECONDS:
                runs += [_stages(path), _stages(path)]
            stages = min(runs, key=lambda run: sum(run.values()))
            print(json.dumps({"pattern": name, "size": size, "stages": stages}), flush=True)


def _stages(path: Path) -> dict[str, float]:
    """Processor seconds of each stage of reading one file."""
    from tools.documents.errors import EmptyFileError
    from tools.documents.ids import document_id
    from tools.documents.metadata.document_metadata import NO_OVERRIDES, read_metadata
    from tools.documents.read.page_reader import read_pages
    from tools.documents.structure.chunking import chunk, recursive_chunks
    from tools.documents.tables import find_tables
    from tools.documents.text.cleaning import sentences
    from tools.documents.text.dates import find_dates
    from tools.documents.types import ParsedDocument
    from tools.knowledge.extract.local_extractor import LocalExtractor
    from tools.knowledge.lexicon.metric_names import find_metrics
    from tools.values import find_quantities
    from tools.vector.document_vectors import texts_to_embed

    times: dict[str, float] = {}

    def timed(stage: str, work: Callable[[], Any]) -> Any:
        started = time.process_time()
        result = work()
        times[stage] = round(time.process_time() - started, 4)
        return result

    try:
        pages = timed("pages", lambda: read_pages(path))
    except EmptyFileError:  # nothing but blanks
        return {"pages": 0.001}
    document = timed(
        "metadata", lambda: read_metadata(path, path.name, document_id(path), pages, NO_OVERRIDES)
    )
    tables = tuple(timed("tables", lambda: list(find_tables(pages, document))))
    chunked = timed("chunks", lambda: chunk(document, pages, tables))
    timed("plain chunks", lambda: recursive_chunks(document, pages))
    parsed = ParsedDocument(document, pages, tables, chunked.chunks, chunked.participants)
    timed("passages", lambda: texts_to_embed(parsed.chunks, document))
    text = path.read_text(encoding="utf-8")
    timed(
        "readers of text",
        lambda: [read(text) for read in (find_quantities, find_dates, find_metrics, sentences)],
    )
    timed("triplets", lambda: LocalExtractor(prose=False).extract(parsed))
    timed("prose triplets", lambda: LocalExtractor().extract(parsed))
    return times


if __name__ == "__main__":
    sys.exit(main())
