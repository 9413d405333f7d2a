"""Learning what comes next from a home's histories: every level is held against the one before it, and the best that
has earned its place is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from tools.recommend.earning import (
    MAX_USERS,
    MIN_USERS,
    Hits,
    LastEvents,
    Rules,
    compared,
    hits_of,
    hits_of_rules,
    last_events,
    some_users,
)
from tools.recommend.mixed import Mixed, best_share
from tools.recommend.ordering import Ordering
from tools.recommend.transitions import Transitions, best_norm
from tools.recommend.types import Histories, NextItem
from tools.store.disk.history_files import StoredEvents, events_of, held
from tools.store.disk.home import Home, delete_tree
from tools.store.disk.learned_files import TRAINED, Learned, store_learned, training_folder
from tools.store.errors import ExtraMissingError, NoHistoriesError, TooLittleError

AUTOMATIC = ("transitions", "tgcl4sr")
"""Levels above rules, the lowest first."""
OnStep = Callable[[str, int, int], None]
"""What is being done, how much of it is done, of how much."""


def learn(
    home: Path,
    rules: Rules,
    model: str = "auto",
    preset: str = "quick",
    seed: int = 0,
    on_step: OnStep = lambda step, done, total: None,
) -> Learned:
    """Learn what comes next. `model`: 'auto' keeps the best level that has earned its place; any other is kept as it
    was asked for, and measured all the same. Cut off, a training goes on where it was when it is asked for again.

    NoHistoriesError, ExtraMissingError where the model that was asked for needs packages that are not installed,
    TooLittleError where there is too little for it, HistoriesBusyError, HistoriesDamagedError, HomeWriteError.
    """
    place = Home(home)
    if not place.histories.is_dir():  # a home that is none is not made one
        raise NoHistoriesError(home)
    with held(place):
        stored, histories = events_of(place)
        if not stored.events:
            raise NoHistoriesError(home)
        run = _Run(place, stored, histories, rules, preset, seed, on_step)
        level, why = _best(run) if model == "auto" else _chosen(run, model)
        told = {
            "level": level,
            "model": model,
            "preset": preset,
            "seed": seed,
            "why": why,
            "trained": time.time(),
        }
        counts = {"users": stored.users, "events": stored.events, "norm": run.norm}
        counts |= {"share": run.shares.get(level, 0.0)}
        training = run.folder(level) if level in TRAINED else None
        return store_learned(place, told | counts, training, run.histories.items)


def _best(run: _Run) -> tuple[str, tuple[str, ...]]:
    """The highest level that has earned its place, and why."""
    best, hits, why = "rules", run.rules_hits, list[str]()
    for level in AUTOMATIC:
        if missing := run.missing(level):
            why.append(missing)
            continue
        try:
            own = run.hits(level)
        except TooLittleError as error:
            why.append(f"{level} was not tried: {error}")
            continue
        found = compared(level, own, best, hits, run.seed)
        why.append(found.words)
        if found.earned:
            best, hits = level, own
    return best, tuple(why)


def _chosen(run: _Run, model: str) -> tuple[str, tuple[str, ...]]:
    """The level that was asked for, and how it does beside the rules."""
    if model in TRAINED and not _can_train():
        raise ExtraMissingError(model)
    found = compared(model, run.hits(model), "rules", run.rules_hits, run.seed)
    few = f"not measured: {found.users} users have two events or more, and {MIN_USERS} are needed"
    return model, ("as you chose", found.words if found.users >= MIN_USERS else few)


@dataclass
class _Run:
    """One learning."""

    home: Home
    stored: StoredEvents
    histories: Histories
    rules: Rules
    preset: str
    seed: int
    on_step: OnStep
    shares: dict[str, float] = field(default_factory=dict)
    """Of transitions, in each level that was trained."""

    @cached_property
    def last(self) -> LastEvents:
        return last_events(self.histories, self.seed)

    @cached_property
    def rules_hits(self) -> Hits:
        hits: list[bool] = []
        for hit in hits_of_rules(self.rules, self.last):
            hits.append(hit)
            self.on_step("rehearsing what rules suggest", len(hits), len(self.last.pasts))
        return np.array(hits, bool)

    @cached_property
    def norm(self) -> tuple[float, float]:
        """Of many users, as it is best for some of them: to ask for it takes a row of all items a user."""
        return best_norm(some_users(self.last.before, MAX_USERS, self.seed))

    def missing(self, level: str) -> str:
        """Why a level is not tried; '' where it is."""
        if level in TRAINED and len(self.last.pasts) < MIN_USERS:
            return f"{level} was not tried: too few users have two events or more"
        return (
            f"{level} was not tried: {ExtraMissingError(level)}"
            if level in TRAINED and not _can_train()
            else ""
        )

    def folder(self, level: str) -> Path:
        return training_folder(self.home, self.stored, level, self.preset, self.seed)

    def hits(self, level: str) -> Hits:
        ordering = Ordering(self._model(level), self.histories.items, self.histories)
        return hits_of(ordering, self.rules, self.last)

    def _model(self, level: str) -> NextItem:
        """Learned without the last events."""
        before = self.last.before
        counted = Transitions(before, norm=self.norm)
        if level not in TRAINED:
            return counted
        from tools.recommend.training import train

        try:
            learned = train(
                before,
                model=level,
                preset=self.preset,
                seed=self.seed,
                folder=self.folder(level),
                progress=lambda told: self.on_step(f"training {level}, epochs", told.epoch, told.at_most),
            )
        except ValueError as error:
            delete_tree(self.folder(level))
            raise TooLittleError(str(error)) from error
        self.shares[level] = best_share(learned, before, self.norm, MAX_USERS)
        return Mixed(learned, counted, self.shares[level])


def _can_train() -> bool:
    return all(find_spec(name) is not None for name in ("jax", "optax"))
