"""`hybridrag demo` and `hybridrag eval`: their arguments, registered with the command line below by an entry point in
pyproject.toml. Light: what a command does is imported when it is run, so that --help is instant."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent.display.screen import Screen

PIPELINES = "vector@paper,vector,graph,hybrid,agent"
RECOMMENDED = "popularity,transitions,sasrec,tgcl4sr"
DATASETS = "sample, earnings-calls, earnings-calls-blind, sec-10q, financebench, did-well, questions or jsonl"


def register(commands: Any, home: argparse.ArgumentParser, as_json: argparse.ArgumentParser) -> None:
    """Add `demo`, `eval` and its actions to the command line."""
    demo = commands.add_parser(
        "demo", parents=[home], help="index the sample documents and ask a handful of questions"
    )
    demo.set_defaults(run=_demo)
    evaluate = commands.add_parser("eval", help="compare the pipelines on a set of questions")
    actions = evaluate.add_subparsers(dest="action", required=True, metavar="ACTION")
    _add_run(actions, as_json)
    report = actions.add_parser("report", parents=[as_json], help="write a run's report.html and .md again")
    report.add_argument("folder", type=Path, metavar="DIR", help="folder of a run")
    report.set_defaults(run=_report)
    compare = actions.add_parser("compare", parents=[as_json], help="paired differences between two runs")
    compare.add_argument("first", type=Path, metavar="A", help="folder of a run")
    compare.add_argument("second", type=Path, metavar="B", help="folder of another")
    compare.set_defaults(run=_compare)
    _add_recommend(actions, as_json)


def _add_run(actions: Any, as_json: argparse.ArgumentParser) -> None:
    run = actions.add_parser(
        "run",
        parents=[as_json],
        help="ask, score, report",
        description="Asks every question of every pipeline, scores the answers and writes results and reports into "
        "a folder. A run that was stopped goes on when the same command is given again.",
    )
    run.add_argument("--dataset", required=True, metavar="NAME", help=DATASETS)
    run.add_argument("--path", type=Path, metavar="P", help="where the questions and documents lie")
    run.add_argument(
        "--pipelines",
        default=PIPELINES,
        metavar="A,B",
        help="agent, vector, graph, hybrid; with @paper in the paper's configuration: recursive chunks of 1,024 "
        f"characters, dense search alone, k = 4 (default: {PIPELINES})",
    )
    run.add_argument("--out", type=Path, metavar="DIR", help="folder of the run (default: results/NAME)")
    run.add_argument(
        "--home",
        type=Path,
        metavar="DIR",
        help="an index to use as it is (default: one is built, shared by the runs beside this one)",
    )
    run.add_argument("--limit", type=_count, metavar="N", help="ask only N questions, the same each time")
    run.add_argument(
        "--seed", type=int, default=0, help="of --limit's draw, spread over the kinds of question"
    )
    run.add_argument(
        "--workers", type=_count, metavar="N", help="questions at once (default: HYBRIDRAG_WORKERS)"
    )
    run.add_argument(
        "--replies",
        type=Path,
        metavar="FOLDER",
        help="keep every reply of the model there and ask for none that is there already; without an endpoint, or with "
        "--replay, the replies there are all there is",
    )
    run.add_argument("--replay", action="store_true", help="with --replies: ask no endpoint")
    run.add_argument(
        "--prune", action="store_true", help="with --replies: drop those that this run did not use"
    )
    run.add_argument("--fresh", action="store_true", help="replace the run that is in the folder")
    run.add_argument("--retry-failed", action="store_true", help="ask questions that failed again")
    run.add_argument(
        "--judge",
        action="store_true",
        help="let a model judge, too (ragas): questions, answers and evidence go to it",
    )
    run.add_argument(
        "--judge-sample", type=_count, metavar="N", help="judge only N questions; implies --judge"
    )
    run.add_argument(
        "--upload-langsmith",
        action="store_true",
        help="send questions, answers and evidence to LangSmith (LANGSMITH_API_KEY, LANGSMITH_ENDPOINT)",
    )
    gate = run.add_argument_group("regression gate: exit code 1 where a metric is below its floor")
    gate.add_argument(
        "--floors", type=Path, metavar="FILE", help="floors (default for sample: the project's)"
    )
    gate.add_argument("--no-gate", action="store_true", help="compare with no floors")
    gate.add_argument("--update-floors", action="store_true", help="write the floors from this run")
    run.set_defaults(run=_run)


def _add_recommend(actions: Any, as_json: argparse.ArgumentParser) -> None:
    recommend = actions.add_parser(
        "recommend",
        parents=[as_json],
        help="what users did next, found by each model",
        description="Leaves the last event of each user out and ranks it among all items by what came before it, with "
        "seen items left out and not. What a stopped run has finished is not computed again.",
    )
    recommend.add_argument(
        "--dataset",
        required=True,
        metavar="NAME",
        help="beauty, ml-100k or another name of an .inter file in the folder --path; or a file: .inter, .csv, .jsonl",
    )
    recommend.add_argument("--path", type=Path, metavar="P", help="the file, or the folder where it lies")
    recommend.add_argument(
        "--models",
        default=RECOMMENDED,
        metavar="A,B",
        help="popularity, transitions, transitions-tuned, sasrec, tgcl4sr; sasrec-mixed and tgcl4sr-mixed, with "
        "transitions-tuned; the ablations tgcl4sr-dgcl, -sgcl, -tgcl, -titconv, -interval, and -single, its attention "
        f"as printed (default: {RECOMMENDED})",
    )
    recommend.add_argument("--seeds", type=_count, default=3, metavar="N", help="of what learns (default: 3)")
    recommend.add_argument(
        "--preset", choices=("quick", "paper"), default="quick", help="of what learns (default: quick)"
    )
    recommend.add_argument(
        "--core", type=_count, default=0, metavar="K", help="only users and items with K actions or more"
    )
    recommend.add_argument(
        "--permuted",
        action="store_true",
        help="a control, too: each user's events in an order that says nothing",
    )
    recommend.add_argument("--ablations", action="store_true", help="the ablations, too")
    recommend.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the run (default: results/recommend-NAME)"
    )
    recommend.set_defaults(run=_recommend)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive whole number")
    return int(text)


def _demo(args: argparse.Namespace, screen: Screen) -> int:
    from evals.demo import demo

    return demo(args, screen)


def _run(args: argparse.Namespace, screen: Screen) -> int:
    from evals.commands import eval_run

    return eval_run(args, screen)


def _report(args: argparse.Namespace, screen: Screen) -> int:
    from evals.commands import eval_report

    return eval_report(args, screen)


def _compare(args: argparse.Namespace, screen: Screen) -> int:
    from evals.commands import eval_compare

    return eval_compare(args, screen)


def _recommend(args: argparse.Namespace, screen: Screen) -> int:
    from evals.recommend.recommend_command import eval_recommend

    return eval_recommend(args, screen)
