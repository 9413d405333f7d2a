"""Batch files of `ask`: one JSON object a line."""

from __future__ import annotations

from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

import orjson

from agent.cli.quarters import read_quarter
from agent.errors import UsageError
from tools.documents.text.cleaning import clean

KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "question": ((str,), "text"),
    "id": ((str, int), "text or a whole number"),
    "company": ((str,), "text"),
    "year": ((int,), "a whole number"),
    "quarter": ((int, str), "1, 2, 3 or 4"),
    "type": ((str,), "text"),
    "document": ((str,), "text"),
}
"""Fields of a line: their types, and the same in words."""


def read_batch(path: Path) -> list[tuple[int, bytes]]:
    """The lines that are not blank, numbered from 1. Raises UsageError."""
    try:
        lines = path.read_bytes().removeprefix(BOM_UTF8).split(b"\n")
    except OSError as error:
        raise UsageError(f"Can't read batch file '{path}': {error.strerror or error}") from error
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def batch_item(line: bytes) -> dict[str, Any]:
    """One line's fields, nulls left out. Raises UsageError saying which field is wrong."""
    try:
        item = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise UsageError(f"not JSON: {error}") from error
    if not isinstance(item, dict):
        raise UsageError('not an object such as {"question": "..."}')
    if unknown := sorted(set(item) - set(KINDS)):
        raise UsageError(f"unknown field '{unknown[0]}'; known: {', '.join(KINDS)}")
    item = {name: value for name, value in item.items() if value is not None}
    for name, value in item.items():
        types, told = KINDS[name]
        if not isinstance(value, types) or isinstance(value, bool):
            raise UsageError(f"field '{name}' must be {told}")
    if not clean(item.get("question", "")).strip():
        raise UsageError("field 'question' is missing or empty")
    if "quarter" in item:
        item["quarter"] = read_quarter(item["quarter"])
        if item["quarter"] is None:
            raise UsageError("field 'quarter' must be 1, 2, 3 or 4")
    return item
