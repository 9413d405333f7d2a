"""What to ask or read next, learned from imported histories: of a home, for suggesting, importing and learning.

Without histories, or with some that can't be used, nothing is otherwise than without this.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from graphs.contracts import Answer, Route
from graphs.index import Index
from graphs.local.dialogue.dry_run import DryRun, dry_run
from graphs.local.dialogue.suggestions import LocalSuggester
from graphs.local.dialogue.topics import is_asked, item_asked, questions_about, words_of
from graphs.protocols import Ranker
from tools.recommend.gathering import of_items
from tools.recommend.mixed import Mixed
from tools.recommend.ordering import MIN_USERS_OF_AN_ITEM, Ordering
from tools.recommend.transitions import Transitions
from tools.recommend.types import NextItem, Past
from tools.scope import Scope
from tools.store.disk.history_files import LEARNED, RECORD, StoredEvents, events_of
from tools.store.disk.home import Home
from tools.store.disk.learned_files import Learned, learned_of, trained_of
from tools.store.errors import LearnedDamagedError, StoreError

MAX_LIKELY = 50
"""Items that are named at most; fewer can be asked."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What was learned, ready to be asked."""

    level: str
    ordering: Ordering
    transitions: Transitions
    """Of all there is, for the reasons."""
    numbers: dict[str, int]
    """Item -> its id there."""

    def after(self, done: Sequence[tuple[str, float]]) -> Iterator[tuple[str, str]]:
        """See `graphs.protocols.Order.after`."""
        past = self.ordering.past(done)
        for at in self.ordering.best(past, MAX_LIKELY):
            item = self.ordering.items[at]
            yield item, self._reason(done, item, self.ordering.users(at))

    def _reason(self, done: Sequence[tuple[str, float]], item: str, users: int) -> str:
        """Never of so few that it would tell of one."""
        known = [(self.numbers[each], when) for each, when in done if each in self.numbers]
        past = Past(
            np.array([at for at, _ in known], np.int32), np.array([when for _, when in known], np.float64)
        )
        least = MIN_USERS_OF_AN_ITEM
        told = self.transitions.reason(past, self.numbers[item], least) if known else None
        if told is not None:
            return f"{told.went_on} of {told.users} users went on to {words_of(item)}"
        return f"{users} users came to {words_of(item)}"


class HomeOrder:
    """A `graphs.protocols.Order` by the histories of a home; read when they are needed, and again when they changed.
    Safe to use from several threads."""

    def __init__(self, home: Path) -> None:
        self._home = Home(home)
        self._lock = threading.Lock()
        self._opened: Opened | None = None
        self._seen: tuple[object, ...] | None = None
        self._trouble = ""

    @property
    def trouble(self) -> str:
        """Why rules suggest although something was learned; '' where nothing is wrong."""
        self.opened()
        return self._trouble

    @property
    def level(self) -> str:
        """Of `LEVELS`."""
        opened = self.opened()
        return opened.level if opened else "rules"

    @property
    def has_learned(self) -> bool:
        """See `graphs.protocols.Order.has_learned`."""
        return self.opened() is not None

    def after(self, past: Sequence[tuple[str, float]]) -> Iterator[tuple[str, str]]:
        """See `graphs.protocols.Order.after`."""
        opened = self.opened() if past else None
        return opened.after(past) if opened else iter(())

    def opened(self) -> Opened | None:
        """None where rules suggest."""
        with self._lock:
            if (files := self._files()) != self._seen:
                self._seen, self._opened, self._trouble = files, None, ""
                try:
                    self._opened = self._read()
                except StoreError as error:
                    self._trouble = str(error)
            return self._opened

    def _files(self) -> tuple[object, ...]:
        """What changes when either record is replaced."""
        found: list[object] = []
        for name in (RECORD, LEARNED):
            try:
                told = (self._home.histories / name).stat()
                found.append((told.st_ino, told.st_mtime_ns))
            except OSError:
                found.append(None)
        return tuple(found)

    def _read(self) -> Opened | None:
        if learned_of(self._home) is None:
            return None
        histories = events_of(self._home)[1]
        learned, trained = trained_of(self._home, histories)
        if learned is None or learned.level == "rules":
            return None
        model: NextItem = (transitions := Transitions(histories, norm=learned.norm))
        items = histories.items
        if trained is not None:
            weights, items = trained
            same = items == histories.items
            counted = transitions if same else Transitions(of_items(histories, items), norm=learned.norm)
            model = Mixed(weights, counted, learned.share)
        ordering = Ordering(model, items, histories)
        return Opened(
            learned.level, ordering, transitions, {item: at for at, item in enumerate(histories.items)}
        )


def in_use(home: Path) -> tuple[StoredEvents, Learned | None, str]:
    """What was imported; what was learned, None where it was not or can't be used; and why it can't. All files are
    checked, and no order is built. HistoriesDamagedError, HomeReadError."""
    stored, histories = events_of(Home(home))
    try:
        return stored, trained_of(Home(home), histories)[0], ""
    except LearnedDamagedError as error:
        return stored, None, str(error)


class RehearsedRules:
    """A `tools.recommend.earning.Rules`: what rules suggest in an index, each question rehearsed."""

    def __init__(self, index: Index | None, ranker: Ranker) -> None:
        """`index`: None where there is none; then rules suggest nothing, and no topic can be asked."""
        self.index, self._ranker = index, ranker
        self._suggester = LocalSuggester(ranker)
        self.asked = cache(self._asked)
        """The question that asks an item, with its rehearsal; None where none would be answered."""

    def after(self, item: str) -> list[str]:
        """See `Rules.after`."""
        asked = self.asked(item) if self.index and is_asked(item) else None
        if asked is None or self.index is None:
            return []
        named = self._suggester.suggest(_as_answer(*asked), self.index, Scope(), (), tuple, lambda: False)
        return [item for each in named if (item := item_asked(each.question, self.index))]

    def can_ask(self, item: str) -> bool:
        """See `Rules.can_ask`."""
        return not is_asked(item) or self.asked(item) is not None

    def _asked(self, item: str) -> tuple[str, DryRun] | None:
        if self.index is None:
            return None
        for each in questions_about(item, self.index):
            run = dry_run(each.question, self.index, Scope(), self._ranker)
            if run is not None and each.fits(run):
                return each.question, run
        return None


def _as_answer(question: str, run: DryRun) -> Answer:
    """A rehearsal as the answer that it would be."""
    return Answer(
        question=question,
        standalone_question=question,
        status="answered",
        answer=run.text,
        route=Route(kind="uncertain", tools=(), reason="rehearsed", confidence=1.0),
        evidence=run.cited,
    )
