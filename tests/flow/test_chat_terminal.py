"""`hybridrag chat` at a real (pseudo-)terminal: progress, Ctrl-C, clarification, what fits into 40 columns."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.endpoint import MODEL, Asked, Fault, fault, serving
from tests.warm_processes import MAY_BE_WARM

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
OWN_TERMINAL = f"""{MAY_BE_WARM}
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from agent.cli.main import main
sys.exit(main())
"""
"""Ctrl-C is a signal only to who has the terminal."""
CODES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[=>()][0B]?)")
PROMPTS, RUNS = "\x1b[?2004h", "\x1b[?2004l"
"""The editor begins and ends."""
SECONDS = 60


class Terminal:
    """A chat at a terminal, and somebody who types."""

    def __init__(self, columns: int, *words: str | Path, **environment: str) -> None:
        self._keys, screen = pty.openpty()
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", OWN_TERMINAL, "chat", *map(str, words)],
            stdin=screen,
            stdout=screen,
            stderr=screen,
            env={**kept, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", **environment},
            cwd=Path(__file__).parents[2],
        )
        os.close(screen)
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")  # Ctrl-C drops what is on its way
        self._seen = 0

    def type(self, text: str) -> None:
        """As keys."""
        os.write(self._keys, text.encode())

    def answer(self, text: str) -> None:
        """As keys, at the next prompt."""
        while self.raw.rfind(PROMPTS) <= self.raw.rfind(RUNS):
            assert self._read()
        self.type(text)

    def until(self, sought: str) -> str:
        """What is written until `sought` is there, without colours; what was seen before does not count."""
        end = time.monotonic() + SECONDS
        while sought not in (new := " ".join(CODES.sub("", self.raw[self._seen :]).split())):
            assert time.monotonic() < end and self._read(), f"no '{sought}' in: {new}"
        self._seen = len(self.raw)
        return new

    def close(self) -> int:
        """Read to the end; the exit code."""
        while self._read():
            pass
        os.close(self._keys)
        return self.process.wait()

    def _read(self) -> bool:
        ready, _, _ = select.select([self._keys], [], [], 1)
        try:
            read = os.read(self._keys, 65536) if ready else b""
        except OSError:  # how a terminal ends on Linux
            return False
        self.raw += self._decoder.decode(read)
        return bool(read) or not ready


@contextmanager
def terminal(columns: int, *words: str | Path, **environment: str) -> Iterator[Terminal]:
    """Ends with the test."""
    opened = Terminal(columns, *words, **environment)
    try:
        yield opened
    finally:
        opened.process.kill()
        opened.process.wait()


def test_progress_is_shown_ctrl_c_stops_an_answer_and_the_session_goes_on(
    home_copy: Callable[[str], Path],
) -> None:
    asked, closing = threading.Event(), threading.Event()

    def silent(request: Asked) -> Fault:
        asked.set()
        closing.wait(SECONDS)
        return fault(401)

    with serving(silent, fault(401)) as server:
        words = ("--home", home_copy("home"), "--thread", "a thread", "--no-suggest")
        model = {"HYBRIDRAG_LLM_BASE_URL": server.base_url, "HYBRIDRAG_LLM_MODEL": MODEL}
        with terminal(80, *words, **model) as chat:
            chat.until("a thread (new)")
            chat.answer(f"{REVENUE}\r")
            chat.until("planning")
            assert asked.wait(SECONDS)
            chat.type("\x03")
            told = chat.until("Stopped. The question is dropped; the thread goes on.")
            assert "1,284.6" not in told
            closing.set()
            chat.answer("/thread a thread\r")
            chat.until("a thread (new)")
            chat.answer(f"{REVENUE}\r")
            told = chat.until("local engine")
            assert "Going on with" not in told, "what was stopped is not taken up again"
            assert "routing: extractive, " in told and "-> kg_search" in told
            assert "checking 1 statement: 1 supported" in told
            answer = told.rpartition("checking 1 statement: 1 supported")[2]
            assert "1,284.6 million USD" in answer and "1,284.6" not in told.removesuffix(answer), "no draft"
            chat.answer("half a line\x03")
            chat.type("/why\r")
            assert "supported [1]: " in chat.until("answered · ")
            chat.answer("\x04")
            told = chat.until("--thread 'a thread' --home")
            assert "Thread a thread is kept. Go on with: hybridrag chat" in told
            assert chat.close() == 0


def test_a_clarification_is_answered_by_number_and_nothing_is_cut_off_in_40_columns(
    home_copy: Callable[[str], Path],
) -> None:
    with terminal(40, "--home", home_copy("home"), HYBRIDRAG_ENGINE="local", NO_COLOR="1") as chat:
        chat.until("(new)")
        chat.answer("What was net income in the latest quarter?\r")
        told = chat.until("reply >")
        assert "Which company do you mean?" in told and "2. Harrowmere Stores, Inc." in told
        chat.answer("2\r")
        told = chat.until("3. ")
        assert "understood as: " in told and "Harrowmere Stores, Inc.'s net income" in told
        assert "[1] 10Q-Q3-2024.pdf, p. 4 (graph): Harrowmere Stores, Inc., Net income" in told
        assert "Next, by number: 1. " in told
        chat.answer("/delete\r")
        chat.until("[y/N]")
        chat.answer("n\r")
        chat.until("Kept.")
        chat.answer("\x04")
        assert chat.close() == 0
        assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", chat.raw), "no colour"


def test_without_an_index_the_chat_says_so_and_stays_open(tmp_path: Path) -> None:
    with terminal(80, "--home", tmp_path / "home", HYBRIDRAG_ENGINE="local") as chat:
        assert "hybridrag index PATH" in chat.until("--home")
        chat.answer("/threads\r")
        chat.until("* ")
        chat.answer("\x04")
        assert chat.close() == 0
