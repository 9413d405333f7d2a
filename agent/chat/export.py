"""A conversation as a file: Markdown to read, JSON to work with."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import orjson

from agent.display.printable import shown
from agent.display.reading_order import numbered
from agent.display.render import limited_to, looked_up, shorten
from agent.errors import UsageError
from agent.threads.thread_records import Thread, Turn
from graphs.contracts import Answer
from tools.documents.text.cleaning import squeeze
from tools.store.disk.home import replace_file

FORMATS = (".md", ".json")
STATUS = {"answered": "answered", "partial": "answered in part", "abstained": "not answered"}
MAX_FILE_NAME_CHARS, MAX_FILE_NAME_BYTES = 80, 200
"""Of a name without its ending; systems take 255 bytes with it."""
_NO_FILE_NAME = re.compile(r"[\\/:*?\"<>|\x00-\x1f\s]+")
_DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)[\d¹²³])(?= *(\.|$))", re.IGNORECASE)
"""Beginnings that Windows keeps for itself, whatever the ending."""
_MARKUP = re.compile(r"([\\`*_\[\]<>#|~])")


def export(thread: Thread, turns: Sequence[Turn], name: str) -> Path:
    """Write the turns to a new file, whole or not at all; its ending says how.

    Raises UsageError for another ending, an existing file or one that can't be written.
    """
    path = _path(name)
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"'{name}' must end in .md (Markdown, to read) or .json (turns, to work with).")
    if not turns:
        raise UsageError(f"The thread '{thread.name}' has no answers yet: nothing to export.")
    data = as_json(turns) if path.suffix.lower() == ".json" else as_markdown(thread, turns).encode()
    return _written(path, data)


def export_events(
    turns: Sequence[Turn], user: str, name: str, item_of: Callable[[str], str] | None
) -> tuple[Path, int]:
    """Write what was asked and when to a new .jsonl file, whole or not at all, the oldest first: `user`, `time` (UTC)
    and `question`, as it was understood; or, with `item_of`, the `item` that it gives, '' to leave a question out. The
    file, and how many are in it. Raises UsageError as `export` does."""
    path = _path(name)
    if path.suffix.lower() != ".jsonl":
        raise UsageError(f"'{name}' must end in .jsonl.")
    lines = []
    for turn in sorted(turns, key=lambda each: each.asked_at):
        question = turn.answer.standalone_question
        told = {"question": question} if item_of is None else {"item": item_of(question)}
        if all(told.values()):
            lines.append(orjson.dumps({"user": user, "time": turn.asked_at.isoformat(), **told}))
    if not lines:
        raise UsageError("No thread has a question to export.")
    return _written(path, b"\n".join(lines) + b"\n"), len(lines)


def _path(name: str) -> Path:
    return Path(os.path.expanduser(name))  # noqa: PTH111 - Path's raises for an unknown user


def _written(path: Path, data: bytes) -> Path:
    try:
        path.open("xb").close()
        replace_file(path, data)
    except FileExistsError as error:
        raise UsageError(f"'{path}' exists and is not overwritten. Choose another name.") from error
    except (OSError, ValueError) as error:
        raise UsageError(f"Can't write '{path}': {getattr(error, 'strerror', None) or error}") from error
    return path


def as_json(turns: Sequence[Turn]) -> bytes:
    """A list of turns: number, asked_at (UTC), question as typed, answer as in `hybridrag ask --json`."""
    records = [
        {
            "number": turn.number,
            "asked_at": turn.asked_at.isoformat(),
            "question": turn.question,
            "answer": turn.answer.model_dump(mode="json"),
        }
        for turn in turns
    ]
    return orjson.dumps(records, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def as_markdown(thread: Thread, turns: Sequence[Turn]) -> str:
    """The thread's name, then each question with its answer, citations and status, and how it was checked."""
    count = f"{len(turns)} question{'' if len(turns) == 1 else 's'}"
    head = f"# {_plain(thread.name)}\n\n{count} · begun {_when(thread.created)}"
    return shown("\n\n".join([head, *map(_turn, turns)])) + "\n"


def _turn(turn: Turn) -> str:
    answer = numbered(turn.answer)
    parts = [f"## {turn.number}. {_plain(turn.question)}"]
    if squeeze(answer.standalone_question) != squeeze(turn.question):
        parts.append(f"*Understood as: {_plain(answer.standalone_question)}*")
    parts.append(answer.answer)
    if answer.citations:
        parts.append(
            "\n".join(
                f"- [{c.marker}] {_plain(c.document)}, {_plain(c.where)}: {_plain(shorten(c.quote))}"
                for c in answer.citations
            )
        )
    told = [*limited_to(answer), STATUS[answer.status], *_checked(answer), looked_up(answer), *answer.gaps]
    parts.append(f"*{' · '.join((_when(turn.asked_at), *map(_plain, told)))}*")
    return "\n\n".join(parts)


def _checked(answer: Answer) -> list[str]:
    statements = answer.faithfulness.statements
    held = sum(each.supported for each in statements)
    return [f"{held} of {len(statements)} statements stand in their sources"] if statements else []


def file_name(thread_name: str) -> str:
    """A thread's name as that of a file, on any system; '' where nothing of it can be."""
    plain = _NO_FILE_NAME.sub(" ", shown(thread_name)).strip(" .")[:MAX_FILE_NAME_CHARS]
    short = plain.encode()[:MAX_FILE_NAME_BYTES].decode(errors="ignore").strip(" .")
    return f"_{short}" if _DEVICE.match(short) else short


def _when(moment: object) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _plain(text: str) -> str:
    """On one line, with nothing that Markdown would take for markup."""
    return _MARKUP.sub(r"\\\1", squeeze(text))
