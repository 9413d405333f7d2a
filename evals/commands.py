"""`hybridrag eval run | report | compare`. A command writes to the screen it is given and returns an exit code."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from agent.display.screen import Screen
from agent.errors import UsageError
from agent.settings import Settings, load_settings
from evals import gate
from evals.closed_book import NONE
from evals.journal import writing
from evals.metrics.all_metrics import metrics_for
from evals.pipelines import parse_pipelines
from evals.recording import recording_of
from evals.results import Results
from evals.run import Options, run
from evals.second_opinion import judged_by
from evals.summaries import plain, table
from evals.upload import langsmith_url, upload

SAMPLE = "sample"


def eval_run(args: argparse.Namespace, screen: Screen) -> int:
    """Ask, score, report. Exit code 1 where a metric fell below its floor, or a recording lacks replies."""
    recording = recording_of(load_settings(), args.replies, replay=args.replay, prune=args.prune)
    settings = recording.settings
    out = args.out or Path("results") / args.dataset
    pipelines = parse_pipelines(args.pipelines)
    if any(each.name == NONE for each in pipelines) and settings.chat_endpoint is None:
        raise UsageError(
            f"Pipeline '{NONE}' asks a model without documents, and none is set: HYBRIDRAG_LLM_BASE_URL and "
            "HYBRIDRAG_LLM_MODEL, or a key."
        )
    options = Options(
        dataset=args.dataset,
        path=args.path,
        pipelines=pipelines,
        out=out,
        home=args.home,
        limit=args.limit,
        seed=args.seed,
        workers=args.workers or settings.workers,
        fresh=args.fresh,
        retry_failed=args.retry_failed,
        model=recording.model,
    )
    if args.upload_langsmith:
        langsmith_url()
    judging = judged_by(settings, out, args.judge_sample, args.seed, screen.note) if _judges(args) else None
    results = run(options, settings, screen, judging)
    with writing(out):
        _reports(results, out)
    complete = recording.finish(results.rows, screen.note, prune=args.prune)
    judged = _gate(args, results, settings)
    if args.update_floors:
        _update_floors(args, results, settings, screen)
    _show(results, judged, out, screen)
    if args.upload_langsmith:
        for name in upload(results, out):
            screen.note(f"Sent to LangSmith: {name}")
    return 0 if complete and (judged is None or judged.passed) else 1


def _judges(args: argparse.Namespace) -> bool:
    return bool(args.judge or args.judge_sample)


def eval_report(args: argparse.Namespace, screen: Screen) -> int:
    """Write report.html and report.md again."""
    results = Results.load(args.folder)
    with writing(args.folder):
        _reports(results, args.folder)
    screen.line(f"Wrote {args.folder / 'report.html'} and {args.folder / 'report.md'}.")
    screen.json({"html": str(args.folder / "report.html"), "markdown": str(args.folder / "report.md")})
    return 0


def eval_compare(args: argparse.Namespace, screen: Screen) -> int:
    """Paired differences between two runs."""
    from evals.compare import compare, describe

    found = compare(Results.load(args.first), Results.load(args.second))
    screen.json(found.model_dump_json().encode())
    screen.line(describe(found))
    return 0


def _reports(results: Results, folder: Path) -> None:
    from evals.report.report_files import write_reports  # here, as only a run that is done needs the charts

    write_reports(results, folder)


def _gate(args: argparse.Namespace, results: Results, settings: Settings) -> gate.Judgement | None:
    """What the floors say; None where such a run has no floors."""
    path: Path | None = args.floors or (gate.FLOORS if args.dataset == SAMPLE else None)
    if path is None or args.no_gate or args.update_floors:
        return None
    why = _incomparable(results, settings)
    if why:
        if args.floors:
            raise UsageError(f"The run can't be compared with '{args.floors}': {why}.")
        return gate.Judgement((), (), (f"Not compared with the floors: {why}.",))
    floors = gate.Floors.load(path)
    if floors.dataset != results.dataset.name:
        raise UsageError(
            f"The floors in '{path}' are of '{floors.dataset}', not of '{results.dataset.name}'."
        )
    return gate.judge(results, floors, metrics_for(None))


def _incomparable(results: Results, settings: Settings) -> str:
    if len(results.items) < results.dataset.items:
        return "not all questions were asked"
    if settings.chat_endpoint is not None or settings.embed_endpoint is not None:
        return "floors are those of the local engine and its embeddings"
    return ""


def _update_floors(args: argparse.Namespace, results: Results, settings: Settings, screen: Screen) -> None:
    path = args.floors or gate.FLOORS
    if args.dataset != SAMPLE and not args.floors:
        raise UsageError("Say where the floors of this data set are to be written: --floors FILE.")
    if why := _incomparable(results, settings):
        raise UsageError(f"No floors are written: {why}.")
    with writing(path.parent):
        gate.make_floors(results, metrics_for(None)).save(path)
    screen.note(f"Wrote {path}.")


def _show(results: Results, judged: gate.Judgement | None, out: Path, screen: Screen) -> None:
    rows = table(results)
    screen.json(_record(results, judged, out))
    if not screen.as_json:
        screen.show(lambda: _rich(rows), lambda: plain(rows))
    for note in (*results.dataset.notes, *results.notes, *(judged.notes if judged else ())):
        screen.note(f"note: {note}")
    for pipeline, change in judged.changes if judged else ():
        screen.note(f"changed: {pipeline} {change.describe()}")
    for fall in judged.falls if judged else ():
        screen.note(f"below its floor: {fall.describe()}")
    count = len(results.pipelines)
    asked = f"{len(results.items):,} questions, {count} pipeline{'s' * (count > 1)}, {results.seconds:,.0f} s"
    screen.line(
        f"{asked}. Look at {out / 'report.html'}; all rows are in results.json and results.csv there."
    )


def _record(results: Results, judged: gate.Judgement | None, out: Path) -> dict[str, Any]:
    """The object of --json."""
    record: dict[str, Any] = {
        "out": str(out),
        "dataset": results.dataset.model_dump(mode="json"),
        "questions": len(results.items),
        "seconds": results.seconds,
        "commit": results.commit,
        "failed": {
            pipeline: sum(row.status == "failed" for row in results.rows_of(pipeline))
            for pipeline in results.pipelines
        },
        "summaries": {
            pipeline: {name: found.model_dump(mode="json") for name, found in of_pipeline.items()}
            for pipeline, of_pipeline in results.summaries.items()
        },
        "notes": list(results.notes),
    }
    if judged is not None:
        record["gate"] = {
            "passed": judged.passed,
            "falls": [
                {
                    "pipeline": fall.pipeline,
                    "metric": fall.metric,
                    "floor": fall.floor,
                    "now": fall.now,
                    "questions": [change.id for change in fall.changes],
                }
                for fall in judged.falls
            ],
            "changed": [change.describe() for _, change in judged.changes],
            "notes": list(judged.notes),
        }
    return record


def _rich(rows: list[list[str]]) -> Any:
    from rich.table import Table

    head, *body = rows
    shown = Table(box=None, pad_edge=False)
    for column, title in enumerate(head):
        shown.add_column(title, justify="left" if column == 0 else "right")
    for row in body:
        shown.add_row(*row)
    return shown
