"""`hybridrag index`: reading documents, or estimating what that would take."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.assistant import Assistant
from agent.cli.remove_command import say_nobody, tell_of_threads
from agent.display.screen import Screen
from agent.errors import UsageError

if TYPE_CHECKING:
    from agent.indexing import Extractor
    from tools.store.reading.model_broker import Spent
    from tools.store.reading.report import IndexReport


def index(args: argparse.Namespace, screen: Screen) -> int:
    """Index paths. Exit code 2 if a file can't be read, 1 if an endpoint left one open; what could be indexed is in
    the index all the same."""
    from datetime import date

    from tools.documents.metadata.document_metadata import Overrides

    try:
        period_end = date.fromisoformat(args.period_end) if args.period_end else None
    except ValueError as error:
        raise UsageError(f"--period-end must be a date such as 2024-03-30: {error}") from error
    overrides = Overrides(args.company, args.ticker, args.doc_type, args.year, args.quarter, period_end)
    assistant = Assistant.open(args.home)
    if args.dry_run:
        return _estimate(assistant, args, overrides, screen)
    if args.no_wait and assistant.settings.store_address is None:
        raise UsageError("--no-wait leaves files to the workers of a database: set HYBRIDRAG_STORE.")
    if args.no_wait:
        return _only_submit(assistant, args, overrides, screen)
    report = index_paths(
        assistant,
        args.paths,
        overrides,
        screen,
        args.extractor,
        args.max_tokens,
        args.forget_flags,
        args.prune,
    )
    _tell_of_gone(assistant, args, report, screen)
    return 1 if report.counts.get("incomplete") else 2 if report.counts.get("failed") else 0


def index_paths(
    assistant: Assistant,
    paths: Iterable[Path],
    overrides: Any,
    screen: Screen,
    extractor: Extractor | None = None,
    max_tokens: int | None = None,
    forget_flags: bool = False,
    prune: bool = False,
) -> IndexReport:
    """Index `paths`, with progress while it lasts and the report afterwards."""
    with screen.progress() as advance:
        report = assistant.index(
            list(paths),
            overrides,
            advance,
            extractor=extractor,
            max_tokens=max_tokens,
            forget_flags=forget_flags,
            prune=prune,
            on_line=screen.note,
            on_nobody=say_nobody(screen),
        )
    from agent import indexing
    from agent.display import render

    for line in [*render.report_lines(report), *indexing.model_lines(report)]:
        screen.line(line)
    screen.json({**render.report_record(report), **indexing.model_record(report)})
    return report


def _only_submit(assistant: Assistant, args: argparse.Namespace, overrides: Any, screen: Screen) -> int:
    """Leave the files to the workers. Exit code 2 if one can't be read."""
    with (
        assistant.submission(
            args.paths,
            overrides,
            extractor=args.extractor,
            max_tokens=args.max_tokens,
            forget_flags=args.forget_flags,
            prune=args.prune,
            on_line=screen.note,
            on_nobody=say_nobody(screen),
        ) as run,
        screen.working() as tell,
    ):
        tell("submitting")
        run.plan()
        submitted = run.submit()
    known = run.course.outcomes.values()
    failed = [outcome for outcome in known if outcome.state == "failed"]
    for outcome in failed:
        screen.line(f"failed: {outcome.file} ({outcome.reason})")
    unchanged = sum(outcome.state == "unchanged" for outcome in known)
    screen.line(
        f"{submitted:,} documents wait for the workers, {unchanged:,} are unchanged. See: hybridrag worker status"
    )
    screen.json(
        {"submitted": submitted, "unchanged": unchanged, "failed": [outcome.file for outcome in failed]}
    )
    return 2 if failed else 0


def _tell_of_gone(
    assistant: Assistant, args: argparse.Namespace, report: IndexReport, screen: Screen
) -> None:
    from tools.store.errors import command

    if gone := report.counts.get("gone"):
        again = command(assistant.home, f"index {shlex.join(map(str, args.paths))} --prune")
        documents = "1 document is of a file" if gone == 1 else f"{gone:,} documents are of files"
        screen.note(f"{documents} no longer there, and can still be asked. To take them out: {again}")
    removed = [o.entry for o in report.outcomes if o.state == "removed" and o.entry is not None]
    if removed:
        tell_of_threads(assistant, removed, screen)


def _estimate(assistant: Assistant, args: argparse.Namespace, overrides: Any, screen: Screen) -> int:
    """A dry run. Exit code 2 if a file cannot be read."""
    from agent import indexing
    from tools.store.reading.report import Progress

    with screen.progress() as advance:

        def forward(done: int, total: int, spent: Spent) -> None:
            advance(Progress("reading", done, total, spent=spent))

        estimate = assistant.estimate(
            args.paths, overrides, forward, extractor=args.extractor, forget_flags=args.forget_flags
        )
    for line in indexing.estimate_lines(estimate):
        screen.line(line)
    screen.json(indexing.estimate_record(estimate))
    return 2 if estimate.failures else 0
