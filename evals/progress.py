"""What is seen of a run while it runs: a bar with running means on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from evals.rows import Row

QUIET_SECONDS = 15.0
SHOWN = (
    ("context_precision", "CP"),
    ("context_recall", "CR"),
    ("evidence_number_recall", "numbers"),
    ("judgement", "right"),
    ("answer_rate", "answered"),
)
"""Running means, in order of interest; the first two that any row has."""
FAILURES_TO_WARN = 10
"""Questions in a row that fail alike before a warning."""


class Means:
    """Running means by pipeline."""

    def __init__(self) -> None:
        self._values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))

    def add(self, row: Row) -> None:
        """Count a row."""
        of_pipeline = self._values[row.pipeline]
        for name, _ in SHOWN:
            score = row.scores.get(name)
            if score is not None and score.value is not None:
                of_pipeline[name].append(score.value)

    def describe(self) -> str:
        """'agent CP 0.98 CR 0.97, vector CP 0.79 CR 0.64'."""
        named = [pair for pair in SHOWN if any(own[pair[0]] for own in self._values.values())][:2]
        told = []
        for pipeline, own in self._values.items():
            means = [f"{short} {sum(own[name]) / len(own[name]):.2f}" for name, short in named if own[name]]
            if means:
                told.append(f"{pipeline} {' '.join(means)}")
        return ", ".join(told)


class Streaks:
    """Failures in a row, by pipeline: an endpoint or an index that is gone, rather than a hard question."""

    def __init__(self, asks_model: bool) -> None:
        """`asks_model`: answers without any model call count, too."""
        self._asks_model = asks_model
        self._lengths: dict[str, int] = defaultdict(int)

    def add(self, row: Row) -> str:
        """What to say, when a streak reaches its length; else ''."""
        if row.status == "failed":
            why = row.error
        elif self._asks_model and unreached(row):
            why = f"the model gave no reply ({row.reason or 'answered by the local engine'})"
        else:
            self._lengths[row.pipeline] = 0
            return ""
        self._lengths[row.pipeline] += 1
        if self._lengths[row.pipeline] != FAILURES_TO_WARN:
            return ""
        return (
            f"{FAILURES_TO_WARN} questions in a row failed for '{row.pipeline}': {why}. Ctrl-C stops the run; "
            "fix the cause, then go on with --retry-failed."
        )


def unreached(row: Row) -> bool:
    """Of a run with a model: no call of this answer was replied to. A refusal with no word of a failure came before
    any call."""
    refused = row.status == "abstained" and not row.gaps
    return row.engine == "local" and not row.usage.calls and not refused


@contextmanager
def board(
    total: int, done: Sequence[Row], pipelines: int, note: Callable[[str], None]
) -> Iterator[Callable[[Row], None]]:
    """Shows `total` rows coming, `done` of them there already; call it with each row. `note`: a line on stderr."""
    means = Means()
    for row in done:
        means.add(row)
    if not sys.stderr.isatty():
        yield _lines(means, total, len(done), note)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.text import Text

    columns = (
        TextColumn("asking {task.fields[pipelines]}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[means]}", markup=False),
    )
    named = f"{pipelines} pipelines" if pipelines > 1 else "1 pipeline"
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task = bar.add_task("", total=total, completed=len(done), pipelines=named, means="")

        def advance(row: Row) -> None:
            means.add(row)
            bar.update(task, advance=1, means=Text(means.describe()).plain)

        yield advance


def _lines(means: Means, total: int, done: int, note: Callable[[str], None]) -> Callable[[Row], None]:
    count, said = done, time.monotonic()

    def advance(row: Row) -> None:
        nonlocal count, said
        means.add(row)
        count += 1
        if count == total or time.monotonic() - said >= QUIET_SECONDS:
            said = time.monotonic()
            note(f"[{count:,}/{total:,}] {means.describe()}".rstrip())

    return advance


@contextmanager
def counting(what: str, note: Callable[[str], None]) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, a line now and then elsewhere; called with what is done, and of how much."""
    if not sys.stderr.isatty():
        said = time.monotonic()

        def tell(done: int, total: int) -> None:
            nonlocal said
            if done == total or time.monotonic() - said >= QUIET_SECONDS:
                said = time.monotonic()
                note(f"[{done:,}/{total:,}] {what}")

        yield tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
