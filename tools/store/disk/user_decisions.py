"""The user's decisions on names, in the home: read before anything is derived, written by a command alone."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from tools.knowledge.graph.decisions import (
    FILE,
    Decision,
    DecisionLineError,
    read_decisions,
    with_decision,
)
from tools.store.disk.home import Home, reading, replace_file, writing
from tools.store.errors import DecisionsError

USED = "identities.sha256"


def decisions_of(home: Home) -> list[Decision]:
    """The decisions of the home; none without the file. DecisionsError names the first line that is none;
    HomeReadError."""
    return _parsed(home, _stored(home.root / FILE))


def add_decision(home: Home, decision: Decision) -> None:
    """Write one more decision; lines of the user stay as they are. The caller holds the writer's lock. DecisionsError,
    HomeReadError, HomeWriteError."""
    data = _stored(home.root / FILE)
    if decision in _parsed(home, data):
        return
    with writing(home.root):
        replace_file(home.root / FILE, with_decision(data, decision), private=True)


def digest_of(decisions: Sequence[Decision]) -> bytes:
    """What a generation keeps of the decisions that it was derived by: not their words, which are the user's; comments
    and order do not count."""
    lines = "\n".join(sorted(map(str, decisions)))
    return hashlib.sha256(lines.encode()).hexdigest().encode() if decisions else b""


def used_decisions(generation: Path) -> bytes:
    """The `digest_of` those that a generation was derived by. OSError."""
    try:
        return (generation / USED).read_bytes()
    except FileNotFoundError:
        return b""


def _stored(path: Path) -> bytes:
    with reading(path.parent):
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return b""


def _parsed(home: Home, data: bytes) -> list[Decision]:
    try:
        return read_decisions(data)
    except DecisionLineError as error:
        raise DecisionsError(home.root / FILE, error.line, error.why) from error
