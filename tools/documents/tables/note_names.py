"""Names that keep figures of different tables, notes and companies apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from tools.documents.tables.cells import Line
from tools.documents.tables.table_parts import Block
from tools.documents.types import TableFact
from tools.value_patterns import MONTH

_NOTE = re.compile(r"^(?:note\s+\d+\b|item\s+\d+[a-c]?\.|part\s+i+\b)", re.IGNORECASE)
_OTHER_ENTITY = re.compile(
    r"\b[Ss]ummarized financial information (?:of"
    r"|for) (?P<name>[A-Z][\w&.’'-]*(?:,? (?:[A-Z][\w&.’'-]*|&|of))*)"
)
_LEAD_IN = re.compile(
    rf"^(?:as of|at) {MONTH}\.? \d{{1,2}}, \d{{4}},? (?:the )?"
    r"|^(?:the )?(?:following )?tables?,? (?:below )?(?:\w+ )?(?:shows?|presents?|summarizes?"
    r"|provides?|outlines?|sets? forth) "
    r"(?:the )?|\s+(?:is|are|was|were)(?: as follows.*)?$",
    re.IGNORECASE,
)


_NOTES = ("other", "segment")
"""Statements of `Table.statement` that are no primary statement."""


def note_heading(lines: Sequence[Line]) -> str:
    """The last heading of a note, item or part among some lines; '' without one."""
    found = ""
    for line in lines:
        text = line.text
        if _NOTE.match(text) and len(text) < 120 and not text.endswith((".", ",")):
            found = text
    return found


def outside_entity(text: str) -> str:
    """The other company whose figures a caption announces ('summarized financial information of X'); ''
    for none."""
    match = _OTHER_ENTITY.search(text)
    return match["name"].strip(" ,.") if match else ""


def short_title(title: str) -> str:
    """A title fit to qualify a row: without 'As of May 31, 2022,', 'The following table shows' and 'is as follows',
    at most 80 characters."""
    text = _LEAD_IN.sub("", _LEAD_IN.sub("", title.strip(" :,."))).strip(" :,.")
    return text if len(text) <= 80 else text[:80].rsplit(" ", 1)[0]


def name_apart(read: Sequence[tuple[Block, list[TableFact]]]) -> list[tuple[Block, list[TableFact]]]:
    """Figures of another company carry its name; figures of two tables that share a name carry their
    table's title.

    Only figures that differ under one name, path, unit and period are renamed, and none in the primary
    statements. A line without a path that differs from the line of that name in a primary statement (the
    part of 'Cost of revenue' that is stock-based compensation) is renamed too.
    """
    values: dict[tuple[object, ...], set[Decimal]] = {}
    stated: dict[tuple[object, ...], set[Decimal]] = {}
    for block, facts in read:
        for fact in facts if not block.entity else []:
            values.setdefault(_key(block, fact), set()).add(_amount(fact))
            if block.statement not in _NOTES:
                stated.setdefault((fact.metric.lower(), fact.unit, fact.period), set()).add(_amount(fact))
    named = []
    for block, facts in read:
        title = short_title(block.title)
        renamed = []
        for fact in facts:
            same = stated.get((fact.metric.lower(), fact.unit, fact.period), set())
            part = not fact.path and bool(same) and _amount(fact) not in same
            if block.entity:
                fact = replace(fact, path=(block.entity, *fact.path))
            elif block.statement in _NOTES and title and (part or len(values[_key(block, fact)]) > 1):
                fact = replace(fact, path=(title, *fact.path))
            renamed.append(fact)
        named.append((block, renamed))
    return named


def _amount(fact: TableFact) -> Decimal:
    return Decimal(fact.value).scaleb(fact.scale)


def _key(block: Block, fact: TableFact) -> tuple[object, ...]:
    kind = "other" if block.statement in _NOTES else block.statement
    return kind, fact.metric.lower(), tuple(p.lower() for p in fact.path), fact.unit, fact.period
