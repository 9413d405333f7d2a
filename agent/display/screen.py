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
        """A bar on a terminal, a line a finished file elsewhere, both on stderr."""
        if not sys.stderr.isatty():
            yield self._progress_line
            return
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Bar(*columns, transient=True, redirect_stdout=False) as bar:
            task = bar.add_task("reading", total=None)

            def advance(at: Progress) -> None:
                what = f"{at.stage}{_spent(at)}"
                bar.update(task, description=what, completed=at.done, total=max(at.total, 1))

            yield advance

    def _progress_line(self, at: Progress) -> None:
        if at.outcome is not None:
            self.note(f"[{at.done}/{at.total}] {at.outcome.state}: {at.outcome.file}{_spent(at)}")
        elif at.stage != "reading":
            self.note(f"{at.stage} ...")
        elif at.spent.calls and time.monotonic() - self._said >= QUIET_SECONDS:
            self.note(f"[{at.done}/{at.total}] reading ...{_spent(at)}")
        else:
            return
        self._said = time.monotonic()

    def note(self, text: str) -> None:
        """A line on stderr: progress and warnings, in every mode."""
        print(shown(text), file=sys.stderr, flush=True)


def _spent(at: Progress) -> str:
    """Calls and tokens so far, if there were any."""
    return f" ({at.spent.calls:,} calls, {at.spent.tokens:,} tokens)" if at.spent.calls else ""
