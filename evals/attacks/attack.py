"""One thing that somebody may do to the assistant, and whether it holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack, in one or many forms."""

    name: str
    """What is done, in a few words."""
    count: int
    """In how many forms."""
    run: Callable[[Path], Sequence[str]]
    """Given an empty folder: what broke, in a few words each; empty where all held."""
