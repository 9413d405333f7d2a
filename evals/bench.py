"""Speed: warm questions, a cold `hybridrag ask`, `--help`, indexing and re-indexing what is unchanged.

    python -m evals.bench --home DIR [--runs 3] [--reindex PATH ...] [--index PATH ...] [--chat] [--json]

Seconds are wall clock. `--reindex` names the sources of DIR, which must be unchanged; `--index` reads its
paths into a fresh home beside the temporary files and measures the process tree's peak memory, too (Linux).
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.facts import FACTS, FilingFact
from evals.records import DATA, RouteRecord, load

ABSTRACTIVE_QUESTIONS = 40
"""How many abstractive questions are asked beside the filing facts."""
COLD_QUESTION = "What were Apple's total net sales in the quarter ended July 1, 2023?"
COLD_TEXT_QUESTION = "What drove the change in Apple's gross margin?"


def questions() -> list[str]:
    """The tune half of the filing facts, and abstractive ones of the routing set."""
    facts = [fact.question for fact in load(FACTS, FilingFact, "tune")]
    routes = [
        r.question for r in load(DATA / "routes.jsonl", RouteRecord, "tune") if r.route == "abstractive"
    ]
    return facts + routes[:ABSTRACTIVE_QUESTIONS]


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Median, 95th percentile and maximum. Raises statistics.StatisticsError for none."""
    ordered = sorted(seconds)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return {
        "median": round(statistics.median(ordered), 4),
        "p95": round(p95, 4),
        "max": round(ordered[-1], 4),
    }


def warm(home: Path, runs: int) -> dict[str, Any]:
    """Seconds a question in an open assistant; the first questions of a process are not counted."""
    from agent.assistant import Assistant

    assistant = Assistant.open(home)
    asked = questions()
    for question in asked[:2] + asked[-2:]:
        assistant.ask(question)
    passes = []
    for _ in range(runs):
        taken = []
        for question in asked:
            started = time.perf_counter()
            assistant.ask(question)
            taken.append(time.perf_counter() - started)
        passes.append(spread(taken))
    assistant.close()
    middle = {name: statistics.median(p[name] for p in passes) for name in passes[0]}
    return {"questions": len(asked), "runs": runs, **middle}


def command(*arguments: str) -> list[str]:
    """The installed `hybridrag`, else the module."""
    script = Path(sys.executable).parent / "hybridrag"
    start = [str(script)] if script.exists() else [sys.executable, "-m", "agent.cli.main"]
    return [*start, *arguments]


def timed(arguments: Sequence[str], runs: int) -> dict[str, float]:
    """Seconds of a command from a cold process. Raises subprocess.CalledProcessError if it fails."""
    taken = []
    for _ in range(runs):
        started = time.perf_counter()
        subprocess.run(arguments, check=True, capture_output=True)
        taken.append(time.perf_counter() - started)
    return spread(taken)


def tree_rss(root: int, proc: Path = Path("/proc")) -> int:
    """Resident bytes of `root` and all that descend from it; shared pages count once for each process."""
    parents: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for status in proc.glob("[0-9]*/status"):
        try:
            lines = status.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
        fields = dict(line.split(":", 1) for line in lines if ":" in line)
        pid = int(status.parent.name)
        parents[pid] = int(fields.get("PPid", "0"))
        sizes[pid] = int(fields.get("VmRSS", "0 kB").split()[0]) * 1024
    members, added = {root}, True
    while added:
        children = {pid for pid, parent in parents.items() if parent in members} - members
        members |= children
        added = bool(children)
    return sum(sizes.get(pid, 0) for pid in members)


def measured(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> dict[str, float]:
    """Seconds by the clock and of the processor, and peak resident MiB, of a command and its children, sampled ten
    times a second. `environment`: None for this process's.

    Raises subprocess.CalledProcessError if it fails.
    """
    peak = 0
    done = threading.Event()
    started, before = time.perf_counter(), _worked()
    with tempfile.TemporaryFile() as noise:
        process = subprocess.Popen(arguments, stdout=noise, stderr=noise, env=environment)

        def watch() -> None:
            nonlocal peak
            while not done.wait(0.1):
                peak = max(peak, tree_rss(process.pid))

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        code = process.wait()
        seconds = time.perf_counter() - started
        done.set()
        watcher.join()
        if code:
            noise.seek(0)
            raise subprocess.CalledProcessError(code, list(arguments), noise.read())
    return {
        "seconds": round(seconds, 1),
        "processor": round(_worked() - before, 1),
        "peak_mib": round(peak / 2**20, 1),
    }


def _worked() -> float:
    """Processor seconds of the children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Every measurement asked for."""
    report: dict[str, Any] = {}
    home = str(args.home)
    if args.index:
        report["index"] = measured(command("index", "--home", home, *map(str, args.index)))
    report["help"] = timed(command("--help"), args.runs)
    report["cold_ask"] = timed(command("ask", COLD_QUESTION, "--home", home), args.runs)
    report["cold_ask_text"] = timed(command("ask", COLD_TEXT_QUESTION, "--home", home), args.runs)
    if args.reindex:
        report["reindex"] = timed(command("index", "--home", home, *map(str, args.reindex)), args.runs)
    report["warm"] = warm(args.home, args.runs)
    if args.chat:
        from evals.chat_bench import measure

        report.update(measure(args.home, questions()))
    return report


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m evals.bench", description="Speed of the assistant.")
    parser.add_argument("--home", type=Path, required=True, help="an indexed home; with --index, a new one")
    parser.add_argument("--runs", type=int, default=3, help="repetitions; medians are shown (default: 3)")
    parser.add_argument(
        "--reindex", type=Path, nargs="+", metavar="PATH", help="unchanged sources of the home"
    )
    parser.add_argument("--index", type=Path, nargs="+", metavar="PATH", help="index these into --home first")
    parser.add_argument(
        "--chat", action="store_true", help="also turns of chats, a long thread, many at once"
    )
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    if args.index and args.home.exists():
        parser.error(f"--index measures a first run, and '{args.home}' exists already")
    try:
        report = run(args)
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.output or b"").decode("utf-8", "replace").strip()
        print(
            f"{' '.join(map(str, error.cmd))}\nfailed with exit code {error.returncode}:\n{said}",
            file=sys.stderr,
        )
        return 1
    if args.json:
        print(json.dumps(report))
    else:
        for name, figures in report.items():
            print(f"{name:9}", ", ".join(f"{key} {value:g}" for key, value in figures.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
