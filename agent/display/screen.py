"""Where commands put what they have to say; the only module that prints. Light: Rich is loaded when it is needed."""

from __future__ import annotations

import io
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from agent.display.printable import shown
from agent.display.progress_words import in_hand_words, left_words, published_words, spent_words

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from tools.store.reading.report import Progress

QUIET_SECONDS = 15.0
"""Longest silence of a run whose documents take long, where lines are printed."""


class Screen:
    """Rich on a terminal, plain lines elsewhere."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self._said = time.monotonic()
        self.rich = sys.stdout.isatty() and not as_json
        if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.encoding.lower() != "utf-8":
            sys.stdout.reconfigure(encoding="utf-8" if as_json else None, errors="backslashreplace")

    def line(self, text: str = "") -> None:
        """A line on stdout; nothing with --json."""
        if not self.as_json:
            print(shown(text), flush=True)

    def json(self, record: dict[str, Any] | bytes) -> None:
        """One object on one line, with --json only."""
        if self.as_json:
            import orjson

            raw = record if isinstance(record, bytes) else orjson.dumps(record)
            print(raw.decode("utf-8"), flush=True)

    def show(self, rich: Callable[[], RenderableType], plain: Callable[[], str]) -> None:
        """The one or the other, by what stdout is; nothing with --json."""
        if self.rich:
            self._console.print(rich())
        else:
            self.line(plain())

    @cached_property
    def _console(self) -> Console:
        from agent.display.terminal import SafeConsole

        console = SafeConsole(highlight=False)
        if console.is_dumb_terminal:  # Rich takes it to have 80 columns
            console.width = get_terminal_size().columns
        return console

    @cached_property
    def _error_console(self) -> Console:
        from agent.display.terminal import SafeConsole

        return SafeConsole(stderr=True, highlight=False)

    @contextmanager
    def working(self) -> Iterator[Callable[[str], None]]:
        """Takes what is being done now: on a terminal lines that pass away at the end, or stay where the cursor
        can't go back; elsewhere, on stderr, only what takes long.

        A text that goes on from the last one ('checking', 'checking 4 statements') takes its place.
        """
        from rich.text import Text

        if not self.rich:
            with self._told_when_slow() as tell:
                yield tell
        elif self._console.is_dumb_terminal:
            yield lambda text: self._console.print(Text(f"... {text}"))
        else:
            from rich.live import Live

            from agent.display.terminal import trail

            said: list[str] = []

            def tell(text: str) -> None:
                if said and text.startswith(said[-1]):
                    said.pop()
                said.append(text)
                live.update(trail(said, self._console.encoding))

            with Live(console=self._console, transient=True, refresh_per_second=12) as live:
                yield tell

    @contextmanager
    def _told_when_slow(self) -> Iterator[Callable[[str], None]]:
        now = ["working"]
        done = threading.Event()

        def watch() -> None:
            while not done.wait(QUIET_SECONDS):
                self.note(f"{now[-1]} ...")

        watching = threading.Thread(target=watch, daemon=True)
        watching.start()
        try:
            yield now.append
        finally:
            done.set()
            watching.join()

    @contextmanager
    def progress(self) -> Iterator[Callable[[Progress], None]]:
        """A bar with the files in hand and the time to go on a terminal, elsewhere a line a finished file and now and
        then one in between; both on stderr."""
        if not sys.stderr.isatty():
            yield self._progress_line
            return
        from agent.display.progress_bar import ReadingBar

        with ReadingBar(self._error_console) as bar:
            yield bar.show_run

    def _progress_line(self, at: Progress) -> None:
        now, where = in_hand_words(at), f"[{at.done}/{at.total}]"
        if at.outcome is not None:
            pages = f", {at.outcome.entry.pages:,} pages" if at.outcome.entry is not None else ""
            left = f"; {left_words(at)}" if left_words(at) else ""
            self.note(f"{where} {at.outcome.state}: {at.outcome.file}{pages}{spent_words(at)}{left}")
        elif at.published is not None:
            self.note(f"{where} {published_words(at)}")
        elif at.stage != "reading":
            self.note(f"{at.stage} ...")
        elif (now or at.spent.calls) and time.monotonic() - self._said >= QUIET_SECONDS:
            self.note(f"{where} reading {now or '...'}{spent_words(at)}")
        else:
            return
        self._said = time.monotonic()

    @property
    def can_ask(self) -> bool:
        """Whether somebody sits at a terminal who can be asked."""
        return sys.stdin.isatty() and sys.stderr.isatty()

    def confirm(self, question: str) -> bool:
        """A yes or no, asked on stderr; anything but a yes is a no."""
        print(shown(question), end="", file=sys.stderr, flush=True)
        try:
            return sys.stdin.readline().strip().casefold() in ("y", "yes")
        except UnicodeDecodeError:
            return False

    def note(self, text: str) -> None:
        """A line on stderr: progress and warnings, in every mode."""
        print(shown(text), file=sys.stderr, flush=True)
