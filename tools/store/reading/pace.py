"""How far the reading processes are, and how long the rest will take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

ReadingStage = Literal["pages", "facts", "passages"]
STAGE_SHARES: dict[ReadingStage, tuple[float, float]] = {
    "pages": (0.0, 0.35),
    "facts": (0.35, 0.55),
    "passages": (0.55, 1.0),
}
"""Stage of reading a file -> shares of its time that are over when it begins and when it ends; of 10-Qs."""
MIN_SECONDS = 5.0
"""Of reading before an estimate is made; before, it would be a guess."""
MIN_SHARE = 0.01
"""Of the work that must be done before, likewise."""
SMOOTHING_SECONDS = 20.0
"""Over which a change of pace takes hold."""


@dataclass(frozen=True, slots=True)
class FileAt:
    """A file in hand."""

    file: str
    stage: ReadingStage
    done: int
    total: int
    """Pages or passages; 0 where the stage has none."""


class Pace:
    """The work of a run, and what is left of it at the pace so far.

    A file's work is the number of its pages. Until that is known it is guessed from its bytes, of which a filing of
    the same length may have ten times as many as another: by their square root, as the known ones have it.
    """

    def __init__(self, files: Sequence[tuple[str, int]], clock: Callable[[], float] = time.monotonic) -> None:
        """`files`: (name, bytes) of each task, by position."""
        self._files = files
        self._clock = clock
        self._pages: dict[int, int] = {}
        self._shares: dict[int, float] = {}
        self._in_hand: dict[int, FileAt] = {}
        self._began: float | None = None
        self._last: tuple[float, float] | None = None
        """When an estimate was made, and what it was."""

    def at(self, position: int, stage: ReadingStage, done: int, total: int) -> None:
        """A reading process says where it is."""
        self._began = self._clock() if self._began is None else self._began
        if stage == "pages":
            self._pages[position] = total or done
        start, end = STAGE_SHARES[stage]
        self._shares[position] = start + (end - start) * (done / total if total else 0.0)
        self._in_hand[position] = FileAt(self._files[position][0], stage, done, total)

    def end(self, position: int) -> None:
        """A file is read, or could not be."""
        self._shares[position] = 1.0
        self._in_hand.pop(position, None)

    @property
    def in_hand(self) -> tuple[FileAt, ...]:
        """The files being read, in the order of their tasks."""
        return tuple(self._in_hand[position] for position in sorted(self._in_hand))

    @property
    def share(self) -> float:
        """Of the work that is done, 0 to 1."""
        guesses = [math.sqrt(size) for _, size in self._files]
        known = sum(guesses[position] for position in self._pages)
        a_page = known / sum(self._pages.values()) if known else 1.0
        work = [self._pages.get(position, guess / a_page) for position, guess in enumerate(guesses)]
        done = sum(work[position] * share for position, share in self._shares.items())
        return done / sum(work) if sum(work) else 1.0

    def seconds_left(self) -> float | None:
        """At the pace so far, a change of which takes hold over some seconds; None while it would be a guess."""
        now, share = self._clock(), self.share
        if self._began is None or now - self._began < MIN_SECONDS or share < MIN_SHARE:
            return None
        plain = (now - self._began) * (1 - share) / share
        if self._last is not None:
            passed = now - self._last[0]
            expected = max(0.0, self._last[1] - passed)
            plain = expected + (plain - expected) * min(1.0, passed / SMOOTHING_SECONDS)
        self._last = now, plain
        return plain
