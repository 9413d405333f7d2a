"""Printed tables beside what was found: for what the figures leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphs.drafts.figures import NEAR_MATCH, WHOLE_MATCH, fact_match
from graphs.index import Index
from graphs.protocols import Reader
from graphs.steps.comparison import Search, in_turns
from tools.evidence import Evidence

KEPT_FIGURES = 3
"""Figures found first that are kept beside tables, however they fit."""
MIN_MATCH_BESIDE_TABLE = 0.55
"""`Fact.match` from which a figure is kept beside the table it stands in."""
MAX_OTHER_TABLES = 2
"""Tables of another quarter that a label may mean."""


def with_tables(
    found: Sequence[Evidence],
    asked: Sequence[Search],
    question: str,
    index: Index,
    most: int,
    reader: Reader,
    *,
    fixed: bool = False,
) -> list[Evidence]:
    """`found`, and the tables for what it leaves open: at most `most`, or one for each of several parts that no
    figure fits well. Figures that fit worse and stand in such a table are left to it. Unless the period is `fixed`
    by the user, a label that may mean another quarter brings that one's tables, too, after the others."""
    tables = _tables(found, asked, question, index, most)
    if (
        len(asked) == 1
        and not fixed
        and (others := reader.other_periods(question, asked[0].scope, index.catalog))
    ):
        tables += index.tables(question, replace(asked[0].scope, periods=others), most)[:MAX_OTHER_TABLES]
    if fixed:  # a table of another period prints this one for comparison
        scopes = [each.scope for each in asked]
        tables = [e for e in tables if any(e.is_within(s) for s in scopes)]
    pages = {(item.document_id, item.page) for item in tables}
    kept = [
        item
        for at, item in enumerate(found)
        if at < KEPT_FIGURES
        or item.fact is None
        or fact_match(item) >= MIN_MATCH_BESIDE_TABLE
        or (fact_match(item) >= NEAR_MATCH and (item.document_id, item.page) not in pages)
    ]
    return [*(kept if tables else found), *tables]


def _tables(
    found: Sequence[Evidence], asked: Sequence[Search], question: str, index: Index, most: int
) -> list[Evidence]:
    if len(asked) == 1:
        return index.tables(question, asked[0].scope, most)
    open_parts = [
        each
        for each in asked
        if not any(fact_match(item) >= WHOLE_MATCH and item.is_within(each.scope) for item in found)
    ]
    lists = [index.tables(each.lookups[0].question, each.scope, 1) for each in open_parts]
    return in_turns(lists, most + 1) if lists else []
