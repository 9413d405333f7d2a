"""A run: draw the questions, index, ask every pipeline, score, sum up. A killed run goes on where it was."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agent.display.screen import Screen
from agent.errors import UsageError
from agent.settings import Settings
from evals import indexes, provenance
from evals.datasets.all_datasets import load_dataset
from evals.datasets.types import Dataset, DatasetError, Item
from evals.journal import Begun, Journal, refuse_other, writing
from evals.pipelines import Pipeline
from evals.progress import Streaks, board, unreached
from evals.results import DatasetInfo, Results, RunConfig, in_order
from evals.rows import Row
from evals.sampling import draw
from evals.sheet import write_sheet
from evals.summaries import summarize
from evals.worker import Asker
from evals.workers import ProcessWorker, Task, ThreadWorker, Worker, ask_all
from tools.model.types import ChatModel
from tools.store.reading.report import Progress

Judge = Callable[[Sequence[Item], Sequence[Row]], tuple[tuple[Row, ...], tuple[str, ...]]]
"""Rows with judged scores added, and notes."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is to be run."""

    dataset: str
    path: Path | None
    """Of the data; None for the project's own."""
    pipelines: tuple[Pipeline, ...]
    out: Path
    home: Path | None = None
    """An index to use as it is for the project's configuration."""
    limit: int | None = None
    seed: int = 0
    workers: int = 2
    fresh: bool = False
    """Replace the run that is there."""
    retry_failed: bool = False
    """Ask failed questions again."""
    model: ChatModel | None = None
    """Who is asked in place of the settings' endpoint."""


def run(options: Options, settings: Settings, screen: Screen, judge: Judge | None = None) -> Results:
    """Run what is still to run and write results.json and results.csv.

    UsageError: a bad data set, another configuration in `out`, an index that lacks documents. RunWriteError: a full
    disk, no permission. `Assistant.index` names the other errors.
    """
    started = time.monotonic()
    try:
        dataset = load_dataset(options.dataset, options.path)
    except DatasetError as error:
        raise UsageError(str(error)) from error
    items = draw(dataset.items, options.limit, options.seed)
    config = RunConfig(
        dataset=dataset.name,
        data_hash=dataset.data_hash,
        pipelines=tuple(pipeline.name for pipeline in options.pipelines),
        limit=options.limit,
        seed=options.seed,
        settings=provenance.settings_record(settings),
        code=provenance.code(),
    )
    with Journal(options.out) as journal:
        if not options.fresh and (before := journal.begun()) is not None:
            refuse_other(options.out, before.config, config)
        with screen.progress() as advance:
            found = indexes.prepare(
                dataset,
                options.pipelines,
                settings,
                beside=options.out,
                home=options.home,
                on_progress=_news(advance),
            )
        if options.fresh:
            journal.clear()
        begun = journal.begin(config.model_copy(update={"indexes": found.digests}), _now())
        asks_model = settings.chat_endpoint is not None
        if options.retry_failed:
            journal.drop(key for key, row in list(journal.rows.items()) if _again(row, asks_model))
        tasks = [(item, missing) for item in items if (missing := _missing(item, options.pipelines, journal))]
        told: list[str] = []
        if tasks:
            try:
                told = _ask(options, settings, items, tasks, found, journal, screen)
            finally:
                begun = journal.spent(begun, time.monotonic() - started)
        rows = in_order(list(journal.rows.values()), begun.config.pipelines, items)
        notes = [*told, *_failures(rows, asks_model)]
        if judge is not None:
            rows, judged = judge(items, rows)
            notes += judged
        results = _results(dataset, items, rows, begun, (*found.notes, *notes))
        with writing(options.out):
            write_sheet(options.out, items, rows)
            results.save(options.out)
    return results


def _ask(
    options: Options,
    settings: Settings,
    items: Sequence[Item],
    tasks: Sequence[Task],
    found: indexes.Indexes,
    journal: Journal,
    screen: Screen,
) -> list[str]:
    """Ask what has no row yet: `tasks`. Returns what is to be said of failures in a row."""
    asks_model = settings.chat_endpoint is not None or settings.embed_endpoint is not None
    streaks, told = Streaks(settings.chat_endpoint is not None), []
    there = in_order(list(journal.rows.values()), [p.name for p in options.pipelines], items)
    if there:
        screen.note(f"{len(there):,} rows are there already; going on.")
    make, score = _makers(options, settings, found, asks_model)
    asked = ask_all(tasks, options.workers, make)
    total = len(items) * len(options.pipelines)
    try:
        with board(total, there, len(options.pipelines), screen.note) as advance:
            for item, row in asked:
                row = row if row.scores else score(item, row)
                journal.add(row)
                advance(row)
                if warning := streaks.add(row):
                    told.append(warning)
                    screen.note(warning)
    finally:
        asked.close()
    return told


def _news(advance: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """Without the files that are indexed already: most of them, each time a run goes on."""

    def forward(at: Progress) -> None:
        if at.stage != "done" and (at.outcome is None or at.outcome.state != "unchanged"):
            advance(at)

    return forward


def _missing(item: Item, pipelines: Sequence[Pipeline], journal: Journal) -> tuple[Pipeline, ...]:
    return tuple(pipeline for pipeline in pipelines if (pipeline.name, item.id) not in journal.rows)


def _makers(
    options: Options, settings: Settings, found: indexes.Indexes, asks_model: bool
) -> tuple[Callable[[], Worker], Callable[[Item, Row], Row]]:
    """What makes a worker, and what scores the row of one that died."""
    if asks_model:
        asker = Asker(settings, found.homes, options.pipelines, model=options.model)
        return lambda: ThreadWorker(asker), asker.score
    spare = Asker(settings, found.homes, ())
    return lambda: ProcessWorker(settings, found.homes, options.pipelines), spare.score


def _again(row: Row, asks_model: bool) -> bool:
    return row.status == "failed" or (asks_model and unreached(row))


def _failures(rows: Sequence[Row], asks_model: bool) -> list[str]:
    """A sentence a pipeline that failed, with what to do."""
    notes = []
    for pipeline in dict.fromkeys(row.pipeline for row in rows):
        own = [row for row in rows if row.pipeline == pipeline]
        errors = Counter(row.error for row in own if row.status == "failed")
        if errors:
            often, _ = errors.most_common(1)[0]
            notes.append(
                f"'{pipeline}': {errors.total()} of {len(own)} questions failed, most often with: {often}. They count "
                "against it. Mend the cause and run again with --retry-failed."
            )
        without = sum(unreached(row) for row in own if row.status != "failed") if asks_model else 0
        if without:
            notes.append(
                f"'{pipeline}': {without} of {len(own)} questions were answered by the local engine alone, as the "
                "model gave no reply. When the endpoint answers again (hybridrag doctor), run with --retry-failed."
            )
    return notes


def _results(
    dataset: Dataset, items: tuple[Item, ...], rows: tuple[Row, ...], begun: Begun, notes: tuple[str, ...]
) -> Results:
    return Results(
        created=begun.created,
        dataset=DatasetInfo(
            name=dataset.name, data_hash=dataset.data_hash, items=len(dataset.items), notes=dataset.notes
        ),
        config=begun.config,
        versions=provenance.versions(),
        commit=provenance.commit(),
        seconds=begun.seconds,
        summaries=summarize(rows),
        items=items,
        rows=rows,
        notes=notes,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
