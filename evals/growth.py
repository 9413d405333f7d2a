"""Homes and databases of any size, and what a question costs in them:

    python -m evals.growth --base HOME --chunks 1000,10000 --out FOLDER [--seed 1] [--triplets 2] [--questions FILE]
                           [--most 200] [--ask] [--store ADDRESS] [--rows] [--chart FILE]

Homes are grown from an indexed one (see `evals.grown`); the index is derived from them by the same code as any other.
`--triplets` thins the graph to so many for each chunk: every document keeps the same share of its own, spread evenly
over it. Of each size the seconds, by the clock and of the processor, and the peak memory are printed of deriving it, of
cold questions with a company and without, and of taking out one document; the median and 95th percentile of a warm
search, by kind; and the peak memory of a process that has asked them. `--ask` only asks: homes that were made before,
with the same seed and base, stay as they are. `--store` asks a PostgreSQL database, too, to which the home is copied
first; `{}` in the address stands for the size, since each needs a database of its own. With `--rows` there is no home:
the chunks alone are written to the database, as publishing writes them, and searches among them are timed. `--chart`
draws the medians and 95th percentiles of warm searches against size, as a page (the extra `evals`).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from evals.bench import command, measured, spread
from evals.grown import SAMPLES, Asked, asked_of, grow, grow_rows, known, searchable_rows
from evals.growth_chart import Point, chart
from tools.scope import Scope
from tools.store.postgres.address import StoreAddress
from tools.vector.vector_search import vector_search

COLD = 2
"""Questions that are asked of a process each."""
SPOKEN = "Thanks for taking my question, and congratulations on the quarter. I wanted to ask about this: {}"
FILINGS = Scope(doc_types=("10-K", "10-Q"))
"""A wide filter."""
EVERYTHING = Scope()
ONE_MORE = (
    "Alderbrook Quarries Annual Report 2024\n\nRevenue was $12 million in 2024. We sell gravel abroad.\n"
)
K, DENSE = 8, 0.8
Report = dict[str, dict[str, float]]
"""What was measured -> its figures."""


def searches(home: Path, asked: Sequence[Asked], store: str | None = None) -> Report:
    """Kind of search -> spread of its seconds by the clock, and of the processor's, warm; of the home, or of the
    database at `store`; and whole questions. 'open': seconds until the first search with and without a company was
    answered."""
    from agent.assistant import Assistant
    from agent.settings import Settings

    started = time.perf_counter()
    assistant = Assistant(Settings(home=home, store=store)) if store else Assistant.open(home)
    index = assistant.current()

    def within(each: Asked) -> Scope:
        return Scope((each.company,))

    def vectors(question: str, scope: Scope, spoken: bool = False) -> object:
        return index.vector_search(question, scope, K, DENSE, spoken=spoken)

    kinds: dict[str, Callable[[Asked], object]] = {
        "graph, company": lambda each: index.kg_search(each.named, within(each), 12, 1, None),
        "graph, none": lambda each: index.kg_search(each.bare, EVERYTHING, 12, 1, None),
        "vector, company": lambda each: vectors(each.named, within(each)),
        "vector, filings": lambda each: vectors(each.bare, FILINGS),
        "vector, none": lambda each: vectors(each.bare, EVERYTHING),
        "spoken, none": lambda each: vectors(SPOKEN.format(each.bare), EVERYTHING, True),
        "question": lambda each: assistant.ask(each.named),
    }
    for kind in ("graph, company", "vector, none"):
        kinds[kind](asked[0])
    found = {"open": {"seconds": round(time.perf_counter() - started, 2)}}
    found |= {kind: timed_search(search, asked) for kind, search in kinds.items()}
    assistant.close()
    return found


def timed_search(search: Callable[[Asked], object], asked: Sequence[Asked]) -> dict[str, float]:
    """Spread of its seconds, by the clock and of the processor; the first two load what is loaded once."""
    taken, worked = [], []
    for each in (*asked[:2], *asked):
        started, before = time.perf_counter(), time.process_time()
        search(each)
        taken.append(time.perf_counter() - started)
        worked.append(time.process_time() - before)
    own = spread(worked[2:])
    return spread(taken[2:]) | {f"processor {name}": own[name] for name in ("median", "p95")}


def row_searches(base: Path, store: str, seed: int, questions: Path, most: int) -> Report:
    """The same of a database that holds nothing but chunks."""
    table, companies = searchable_rows(base, StoreAddress.of(store), seed)
    asked = asked_of(base, companies, questions)[:most]

    def search(question: str, scope: Scope) -> object:
        return vector_search(table, question, scope, k=K, dense_weight=DENSE)

    found = {
        "vector, company": timed_search(lambda each: search(each.named, Scope((each.company,))), asked),
        "vector, filings": timed_search(lambda each: search(each.bare, FILINGS), asked),
        "vector, none": timed_search(lambda each: search(each.bare, EVERYTHING), asked),
    }
    table.close()
    return found


def measure(base: Path, home: Path, chunks: int, args: argparse.Namespace) -> Report:
    """Everything that is measured of one size in a folder. subprocess.CalledProcessError."""
    companies = known(home, args.seed) if args.ask else grow(base, home, chunks, args.seed, args.triplets)
    asked = asked_of(base, companies, args.questions)[: args.most]
    report: Report = {}
    if not args.ask:
        one = home.with_name(f"{home.name}-one.txt")
        one.write_text(ONE_MORE, encoding="utf-8")
        report["index one more"] = measured(command("index", str(one), "--home", str(home)))
        report["remove it"] = measured(command("remove", one.name, "--home", str(home), "--yes"))
    return report | _asked(home, asked, None)


def measure_store(base: Path, home: Path, chunks: int, args: argparse.Namespace) -> Report:
    """The same of a database, which gets what the home holds unless it is only asked."""
    store = args.store.format(chunks)
    report: Report = {}
    if args.rows:
        if not args.ask:
            started = time.perf_counter()
            grow_rows(base, StoreAddress.of(store), chunks, args.seed, print)
            report["write"] = {"seconds": round(time.perf_counter() - started, 1)}
        return report | row_searches(base, store, args.seed, args.questions, args.most)
    if not args.ask:
        report["copy"] = measured(command("store", "copy", str(home), store))
        report["copy unchanged"] = measured(command("store", "copy", str(home), store))
    asked = asked_of(base, known(home, args.seed), args.questions)[: args.most]
    return report | _asked(home, asked, store)


def _asked(home: Path, asked: Sequence[Asked], store: str | None) -> Report:
    """Cold questions, and warm searches in a process of their own."""
    report: Report = {}
    with tempfile.TemporaryDirectory() as empty:
        where = {"HYBRIDRAG_STORE": store, "HYBRIDRAG_HOME": empty} if store else {}
        folder = () if store else ("--home", str(home))
        for number, each in enumerate(asked[:COLD], start=1):
            for kind, question in (("company", each.named), ("none", each.bare)):
                asking = command("ask", question, *folder)
                report[f"cold, {kind} {number}"] = measured(asking, os.environ | where)
    again = json.dumps([[each.company, each.named, each.bare] for each in asked])
    own = [sys.executable, "-m", "evals.growth", "--searches", str(home), again, *([store] if store else [])]
    done = subprocess.run(own, check=True, capture_output=True, text=True)
    told: Report = json.loads(done.stdout)
    return report | told


def points(reports: Mapping[tuple[str, int], Report]) -> list[Point]:
    """What a chart shows of (store, size) -> report: warm searches."""
    return [
        Point(f"{store}: {kind}", size, figures["median"], figures["p95"])
        for (store, size), report in reports.items()
        for kind, figures in report.items()
        if "p95" in figures
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print, a line a size and kind."""
    parser = argparse.ArgumentParser(prog="python -m evals.growth", description="Cost against size.")
    parser.add_argument("--base", type=Path, help="an indexed home that is grown from")
    parser.add_argument("--chunks", default="1000,10000", help="sizes (default: 1000,10000)")
    parser.add_argument("--out", type=Path, help="folder for the homes, which are left there")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--questions", type=Path, default=SAMPLES, help="JSON lines with `question` and `company`"
    )
    parser.add_argument("--most", type=int, default=200, help="how many of them")
    parser.add_argument("--ask", action="store_true", help="only ask, what is there")
    parser.add_argument("--triplets", type=float, help="how many a chunk (default: all that were read)")
    parser.add_argument("--store", help="address of a database, {} for the size")
    parser.add_argument("--rows", action="store_true", help="chunks alone, in the database")
    parser.add_argument("--chart", type=Path, help="page to draw, as HTML")
    parser.add_argument("--searches", nargs="+", metavar=("HOME", "ASKED"), help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.searches:
        home, again, *store = args.searches
        told = searches(Path(home), [Asked(*each) for each in json.loads(again)], *store)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(json.dumps({**told, "all searches": {"peak_mib": round(peak / 1024, 1)}}))
        return 0
    if args.base is None or (args.out is None and not args.rows) or (args.rows and not args.store):
        parser.error("--base and --out are needed, or --base, --store and --rows")
    reports: dict[tuple[str, int], Report] = {}
    for size in map(int, args.chunks.split(",")):
        home = (args.out or Path()) / str(size)
        if not args.rows:
            if home.exists() != args.ask:
                parser.error(f"'{home}' {'exists already' if home.exists() else 'does not exist'}")
            reports["folder", size] = measure(args.base, home, size, args)
            _show("folder", size, reports["folder", size])
        if args.store:
            reports["database", size] = measure_store(args.base, home, size, args)
            _show("database", size, reports["database", size])
    if args.chart:
        args.chart.write_text(chart(points(reports)), encoding="utf-8")
    return 0


def _show(store: str, size: int, report: Report) -> None:
    for kind, figures in report.items():
        told = ", ".join(f"{name} {value:g}" for name, value in figures.items())
        print(f"{size:>9,}  {store:8}  {kind:16}", told, flush=True)


if __name__ == "__main__":
    sys.exit(main())
