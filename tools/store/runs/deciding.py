"""A decision of the user on names: written to the home, then the graph is derived anew with it. The vectors stay."""

from __future__ import annotations

from pathlib import Path

from tools.knowledge.graph.decisions import Decision
from tools.store.disk.home import Home
from tools.store.disk.lock import WriterLock
from tools.store.disk.user_decisions import add_decision
from tools.store.errors import IndexMissingError
from tools.store.runs.deriving import change_and_derive


def decide(home: Path, decision: Decision) -> None:
    """Write a decision and put it to use; see `change_and_derive`. IndexMissingError, HomeLockedError, and as there."""
    place = Home(home)
    if not home.is_dir() or not place.manifest().entries:
        raise IndexMissingError(home)
    with WriterLock.take(home):
        change_and_derive(place, lambda: add_decision(place, decision))
