"""Indexing with the stand-ins: a run with the real models takes three times as long, nearly all of it to load them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from tests.store_stand_ins import HashEmbedder, TitleExtractor
from tests.vectors_here import vectors_in_this_process
from tools.store.reading.report import IndexReport
from tools.store.runs.index_run import index_paths


def index_light(home: Path, paths: Sequence[Path], apart: bool = False, **more: Any) -> IndexReport:
    """`index_paths` in one reading process with an embedder and an extractor that load nothing: for tests of what
    becomes of files, records and generations, whatever is in them. `apart`: the vector index is written by a process
    of its own, as it is for users; tests of what is left of removed text, of kills and of full disks need that."""
    stand_ins: dict[str, Any] = {"embedder_factory": HashEmbedder, "extractor_factory": TitleExtractor}
    stand_ins["process_bytes"] = 1  # as many processes as `workers` says
    with nullcontext() if apart else vectors_in_this_process():
        return index_paths(home, paths, **(stand_ins | {"workers": 1} | more))
