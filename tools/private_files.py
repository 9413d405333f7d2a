"""Files and folders for their owner alone, whatever the umask: what is indexed and asked is nobody else's."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal, cast

FILE_MODE = 0o600
FOLDER_MODE = 0o700
OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""What nobody but the owner may do, as bits of a mode and as a umask."""


def open_private(path: Path, mode: Literal["xb", "ab", "wb"]) -> BinaryIO:
    """As `open`; a file that this makes is its owner's alone. OSError."""
    return cast("BinaryIO", open(path, mode, opener=_opener))


def make_file(path: Path) -> None:
    """An empty file of the owner's alone, for a library to write; one that is there stays as it is. OSError."""
    with contextlib.suppress(FileExistsError):
        open_private(path, "xb").close()


def make_folder(path: Path) -> None:
    """A folder of the owner's alone; an empty one that is there becomes one, any other stays as it is. OSError."""
    try:
        path.mkdir(FOLDER_MODE, parents=True)
    except FileExistsError:
        if not path.is_dir():
            raise
        if any(path.iterdir()):
            return
        with contextlib.suppress(PermissionError):  # another user's: `doctor` names it
            path.chmod(FOLDER_MODE)


def keep_others_out() -> None:
    """Whatever this process makes from now on, libraries included, is its owner's alone; for processes that only write
    a home."""
    os.umask(OTHERS)


def loose(folder: Path) -> Iterator[Path]:
    """The folder and all below it to which others have any right; links are neither followed nor named. OSError."""
    for path in (folder, *sorted(folder.rglob("*"))):
        with contextlib.suppress(FileNotFoundError):  # gone meanwhile
            mode = path.lstat().st_mode
            if not stat.S_ISLNK(mode) and mode & OTHERS:
                yield path


def tighten(path: Path) -> None:
    """Take others' rights away. OSError."""
    path.chmod(stat.S_IMODE(path.stat().st_mode) & ~OTHERS)


def _opener(name: str, flags: int) -> int:
    return os.open(name, flags, FILE_MODE)
