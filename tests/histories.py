"""Histories of a few events, for tests."""

from __future__ import annotations

from collections.abc import Iterable

from tools.recommend.gathering import Gathered
from tools.recommend.types import Event, Histories


def histories_of(events: Iterable[Event]) -> Histories:
    """As they are read from a file."""
    return Gathered(events).joined()
