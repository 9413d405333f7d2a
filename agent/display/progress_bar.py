"""The bar of an indexing run on a terminal: how far it is, the time to go, and the files in hand below it."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.text import Text

from agent.display.progress_words import file_words, left_words, published_words, spent_words
from tools.store.reading.report import Progress


class ReadingBar(Bar):
    """A context manager; it passes away at the end."""

    def __init__(self, console: Console) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[files]}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
        )
        self._below: list[str] = []
        self._published = ""
        super().__init__(*columns, console=console, transient=True, redirect_stdout=False)
        self._reading = self.add_task("reading", total=None, files="", left="")

    def show_run(self, at: Progress) -> None:
        """Show where the run is."""
        self._published = published_words(at) or self._published
        self._below = [*map(file_words, at.in_hand), *filter(None, [self._published])]
        reading = at.stage == "reading"
        self.update(
            self._reading,
            description=f"{at.stage}{spent_words(at)}",
            total=1.0 if reading and at.in_hand else None,
            completed=at.share,
            files=f"{at.done}/{at.total} files",
            left=left_words(at),
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        """See rich."""
        yield from super().get_renderables()
        yield from (Text(f"  {line}", style="dim", no_wrap=True, overflow="ellipsis") for line in self._below)
