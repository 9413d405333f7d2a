"""What reading a document found and left out, and what of that its reader should know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tools.documents.text.language import language_note
from tools.documents.types import Document, ReadingCounts, Table
from tools.quantities import UNKNOWN_UNIT

STATEMENTS = {
    "income": "income statement",
    "balance": "balance sheet",
    "cash_flow": "cash flows",
    "comprehensive_income": "comprehensive income",
    "equity": "equity",
}
"""`Table.statement` of the primary statements -> their names in words, in the order of a filing."""
EXPECTED = ("income", "balance")
"""Statements that every filing holds."""


def count_reading(
    document: Document, tables: Sequence[Table], skipped: Mapping[str, int] | None = None
) -> Document:
    """`document` with the counts of its tables; `skipped`: what reading the file left out, reason -> count."""
    facts = [fact for table in tables for fact in table.facts]
    found = {table.statement for table in tables}
    reasons = Counter(skipped or {})
    reasons["figures without a unit"] += sum(fact.unit == UNKNOWN_UNIT for fact in facts)
    reasons["figures without a name"] += sum(not any(map(str.isalpha, fact.metric)) for fact in facts)
    told = [
        "no table was found" if not tables and document.doc_type != "call" else "",
        language_note(document.language),
    ]
    counts = ReadingCounts(
        tables=len(tables),
        statements=tuple(name for name in STATEMENTS if name in found),
        facts=len(facts),
        facts_without_period=sum(not fact.period.is_stated for fact in facts),
        skipped={reason: count for reason, count in sorted(reasons.items()) if count},
        notes=tuple(filter(None, told)),
    )
    return replace(document, reading=counts)


def warnings_of(document: Document) -> tuple[str, ...]:
    """What is amiss with a document, each with what to do about it; none for one that an earlier version read."""
    counts = document.reading
    if counts is None or document.doc_type not in ("10-K", "10-Q"):
        return ()
    missing = [STATEMENTS[name] for name in EXPECTED if name not in counts.statements]
    if not missing:
        return ()
    return (
        f"no {' and no '.join(missing)} was found in this {document.doc_type}: look whether the file holds all pages "
        "with text that can be selected; if it is no filing, say so: index FILE --type other",
    )
