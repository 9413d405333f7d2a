"""Indexing killed at random moments: `python -m evals.kills [--kills 200] [--seed 1]`.

An index of some documents exists; a run that adds one, changes one and drops none is killed (SIGKILL), by
turns its whole process group and the parent alone. After each kill the index must open, whole, as it was
before the run or as it is after it; no process of the run may be left; what was finished must be used by the
rerun, which must end with the digest of an undisturbed one.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tools.store.disk.home import Home
from tools.store.generation.opening import open_generation
from tools.store.runs.index_run import index_paths
from tools.vector.embeddings import LocalEmbeddings

CALL = """{ticker} Q{quarter} 2024 Earnings Call Transcript

Company Participants
Ada Quill - Chief Executive Officer

Ada Quill
Good morning and welcome to the {name} second quarter 2024 earnings call. Revenue was ${revenue} million in
the quarter ended June 30, 2024, up {growth}% from a year ago. {remark}

Question-and-Answer Session

Tom Reed
What drove the growth in the quarter?

Ada Quill
Demand from our largest customers, and the price increase that we made in April. {remark}
"""


class KillError(AssertionError):
    """A kill cost more than it may."""


@dataclass(slots=True)
class Tally:
    """What was seen."""

    kills: Counter[str] = field(default_factory=Counter)
    """By what was killed: 'group', 'parent'."""
    late: int = 0
    """Runs that ended before they were to be killed; not counted as kills."""
    opened: Counter[str] = field(default_factory=Counter)
    """Index after a kill: 'before' or 'after'."""
    reruns: int = 0
    reused: int = 0
    """Finished records that reruns did not read again."""
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"kills {dict(self.kills)}; index afterwards {dict(self.opened)}; {self.reruns} reruns, all "
            f"with the digest "
            f"of an undisturbed run, {self.reused} finished records used again; {self.seconds:.0f} s"
        )


def write_documents(folder: Path, revision: int) -> Path:
    """Three calls, the second of which changes with the revision; from revision 1 on, a fourth."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(3 + (revision > 0)):
        changed = revision if number == 1 else 0
        text = CALL.format(
            ticker="ABCD"[number] * 3,
            name=f"{['Alder', 'Birch', 'Cedar', 'Dogwood'][number]} Corporation",
            quarter=2,
            revenue=100 + 7 * number + changed,
            growth=3 + number,
            remark=f"We opened {number + 2 + changed} plants in Ohio.",
        )
        (folder / f"call-{number}.txt").write_text(text, encoding="utf-8")
    return folder


def run_kills(work: Path, kills: int, seed: int, *, rerun_every: int = 3) -> Tally:
    """Kill `kills` runs in the empty folder `work`; KillError at the first that costs too much."""
    chance, tally, started = random.Random(seed), Tally(), time.monotonic()
    documents, template, home = work / "documents", work / "template", work / "home"
    write_documents(documents, 0)
    before = index_paths(template, [documents]).digest
    write_documents(documents, 1)
    usual, after = _undisturbed(work, template, documents)
    shutil.copytree(template, home)
    number = 0
    while number < kills:
        kind = ("group", "parent")[number % 2]
        launched = time.monotonic()
        killed = _kill_one(home, documents, chance.uniform(0, usual), kind)
        if not killed:  # the machine was busier when `usual` was measured
            tally.late += 1
            usual = min(usual, time.monotonic() - launched)
        else:
            number += 1
            tally.kills[kind] += 1
        state = _check_open(home, {before: "before", after: "after"})
        if killed:
            tally.opened[state] += 1
        if state == "after" or number % rerun_every == 0 or number == kills:
            tally.reused += _rerun(home, documents, after)
            tally.reruns += 1
            shutil.rmtree(home)
            shutil.copytree(template, home)
    tally.seconds = time.monotonic() - started
    return tally


def _undisturbed(work: Path, template: Path, documents: Path) -> tuple[float, str]:
    """Seconds and digest of a run that is left alone."""
    home = work / "undisturbed"
    shutil.copytree(template, home)
    started = time.monotonic()
    process = _start(home, documents)
    if process.wait() != 0:
        raise KillError("the undisturbed run failed")
    seconds = time.monotonic() - started
    with open_generation(home, LocalEmbeddings()) as generation:
        return seconds, generation.digest


def _start(home: Path, documents: Path) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return subprocess.Popen(
        [sys.executable, "-m", "evals.kills", "--child", str(home), str(documents)],
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    )


def _kill_one(home: Path, documents: Path, seconds: float, kind: str) -> bool:
    """Start a run, kill it after so many seconds and see that nothing of it is left; False if it had ended."""
    process = _start(home, documents)
    try:
        process.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        if kind == "group":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    deadline = time.monotonic() + 10
    while left := _session(process.pid):
        if time.monotonic() > deadline:
            raise KillError(f"processes outlive the run: {left}")
        time.sleep(0.01)
    return True


def _session(leader: int) -> list[int]:
    """Live processes of a session."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue  # ended meanwhile
        fields = stat.rpartition(")")[2].split()
        if int(fields[3]) == leader and fields[0] != "Z":
            found.append(int(folder.name))
    return found


def _check_open(home: Path, digests: dict[str, str]) -> str:
    """Open the index, look into both halves; which of `digests` it has."""
    number = Home(home).current()
    with open_generation(home, LocalEmbeddings()) as generation:
        if generation.number != number or generation.digest not in digests:
            raise KillError(f"generation {generation.number} is neither the old nor the new index")
        generation.vectors.verify(sample=None)
        if len(generation.graph) != generation.seal.triplets:
            raise KillError("the knowledge graph is thinner")
        return digests[generation.digest]


def _rerun(home: Path, documents: Path, digest: str) -> int:
    """Run to the end; the number of records that were there already and were not written again."""
    finished = {path.parent.name: path.stat().st_mtime_ns for path in home.glob("documents/*/record.json")}
    report = index_paths(home, [documents])
    if report.digest != digest:
        raise KillError("the rerun ended with another digest than an undisturbed run")
    if report.counts.get("failed"):
        raise KillError(f"the rerun failed: {report.outcomes}")
    wanted = {outcome.entry.record for outcome in report.outcomes if outcome.entry is not None}
    left = {path.name for path in (home / "documents").iterdir()}
    if left != wanted:
        raise KillError(f"left over: {sorted(left ^ wanted)}")
    kept = [name for name in wanted if name in finished]
    for name in kept:
        if (home / "documents" / name / "record.json").stat().st_mtime_ns != finished[name]:
            raise KillError(f"finished record {name} was made again")
    return len(kept)


def main() -> None:
    """Run and print the tally."""
    parser = argparse.ArgumentParser(description="Kill indexing runs at random moments.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", nargs=2, type=Path, metavar=("HOME", "DOCUMENTS"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        index_paths(args.child[0], [args.child[1]])
        return
    with tempfile.TemporaryDirectory() as work:
        print(run_kills(Path(work), args.kills, args.seed))


if __name__ == "__main__":
    main()
