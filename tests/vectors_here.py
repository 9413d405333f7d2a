"""Writing a vector index without a process of its own, in which nearly all of the time goes to load Chroma."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from tools.store.disk.home import MANIFEST, Home, Manifest
from tools.store.generation.generations import write_vectors


@contextmanager
def vectors_in_this_process() -> Iterator[None]:
    """Whoever derives a generation writes its vector index here. Not for tests of what is left of removed text, nor of
    kills: see `vector_builder`."""

    @contextmanager
    def built_when_waited_for(
        home: Home, number: int, *, searched: bool = True
    ) -> Iterator[Callable[[], None]]:
        data = (home.generation(number) / MANIFEST).read_bytes()
        yield lambda: write_vectors(home, number, Manifest.load(home.root, data), searched=searched)

    with ExitStack() as patched:  # without pytest: processes that are to be killed import this, too
        for module in ("runs.index_run", "generation.vector_builder"):
            patched.enter_context(patch(f"tools.store.{module}.vectors_being_built", built_when_waited_for))
        yield
