"""Attacks on the home folder: who may read it, what a removal leaves, kills, signals, refused writes, wrong filters."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from evals.attacks.attack import Attack
from evals.attacks.faults import KILLED, Commands, Fault
from evals.kills import write_documents
from tools.private_files import loose
from tools.store.disk.home import Home
from tools.store.disk.seal import GenerationSeal

REMOVED = "call-1.txt"
TRACES = (b"Birch", b"call-1", b"BBB")
"""Of the removed document: of its text and company, of its name and path, its ticker."""
KILLS = 40
CHANGES = ("add", "change", "remove")
REMOVAL_POINTS = 83
UMASKS = (0o000, 0o002, 0o022)
QUESTION = "What was Alder's revenue in the quarter ended June 30, 2024?"
WRONG_FILTERS = (
    (("--year", "20233"), "no year"),
    (("--year", "1987"), "no figure"),
    (("--year", "2024", "--quarter", "4"), "no figure"),
    (("--quarter", "5"), "no quarter"),
    (("--company", "aldr"), "Did you mean Alder"),
    (("--company", "Zzyzx"), "No company 'Zzyzx'"),
)
"""Filters, and what is said of them."""
WRONG_LINES = ({"year": 20233}, {"year": 1987}, {"company": "aldr"}, {"quarter": 7})


def traces(home: Path) -> list[str]:
    """What of the removed document is in the home, in a file's bytes or name."""
    found = []
    for path in home.rglob("*"):
        where = path.relative_to(home).as_posix()
        data = path.read_bytes() if path.is_file() else b""
        found += [f"{mark.decode()} in {where}" for mark in TRACES if mark in data or mark in where.encode()]
    return found


def drafts(home: Path) -> list[str]:
    """Names that begin with a dot: what was not written, or not deleted, to its end."""
    return [path.name for path in home.rglob(".*")]


def digest(home: Path) -> str:
    """Of the generation in use; '' where there is none, 'missing' where it is not there."""
    place = Home(home)
    number = place.current()
    try:
        return GenerationSeal.load(place.generation(number)).digest if number is not None else ""
    except FileNotFoundError:
        return "missing"


def killed_removals(
    commands: Commands, template: Path, folder: Path, points: Iterable[int] | None = None
) -> list[str]:
    """`remove` killed at each of its write points (or at these) and given again; `template` is a home of
    `write_documents`."""
    whole = _copy(template, folder / "whole")
    undisturbed = commands.run(whole, "remove", REMOVED, fault="kill")
    if undisturbed.code != 0 or traces(whole) or drafts(whole):
        return [f"an undisturbed removal leaves {[*traces(whole), *drafts(whole)]}: {undisturbed.out}"]
    wrong: list[str] = []
    for at in points or range(1, undisturbed.writes + 1):
        home = _copy(template, folder / "home")
        killed = commands.run(home, "remove", REMOVED, fault="kill", at=at)
        again = commands.run(home, "remove", REMOVED)
        left = [*traces(home), *drafts(home), *map(str, loose(home))]
        done = again.code == 0 or (again.code == 2 and "Nothing indexed has" in again.out)
        if killed.code != KILLED or left or not done or digest(home) != digest(whole):
            wrong.append(f"killed at {at}: code {killed.code}, again {again.code}: {left or again.out}")
    return wrong


def refused_writes(
    commands: Commands,
    template: Path,
    folder: Path,
    fault: Fault,
    argv: Sequence[object],
    points: Iterable[int] | None = None,
) -> list[str]:
    """A command whose writes are refused at each of its write points (or at these): it says so, what was indexed
    stays, and given again it does its work."""
    whole = _copy(template, folder / "whole")
    undisturbed = commands.run(whole, *argv, fault=fault)
    wrong: list[str] = []
    for at in points or range(1, undisturbed.writes + 1):
        home = _copy(template, folder / "home")
        ran = commands.run(home, *argv, fault=fault, at=at)
        told = ran.code == 0 or (ran.code == 2 and "Cannot write to" in ran.out)
        kept = digest(home) in {digest(template), digest(whole)}
        again = commands.run(home, *argv)
        done = again.code == 0 or (argv[0] == "remove" and "Nothing indexed has" in again.out)
        left = [*drafts(home), *(traces(home) if argv[0] == "remove" else [])]
        if not (told and kept and done) or left or digest(home) != digest(whole):
            wrong.append(
                f"{fault} at {at}: code {ran.code} {ran.out[-300:]}; again {again.code}; left {left}"
            )
    return wrong


def read_but_not_published(commands: Commands, template: Path, documents: Path, folder: Path) -> Path:
    """The home of a run that was killed when all was read: the next one's own writes are what is left of it."""
    write_documents(documents, 1)
    manifest = (template / "manifest.json").read_bytes()
    low, high = 1, commands.run(_copy(template, folder / "read"), "index", documents, fault="kill").writes
    while low < high:
        middle = (low + high + 1) // 2
        home = _copy(template, folder / "read")
        commands.run(home, "index", documents, fault="kill", at=middle)
        low, high = (middle, high) if (home / "manifest.json").read_bytes() == manifest else (low, middle - 1)
    home = _copy(template, folder / "read")
    commands.run(home, "index", documents, fault="kill", at=low)
    return home


def killed_runs(folder: Path, kills: int = KILLS, seed: int = 17) -> list[str]:
    """`index` and `remove` killed at random moments while they add, change and remove; each is then given again."""
    chance = random.Random(seed)
    wrong: list[str] = []
    with Commands() as commands:
        template, documents = _indexed(commands, folder)
    before, home = digest(template), folder / "home"
    usual: dict[str, float] = {}
    after: dict[str, str] = {}
    for what in CHANGES:
        argv = _changed(documents, what)
        started = time.monotonic()
        if _started(_copy(template, home), *argv).wait() != 0:
            return [f"{what}: the undisturbed run failed"]
        usual[what], after[what] = time.monotonic() - started, digest(home)
    number = 0
    while number < kills:
        what = CHANGES[number % len(CHANGES)]
        argv = _changed(documents, what)
        process = _started(_copy(template, home), *argv)
        try:
            process.wait(chance.uniform(0, usual[what]))
            usual[what] *= 0.9  # the machine was busier when it was measured
            continue
        except subprocess.TimeoutExpired:
            process.kill()
        process.wait()
        number += 1
        if digest(home) not in {before, after[what]}:
            wrong.append(f"{what}, kill {number}: neither the old index nor the new one")
        again = _started(home, *argv)
        out = again.communicate()[0]
        left = [*drafts(home), *(traces(home) if what == "remove" else [])]
        done = again.returncode == 0 or (what == "remove" and "Nothing indexed has" in out)
        if not done or digest(home) != after[what] or left:
            wrong.append(f"{what}, kill {number}: code {again.returncode} when given again, left {left}")
    return wrong


def _changed(documents: Path, what: str) -> tuple[object, ...]:
    """The three documents as they were, but for one that is added, changed or to be removed; the command for it."""
    shutil.rmtree(documents)
    write_documents(documents, 1 if what == "change" else 0)
    if what == "change":
        (documents / "call-3.txt").unlink()
    elif what == "add":
        (documents / "call-3.txt").write_text("Dogwood Corporation opened a plant in Ohio.", encoding="utf-8")
    return ("remove", REMOVED) if what == "remove" else ("index", documents)


def open_homes(folder: Path, umasks: Sequence[int] = UMASKS) -> list[str]:
    """Commands that write a home, under umasks that let others read; then a home that was opened to others."""
    wrong = []
    documents = write_documents(folder / "documents", 0)
    for umask in umasks:
        home = folder / f"home-{umask:03o}"
        with _umask(umask):
            for argv in (
                ("index", documents),
                ("ask", QUESTION),
                ("chat", "--thread", "a"),
                ("remove", REMOVED),
            ):
                process = _started(home, *argv, given=f"{QUESTION}\n")
                if process.wait() != 0:
                    wrong.append(f"umask {umask:03o}: {argv[0]} ended with {process.returncode}")
                wrong += [f"umask {umask:03o}, {argv[0]}: {path} is open to others" for path in loose(home)]
    for path in (home, home / "manifest.json", home / "sessions.sqlite"):
        path.chmod(path.stat().st_mode | 0o044)
    named = _started(home, "doctor").communicate()[0]
    wrong += (
        [] if "warning privacy" in named and "sessions.sqlite" in named else ["doctor names no open file"]
    )
    _started(home, "doctor", "--mend").communicate()
    return wrong + [f"doctor --mend leaves {path} open" for path in loose(home)]


def signalled(folder: Path, moments: Sequence[str] = ("start", "reading", "vectors")) -> list[str]:
    """SIGTERM and SIGHUP to `index` alone, as it starts, reads and derives: a word, the code, nothing left over."""
    wrong = []
    documents = write_documents(folder / "documents", 0)
    for moment in moments:
        for number, code in ((signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            home = folder / f"{moment}-{code}"
            process = _started(home, "index", documents)
            _await(moment, home, process)
            process.send_signal(number)
            out = process.communicate(timeout=60)[0]
            if process.returncode != code or "Interrupted." not in out or "Traceback" in out:
                wrong.append(f"{number.name} at {moment}: code {process.returncode}, {out[-200:]}")
            if half := [p.name for p in (home / "generations").glob("*") if not (p / "digest.json").exists()]:
                wrong.append(f"{number.name} at {moment}: half a generation is left: {half}")
    return wrong


def wrong_filters(folder: Path) -> list[str]:
    """Filters that admit nothing, where they are given: to ask, chat and a batch."""
    wrong = []
    with Commands() as commands:
        home, _ = _indexed(commands, folder)
        for filters, words in WRONG_FILTERS:
            for argv in (("ask", QUESTION), ("chat",)):
                ran = commands.run(home, *argv, *filters)
                if ran.code != 2 or words not in ran.out or "Traceback" in ran.out:
                    wrong.append(f"{argv[0]} {' '.join(filters)}: code {ran.code}, {ran.out[-200:]}")
        batch = folder / "batch.jsonl"
        batch.write_text("".join(json.dumps({"question": QUESTION} | line) + "\n" for line in WRONG_LINES))
        ran = commands.run(home, "ask", "--batch", batch, "--json")
        answers = [json.loads(line) for line in ran.out.splitlines() if line.startswith("{")]
        if ran.code != 2 or sum("error" in answer for answer in answers) != len(WRONG_LINES):
            wrong.append(f"batch: code {ran.code}, {ran.out[-200:]}")
    return wrong


def _indexed(commands: Commands, folder: Path) -> tuple[Path, Path]:
    """A home of three documents, and the folder that they lie in."""
    documents = write_documents(folder / "documents", 0)
    home = folder / "template"
    ran = commands.run(home, "index", documents)
    if ran.code != 0:
        raise RuntimeError(f"the documents could not be indexed: {ran.out}")
    return home, documents


def _copy(template: Path, home: Path) -> Path:
    shutil.rmtree(home, ignore_errors=True)
    return Path(shutil.copytree(template, home))


def _started(home: Path, *argv: object, given: str = "") -> subprocess.Popen[str]:
    """`hybridrag ARGV --home HOME`, what it says on both outputs in one pipe; `given` is typed."""
    command = [sys.executable, "-m", "agent.cli.main", *map(str, argv), "--home", str(home)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # whoever runs this under nohup ignores SIGHUP, and children would, too
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )
    assert process.stdin is not None
    process.stdin.write(given)
    process.stdin.close()
    process.stdin = None
    return process


def _await(moment: str, home: Path, process: subprocess.Popen[str]) -> None:
    sought = {"start": "lock", "reading": "documents", "vectors": "generations/1"}[moment]
    while not (home / sought).exists() and process.poll() is None:
        time.sleep(0.01)


@contextmanager
def _umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def _removals(folder: Path) -> list[str]:
    with Commands() as commands:
        return killed_removals(commands, _indexed(commands, folder)[0], folder)


def _refused(verb: str, fault: Fault) -> Callable[[Path], list[str]]:
    def run(folder: Path) -> list[str]:
        with Commands() as commands:
            home, documents = _indexed(commands, folder)
            if verb == "remove":
                return refused_writes(commands, home, folder, fault, ("remove", REMOVED))
            read = Path(
                shutil.copytree(read_but_not_published(commands, home, documents, folder), folder / "a")
            )
            return refused_writes(commands, read, folder, fault, ("index", documents))

    return run


ATTACKS: Sequence[Attack] = (
    Attack("a umask that lets others read, and a home opened to them", 4 * len(UMASKS) + 2, open_homes),
    Attack("remove killed at each write point and given again", REMOVAL_POINTS, _removals),
    Attack("index and remove killed at random moments", KILLS, killed_runs),
    Attack("a full disk at each write point of index", 1, _refused("index", "ENOSPC")),
    Attack("a failing disk at each write point of index", 1, _refused("index", "EIO")),
    Attack("a full disk at each write point of remove", 1, _refused("remove", "ENOSPC")),
    Attack("a failing disk at each write point of remove", 1, _refused("remove", "EIO")),
    Attack("SIGTERM and SIGHUP while index starts, reads and derives", 6, signalled),
    Attack("filters that admit nothing", 2 * len(WRONG_FILTERS) + len(WRONG_LINES), wrong_filters),
)
