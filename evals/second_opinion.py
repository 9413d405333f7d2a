"""The judged part of a run: opened before a question is asked, used when all are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from agent.engines import embedder_of
from agent.settings import Settings
from evals.datasets.types import Item
from evals.journal import writing
from evals.progress import counting
from evals.rows import Row
from evals.run import Judge

FOLDER = "judge"
"""Below the run's: replies and scores that were paid for."""


def judged_by(
    settings: Settings, out: Path, sample: int | None, seed: int, note: Callable[[str], None]
) -> Judge:
    """Adds the judged scores to rows. UsageError without ragas, SettingsError without an endpoint, both now."""
    from evals.judged import judge_rows, open_judge
    from tools.vector.embeddings import LocalEmbeddings

    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    judge = open_judge(settings, out / FOLDER, embedder_of(settings) or LocalEmbeddings(threads=2))

    def ask(items: Sequence[Item], rows: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[str, ...]]:
        try:
            with writing(out), counting("judging", note) as advance:
                judged = judge_rows({item.id: item for item in items}, rows, judge, sample, seed, advance)
        finally:
            judge.close()
        used = judge.usage
        told = [
            f"Judged by {judge.name}: {used.calls:,} calls, {used.input_tokens + used.output_tokens:,} tokens."
        ]
        if judge.stopped:
            told.append(judge.stopped)
        return tuple(judged), tuple(told)

    return ask
