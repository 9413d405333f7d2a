"""What each command does. A command writes to the screen it is given and returns an exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.assistant import Assistant
from agent.cli import graph_commands, graph_file_commands, ontology_commands, recommend_commands
from agent.cli.batch import batch_item, read_batch
from agent.cli.index_command import index
from agent.cli.remove_command import remove
from agent.display.screen import Screen
from agent.errors import OUR_FAILURES, USER_MISTAKES, UsageError
from tools.documents.text.cleaning import clean

if TYPE_CHECKING:
    from rich.console import RenderableType

    from graphs.contracts import Answer
    from tools.documents.types import Document

Command = Callable[[argparse.Namespace, Screen], int]


def ask(args: argparse.Namespace, screen: Screen) -> int:
    """One question, or a batch of them. Abstaining is an answer, too: exit code 0."""
    if args.json_schema:
        return _schema(screen)
    if (args.question is None) == (args.batch is None):
        raise UsageError("Give a question or --batch FILE.jsonl, one of the two.")
    with Assistant.open(args.home) as assistant:
        if args.batch is not None:
            return _batch(assistant, args, screen)
        question = _stdin() if args.question == "-" else args.question
        if not clean(question).strip():
            raise UsageError('The question is empty. Ask, for instance: hybridrag ask "What was net income?"')
        answer = assistant.ask(
            question,
            company=args.company,
            year=args.year,
            quarter=args.quarter,
            doc_type=args.doc_type,
            document=args.document,
            pipeline=args.pipeline,
        )
        show_answer(answer, screen)
        _say_if_indexing(assistant, screen)
    return 0


def _schema(screen: Screen) -> int:
    """What `--json` prints of an answer, as JSON Schema."""
    import json

    from graphs.contracts import Answer

    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Answer.model_json_schema(mode="serialization"),
    }
    screen.json(schema)
    screen.line(json.dumps(schema, indent=2))
    return 0


def _say_if_indexing(assistant: Assistant, screen: Screen) -> None:
    """Whoever asks while a run goes on must know that not everything was looked at."""
    from tools.store.disk.lock import indexing_under_way

    under_way = None if assistant.settings.store else indexing_under_way(assistant.home)
    if under_way is not None:
        ready, total = under_way
        screen.note(f"Indexing goes on: {ready:,} of {total:,} documents can be asked so far.")


def _stdin() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise UsageError(f"The question on standard input is not UTF-8 text: {error}") from error


def show_answer(answer: Answer, screen: Screen) -> None:
    """An answer with its citations, or its object with --json."""
    from agent.display import render

    screen.json(answer.model_dump_json().encode())

    def on_terminal() -> RenderableType:
        from agent.display.terminal import answer_view

        return answer_view(answer)

    screen.show(on_terminal, lambda: render.plain_answer(answer))


def _batch(assistant: Assistant, args: argparse.Namespace, screen: Screen) -> int:
    """Answers in input order. A line that can't be asked is a line with `error`; the exit code is then 2."""
    lines = read_batch(args.batch)
    assistant.current()
    mistakes = failures = 0
    for number, line in lines:
        item: dict[str, Any] = {}
        try:
            item = batch_item(line)
            answer = assistant.ask(
                item["question"],
                company=item.get("company", args.company),
                year=item.get("year", args.year),
                quarter=item.get("quarter", args.quarter),
                doc_type=item.get("type", args.doc_type),
                document=item.get("document", args.document),
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
        show_answer(answer, screen)
    _say_if_indexing(assistant, screen)
    return 1 if failures else 2 if mistakes else 0


def documents(args: argparse.Namespace, screen: Screen) -> int:
    """List what is indexed; with --details what reading found."""
    from agent.display import render
    from tools.documents.serial import dump_record

    with Assistant.open(args.home) as assistant:
        generation = assistant.current().generation
        _say_if_indexing(assistant, screen)
        found = list(generation.documents.values())
        if args.details:
            _details(found, {entry.document_id: entry.flags for entry in generation.entries}, screen)
            return 0
    for document in found:
        screen.json(dump_record(document).rstrip())

    def on_terminal() -> RenderableType:
        from agent.display.terminal import documents_view

        return documents_view(found)

    screen.show(
        on_terminal,
        lambda: "\n".join("\t".join(render.document_row(d)) for d in found),
    )
    return 0


def _details(found: Sequence[Document], flags: Mapping[str, str], screen: Screen) -> None:
    from agent.display.document_report import detail_lines, reading_record
    from tools.store.reading.flags import flags_of

    told = [(document, flags_of(flags[document.id])) for document in found]
    for document, said in told:
        screen.json(reading_record(document, said))

    def on_terminal() -> RenderableType:
        from agent.display.terminal import details_view

        return details_view(told)

    screen.show(on_terminal, lambda: "\n".join(line for each in told for line in detail_lines(*each)))


def fetch(args: argparse.Namespace, screen: Screen) -> int:
    """See `agent.cli.fetch_command.fetch`."""
    from agent.cli import fetch_command

    return fetch_command.fetch(args, screen)


def store_copy(args: argparse.Namespace, screen: Screen) -> int:
    """See `agent.cli.store_command.copy`."""
    from agent.cli import store_command

    return store_command.copy(args, screen)


def worker(args: argparse.Namespace, screen: Screen) -> int:
    """See `agent.cli.worker_command.worker`."""
    from agent.cli import worker_command

    return worker_command.worker(args, screen)


def doctor(args: argparse.Namespace, screen: Screen) -> int:
    """Check the installation and the index; --mend closes the home to others. Exit code 1 if anything is broken."""
    from agent.cli.doctor import examine

    broken = 0
    with Assistant.open(args.home) as assistant:
        for finding in examine(assistant, mend=args.mend):
            broken += finding.level == "broken"
            screen.json({"check": finding.check, "level": finding.level, "detail": finding.detail})
            screen.line(f"{finding.level:7} {finding.check}: {finding.detail}")
    return 1 if broken else 0


def completion(args: argparse.Namespace, screen: Screen) -> int:
    """See `agent.cli.completion_command.completion`."""
    from agent.cli import completion_command

    return completion_command.completion(args, screen)


def chat(args: argparse.Namespace, screen: Screen) -> int:
    """See `agent.chat.chat_commands.chat`."""
    from agent.chat import chat_commands

    return chat_commands.chat(args, screen)


def web(args: argparse.Namespace, screen: Screen) -> int:
    """See `agent.web.web_command.serve`."""
    from agent.web.web_command import serve

    return serve(args, screen)


def threads(args: argparse.Namespace, screen: Screen) -> int:
    """See `agent.chat.chat_commands.threads`."""
    from agent.chat import chat_commands

    return chat_commands.threads(args, screen)


COMMANDS: dict[str, Command] = {
    "ask": ask,
    "chat": chat,
    "threads": threads,
    "web": web,
    "index": index,
    "fetch": fetch,
    "documents": documents,
    "remove": remove,
    "graph_stats": graph_commands.stats,
    "graph_show": graph_commands.show,
    "graph_view": graph_file_commands.view,
    "graph_export": graph_file_commands.export,
    "graph_merges": graph_commands.merges,
    "graph_merge": graph_commands.merge,
    "graph_split": graph_commands.split,
    "graph_conflicts": graph_commands.conflicts,
    "ontology_add": ontology_commands.add,
    "ontology_list": ontology_commands.list_all,
    "ontology_show": ontology_commands.show,
    "ontology_remove": ontology_commands.remove,
    "ontology_coverage": ontology_commands.coverage,
    "recommend_import": recommend_commands.import_file,
    "recommend_status": recommend_commands.status,
    "recommend_train": recommend_commands.train,
    "recommend_next": recommend_commands.following,
    "recommend_forget": recommend_commands.forget,
    "store_copy": store_copy,
    "worker": worker,
    "doctor": doctor,
    "completion": completion,
}
