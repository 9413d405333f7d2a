"""What each command does. A command writes to the screen it is given and returns an exit code."""

from __future__ import annotations

import argparse
import sys
import time
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from agent.assistant import Assistant
from agent.errors import OUR_FAILURES, USER_MISTAKES, UsageError
from tools.documents.text import clean

if TYPE_CHECKING:
    from rich.console import RenderableType

    from graphs.contracts import Answer
    from tools.store.report import IndexReport, Progress

DEMO_QUESTIONS = (
    "What was Calderith's total revenue in the quarter ended March 30, 2024?",
    "Compare Calderith's and Harrowmere's net income in the most recent quarter.",
    "Who is the chief financial officer of Harrowmere?",
    "Why did Calderith's gross margin change?",
    "What risks does Harrowmere describe?",
    "What was Calderith's revenue in the quarter ended June 30, 2019?",
    "What is the capital of France?",
)


DEMO_HOME = ".hybridrag-demo"
KINDS: dict[Any, str] = {
    str: "text",
    int: "a whole number",
    (str, int): "text or a whole number",
}
"""JSON types, in words."""


class Screen(Protocol):
    """Where a command's output goes; `agent.cli` has the one that prints."""

    rich: bool
    as_json: bool

    def line(self, text: str = "") -> None: ...
    def json(self, record: dict[str, Any] | bytes) -> None: ...
    def show(self, rich: Callable[[], RenderableType], plain: Callable[[], str]) -> None: ...
    def note(self, text: str) -> None: ...
    def progress(self) -> AbstractContextManager[Callable[[Progress], None]]: ...


Command = Callable[[argparse.Namespace, Screen], int]


def ask(args: argparse.Namespace, screen: Screen) -> int:
    """One question, or a batch of them. Abstaining is an answer, too: exit code 0."""
    if (args.question is None) == (args.batch is None):
        raise UsageError("Give a question or --batch FILE.jsonl, one of the two.")
    with Assistant.open(args.home) as assistant:
        if args.batch is not None:
            return _batch(assistant, args, screen)
        question = _stdin() if args.question == "-" else args.question
        if not clean(question).strip():
            raise UsageError('The question is empty. Ask, for instance: hybridrag ask "What was net income?"')
        answer = assistant.ask(
            question, company=args.company, year=args.year, quarter=args.quarter, pipeline=args.pipeline
        )
        _show_answer(answer, screen)
    return 0


def _stdin() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise UsageError(f"The question on standard input is not UTF-8 text: {error}") from error


def _show_answer(answer: Answer, screen: Screen) -> None:
    from agent import render

    screen.json(answer.model_dump_json().encode())
    screen.show(lambda: render.rich_answer(answer), lambda: render.plain_answer(answer))


def _batch(assistant: Assistant, args: argparse.Namespace, screen: Screen) -> int:
    """Answers in input order. A line that can't be asked is a line with `error`; the exit code is then 2."""
    try:
        lines = args.batch.read_bytes().removeprefix(BOM_UTF8).split(b"\n")
    except OSError as error:
        raise UsageError(f"Can't read batch file '{args.batch}': {error.strerror or error}") from error
    assistant.current()
    mistakes = failures = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        item: dict[str, Any] = {}
        try:
            item = batch_item(line)
            answer = assistant.ask(
                item["question"],
                company=item.get("company", args.company),
                year=item.get("year", args.year),
                quarter=item.get("quarter", args.quarter),
                pipeline=args.pipeline,
                id=item.get("id"),
            )
        except (*USER_MISTAKES, *OUR_FAILURES) as error:
            if isinstance(error, BrokenPipeError):
                raise
            mine = isinstance(error, USER_MISTAKES)
            mistakes, failures = mistakes + mine, failures + (not mine)
            screen.json({"id": item.get("id"), "line": number, "error": str(error)})
            screen.line(f"\nline {number}: {error}")
            continue
        if not screen.as_json:
            screen.line(f"\n> {item['question']}")
        _show_answer(answer, screen)
    return 1 if failures else 2 if mistakes else 0


def batch_item(line: bytes) -> dict[str, Any]:
    """One line of a batch file. Raises UsageError saying which field is wrong."""
    try:
        item = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise UsageError(f"not JSON: {error}") from error
    if not isinstance(item, dict):
        raise UsageError('not an object such as {"question": "..."}')
    kinds: dict[str, Any] = {
        "question": str,
        "id": (str, int),
        "company": str,
        "year": int,
        "quarter": int,
    }
    if unknown := sorted(set(item) - set(kinds)):
        raise UsageError(f"unknown field '{unknown[0]}'; known: {', '.join(kinds)}")
    item = {name: value for name, value in item.items() if value is not None}
    for name, value in item.items():
        if not isinstance(value, kinds[name]) or isinstance(value, bool):
            raise UsageError(f"field '{name}' must be {KINDS[kinds[name]]}")
    if not clean(item.get("question", "")).strip():
        raise UsageError("field 'question' is missing or empty")
    if item.get("quarter", 1) not in (1, 2, 3, 4):
        raise UsageError("field 'quarter' must be 1, 2, 3 or 4")
    return item


def index(args: argparse.Namespace, screen: Screen) -> int:
    """Index paths. Exit code 1 if a file failed; what could be indexed is in the index all the same."""
    from datetime import date

    from tools.documents.metadata import Overrides

    try:
        period_end = date.fromisoformat(args.period_end) if args.period_end else None
    except ValueError as error:
        raise UsageError(f"--period-end must be a date such as 2024-03-30: {error}") from error
    overrides = Overrides(args.company, args.ticker, args.doc_type, args.year, args.quarter, period_end)
    report = _index(Assistant.open(args.home), args.paths, overrides, screen)
    return 1 if report.counts.get("failed") else 0


def _index(assistant: Assistant, paths: Iterable[Path], overrides: Any, screen: Screen) -> IndexReport:
    with screen.progress() as advance:
        report = assistant.index(list(paths), overrides, advance)
    from agent import render

    for line in render.report_lines(report):
        screen.line(line)
    screen.json(render.report_record(report))
    return report


def documents(args: argparse.Namespace, screen: Screen) -> int:
    """List what is indexed."""
    from agent import render
    from tools.documents.serial import dump_record

    with Assistant.open(args.home) as assistant:
        found = list(assistant.current().generation.documents.values())
    for document in found:
        screen.json(dump_record(document).rstrip())
    screen.show(
        lambda: render.documents_table(found),
        lambda: "\n".join("\t".join(render.document_row(d)) for d in found),
    )
    return 0


def remove(args: argparse.Namespace, screen: Screen) -> int:
    """Take documents out."""
    report = Assistant.open(args.home).remove(args.document)
    for entry in report.removed:
        screen.json({"removed": entry.document_id, "source": entry.source})
        screen.line(f"removed {entry.document_id[:8]}  {entry.source}")
    return 0


def graph_stats(args: argparse.Namespace, screen: Screen) -> int:
    """Count the knowledge graph."""
    from agent import render

    with Assistant.open(args.home) as assistant:
        stats = assistant.current().graph.stats()
    screen.json(render.stats_record(stats))
    for line in render.stats_lines(stats):
        screen.line(line)
    return 0


def graph_show(args: argparse.Namespace, screen: Screen) -> int:
    """An entity and what the graph says of it."""
    from agent import render
    from graphs.steps.filters import scope_from_filters

    with Assistant.open(args.home) as assistant:
        opened = assistant.current()
        knowledge = opened.graph
    scope = scope_from_filters(opened.catalog, args.company, args.year, args.quarter)
    entities = knowledge.find_entity(args.entity, scope)
    if not entities:
        raise UsageError(f"No entity '{args.entity}' in the knowledge graph (within the filters given).")
    for entity in entities:
        triplets = knowledge.neighbourhood(entity.key, 1, scope)
        screen.json(render.entity_record(entity, triplets[: args.limit]))
        for line in render.entity_lines(entity, triplets, args.limit):
            screen.line(line)
    return 0


def graph_export(args: argparse.Namespace, screen: Screen) -> int:
    """Write GraphML."""
    with Assistant.open(args.home) as assistant:
        knowledge = assistant.current().graph
    try:
        knowledge.export_graphml(args.file)
    except OSError as error:
        raise UsageError(f"Can't write '{args.file}': {error.strerror or error}") from error
    screen.line(f"wrote {args.file} ({len(knowledge):,} triplets)")
    return 0


def demo(args: argparse.Namespace, screen: Screen) -> int:
    """Index the project's own sample documents and ask a handful of questions."""
    from agent.samples import sample_documents

    started = time.monotonic()
    with Assistant.open(args.home or Path(DEMO_HOME)) as assistant:
        screen.line(f"Indexing the sample documents into '{assistant.home}' ...")
        _index(assistant, [sample_documents()], None, screen)
        for question in DEMO_QUESTIONS:
            screen.line(f"\n> {question}\n")
            _show_answer(assistant.ask(question), screen)
    screen.line(
        f"\nDone in {time.monotonic() - started:.1f} s. Ask your own: "
        f'hybridrag ask --home {assistant.home} "..."; index your own: hybridrag index PATH'
    )
    return 0


def doctor(args: argparse.Namespace, screen: Screen) -> int:
    """Check the installation and the index. Exit code 1 if anything is broken."""
    from agent.doctor import examine

    broken = 0
    with Assistant.open(args.home) as assistant:
        for finding in examine(assistant):
            broken += finding.level == "broken"
            screen.json({"check": finding.check, "level": finding.level, "detail": finding.detail})
            screen.line(f"{finding.level:7} {finding.check}: {finding.detail}")
    return 1 if broken else 0


COMMANDS: dict[str, Command] = {
    "ask": ask,
    "index": index,
    "documents": documents,
    "remove": remove,
    "graph_stats": graph_stats,
    "graph_show": graph_show,
    "graph_export": graph_export,
    "demo": demo,
    "doctor": doctor,
}
