"""Histories come and go: imported from files, users by a salted hash alone, and forgotten without a trace."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tools.recommend.gathering import Gathered, without_user
from tools.recommend.interaction_files import BadLine, Interaction
from tools.store.disk.history_files import (
    StoredEvents,
    hasher,
    held,
    load_events,
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
    with held(place):
        before = stored_events(place)
        hashed = hasher(place, before)
        gathered = _gathered(lines, hashed, item_of, report, on_lines)
        known = load_events(place, before)
        joined = gathered.joined(known)
        report.added, report.stored = len(joined.ids) - len(known.ids), before
        if report.added:
            report.stored = store_events(place, joined, report.bad, report.not_understood)
    return report


def _gathered(
    lines: Iterable[Interaction | BadLine],
    hashed: Callable[[str], str],
    item_of: Callable[[str], str],
    report: ImportReport,
    on_lines: Callable[[int], None],
) -> Gathered:
    gathered, users, items = Gathered(), dict[str, str](), OrderedDict[str, str]()
    for count, each in enumerate(lines, 1):
        if count % LINES_A_STEP == 0:
            on_lines(count)
        if isinstance(each, BadLine):
            report.bad += 1
            report.named += [each] if report.bad <= MAX_NAMED else []
            continue
        item = each.item or ""
        if each.question is not None:
            item = items.get(each.question) or item_of(each.question)
            items[each.question] = item
            if len(items) > MAX_QUESTIONS:
                items.popitem(last=False)
        if not item:
            report.not_understood += 1
            continue
        if each.user not in users:
            users[each.user] = hashed(each.user)
        gathered.add(users[each.user], each.time, item)
        report.read += 1
    return gathered


def forget_user(home: Path, user: str) -> Learned | None:
    """Delete a user's events and all that was learned with them; what is to be learned again, None where nothing was.

    UnknownUserError where there are none, HistoriesBusyError, HistoriesDamagedError, HomeWriteError.
    """
    place = Home(home)
    if not place.histories.is_dir():  # a home that is none is not made one
        raise UnknownUserError(home)
    with held(place):
        before = stored_events(place)
        hashed = hasher(place, before)(user) if before.folder else ""
        known = load_events(place, before)
        if hashed not in known.users:
            raise UnknownUserError(home)
        try:
            learned = learned_of(place)
        except LearnedDamagedError:
            learned = Learned()
        drop_learned(place)
        store_events(place, without_user(known, hashed), before.bad, before.not_understood)
    return learned
