"""The asking process: one question and one pipeline at a time, answered and scored.

Run as `python -m evals.worker` by `workers`: JSON lines on standard input and output. It dies with its parent.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from agent.settings import Settings
from evals.datasets.types import Item
from evals.metrics.all_metrics import metrics_for
from evals.metrics.types import Metric
from evals.pipelines import Answerers, Pipeline
from evals.rows import Row, Score
from tools.documents.read.parse import Splitter
from tools.model.types import ChatModel
from tools.store.disk.child_process import die_with, free_output


def score(metrics: Sequence[Metric], item: Item, row: Row) -> Row:
    """The row with the score of every metric."""
    scores: dict[str, Score] = {metric.name: metric.score(item, row) for metric in metrics}
    return row.model_copy(update={"scores": {**row.scores, **scores}})


class Asker:
    """Answers and scores; threads may share it."""

    def __init__(
        self,
        settings: Settings,
        homes: Mapping[Splitter, Path],
        pipelines: Sequence[Pipeline],
        threads: int = 1,
        model: ChatModel | None = None,
    ) -> None:
        """See `Answerers`."""
        self.answerers = Answerers(settings, homes, threads, model)
        for pipeline in pipelines:
            self.answerers.open(pipeline)
        self._metrics = metrics_for(_local(self.answerers, threads))

    def ask(self, pipeline: Pipeline, item: Item) -> Row:
        """One scored row."""
        return score(self._metrics, item, self.answerers.answer(pipeline, item))

    def score(self, item: Item, row: Row) -> Row:
        """Scores for a row that came another way, as one of a process that died."""
        return score(self._metrics, item, row)


def _local(answerers: Answerers, threads: int) -> Any:
    """The embeddings of this machine, for similarities that do not depend on settings."""
    from tools.vector.embeddings import LocalEmbeddings

    own = answerers.embedder
    return own if isinstance(own, LocalEmbeddings) else LocalEmbeddings(threads=threads)


def main() -> int:
    """Serve until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when to stop
    replies = free_output()
    start = orjson.loads(sys.stdin.buffer.readline())
    die_with(start["parent"])
    asker = Asker(
        Settings(_env_file=None, **start["settings"]),
        {splitter: Path(home) for splitter, home in start["homes"].items()},
        [Pipeline(name) for name in start["pipelines"]],
    )
    _reply(replies, b"{}")
    warm: set[str] = set()
    for line in sys.stdin.buffer:
        task = orjson.loads(line)
        pipeline, item = Pipeline(task["pipeline"]), Item.model_validate(task["item"])
        if (
            pipeline.name not in warm
        ):  # the first question loads models and indexes, which is not its own time
            asker.ask(pipeline, item)
            warm.add(pipeline.name)
        _reply(replies, asker.ask(pipeline, item).model_dump_json().encode())
    return 0


def _reply(descriptor: int, data: bytes) -> None:
    rest = memoryview(data + b"\n")
    while rest:
        rest = rest[os.write(descriptor, rest) :]


if __name__ == "__main__":
    sys.exit(main())
