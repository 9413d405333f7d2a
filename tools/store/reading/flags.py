"""What the user said about a file, kept as JSON: it holds for later runs until it is said otherwise or forgotten."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import date
from typing import Any

import orjson

from tools.documents.metadata.document_metadata import NO_OVERRIDES, Overrides


def overrides_to_json(overrides: Overrides) -> str:
    """Canonical JSON of what the user said about the documents."""
    return orjson.dumps(asdict(overrides), option=orjson.OPT_SORT_KEYS).decode()


def overrides_from_json(text: str) -> Overrides:
    """The inverse of `overrides_to_json`; '' says nothing."""
    fields = orjson.loads(text) if text else {}
    end = fields.get("period_end")
    return Overrides(**{**fields, "period_end": None if end is None else date.fromisoformat(end)})


def said_now(given: str, before: str, *, forget: bool) -> str:
    """What holds for a file: each flag as given in this run, else as it was, unless that is to be forgotten."""
    if forget or not before:
        return given
    changes = {name: value for name, value in flags_of(given).items() if name != "period_end"}
    now = overrides_from_json(given)
    if now.period_end is not None:
        changes["period_end"] = now.period_end
    return overrides_to_json(replace(overrides_from_json(before), **changes))


def flags_of(text: str) -> dict[str, Any]:
    """The flags that are set, by name, as JSON has them."""
    return {name: value for name, value in (orjson.loads(text) if text else {}).items() if value is not None}


def to_keep(text: str) -> str:
    """As a manifest keeps it: '' where nothing was said."""
    return text if overrides_from_json(text) != NO_OVERRIDES else ""
