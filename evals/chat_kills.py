"""Chats killed at random moments: `python -m evals.chat_kills [--home DIR] [--kills 100] [--seed 1]`.

A process asks one question after another on a thread and says when a step has ended and when it has an answer; it is
killed (SIGKILL) at random moments, and the next one opens the thread, goes on with what was cut off and asks the
rest. No answer that was handed out may be missing from the thread, none may be there twice, and a kill may cost one
step. `--home` is copied, not changed; without it the database that HYBRIDRAG_STORE names gets the thread 'killed'.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from agent.assistant import Assistant
from agent.settings import load_settings
from agent.threads.sessions import Sessions
from agent.threads.turn_parts import Step
from graphs.contracts import Answer

QUESTIONS = (
    "What was Calderith's total revenue in the quarter ended March 30, 2024?",
    "And net income?",
    "Why did gross margin change?",
    "What about Harrowmere?",
)
THREAD = "killed"


@dataclass(slots=True)
class Tally:
    """What was seen."""

    kills: int = 0
    cut: Counter[str] = field(default_factory=Counter)
    """Kills by the step that had ended last; '' before any, 'answered' between two turns."""
    resumed: int = 0
    turns: int = 0
    lost: int = 0
    """Answers handed out that the thread does not hold, or holds twice."""
    most_repeated: int = 0
    """Steps of one turn that ended twice, per kill: the most seen."""
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.kills} kills {dict(self.cut)}; {self.resumed} turns resumed; {self.turns} answers handed out, "
            f"{self.lost} lost or doubled; at most {self.most_repeated} steps done twice; {self.seconds:.0f} s"
        )


def chat(home: Path | None) -> None:
    """The process that is killed: says each step and each answer in a line, for ever."""
    with Assistant.open(home) as assistant, Sessions(assistant) as sessions:
        session = sessions.open(THREAD)
        print("opened", flush=True)
        waiting = session.unfinished()
        while True:
            number = session.thread.turns + 1
            question = QUESTIONS[(number - 1) % len(QUESTIONS)]
            events = session.resume() if waiting is not None else session.ask(question, clarify=False)
            if waiting is not None:
                print(f"resumed {number}", flush=True)
            waiting = None
            for event in events:
                if isinstance(event, Step):
                    print(f"step {number} {event.name}", flush=True)
                elif isinstance(event, Answer):
                    print(f"answered {number} {event.question}", flush=True)


def run_kills(home: Path | None, kills: int, seed: int) -> Tally:
    """Kill `kills` chats over the index in `home` (None: where the environment says), which gets the thread; the
    environment's engine answers."""
    chance, tally, started = random.Random(seed), Tally(), time.monotonic()
    handed: dict[int, str] = {}
    steps: Counter[tuple[int, str]] = Counter()
    while tally.kills < kills:
        lines = _killed(home, chance)
        tally.kills += 1
        steps_before = Counter(steps)
        last = ""
        for line in lines:
            what, _, rest = line.partition(" ")
            if what == "step":
                number, last = rest.split(" ", 1)
                steps[int(number), last] += 1
            elif what == "answered":
                number, question = rest.split(" ", 1)
                handed[int(number)] = question
                last = "answered"
            elif what == "resumed":
                tally.resumed += 1
        tally.cut[last] += 1
        repeated = sum(count > 1 and count > steps_before[key] for key, count in steps.items())
        tally.most_repeated = max(tally.most_repeated, repeated)
        tally.lost += _missing(home, handed)
    tally.turns = len(handed)
    tally.seconds = time.monotonic() - started
    return tally


def _missing(home: Path | None, handed: dict[int, str]) -> int:
    with Assistant.open(home) as assistant, Sessions(assistant) as sessions:
        kept = [(turn.number, turn.question) for turn in sessions.open(THREAD).turns()]
    wrong = sum((number, question) not in kept for number, question in handed.items())
    expected = [(n, QUESTIONS[(n - 1) % len(QUESTIONS)]) for n in range(1, len(kept) + 1)]
    return wrong + (kept != expected)


def _killed(home: Path | None, chance: random.Random) -> list[str]:
    """The lines of a chat that is killed at a random moment after it has opened its thread."""
    command = [sys.executable, "-m", "evals.chat_kills", "--child"]
    command += [] if home is None else ["--home", str(home)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        begun = process.stdout.readline()
        if begun != b"opened\n":
            raise RuntimeError("the chat did not open its thread")
        # One of five while the index is loaded, the others in the turns behind it.
        read = b""
        if chance.random() >= 0.2:
            while not read.rpartition(b"\n")[0].rpartition(b"\n")[2].startswith(b"step"):
                read += process.stdout.readline()
        end = time.monotonic() + 0.5 * chance.random()
        while (left := end - time.monotonic()) > 0:
            if select.select([process.stdout], [], [], left)[0]:
                read += os.read(process.stdout.fileno(), 65_536)
        os.killpg(process.pid, signal.SIGKILL)
        read += process.stdout.read()
    return read.decode().splitlines()


def main(argv: list[str] | None = None) -> int:
    """Kill and report. Exit code 1 if a kill cost more than it may."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.home is None and load_settings().store_address is None:
        parser.error("give --home DIR, or set HYBRIDRAG_STORE")
    if args.child:
        chat(args.home)
    with tempfile.TemporaryDirectory() as folder:
        home = args.home and Path(shutil.copytree(args.home, Path(folder) / "home"))
        tally = run_kills(home, args.kills, args.seed)
    print(tally)
    return 1 if tally.lost or tally.most_repeated > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
