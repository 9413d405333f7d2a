"""Which implementation of each language step is used."""

from __future__ import annotations

from graphs.local.answerer import LocalAnswerer
from graphs.local.checker import LocalChecker
from graphs.local.condenser import LocalCondenser
from graphs.local.router import LocalRouter
from graphs.resources import Engine


def local_engine() -> Engine:
    """No key, no network."""
    return Engine("local", LocalCondenser, LocalRouter(), LocalAnswerer(), LocalChecker())
