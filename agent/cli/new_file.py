"""A file that a command makes: whole or not at all, and never over one that is there unless that was asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from agent.errors import UsageError


def refuse_existing(*paths: Path, force: bool) -> None:
    """UsageError where one of these is there and `force` is not given."""
    for path in paths:
        if not force and os.path.lexists(path):
            raise UsageError(f"'{path}' exists and is not overwritten. Choose another name, or add --force.")


@contextmanager
def new_file(path: Path, *, force: bool) -> Iterator[BinaryIO]:
    """A file to be filled, which has its name when it is whole. UsageError where it is there or can't be written."""
    refuse_existing(path, force=force)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            with draft.open("xb") as file:
                yield file
            if not force:
                path.open("xb").close()  # another may have made it meanwhile
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except FileExistsError as error:
        raise UsageError(f"'{path}' exists and is not overwritten. Choose another name.") from error
    except OSError as error:
        raise UsageError(f"Can't write '{path}': {error.strerror or error}") from error
