"""Compiled graphs for langgraph.json: light to import, the index is opened at the first question."""

from __future__ import annotations

from agent.engines import make_engine
from agent.settings import load_settings
from agent.shelf import HomeShelf
from graphs.baselines import build_baseline
from graphs.indexing import build_indexing
from graphs.routed import build_routed

_settings = load_settings()
_shelf = HomeShelf(_settings.home, tolerate_missing=True)
_engine = make_engine(_settings, lambda: _shelf.embedder)

assistant = build_routed(_shelf, _engine)
vector_rag = build_baseline("vector", _shelf, _engine)
graph_rag = build_baseline("graph", _shelf, _engine)
hybrid_rag = build_baseline("hybrid", _shelf, _engine)
indexing = build_indexing(_settings.home)
