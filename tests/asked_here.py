"""Asking the questions of an evaluation without a process of its own, in which nearly all of the time goes to load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from agent.settings import Settings
from evals.pipelines import Pipeline
from evals.worker import Asker
from evals.workers import ThreadWorker
from tools.documents.read.parse import Splitter


@contextmanager
def questions_in_this_process() -> Iterator[None]:
    """Whoever runs an evaluation with the local engine asks here. Not for tests of what the asking processes are given,
    nor of what becomes of them when they or the run end: see `evals.workers`."""
    with ExitStack() as opened:

        def worker(
            settings: Settings, homes: Mapping[Splitter, Path], pipelines: Sequence[Pipeline]
        ) -> ThreadWorker:
            asker = Asker(settings.model_copy(update={"engine": "local"}), homes, pipelines)
            opened.callback(asker.answerers.close)
            return ThreadWorker(asker)

        opened.enter_context(patch("evals.run.ProcessWorker", worker))
        yield
