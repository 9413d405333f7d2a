"""What reading a document found and left out: as a record for --json, and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.display.printable import printable
from tools.documents.read.reading_counts import STATEMENTS, warnings_of
from tools.documents.types import Document

FLAG_NAMES = {"doc_type": "type", "period_end": "period-end"}
"""Flags of `index` that are not called as their field."""
EARLIER = "read by an earlier version; index it again for the counts"


def reading_record(d: Document, flags: Mapping[str, Any]) -> dict[str, Any]:
    """A document with its counts, for --json; the counts are null where an earlier version read it."""
    counts = d.reading
    return {
        "id": d.id,
        "document": printable(d.path),
        "form": d.doc_type,
        "company": d.company,
        "ticker": d.ticker,
        "fiscal_year": d.fiscal_year,
        "fiscal_quarter": d.fiscal_quarter,
        "period_end": d.period_end.isoformat() if d.period_end else None,
        "pages": d.pages,
        "tables": counts and counts.tables,
        "statements": counts and list(counts.statements),
        "facts": counts and counts.facts,
        "facts_without_period": counts and counts.facts_without_period,
        "skipped": counts and counts.skipped,
        "dropped_lines": d.dropped,
        "notes": counts and list(counts.notes),
        "warnings": list(warnings_of(d)),
        "flags": {FLAG_NAMES.get(name, name): value for name, value in flags.items()},
    }


def reading_words(d: Document) -> str:
    """Form, company, period, pages, and what was found and left out: clauses on one line."""
    told = [", ".join((d.doc_type, d.company, period_words(d), _many(d.pages, "page")))]
    return "; ".join([*told, *found_words(d), *left_out_words(d)])


def found_words(d: Document) -> list[str]:
    """Tables, statements and figures; notes."""
    counts = d.reading
    if counts is None:
        return [EARLIER]
    statements = ", ".join(STATEMENTS.get(name, name) for name in counts.statements)
    without = f", {counts.facts_without_period:,} without a period" if counts.facts_without_period else ""
    return [
        _many(counts.tables, "table") + (f" ({statements})" if statements else ""),
        _many(counts.facts, "fact") + without,
        *counts.notes,
    ]


def left_out_words(d: Document) -> list[str]:
    """Lines of noise by kind, and what of tables is no answer, by reason; nothing where all was taken."""
    reasons = d.reading.skipped if d.reading is not None else {}
    told = [f"{count:,} {reason}" for reason, count in reasons.items()]
    told += [f"{_many(n, 'line')} of {kind.replace('_', ' ')}" for kind, n in d.dropped.items() if n]
    return [f"left out: {', '.join(told)}"] if told else []


def flag_words(flags: Mapping[str, Any]) -> list[str]:
    """What the user said about a document, as it was said; nothing where nothing was."""
    told = " ".join(f"--{FLAG_NAMES.get(name, name)} {value}" for name, value in flags.items())
    return [f"flags: {told}"] if told else []


def warning_lines(name: str, d: Document | None) -> list[str]:
    """Its warnings, by name."""
    return [f"warning: {name}: {told}" for told in (warnings_of(d) if d is not None else ())]


def detail_lines(d: Document, flags: Mapping[str, Any]) -> list[str]:
    """A document in full, for where there is no terminal."""
    told = [reading_words(d), *flag_words(flags)]
    return [f"{d.id[:8]} {d.path}: {'; '.join(told)}", *warning_lines(d.path, d)]


def period_words(d: Document) -> str:
    """'Q3 2023, ended July 1, 2023', as far as it is known."""
    label = f"Q{d.fiscal_quarter} {d.fiscal_year}" if d.fiscal_quarter else str(d.fiscal_year or "")
    end = f"ended {d.period_end:%B} {d.period_end.day}, {d.period_end.year}" if d.period_end else ""
    return ", ".join(filter(None, (label, end))) or "period not stated"


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"
