"""Compiled graphs for langgraph.json: light to import, the index is opened at the first question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.engines import embedder_of, switchable_engine
from agent.errors import USER_MISTAKES
from agent.home_shelf import HomeShelf
from agent.index_roots import only_below
from agent.indexing import make_models
from agent.settings import load_settings
from graphs.ask import build_ask
from graphs.baselines import build_baseline
from graphs.indexing import build_indexing
from graphs.routed import build_routed
from graphs.state import Context
from tools.store.errors import StoreError
from tools.store.postgres.errors import StoreSetError

_settings = load_settings()
_shelf = HomeShelf(
    _settings.home, embedder_of(_settings), store=_settings.store_address, tolerate_missing=True
)
_engine = switchable_engine(_settings)


def _knob(name: str, default: Any) -> Any:
    """A knob of `Context` with another default."""
    return field(default=default, metadata=Context.__dataclass_fields__[name].metadata)


def _as_set(name: str) -> Any:
    """A knob that starts where the settings put it."""
    return _knob(name, getattr(_settings, name))


@dataclass
class Knobs(Context):
    """What a run may change; a server fills in these defaults."""

    top_k: int = _as_set("top_k")
    graph_k: int = _as_set("graph_k")
    depth: int = _as_set("depth")
    dense_weight: float = _as_set("dense_weight")
    concept_weight: float = _as_set("concept_weight")
    context_chars: int | None = _as_set("context_chars")
    deadline: float = _as_set("deadline")
    threshold: float = _as_set("threshold")
    clarify: bool = _knob("clarify", True)
    suggest: bool = _knob("suggest", True)


def _why_not_read() -> Callable[[Path], str]:
    """Of a path: why `indexing` may not read it; '' where it may."""
    address = _settings.store_address
    return only_below(_settings.server_reads) if address is None else lambda path: str(StoreSetError(address))


assistant = build_routed(_shelf, _engine, context=Knobs)
ask = build_ask(build_routed(_shelf, _engine, checkpointer=False), Knobs, (*USER_MISTAKES, StoreError))
vector_rag = build_baseline("vector", _shelf, _engine, context=Knobs)
graph_rag = build_baseline("graph", _shelf, _engine, context=Knobs)
hybrid_rag = build_baseline("hybrid", _shelf, _engine, context=Knobs)
indexing = build_indexing(_settings.home, models=lambda: make_models(_settings), why_not=_why_not_read())
