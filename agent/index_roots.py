"""Which files the server's `indexing` graph may read: those below folders that its owner has named."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

NONE_SET = (
    "The server reads no files: set HYBRIDRAG_INDEX_ROOTS to the folders below which it may, or use "
    "'hybridrag index'."
)


def only_below(roots: Sequence[Path]) -> Callable[[Path], str]:
    """Of a path: why it may not be read, '' where it may. Nothing is told of what lies outside, not even whether it
    is there, and no link is followed on the way to a path: it might lead anywhere by the time it is read."""
    places = {place for root in roots for place in (_absolute(root), root.resolve())}

    def why_not(path: Path) -> str:
        if not places:
            return NONE_SET
        given = _absolute(path)
        below = next((place for place in places if given.is_relative_to(place)), None)
        if below is None:
            return f"'{path}' does not lie below a folder of HYBRIDRAG_INDEX_ROOTS."
        inside = given.relative_to(below)
        if any((below / part).is_symlink() for part in [inside, *inside.parents][:-1]):
            return f"'{path}' leads through a link, and links are not followed."
        return ""

    return why_not


def _absolute(path: Path) -> Path:
    """Without '..', which must not lead out of a folder; no link is resolved."""
    return Path(os.path.abspath(path))  # noqa: PTH100 (`resolve` would follow links)
