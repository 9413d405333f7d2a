"""The printed tables that a question is about: a figure's neighbours explain it, and a breakdown is a whole table."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from operator import itemgetter
from weakref import WeakKeyDictionary

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.asked_metrics import find_asked, readable, statement_named
from tools.knowledge.lexicon.stopwords import CHANGE_WORDS, STOP_WORDS
from tools.knowledge.lexicon.word_forms import words_of
from tools.knowledge.search.breakdown import DIMENSION_WORDS
from tools.knowledge.search.line_items import LineItem, company_facts, own_names
from tools.knowledge.search.linking import STATED_PERIOD
from tools.knowledge.search.matching import kinds_of
from tools.scope import Scope

METRIC_WORTH = 2.5
"""Worth of a metric that the table has a line for, in words of middling rarity."""
TITLE_FACTOR = 1.25
"""Factor for a word or metric of the title: the table is about it."""
NAMED_STATEMENT_WORTH = 4.0
"""Worth of being the statement that the question names."""
BREAKDOWN_WORTH = 2.0
"""Worth of being broken down as the question asks: by segment, product or region."""
STATEMENT_WORTH = {"income": 1.1, "balance": 1.05, "cash_flow": 1.0, "segment": 1.05, "equity": 0.7}
"""By statement: the equity statement repeats what others say."""
MIN_COVERED = 0.15
"""Least share of what the question asks for that a table covers."""
MAX_REPORTS = 5
"""Reports that each have a table, beyond `k`."""
MIN_SHARE_OF_BEST = 0.2
"""Least score of a further table, as a share of the best one's."""


@dataclass(frozen=True, slots=True)
class _Table:
    chunk: str
    document: int
    """Position in the graph's documents."""
    page: int
    statement: str
    titled: frozenset[str]
    title_metrics: frozenset[str]
    words: frozenset[str]
    """Of labels and headings."""
    metrics: frozenset[str]
    printed_text: str
    """Title and headings, for the words that say by what it is broken down."""
    rows: tuple[int, ...]


_TABLES: WeakKeyDictionary[KnowledgeGraph, dict[str, tuple[_Table, ...]]] = WeakKeyDictionary()


def tables_about(graph: KnowledgeGraph, question: str, scope: Scope, k: int) -> list[str]:
    """Chunk ids of at most `k` tables within `scope`, best first; empty where none covers enough of the question.

    Only companies that the scope names are looked at. Without a period the latest report's tables are taken, with
    one the tables of the reports on it before those that print it for comparison; several reports take turns, each
    of at most `MAX_REPORTS` with one table. Words that no table has cost nothing: what is found is context, and says
    itself what it is.
    """
    lists: list[list[tuple[float, int, str]]] = []
    for company in scope.companies:
        tables = _in_scope(graph, company_tables(graph, company), scope)
        for document in {table.document for table in tables}:
            own = [table for table in tables if table.document == document]
            ranked = sorted(
                _ranked(graph, question, company, own), key=lambda each: (-each[0], each[1], each[2])
            )
            lists.append([each for each in ranked if each[0] >= MIN_SHARE_OF_BEST * ranked[0][0]])
    lists.sort(key=lambda ranked: -ranked[0][0] if ranked else 0.0)
    turns = [each for turn in zip_longest(*lists) for each in turn if each is not None]
    return [
        chunk for _, _, chunk in turns[: max(k, sum(map(bool, lists)) if len(lists) <= MAX_REPORTS else k)]
    ]


def company_tables(graph: KnowledgeGraph, company: str) -> tuple[_Table, ...]:
    """The tables of a company, gathered at the first question about it and kept as long as the graph."""
    known = _TABLES.setdefault(graph, {})
    if company not in known:
        known[company] = tuple(_gathered(graph, company))
    return known[company]


def _gathered(graph: KnowledgeGraph, company: str) -> Iterable[_Table]:
    lines: dict[str, list[LineItem]] = defaultdict(list)
    for item in company_facts(graph, company).items:
        if item.statement != "prose":
            for chunk in {graph.tables.rows[row][r.CHUNK] for row in (*item.rows, *item.unstated)}:
                lines[chunk].append(item)
    for chunk, items in sorted(lines.items(), key=itemgetter(0)):
        if chunk:
            yield _table(graph, chunk, items)


def _table(graph: KnowledgeGraph, chunk: str, items: Sequence[LineItem]) -> _Table:
    """The table that a chunk prints, from its line items."""
    printed = [row for item in items for row in (*item.rows, *item.unstated)]
    rows = [row for row in printed if graph.tables.rows[row][r.CHUNK] == chunk]
    first = graph.tables.rows[rows[0]]
    return _Table(
        chunk=chunk,
        document=first[r.DOCUMENT],
        page=int(first[r.PAGE]),
        statement=Counter(item.statement for item in items).most_common(1)[0][0],
        titled=frozenset[str]().union(*(item.title_words for item in items)),
        title_metrics=frozenset[str]().union(*(item.title_canonicals for item in items)),
        words=frozenset[str]().union(*(item.label_words.union(*item.path_words) for item in items)),
        metrics=frozenset(
            name
            for item in items
            for name in (item.canonical, item.combined, item.stands_for, *item.path_canonicals)
            if name
        ),
        printed_text=" ".join(dict.fromkeys(text for item in items for text in (item.title, *item.path))),
        rows=tuple(rows),
    )


def _in_scope(graph: KnowledgeGraph, tables: Sequence[_Table], scope: Scope) -> list[_Table]:
    kept = [table for table in tables if any(graph.admits(row, scope) for row in table.rows)]
    documents = {table.document: graph.tables.documents[table.document] for table in kept}
    ends = {number: document.period_end for number, document in documents.items()}
    if scope.periods:
        wished = {
            number
            for number, document in documents.items()
            if any(
                period.admits(document.period) or (period.end and period.end == document.period_end)
                for period in scope.periods
            )
        }
        return [table for table in kept if table.document in wished] or kept
    last = max((end for end in ends.values() if end is not None), default=None)
    return [table for table in kept if ends[table.document] == last]


def _ranked(
    graph: KnowledgeGraph, question: str, company: str, tables: Sequence[_Table]
) -> list[tuple[float, int, str]]:
    """(score, page, chunk) of the tables that cover enough of the question."""
    asked = readable(question)
    words = _asked_words(graph, asked, company)
    metrics = {name for each in find_asked(asked) for name in (each.canonical, *kinds_of(each.canonical))}
    rarity = _rarity(words, tables)
    statement = statement_named(asked)
    by = [pattern for pattern in DIMENSION_WORDS.values() if pattern.search(asked)]
    whole = sum(rarity.values()) + METRIC_WORTH * min(len(metrics), 2)
    found = []
    for table in tables:
        score = sum(
            rarity[word] * (TITLE_FACTOR if word in table.titled else 1.0)
            for word in words & (table.titled | table.words)
        )
        score += METRIC_WORTH * len(metrics & table.metrics)
        score += METRIC_WORTH * TITLE_FACTOR * len(metrics & (table.title_metrics - table.metrics))
        covered = score / whole if whole else 0.0
        score += NAMED_STATEMENT_WORTH if statement and table.statement == statement else 0.0
        broken = any(pattern.search(table.printed_text) for pattern in by) or (
            by and table.statement == "segment"
        )
        score += BREAKDOWN_WORTH if broken else 0.0
        if covered >= MIN_COVERED or (statement and table.statement == statement):
            score *= STATEMENT_WORTH.get(table.statement, 1.0)
            found.append((round(score, 4), table.page, table.chunk))
    return found


_TABLE_WORDS = frozenset({"segment", "region", "division", "category", "product", "share"})


def _asked_words(graph: KnowledgeGraph, question: str, company: str) -> frozenset[str]:
    """Stems of the question that may stand in a table."""
    names = {word for name in own_names(graph, company) for word in name.split()}
    text = STATED_PERIOD.sub(" ", re.sub(r"['’]s\b", " ", question))
    found = words_of(text) - CHANGE_WORDS - names
    return frozenset(
        word for word in found if word in _TABLE_WORDS or (word not in STOP_WORDS and not word.isdigit())
    )


def _rarity(words: Iterable[str], tables: Sequence[_Table]) -> dict[str, float]:
    """Weight of each word that some table has."""
    held = Counter(word for table in tables for word in table.titled | table.words)
    return {word: math.log(1 + len(tables) / held[word]) for word in words if held[word]}
