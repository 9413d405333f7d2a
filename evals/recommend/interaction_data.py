"""Histories to measure on: found, read, described, split, and disturbed for a control."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from agent.errors import UsageError
from tools.recommend.gathering import Gathered, chosen
from tools.recommend.held_out import without_last
from tools.recommend.interaction_files import SUFFIXES, BadLine, read_events
from tools.recommend.titg import REACH
from tools.recommend.types import Histories

MIN_EVENTS = 4
"""Of a user from whom anything is learned: a step from one to the next, and two held out."""
MAX_LINES_NAMED = 5


@dataclass(frozen=True, slots=True)
class Split:
    """Leave one out: of each user the last event tests, the one before it validates, the others are learned from."""

    whole: Histories
    known: Histories
    """Without the test events."""
    training: Histories
    """Without those and the validation events."""


@dataclass(frozen=True, slots=True)
class Data:
    """A file of interactions as it is measured on."""

    name: str
    digest: str
    """SHA-256 of the file."""
    split: Split
    notes: tuple[str, ...]
    """What was left out."""

    @property
    def statistics(self) -> dict[str, int | float]:
        """In words -> figure. Edges: of the training part, one a pair at most REACH events apart, however often."""
        whole = self.split.whole
        users, items, actions = len(whole.users), len(whole.items), len(whole.ids)
        lengths = np.diff(self.split.training.starts)
        edges = sum(int(np.maximum(lengths - distance, 0).sum()) for distance in range(1, REACH + 1))
        return {
            "users": users,
            "items": items,
            "actions": actions,
            "actions a user": round(actions / users, 2),
            "actions an item": round(actions / items, 2),
            "edges of the training part": edges,
            "users tested": int((np.diff(whole.starts) >= 2).sum()),
        }


def load(dataset: str, path: Path | None, core: int = 0) -> Data:
    """The interactions of `dataset`, a file or the name of one below `path`. Repeated rows count once; with `core` only
    users and items stay that have as many actions among those that stay.

    Raises:
        UsageError: no such file, or too little in it to measure on.
        InteractionFileError: a file that can't be read.
    """
    file = _find(dataset, path)
    bad: list[BadLine] = []
    count = 0

    def keep_first(line: BadLine) -> None:
        nonlocal count
        count += 1
        if count <= MAX_LINES_NAMED:
            bad.append(line)

    read = Gathered(read_events(file, keep_first))
    histories = read.joined()
    notes = []
    if count:
        named = "; ".join(f"line {each.line}: {each.reason}" for each in bad)
        notes.append(
            f"{count:,} of the lines of {file.name} can't be used and are left out: {named}"
            + ", ..." * (count > len(bad))
        )
    distinct = len(histories.ids)
    if repeated := len(read) - distinct:
        notes.append(f"{repeated:,} repeated rows were left out")
    if core:
        histories = _core(histories, core)
        notes.append(f"{core}-core: {len(histories.ids):,} of {distinct:,} rows stayed")
    _refuse_too_little(histories, file, notes)
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    name = f"{file.stem}, {core}-core" if core else file.stem
    return Data(name, digest, split_of(histories), tuple(notes))


def split_of(histories: Histories) -> Split:
    """As `Split` says."""
    return Split(histories, without_last(histories, 1), without_last(histories, 2))


def permuted(data: Data, seed: int = 0) -> Data:
    """A control: each user's items are dealt out anew over the times of the events before the test event, which stays.
    Who did what is the same, the order of it says nothing."""
    whole = data.split.whole
    lengths = np.diff(whole.starts)
    users = whole.owners
    drawn = np.random.default_rng(seed).random(len(users))
    drawn[whole.starts[1:][lengths > 0] - 1] = 1.0  # above what is drawn: the last stays the last
    mixed = replace(whole, ids=whole.ids[np.lexsort((drawn, users))])
    return replace(data, name=f"{data.name}, times permuted", split=split_of(mixed))


def _find(dataset: str, path: Path | None) -> Path:
    name = Path(dataset)
    try:
        if path is not None:
            below = name if name.suffix.lower() in SUFFIXES else f"{dataset}.inter"
            found = path if path.is_file() else path / below
        elif name.suffix or name.exists():
            found = name
        else:
            raise UsageError(
                f"Data set '{dataset}' needs --path: its file, or the folder of {dataset}.inter."
            )
        there = found.is_file()
    except OSError as error:
        raise UsageError(f"Can't read '{path or dataset}': {error.strerror or error}.") from error
    if not there:
        raise UsageError(f"There is no file of interactions at '{found}'.")
    return found


def _refuse_too_little(histories: Histories, file: Path, notes: Sequence[str]) -> None:
    lengths = np.diff(histories.starts)
    if (lengths >= MIN_EVENTS).sum() < 2 or len(histories.items) < 2:
        raise UsageError(
            f"{len(histories.ids):,} events of {len(histories.users):,} users with {len(histories.items):,} items can "
            f"be used of '{file}'. To measure takes two users of {MIN_EVENTS} events each (two to learn from, one to "
            f"choose by, one to test) and two items."
            + "".join(f" {each[:1].upper()}{each[1:]}." for each in notes)
        )


def _core(histories: Histories, least: int) -> Histories:
    """Users and items with fewer actions are taken out until there are none; the others keep their order."""
    while len(histories.ids):
        keep = (np.diff(histories.starts) >= least)[histories.owners]
        keep &= (np.bincount(histories.ids, minlength=len(histories.items)) >= least)[histories.ids]
        if keep.all():
            break
        histories = chosen(histories, keep)
    return histories
