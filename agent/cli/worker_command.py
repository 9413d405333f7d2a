"""`hybridrag worker`: reading what others submit to a database; and what waits there."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from agent.assistant import Assistant
from agent.display.printable import printable
from agent.display.screen import Screen

if TYPE_CHECKING:
    from tools.store.jobs.queue_status import QueueStatus


def worker(args: argparse.Namespace, screen: Screen) -> int:
    """Serve, or say what waits."""
    assistant = Assistant.open()
    if args.action == "status":
        _show(assistant.queue(), screen)
        return 0

    def say(line: str) -> None:
        screen.line(line)
        screen.json({"line": printable(line)})

    with assistant.worker(args.home, say) as serving:
        serving.begin()
        say(f"Worker {serving.name} serves {serving.database.address} from '{serving.cache.home.root}'.")
        serving.run(once=args.once)
    return 0


def _show(status: QueueStatus, screen: Screen) -> None:
    screen.json(_record(status))
    for line in status_lines(status):
        screen.line(line)


def _record(status: QueueStatus) -> dict[str, Any]:
    told = asdict(status)
    for each in (*told["running"], *told["failed"]):
        each["file"] = printable(each["file"])
    return told


def status_lines(status: QueueStatus) -> list[str]:
    """The queue in words: what waits, runs and has failed, and who works."""
    since = f" since {_when(status.waiting_since)}" if status.waiting_since is not None else ""
    again = f", {status.again:,} of them for another try" if status.again else ""
    lines = [
        f"waiting: {status.waiting:,} documents, {status.waiting_bytes / 1e6:,.1f} MB{since}{again}",
        f"read and not published yet: {status.unpublished:,}{' (a worker publishes now)' * status.publishing}",
    ]
    for each in status.running:
        where = f", {each.stage} {each.done:,} of {each.total:,}" if each.stage and each.total else ""
        lines.append(f"running: {each.file}{where}, since {_when(each.since)} by {each.worker}")
    for run in status.budgets:
        lines.append(
            f"budget: {run.spent:,} of {run.max_tokens:,} tokens spent by a run of which "
            f"{run.documents:,} documents are not read yet"
        )
    for bad in status.failed:
        lines.append(f"failed: {bad.file} ({bad.reason}), {_when(bad.ended)} by {bad.worker}")
    for one in status.workers:
        lines.append(
            f"worker {one.name}: {one.doing}, {'seen' if one.at_work else 'last seen'} {_when(one.seen)}"
        )
    if status.publishing or any(one.at_work for one in status.workers):
        return lines
    return [*lines, "No worker is at work. Start one: hybridrag worker"]


def _when(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M:%S}"
