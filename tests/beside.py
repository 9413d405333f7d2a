"""A writer beside a reader, at the moment that matters: the record is read, and the files that it names are not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools.store.disk import history_files
from tools.store.disk.seal import damage


@contextmanager
def while_reading(write: Callable[[], object]) -> Iterator[None]:
    """`write` runs in a thread of its own, once, before the files of events are first checked."""
    waiting = [write]

    def checked(folder: Path, files: dict[str, str]) -> str:
        if waiting and threading.current_thread() is threading.main_thread():
            writer = threading.Thread(target=waiting.pop())
            writer.start()
            writer.join()
        return damage(folder, files)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history_files, "damage", checked)
        yield
    assert not waiting
