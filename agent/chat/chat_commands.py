"""The commands `hybridrag chat` and `hybridrag threads`."""

from __future__ import annotations

import argparse
import getpass
import io
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text

from agent.assistant import PIPELINES, Assistant
from agent.chat import views
from agent.chat.export import export
from agent.chat.lines import Lines, PipedLines
from agent.chat.loop import Chat
from agent.chat.slash_commands import SLASHES
from agent.errors import OUR_FAILURES, UsageError
from agent.threads.sessions import Sessions
from agent.threads.turn_parts import Filters
from tools.store.errors import IndexMissingError

if TYPE_CHECKING:
    from agent.display.screen import Screen


def chat(args: argparse.Namespace, screen: Screen) -> int:
    """Talk until the lines end. Raises UnknownCompanyError, UnknownDocumentError and UncoveredPeriodError for filters
    that admit nothing, ThreadNameError."""
    with Assistant.open(args.home) as assistant, Sessions(assistant) as sessions:
        opened = Chat(
            assistant,
            sessions,
            _lines(assistant, sessions, screen),
            screen,
            thread=args.thread,
            filters=_checked(
                assistant, Filters(args.company, args.year, args.quarter, args.doc_type, args.document)
            ),
            pipeline=args.pipeline,
            suggests=not args.no_suggest,
        )
        return opened.run()


def _checked(assistant: Assistant, filters: Filters) -> Filters:
    """The filters as the index has them; as they are where there is none to ask."""
    if filters == Filters():
        return filters
    try:
        catalog = assistant.current().catalog
    except IndexMissingError:
        return filters
    scope = filters.scope(catalog)
    company, doc_type = next(iter(scope.companies), None), next(iter(scope.doc_types), None)
    return replace(filters, company=company if filters.company else None, doc_type=doc_type)


def _lines(assistant: Assistant, sessions: Sessions, screen: Screen) -> Lines:
    if sys.stdin is None:  # closed by who started us
        return PipedLines(io.StringIO())
    if not (sys.stdin.isatty() and (sys.stdout.isatty() or sys.stderr.isatty())):
        return PipedLines(sys.stdin)
    from agent.chat.completion import ChatCompleter
    from agent.chat.editor import Editor

    def companies() -> list[str]:
        known = assistant.current().catalog.companies.values()
        return [
            *(company.name for company in known),
            *(company.ticker for company in known if company.ticker),
        ]

    def threads() -> list[str]:
        return [thread.name for thread in sessions.threads()]

    def types() -> list[str]:
        return sorted({each.doc_type for each in assistant.current().generation.documents.values()})

    def documents() -> list[str]:
        return sorted({each.path for each in assistant.current().generation.documents.values()})

    def off(names: Callable[[], Sequence[str]]) -> Callable[[], Sequence[str]]:
        return lambda: ["off", *names()]

    names, of_threads = _quietly(companies), _quietly(threads)
    completer = ChatCompleter(
        {slash.name: slash.does for slash in SLASHES},
        {
            "company": off(names),
            "period": lambda: ["off"],
            "type": off(_quietly(types)),
            "document": off(_quietly(documents)),
            "pipeline": lambda: PIPELINES,
            "thread": of_threads,
            "delete": of_threads,
        },
        names,
    )

    def say(words: str) -> None:
        if screen.rich:
            screen.show(lambda: Text(words), str)
        else:
            screen.note(words)

    return Editor(assistant.home, completer, say)


def _quietly(names: Callable[[], Sequence[str]]) -> Callable[[], Sequence[str]]:
    """While somebody types, what can't be read is not offered; the next question says why."""

    def found() -> Sequence[str]:
        try:
            return names()
        except OUR_FAILURES:
            return []

    return found


def threads(args: argparse.Namespace, screen: Screen) -> int:
    """List, rename, delete or export threads. Raises UnknownThreadError and what else the action raises."""
    with Assistant.open(args.home) as assistant, Sessions(assistant) as sessions:
        if args.action == "rename":
            sessions.rename(args.thread, args.name)
            screen.line(f"'{args.thread}' is now called '{args.name}'.")
        elif args.action == "delete":
            sessions.delete(args.thread)
            screen.line(f"Deleted '{args.thread}'.")
        elif args.action == "export" and args.events:
            _export_events(sessions, args, screen)
        elif args.action == "export":
            if args.thread is None or args.items or args.user is not None:
                raise UsageError("Give NAME and FILE; --items and --user go with --events.")
            thread = sessions.store.named(args.thread)
            path = export(thread, sessions.open(thread.name).turns(), str(args.file))
            screen.line(f"Wrote '{path}'.")
        else:
            _list(sessions, screen)
    return 0


def _export_events(sessions: Sessions, args: argparse.Namespace, screen: Screen) -> None:
    """What was asked in all threads, and when, as `hybridrag recommend import` reads it."""
    from agent.chat.export import export_events
    from graphs.local.dialogue.topics import item_asked

    if args.thread is not None:
        raise UsageError("With --events give FILE alone: the questions of all threads are written.")
    current = sessions.assistant.current
    item_of = (lambda question: item_asked(question, current())) if args.items else None
    turns = [turn for thread in sessions.threads() for turn in sessions.open(thread.name).turns()]
    path, written = export_events(turns, args.user or _own_name(), str(args.file), item_of)
    left_out = f"; {len(turns) - written:,} have no topic" if written < len(turns) else ""
    screen.line(f"Wrote '{path}': {written:,} questions{left_out}.")


def _own_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError) as error:  # KeyError before Python 3.13
        raise UsageError("This system does not know your name. Give --user NAME.") from error


def _list(sessions: Sessions, screen: Screen) -> None:
    found = sessions.threads()
    for thread in found:
        screen.json(
            {
                "name": thread.name,
                "turns": thread.turns,
                "created": thread.created.isoformat(),
                "used": thread.used.isoformat(),
            }
        )
    rows = "\n".join(f"{t.name}\t{t.turns}\t{views.local(t)}" for t in found)
    if found:
        screen.show(lambda: views.block(views.threads(found)), lambda: rows)
    else:
        screen.note("No threads yet. Begin one: hybridrag chat")
