"""Which implementation of each language step is used."""

from __future__ import annotations

from collections.abc import Callable

from graphs.local.answerer import LocalAnswerer
from graphs.local.checker import LocalChecker
from graphs.local.condenser import LocalCondenser
from graphs.local.router import LocalRouter
from graphs.resources import Engine
from tools.vector.embeddings import Embedder


def local_engine(embedder: Callable[[], Embedder] | None = None) -> Engine:
    """No key, no network. `embedder` gives the index's own, loaded once; without one words alone rank."""
    return Engine("local", LocalCondenser, LocalRouter(), LocalAnswerer(embedder), LocalChecker())
