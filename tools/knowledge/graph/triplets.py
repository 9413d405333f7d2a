"""Triplets made, written and read: one builder, so that every one carries its provenance and id."""

from __future__ import annotations

import hashlib
from dataclasses import astuple, replace
from datetime import date
from typing import Any

import orjson

from tools.documents.types import Document
from tools.knowledge.types import EntityType, Triplet
from tools.periods import Period

_FIELDS = tuple(name for name in Triplet.__dataclass_fields__ if name != "id")


def _digest(triplet: Triplet) -> str:
    """A date and an amount count where there are any: a triplet without them keeps the id that it had before."""
    *fields, said_date, said_amount = astuple(triplet)[1:]
    fields += [text for text in (said_date, said_amount) if text]
    return hashlib.sha256(orjson.dumps(fields)).hexdigest()[:16]


def make_triplet(
    document: Document,
    head: tuple[str, EntityType],
    relation: str,
    tail: tuple[str, EntityType],
    *,
    page: int,
    quote: str,
    chunk_id: str = "",
    period: Period | None = None,
    **figure: Any,
) -> Triplet:
    """A triplet of `document` with its id; `figure` holds the value fields of `Triplet` (value, unit,
    path, ...)."""
    draft = Triplet(
        id="",
        head=head[0],
        head_type=head[1],
        relation=relation,
        tail=tail[0],
        tail_type=tail[1],
        document_id=document.id,
        document=document.name,
        page=page,
        chunk_id=chunk_id,
        company_key=document.company_key,
        company=document.company,
        doc_type=document.doc_type,
        period=period or document.period,
        quote=quote,
        **figure,
    )
    return replace(draft, id=_digest(draft))


def dump_triplet(triplet: Triplet) -> bytes:
    """One triplet as one JSON line, newline included; the same triplet gives the same bytes."""
    fields = {name: getattr(triplet, name) for name in ("id", *_FIELDS)}
    return orjson.dumps(fields, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def load_triplet(line: bytes) -> Triplet:
    """The inverse of `dump_triplet`; ValueError or TypeError if the line is not one."""
    fields = orjson.loads(line)
    if not isinstance(fields, dict):
        raise ValueError("A triplet is a JSON object.")
    period = fields["period"]
    end = None if period["end"] is None else date.fromisoformat(period["end"])
    fields["period"] = Period(end, period["months"], period["fiscal_year"], period["fiscal_quarter"])
    fields["path"] = tuple(fields["path"])
    return Triplet(**fields)
