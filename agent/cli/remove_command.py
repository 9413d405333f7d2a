"""`hybridrag remove`, and what is said of the threads that quote what has been taken out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from agent.assistant import Assistant
from agent.display.screen import Screen

if TYPE_CHECKING:
    from tools.store.disk.home import Entry

MAX_LISTED = 20
"""Documents that a question lists."""
HELD = "A program still has the index open as it was before: that copy is deleted when it lets go."


def remove(args: argparse.Namespace, screen: Screen) -> int:
    """Take documents out; at a terminal several go only if the user says so."""
    assistant = Assistant.open(args.home)

    def approve(chosen: Sequence[Entry]) -> bool:
        several = len({entry.source or entry.document_id for entry in chosen}) > 1
        return args.yes or not several or not screen.can_ask or screen.confirm(_question(chosen))

    if assistant.settings.store_address is None:
        report = assistant.remove(args.document, approve)
    else:
        with screen.working() as tell:
            tell("waiting for a worker to publish the index without it")
            report = assistant.remove(
                args.document, approve, on_line=screen.note, on_nobody=say_nobody(screen)
            )
    if not report.removed:
        screen.note("Nothing was removed.")
        return 0
    for entry in report.removed:
        screen.json({"removed": entry.document_id, "source": entry.source})
        screen.line(f"removed {entry.document_id[:8]}  {entry.source}")
    if report.held:
        screen.note(HELD)
    tell_of_threads(assistant, report.removed, screen)
    return 0


def say_nobody(screen: Screen) -> Callable[[Any], None]:
    """Says that nobody works, and goes on waiting."""

    def say(address: Any) -> None:
        from tools.store.jobs.queue_status import NOBODY

        screen.note(NOBODY.format(address))

    return say


def _question(chosen: Sequence[Entry]) -> str:
    listed = [f"  {entry.document_id[:8]}  {entry.source or entry.path}" for entry in chosen[:MAX_LISTED]]
    more = [f"  and {len(chosen) - MAX_LISTED:,} more"] if len(chosen) > MAX_LISTED else []
    return "\n".join([*listed, *more, f"Remove these {len(chosen):,} documents from the index? [y/N] "])


def tell_of_threads(assistant: Assistant, removed: Iterable[Entry], screen: Screen) -> None:
    """Threads are the user's own notes: those that quote what has been removed are named, and stay."""
    from agent.threads.quoting import threads_that_quote
    from agent.threads.server_file import threads_that_may_hold

    names = {name for entry in removed for name in (entry.name, entry.path)}
    if quoting := threads_that_quote(assistant.settings, names):
        listed = ", ".join(f"'{each.name}'" for each in quoting)
        screen.note(
            "Chat threads still quote it, or cannot be read, and stay until you delete them (hybridrag threads): "
            f"{listed}."
        )
    if holding := threads_that_may_hold(assistant.home, names):
        listed = ", ".join(holding)
        screen.note(
            f"Threads of the server hold it, and stay until you delete them there (make studio): {listed}."
        )
