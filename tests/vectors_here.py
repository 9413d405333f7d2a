"""Writing a vector index without a process of its own, in which nearly all of the time goes to load Chroma."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tools.store.disk.home import Home
from tools.store.generation.generations import write_vectors


@contextmanager
def vectors_in_this_process() -> Iterator[None]:
    """Indexing runs write their vector index here. Not for tests of what is left of removed text, nor of kills: see
    `vector_builder`."""

    def build(home: Home, number: int) -> None:
        write_vectors(home, number, home.manifest())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tools.store.runs.index_run.build_vectors", build)
        yield
