"""What falls due in years to come: tables that have a row for each of them, maturities of debt or leases say."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from datetime import date
from typing import NamedTuple

from tools.documents.tables.fiscal_calendar import bare_year
from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.evidence import Evidence, fact_of
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.word_forms import words_of
from tools.knowledge.search.kg_search import fact_evidence
from tools.knowledge.search.line_items import company_facts
from tools.knowledge.search.years_due import later_years
from tools.periods import Period, PeriodFilter

MIN_ROWS = 3
"""Years of a schedule."""
MIN_SHARED = 2
"""Words that a schedule's headings share with the question."""
REST = 9999
"""In place of a year: what comes after those that have a row."""
STEM = 5
"""Letters by which 'maturing' and 'maturities' agree."""
_REST = re.compile(r"\b(?:there\s?after|after|beyond|later)\b", re.IGNORECASE)
_REST_OF = re.compile(
    r"\s*(?:(?:fiscal\s+|years?\s+end\w+\s+\w+\s+\d+,\s*)?(20\d\d)\s*\(|(?:the\s+)?remain\w*\D*(20\d\d)\b)",
    re.IGNORECASE,
)
_YEAR = r"(?:the\s+end\s+of\s+)?(?:(?:fiscal|calendar)\s+)?(?:years?\s+)?(20\d\d)\b"
_AFTER = re.compile(rf"\b(?:after|beyond|later\s+than)\s+{_YEAR}", re.IGNORECASE)
_UP_TO = re.compile(rf"\b(?:by|through|thru|until|up\s+to)\s+{_YEAR}", re.IGNORECASE)


class Due(NamedTuple):
    """Rows of a schedule."""

    asked: tuple[Evidence, ...]
    """Of the years asked for."""
    every: tuple[Evidence, ...]


def what_is_due(
    graph: KnowledgeGraph,
    company: str,
    said: str,
    whole: str,
    periods: Collection[PeriodFilter],
    may_see: Callable[[Evidence], bool],
) -> Due | None:
    """The rows of the company's schedule that the question is about and of the years to come that it names; None where
    it names none that a schedule has, or no schedule is called by more of its words than the others. Of those of
    several dates one of `periods` before the newest. `whole`: what a share is of, which the schedule is called by."""
    stems, of_whole = _stems(said), _stems(whole) - _stems("total")
    best, standing = None, (MIN_SHARED, False, date.min)
    for rows in _schedules(graph, company, may_see):
        first = rows[0][1]
        asked = _years_asked(said, first.period, {year for year, _ in rows})
        called = _stems(" ".join((*fact_of(first).path, first.section)))
        dated = any(each.admits(first.period) for each in periods)
        own = len(stems & called), dated, first.period.end or date.min
        if not asked or (of_whole and not of_whole & called):
            continue
        if own == standing:
            best = None
        elif own > standing:
            due = tuple(item for year, item in rows if year in asked)
            best, standing = Due(due, tuple(item for _, item in rows)), own
    return best


def _schedules(
    graph: KnowledgeGraph, company: str, may_see: Callable[[Evidence], bool]
) -> list[list[tuple[int, Evidence]]]:
    """The rows of each table, by year, what comes after all of them last; of tables that have one for each year."""
    tables: dict[object, list[tuple[int | None, Evidence]]] = {}
    for line in company_facts(graph, company).items:
        year = _year_of(line.label)
        if year is None and not _REST.search(line.label):
            continue
        for row in line.rows:
            item = fact_evidence(graph.triplet(row), 1.0)
            fact = fact_of(item)
            place = item.document_id, item.page, item.section, fact.path[-1:], fact.unit, item.period
            if may_see(item):
                tables.setdefault(place, []).append((year, item))
    found = []
    for rows in tables.values():
        years = sorted(year for year, _ in rows if year)
        in_turn = len(years) >= MIN_ROWS and years == [*range(years[0], years[0] + len(years))]
        if in_turn and len(rows) - len(years) <= 1:
            found.append(sorted(((year or REST, item) for year, item in rows), key=lambda each: each[0]))
    return found


def _year_of(label: str) -> int | None:
    """The year that a row is of: '2024', '2024 (excluding the three months ...)', 'Remainder of 2024'."""
    rest_of = _REST_OF.match(label)
    return int(rest_of[1] or rest_of[2]) if rest_of else bare_year(label)


def _years_asked(said: str, period: Period, years: set[int]) -> set[int]:
    """Those of a schedule's years that a question names, all of them to come for the schedule."""
    after, up_to, named = _AFTER.search(said), _UP_TO.search(said), later_years(said, period)
    if after and int(after[1]) in named & years:
        return {year for year in years if year > int(after[1])}
    if up_to and int(up_to[1]) in named:
        first = min(named) if len(named) > 1 else min(years)
        named |= {year for year in years if first <= year <= int(up_to[1])}
    return named if named <= years else set()


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in words_of(text) - FUNCTION_WORDS if not word.isdigit()}
