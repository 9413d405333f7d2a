"""Evidence as the checker reads it: passages with their figures, periods, speakers and names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache
from itertools import pairwise

from graphs.drafts.figures import quantities, quantity_of
from graphs.drafts.sentences import split
from graphs.drafts.words import content
from graphs.local.text.period_mentions import Mention, find_mentions
from tools.evidence import Evidence, Fact
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.periods import Period
from tools.values import Quantity, parse_decimal

_NOTE_SCALE = {"thousand": 3, "million": 6, "billion": 9}
_NOTE = re.compile(
    r"\(?\b(?:dollars\s+|amounts\s+|usd\s+|\$\s*)?(?:in|of)\s+(?:us\$?\s*|usd\s*|\$\s*)?(thousand|million|"
    r"billion)s",
    re.I,
)


JOINED = 4
"""Most sentences that one statement joins."""
LEAD = 3
"""Sentences before a passage in which its subject may be named."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A quantity in evidence; of a table or fact, with its line item and period."""

    quantity: Quantity
    label: str = ""
    """Line item with headings; '' in running text."""
    period: Period | None = None
    mentions: tuple[Mention, ...] = ()
    """Of a table's column header."""
    loose: bool = False
    """True if unit and scale may also be those of the table's note."""

    @property
    def end(self) -> date | None:
        """The day its period ends, if that is known."""
        if self.period is not None:
            return self.period.end
        days = {m.day for m in self.mentions if m.day}
        return days.pop() if len(days) == 1 else None


@dataclass(frozen=True)
class Passage:
    """Something a claim may rest on: a few sentences, a fact, or a table."""

    text: str
    items: tuple[Evidence, ...]
    figures: tuple[Figure, ...]
    speakers: tuple[str, ...] = ()
    lead: str = ""
    """The sentences before it in its source: what it calls 'we' and 'it' may be named there."""
    structured: bool = False
    """True for facts and tables, whose figures carry line item and period."""

    @cached_property
    def words(self) -> frozenset[str]:
        """Content stems of the text and of what is known about its source."""
        spoken = frozenset(content(" ".join(self.speakers)))
        known = frozenset(word for item in self.items for word in known_words(item))
        return frozenset(content(self.text)) | spoken | known

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Periods that the text mentions."""
        return find_mentions(self.text)


@lru_cache(maxsize=4096)
def _known(company: str, key: str, document: str, section: str, period: str, doc_type: str) -> frozenset[str]:
    return frozenset(content(f"{company} {key} {document} {section} {period} {doc_type}"))


def known_words(item: Evidence) -> frozenset[str]:
    """Content stems of a source's company, file name, section and period."""
    return _known(
        item.company, item.company_key, item.document, item.section, item.period.describe(), item.doc_type
    )


def fact_label(fact: Fact) -> str:
    """Headings and line item in one text."""
    return " ".join((*fact.path, fact.metric))


@lru_cache(maxsize=8192)
def marks(text: str) -> frozenset[str]:
    """What a claim and its evidence share: content stems, and amounts in base units."""
    return frozenset(content(text)) | {f"{abs(q.amount):.12g}" for q in quantities(text)}


def passages(item: Evidence, wanted: frozenset[str]) -> list[Passage]:
    """Passages of one piece of evidence, those nearest to the `marks` of a claim first."""
    if item.fact is not None:
        return [_fact_passage(item, item.fact)]
    if item.kind == "table":
        return [_table_passage(item)]
    parts = [(s.text, s.speaker) for s in split(item)] or [(item.text, "")]
    overlap = [len(wanted & marks(text)) for text, _ in parts]
    best = sorted(range(len(parts)), key=lambda n: -overlap[n])[:4]
    spans: dict[tuple[int, int], None] = {}
    for n in best:
        for span in ((n, n), (n - 1, n), (n, n + 1), (n - 1, n + 1)):
            spans[(max(0, span[0]), min(len(parts) - 1, span[1]))] = None
    found = [
        replace(
            _prose_passage(item, parts[a : b + 1]),
            lead=" ".join(text for text, _ in parts[max(0, a - LEAD) : a]),
        )
        for a, b in spans
    ]
    if len(best) > 1 and abs(best[0] - best[1]) > 1 and overlap[best[1]]:
        found.append(_prose_passage(item, [parts[n] for n in sorted(best[:2])]))
    joined = _cover([marks(text) for text, _ in parts], wanted)
    if len(joined) > 1 and (min(joined), max(joined)) not in spans:
        found.append(_prose_passage(item, [parts[n] for n in sorted(joined)]))
    return found


def _cover(sentences: Sequence[frozenset[str]], wanted: frozenset[str]) -> list[int]:
    """The sentences that a claim with the stems `wanted` may join: each adds most of what those before it lack."""
    found: list[int] = []
    left = wanted
    while len(found) < JOINED:
        best = max(range(len(sentences)), key=lambda n: len(left & sentences[n]))
        new = left & sentences[best]
        if not new or (len(found) > 1 and len(new) < 2 and not any(mark[0].isdigit() for mark in new)):
            break
        found.append(best)
        left -= sentences[best]
    return found


def whole(item: Evidence) -> Passage:
    """All of a piece of evidence as one passage."""
    if item.fact is not None or item.kind == "table":
        return passages(item, frozenset())[0]
    parts = [(s.text, s.speaker) for s in split(item)] or [(item.text, "")]
    return _prose_passage(item, parts)


def pool(found: Sequence[Passage]) -> Passage:
    """Several passages as one, for a claim that rests on all of them."""
    return Passage(
        "\n".join(p.text for p in found),
        tuple(item for p in found for item in p.items),
        tuple(f for p in found for f in p.figures),
        tuple(dict.fromkeys(s for p in found for s in p.speakers)),
        " ".join(p.lead for p in found),
        all(p.structured for p in found),
    )


def _prose_passage(item: Evidence, parts: Sequence[tuple[str, str]]) -> Passage:
    text = " ".join(text for text, _ in parts)
    speakers = tuple(dict.fromkeys(speaker for _, speaker in parts if speaker))
    told = [(q, _years(part)) for part, _ in parts for q in (*quantities(part), *_range_ends(part))]
    return Passage(text, (item,), tuple(Figure(q, mentions=years) for q, years in told), speakers)


_AROUND = re.compile(r",?\s+(?:plus\s+or\s+minus|give\s+or\s+take|\+/-|±)\s+[$€£]?$", re.IGNORECASE)


@lru_cache(maxsize=8192)
def _range_ends(sentence: str) -> tuple[Quantity, ...]:
    """Both ends of '1.25 billion, plus or minus 40 million'."""
    found: list[Quantity] = []
    for middle, spread in pairwise(quantities(sentence)):
        if _AROUND.fullmatch(sentence[middle.end : spread.start]) or _AROUND.fullmatch(
            sentence[middle.end : spread.start] + "$"
        ):
            amounts = (middle.amount - abs(spread.amount), middle.amount + abs(spread.amount))
            if middle.unit == spread.unit:
                found += [
                    Quantity(a.scaleb(-spread.scale), middle.unit, spread.scale, "", 0, 0) for a in amounts
                ]
    return tuple(found)


@lru_cache(maxsize=8192)
def _years(sentence: str) -> tuple[Mention, ...]:
    """The years and quarters that a sentence of running text names: one of them is a figure's in it."""
    return tuple(replace(m, day=None, months=None) for m in find_mentions(sentence) if m.year or m.quarter)


def _fact_passage(item: Evidence, fact: Fact) -> Passage:
    figures: list[Figure] = []
    value = quantity_of(fact)
    if value is not None:
        figures.append(Figure(value, fact_label(fact), fact.period))
    if fact.statement == "prose":
        figures += [Figure(q) for q in quantities(item.text.partition("“")[2])]
    return Passage(item.text, (item,), tuple(figures), structured=fact.statement != "prose")


def metric_names(passage: Passage) -> frozenset[str]:
    """Canonical metrics of a passage's structured figures."""
    names: set[str] = set()
    for item in passage.items:
        if item.fact is not None:
            names |= {canonical_metric(item.fact.metric, item.fact.path), canonical_metric(item.fact.metric)}
            names |= {canonical_metric(fact_label(item.fact))}
            names |= {canonical_metric(f"{item.fact.metric} {heading}") for heading in item.fact.path}
    return frozenset(names)


def _table_passage(item: Evidence) -> Passage:
    return Passage(item.text, (item,), _table_figures(item.text), structured=True)


@lru_cache(maxsize=512)
def _table_figures(text: str) -> tuple[Figure, ...]:
    """The cells of a Markdown table with row label and the periods of their column."""
    lines = text.split("\n")
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]
    if not rows:
        return tuple(Figure(q) for q in quantities(text))
    note = _NOTE.search(" ".join(line for line in lines if not line.startswith("|")) + " " + rows[0][0])
    scale = _NOTE_SCALE[note[1].lower()] if note else 0
    headers = [find_mentions(cell) for cell in rows[0]]
    columns = range(max(map(len, rows)))
    cells = {n: " ".join(row[n] for row in rows[1:] if n < len(row)) for n in columns}
    rates = {n for n, text in cells.items() if "%" in text and "$" not in text}
    found: list[Figure] = []
    for row in rows[1:]:
        for n, cell in enumerate(row[1:], start=1):
            value = parse_decimal(cell)
            if value is None:
                continue
            unit = "percent" if "%" in cell else "USD" if "$" in cell else ""
            quantity = Quantity(value, unit, 0, cell, 0, 0)
            mentions = headers[n] if n < len(headers) else ()
            found.append(Figure(quantity, row[0], None, mentions, loose=unit != "percent"))
            if n in rates and not unit:  # '%' is printed in the first row alone
                found.append(replace(found[-1], quantity=replace(quantity, unit="percent"), loose=False))
            if scale and unit != "percent":
                found.append(replace(found[-1], quantity=replace(quantity, scale=scale)))
    return tuple(found)


def all_words(items: Iterable[Evidence]) -> frozenset[str]:
    """Content stems of whole pieces of evidence and of their sources."""
    return frozenset(word for item in items for word in (*content(item.text), *known_words(item)))
