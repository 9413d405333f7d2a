"""`hybridrag eval recommend`. Writes to the screen it is given and returns an exit code."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import orjson

from agent.display.screen import Screen
from evals.journal import taken, writing
from evals.provenance import commit
from evals.recommend.interaction_data import load, permuted
from evals.recommend.ranking_report import plain, tables, write_rankings
from evals.recommend.ranking_results import RankingResults, between_models, measured, with_control
from evals.recommend.ranking_run import folder_name, rank
from evals.recommend.recommenders import RECOMMENDERS, recommenders
from evals.results import RESULTS
from tools.store.disk.home import replace_file


def eval_recommend(args: argparse.Namespace, screen: Screen) -> int:
    """Make the models, rank, report. UsageError, InteractionFileError, RunWriteError."""
    models = recommenders(args.models, args.ablations)
    data = load(args.dataset, args.path, args.core)
    screen.line(f"{data.name}: " + ", ".join(f"{value:,} {name}" for name, value in data.statistics.items()))
    for each in data.notes:
        screen.note(f"note: {each}")
    out: Path = args.out or Path("results") / f"recommend-{folder_name(data)}"
    with ExitStack() as held:
        held.callback(taken(out).release)
        runs = rank(data, models, args.preset, args.seeds, out, screen.note)
        found = list(measured(data, runs))
        compared = list(between_models(runs, [name for name, each in RECOMMENDERS.items() if each.ablation]))
        if args.permuted:
            control = permuted(data)
            control_runs = rank(control, models, args.preset, args.seeds, out, screen.note)
            found += measured(control, control_runs)
            compared += with_control(runs, control_runs)
        results = RankingResults(
            dataset=data.name,
            digest=data.digest,
            statistics=data.statistics,
            preset=args.preset,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            commit=commit(),
            measured=tuple(found),
            compared=tuple(compared),
            notes=data.notes,
        )
        record = results.model_dump(mode="json")
        with writing(out):
            replace_file(out / RESULTS, orjson.dumps(record) + b"\n")
            write_rankings(results, out)
    screen.json({"out": str(out), **record})
    for table in tables(results)[1:]:
        screen.line()
        screen.line(table.title)
        screen.line(plain(table))
    screen.line()
    screen.line(
        f"Look at {out / 'report.html'}; all figures are in results.json, each user's ranks below {out}."
    )
    return 0
