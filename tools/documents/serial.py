"""Parsed documents as canonical JSON lines, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

import orjson

from tools.documents.types import Chunk, Document, Page, Participant, SheetColumn, Table, TableFact, Tag
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
        **{**fields, "aliases": tuple(fields["aliases"]), "period_end": _date(fields["period_end"])}
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
    columns = tuple(SheetColumn(**column) for column in fields.get("columns", ()))
    return Page(**{**fields, "tags": tags, "rows": tuple(fields.get("rows", ())), "columns": columns})


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
