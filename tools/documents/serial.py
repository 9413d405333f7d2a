"""Parsed documents as canonical JSON lines, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

import orjson

from tools.documents.types import (
    Chunk,
    Document,
    Page,
    Participant,
    ReadingCounts,
    SheetColumn,
    Table,
    TableFact,
    Tag,
)
from tools.periods import Period

Record = Document | Page | Table | Chunk | Participant


def dump_record(record: Record) -> bytes:
    """One record as one JSON line, newline included: sorted keys, dates as ISO strings; same record, same
    bytes."""
    return orjson.dumps(asdict(record), option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def _fields(line: bytes) -> dict[str, Any]:
    fields = orjson.loads(line)
    if not isinstance(fields, dict):
        raise ValueError("A record is a JSON object.")
    return fields


def _date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _period(fields: Mapping[str, Any]) -> Period:
    return Period(**{**fields, "end": _date(fields["end"])})


def load_document(line: bytes) -> Document:
    """The inverse of `dump_record` for a Document; ValueError or TypeError if the line is not one."""
    fields = _fields(line)
    return Document(
        **{
            **fields,
            "aliases": tuple(fields["aliases"]),
            "period_end": _date(fields["period_end"]),
            "reading": _counts(fields.get("reading")),
        }
    )


def _counts(fields: Mapping[str, Any] | None) -> ReadingCounts | None:
    if fields is None:
        return None
    return ReadingCounts(
        **{**fields, "statements": tuple(fields["statements"]), "notes": tuple(fields["notes"])}
    )


def load_page(line: bytes) -> Page:
    """The inverse of `dump_record` for a Page."""
    fields = _fields(line)
    tags = tuple(
        Tag(
            **{
                **tag,
                "period": _period(tag["period"]),
                "dimensions": tuple((axis, member) for axis, member in tag["dimensions"]),
            }
        )
        for tag in fields.get("tags", ())
    )
    lists = {
        "tags": tags,
        "named": tuple((concept, text) for concept, text in fields.get("named", ())),
        "rows": tuple(fields.get("rows", ())),
        "columns": tuple(SheetColumn(**column) for column in fields.get("columns", ())),
        "left_out": tuple((what, count) for what, count in fields.get("left_out", ())),
    }
    return Page(**{**fields, **lists})


def load_chunk(line: bytes) -> Chunk:
    """The inverse of `dump_record` for a Chunk."""
    fields = _fields(line)
    return Chunk(**{**fields, "pages": tuple(fields["pages"])})


def load_participant(line: bytes) -> Participant:
    """The inverse of `dump_record` for a Participant."""
    return Participant(**_fields(line))


def load_table(line: bytes) -> Table:
    """The inverse of `dump_record` for a Table."""
    fields = _fields(line)
    facts = tuple(
        TableFact(**{**fact, "path": tuple(fact["path"]), "period": _period(fact["period"])})
        for fact in fields["facts"]
    )
    return Table(**{**fields, "lines": tuple(fields["lines"]), "facts": facts})
