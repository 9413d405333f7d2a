"""Indexing with the stand-ins: a run with the real models takes three times as long, nearly all of it to load them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.store_stand_ins import HashEmbedder, TitleExtractor
from tools.store.reading.report import IndexReport
from tools.store.runs.index_run import index_paths


def index_light(home: Path, paths: Sequence[Path], **more: Any) -> IndexReport:
    """`index_paths` in one reading process with an embedder and an extractor that load nothing: for tests of what
    becomes of files, records and generations, whatever is in them."""
    stand_ins: dict[str, Any] = {"embedder_factory": HashEmbedder, "extractor_factory": TitleExtractor}
    return index_paths(home, paths, **(stand_ins | {"workers": 1} | more))
