"""Figures that the filer has tagged and no parsed table states: in sentences, in labels, in tables left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tools.documents.tables.fiscal_calendar import FiscalCalendar
from tools.documents.tables.tagged import member_names, tag_period
from tools.documents.text.cleaning import sentences, squeeze
from tools.documents.types import Page, ParsedDocument, TableFact, Tag
from tools.knowledge.extract.table_triplets import full_title
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.concept_labels import concept_name
from tools.knowledge.lexicon.metric_names import canonical_metric, fold_label
from tools.knowledge.types import Triplet
from tools.quantities import render_quantity

_MAX_LABEL = 200
_CELL = re.compile(r"\S+(?: \S+)*")


def tag_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`metric --was--> value` for every tagged figure that `table_triplets` does not state, straight from the tag.

    Named as the row is that it stands in, else as filings name its concept; the quote is the row or the sentence.
    """
    document = parsed.document
    calendar = FiscalCalendar(document)
    facts = [(table.page, fact) for table in parsed.tables for fact in table.facts]
    reported = {canonical_metric(fact.metric, fact.path) for _, fact in facts}
    stated = Counter((page, *_meaning(f)) for page, f in facts if f.concept and fold_label(f.metric))
    for page in parsed.pages:
        if not page.tags:
            continue
        lines = (page.layout or page.text).split("\n")
        around = _Around(parsed, page)
        for tag in page.tags:
            period = tag_period(tag, calendar)
            key = (page.number, tag.line, tag.concept, tag.value, tag.unit, tag.scale, period)
            if stated[key]:
                stated[key] -= 1
                continue
            row = _row_label(lines[tag.line], tag) if page.layout and tag.line >= 0 else ""
            label = row or concept_name(tag.concept)
            where = around.where(tag, _quote(lines, tag, row, label), in_row=row != "")
            where["path"] = member_names(tag, (label,))
            if canonical_metric(label) not in reported:
                reported.add(canonical_metric(label))
                yield make_triplet(
                    document, (document.company, "company"), "reports", (label, "metric"), **where
                )
            yield make_triplet(
                document,
                (label, "metric"),
                "was",
                (render_quantity(tag.value, tag.unit, tag.scale, tag.printed), "value"),
                period=period,
                value=tag.value,
                unit=tag.unit,
                scale=tag.scale,
                printed=tag.printed,
                concept=tag.concept,
                **where,
            )


def _meaning(fact: TableFact) -> tuple[object, ...]:
    return fact.line, fact.concept, fact.value, fact.unit, fact.scale, fact.period


class _Around:
    """The tables and chunks of a page, in which its tags stand."""

    def __init__(self, parsed: ParsedDocument, page: Page) -> None:
        self._page = page.number
        self._tables = [table for table in parsed.tables if table.page == page.number]
        chunks = [chunk for chunk in parsed.chunks if page.number in chunk.pages]
        self._chunks = [(chunk, set(chunk.text.split())) for chunk in chunks]

    def where(self, tag: Tag, quote: str, in_row: bool) -> dict[str, Any]:
        """Where a tagged figure stands, as fields of its triplet."""
        table = next((t for t in self._tables if t.first_line <= tag.line < t.last_line), None)
        return {
            "page": self._page,
            "quote": quote,
            "chunk_id": self._chunk_of(quote),
            "statement": "prose" if not in_row else table.statement if table else "other",
            "title": full_title(table) if table else "",
        }

    def _chunk_of(self, quote: str) -> str:
        """Id of the chunk that holds the sentence, else of the one that has most of a row's words; '' without one."""
        found = next((chunk.id for chunk, _ in self._chunks if quote in chunk.text), "")
        if found or not self._chunks:
            return found
        words = set(quote.split())
        best, shared = max(self._chunks, key=lambda known: len(words & known[1]))
        return best.id if 2 * len(words & shared) > len(words) else ""


def _row_label(line: str, tag: Tag) -> str:
    """The words at the left of a row, where the figure stands in a cell beyond them; '' for a figure among words."""
    cells = list(_CELL.finditer(line))
    first = cells[0] if len(cells) > 1 else None
    if first is None or first.end() > tag.start or len(first[0]) > _MAX_LABEL or not fold_label(first[0]):
        return ""
    return first[0].rstrip(" :")


def _quote(lines: Sequence[str], tag: Tag, row: str, label: str) -> str:
    if tag.line < 0:
        return f"{label}: {tag.printed}"
    return squeeze(lines[tag.line]) if row else _sentence(lines[tag.line], tag)


def _sentence(line: str, tag: Tag) -> str:
    """The sentence that holds the figure."""
    before = len(squeeze(line[: tag.start])) + (line[: tag.start].endswith(" ") and tag.start > 0)
    at = 0
    for sentence in sentences(line):
        if before < at + len(sentence):
            return sentence
        at += len(sentence) + 1
    return squeeze(line)
