"""Indexing runs with a scripted model behind a real endpoint, small enough to make many."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

from agent.endpoint.limits import Pace
from agent.endpoint.models import chat_model
from tests.endpoint import Server
from tests.reading_model import reading
from tests.store_stand_ins import HashEmbedder
from tests.vectors_here import vectors_in_this_process
from tools.store.reading.model_broker import Models
from tools.store.reading.recipe import NO_MODELS
from tools.store.reading.report import IndexReport
from tools.store.runs.index_run import index_paths

FAST = Pace(first=0.001, most=0.002, jitter=0.001)


def index_with_model(
    server: Server, home: Path, documents: Path, passes: int = 2, apart: bool = False, **more: Any
) -> IndexReport:
    """Index as `hybridrag index` does, but without long waits between requests, and in two passes: more calls to
    lose."""
    chat = chat_model(server.settings(llm_timeout=1.5), FAST)
    try:
        return index_small(home, documents, Models(chat=chat, passes=passes, **more), apart)
    finally:
        chat.close()


def index_small(home: Path, documents: Path, models: Models = NO_MODELS, apart: bool = False) -> IndexReport:
    """With an embedder that loads nothing: these tests start many runs. `apart`: the vector index is written by a
    process of its own, as it is for users."""
    with nullcontext() if apart else vectors_in_this_process():
        return index_paths(home, [documents], embedder_factory=HashEmbedder, models=models, workers=1)


def tokens(server: Server) -> int:
    """That the server has charged for."""
    said = [reading(asked) for asked in server.chats]
    return sum(sum(one.usage or (0, 0)) for one in said)
