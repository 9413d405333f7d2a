"""Which files of a generation were found to be as sealed a while ago, and have not been touched since: to hash a
gigabyte takes most of a second, at every question of a shell.

A file counts as untouched while its size, inode and times of change stay as they were before it was hashed; no program
that writes to it can keep the system from moving the last of these. What a disk changes by itself is seen a day later.
Chroma writes to its database when it is opened, by a search without a filter: the next process hashes that file again.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import orjson

from tools.store.disk.home import replace_file
from tools.store.disk.seal import damage

CHECKED = "checked.json"
HOURS = 24
"""After which a file is hashed again, touched or not."""

Stamp = list[int]
"""Size, inode, times of change of content and of anything else, in nanoseconds."""


def damage_unless_checked(folder: Path, files: dict[str, str]) -> str:
    """As `seal.damage`, of the files that have not been found sound lately; notes those that were, where it may."""
    now = time.time()
    known = _known(folder)
    stamps = {name: _stamp(folder / name) for name in files}
    sound = {
        name: told
        for name, told in known.items()
        if name in files and _holds(told, files[name], stamps[name], now)
    }
    why = damage(folder, {name: digest for name, digest in files.items() if name not in sound})
    if not why and sound.keys() != files.keys():
        with suppress(OSError):  # a home that is only read is hashed every time
            _note(
                folder, {name: sound.get(name, [now, files[name], stamp]) for name, stamp in stamps.items()}
            )
    return why


def note_sound(folder: Path, files: Mapping[str, str]) -> None:
    """Note files whose hashes, these, were taken a moment ago. OSError."""
    now = time.time()
    _note(folder, {name: [now, digest, _stamp(folder / name)] for name, digest in files.items()})


def _note(folder: Path, told: Mapping[str, object]) -> None:
    replace_file(folder / CHECKED, orjson.dumps(told), private=True)


def _holds(told: object, digest: str, stamp: Stamp | None, now: float) -> bool:
    match told:
        case [float(at), str(known), list(before)]:
            return known == digest and before == stamp and 0 <= now - at < HOURS * 3600
    return False


def _known(folder: Path) -> Mapping[str, object]:
    """What was noted; nothing where that can't be read."""
    try:
        told = orjson.loads((folder / CHECKED).read_bytes())
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _stamp(path: Path) -> Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return [found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns]
