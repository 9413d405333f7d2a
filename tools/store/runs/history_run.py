"""Histories come and go: imported from files, users by a salted hash alone, and forgotten without a trace."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import chain
from pathlib import Path

from tools.recommend.gathering import Gathered, without_user
from tools.recommend.interaction_files import BadLine, Interaction
from tools.recommend.types import Histories
from tools.store.disk.history_files import (
    StoredEvents,
    events_of,
    hashed,
    held,
    salt_of,
    store_events,
    stored_events,
)
from tools.store.disk.home import Home
from tools.store.disk.learned_files import Learned, drop_learned, learned_of
from tools.store.errors import LearnedDamagedError, UnknownUserError

MAX_NAMED = 100
"""Lines named one by one."""
MAX_QUESTIONS = 10_000
"""Whose items are remembered while a file is read."""
LINES_A_STEP = 10_000
SALT_BYTES = 32


@dataclass(slots=True)
class ImportReport:
    """What became of a file."""

    read: int = 0
    """Events that could be read, those that are there already included."""
    added: int = 0
    bad: int = 0
    named: list[BadLine] = field(default_factory=list)
    """The first bad lines."""
    not_understood: int = 0
    """Questions that name no company or topic; nothing is kept of them."""
    stored: StoredEvents = field(default_factory=StoredEvents)
    """All that is there now."""


def import_events(
    home: Path,
    lines: Iterable[Interaction | BadLine],
    item_of: Callable[[str], str],
    on_lines: Callable[[int], None] = lambda lines: None,
) -> ImportReport:
    """Add the events of a file; those that are there already add nothing, and a kill leaves the old events or the new
    ones. Of a question nothing is kept but its item: `item_of`, '' where it has none.

    InteractionFileError, HistoriesBusyError, HistoriesDamagedError, HomeWriteError, and what `item_of` raises: then
    nothing is added.
    """
    place, report = Home(home), ImportReport()
    events = _read(lines, lru_cache(MAX_QUESTIONS)(item_of), report, on_lines)
    first = next(events, None)
    if first is None:  # what can't be read makes no home
        report.stored = stored_events(place)
        return report
    with held(place):
        before, known = events_of(place)
        salt = salt_of(place) or secrets.token_bytes(SALT_BYTES)
        name, gathered = cache(partial(hashed, salt)), Gathered()
        for user, when, item in chain((first,), events):
            gathered.add(name(user), when, item)
        joined = gathered.joined(known)
        report.added, report.stored = len(joined.ids) - len(known.ids), before
        if report.added:
            report.stored = store_events(place, joined, salt)
    return report


def _read(
    lines: Iterable[Interaction | BadLine],
    item_of: Callable[[str], str],
    report: ImportReport,
    on_lines: Callable[[int], None],
) -> Iterator[tuple[str, float, str]]:
    """User, time and item of each event; what is left out is counted."""
    for count, each in enumerate(lines, 1):
        if count % LINES_A_STEP == 0:
            on_lines(count)
        if isinstance(each, BadLine):
            report.bad += 1
            report.named += [each] if report.bad <= MAX_NAMED else []
        elif item := each.item or item_of(each.question or ""):
            report.read += 1
            yield each.user, each.time, item
        else:
            report.not_understood += 1


def past_of_user(home: Path, user: str) -> list[tuple[str, float]]:
    """Items and times in Unix seconds, oldest first. UnknownUserError, HistoriesDamagedError, HomeReadError."""
    place = Home(home)
    histories = events_of(place)[1]
    past = histories.past(histories.users.index(_known(place, histories, user)))
    return [(histories.items[item], when) for item, when in zip(past.items, past.times.tolist(), strict=True)]


def _known(home: Home, histories: Histories, user: str) -> str:
    """What is kept of the user's name. UnknownUserError."""
    name = hashed(salt_of(home), user)
    if name not in histories.users:
        raise UnknownUserError(home.root)
    return name


def forget_user(home: Path, user: str) -> Learned | None:
    """Delete a user's events and all that was learned with them; what is to be learned again, None where nothing was.

    UnknownUserError where there are none, HistoriesBusyError, HistoriesDamagedError, HomeWriteError.
    """
    place = Home(home)
    if not place.histories.is_dir():  # a home that is none is not made one
        raise UnknownUserError(home)
    with held(place):
        known = events_of(place)[1]
        left = without_user(known, _known(place, known, user))
        try:
            learned = learned_of(place)
        except LearnedDamagedError:
            learned = Learned()
        drop_learned(place)
        store_events(place, left, salt_of(place))
    return learned
