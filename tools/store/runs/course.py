"""The course of a run: what became of its files, how far the others are, and who is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tools.store.reading.model_broker import Spent
from tools.store.reading.pace import Pace, ReadingStage
from tools.store.reading.plan import Plan
from tools.store.reading.report import NOTHING, FileOutcome, Progress, Stage

OnProgress = Callable[[Progress], None]


class Course:
    """Collects outcomes and says each step to `on_progress`."""

    def __init__(self, on_progress: OnProgress | None) -> None:
        self._tell = on_progress or (lambda progress: None)
        self.outcomes: dict[str, FileOutcome] = {}
        self._total = 0
        self._pace = Pace(())
        self._spent = NOTHING

    def plan(self, work: Plan) -> None:
        """What is to be done; some files are done with."""
        self._total = len(work.order)
        for outcome in work.outcomes.values():
            self.settle(outcome)

    def begin_reading(self, files: Sequence[tuple[str, int]]) -> None:
        """(name, bytes) of each task that the reading processes get, by position."""
        self._pace = Pace(files)

    def at(self, position: int, stage: ReadingStage, done: int, total: int) -> None:
        """Where a reading process is with its task."""
        self._pace.at(position, stage, done, total)
        self.tell()

    def end(self, position: int) -> None:
        """A task is over."""
        self._pace.end(position)

    def settle(self, outcome: FileOutcome) -> None:
        """What became of a file."""
        self.outcomes[outcome.file] = outcome
        self.tell(outcome=outcome)

    def spend(self, spent: Spent) -> None:
        """On model endpoints, so far; by any thread."""
        self._spent = spent
        self.tell()

    def tell(
        self,
        stage: Stage = "reading",
        outcome: FileOutcome | None = None,
        published: tuple[int, int] | None = None,
    ) -> None:
        """Say where the run is."""
        self._tell(
            Progress(
                stage,
                len(self.outcomes),
                self._total,
                outcome,
                self._spent,
                self._pace.in_hand,
                self._pace.share,
                self._pace.seconds_left() if stage == "reading" else None,
                published,
            )
        )
