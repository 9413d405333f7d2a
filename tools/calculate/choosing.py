"""Of printed figures that match a line item alike, the one that is meant."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from functools import cache, lru_cache
from weakref import WeakKeyDictionary

from rapidfuzz.fuzz import ratio

from tools.calculate.measures import catalogue
from tools.documents.text.dates import find_dates
from tools.evidence import Evidence, Fact, fact_of
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.lexicon.word_forms import words_of

_OF_A_DAY = re.compile(r"[\s,]*\b(?:as\s+of|at|ended|on)\s+$", re.IGNORECASE)
_END_OF_PERIOD = re.compile(
    r"^(?:beginning|opening|ending|closing)\s+(?=(?:\w+\s+)*balances?\b)|,\s*(?:beginning|ending|opening|closing)(?=\s+balances?\b)"
    r"|[\s,]*\b(?:at\s+)?(?:the\s+)?(?:beginning|start|end)\s+of\s+(?:the\s+)?(?:fiscal\s+)?(?:year|quarter|period)$",
    re.IGNORECASE,
)
STATEMENTS = frozenset(("income", "balance", "cash_flow"))
_HOMES: WeakKeyDictionary[KnowledgeGraph, dict[int, dict[str, int]]] = WeakKeyDictionary()


def home_of(graph: KnowledgeGraph, document: int, statement: str) -> int | None:
    """The page of the document at a position that prints most of the catalogue's lines of a statement; None where none
    does. Gathered once a document."""
    known = _HOMES.setdefault(graph, {})
    if document not in known:
        known[document] = _homes(graph, document)
    return known[document].get(statement)


@cache
def _usual() -> frozenset[tuple[str, str]]:
    """(canonical metric, statement) of the catalogue's lines."""
    items = catalogue().items.values()
    return frozenset((canonical_metric(label), item.statement) for item in items for label in item.labels)


def _homes(graph: KnowledgeGraph, document: int) -> dict[str, int]:
    """Statement -> its page."""
    names: dict[tuple[str, int], set[str]] = defaultdict(set)
    for at in filter(graph.is_figure, graph.rows_of_company.of_document(document)):
        row = graph.tables.rows[at]
        context = graph.tables.contexts[row[r.CONTEXT]]
        if context[6] in STATEMENTS:
            name = canonical_metric(row[r.HEAD], context[5])
            if (name, context[6]) in _usual():
                names[context[6], int(row[r.PAGE])].add(name)
    homes: dict[str, int] = {}
    for statement, page in sorted(names, key=lambda each: (-len(names[each]), each[1])):
        homes.setdefault(statement, page)
    return homes


def chosen(
    found: Sequence[Evidence], months: int | None, labels: Sequence[str], own_words: frozenset[str]
) -> Evidence:
    """The best of the latest day, of those that match alike the one that is called by the first of `labels` by which
    any is, or whose words are nearest to the first, the company's own aside, then those of its headings ('Debt' under
    'Long-term liabilities'); of spans the longest where none is asked for."""
    last = max((each.period.end or date.min) for each in found)
    own = [each for each in found if (each.period.end or date.min) == last]
    if months is None:
        longest = max(each.period.months or 0 for each in own)
        own = [each for each in own if (each.period.months or 0) == longest]
    called = [words_of(label) for label in labels]

    def nearness(each: Evidence) -> tuple[float, int, float, int, float]:
        words = words_of(fact_of(each).metric) - own_words
        shared = len(words & called[0]) / max(1, len(words | called[0]))
        place = called.index(words) if words in called else len(called)
        above = len(words_of(" ".join(fact_of(each).path)) & called[0])
        return (
            round(each.score, 1),
            -place,
            shared,
            above,
            ratio(fact_of(each).metric.lower(), labels[0].lower()),
        )

    return max(own, key=nearness)


def on_page_of(part: Evidence | None, found: list[Evidence]) -> list[Evidence]:
    """Figures that a part may be a share of: of its unit and length, those on its page if there are some."""
    if part is None:
        return found
    unit, months = fact_of(part).unit, part.period.months
    whole = [each for each in found if (fact_of(each).unit, each.period.months) == (unit, months)]
    near = [e for e in whole if (e.document_id, e.page) == (part.document_id, part.page)]
    return near or whole


def canonical_of(item: Evidence) -> str:
    """Canonical name of a figure's line."""
    fact = fact_of(item)
    return canonical_metric(fact.metric, fact.path)


def line_key(fact: Fact) -> tuple[str, tuple[str, ...], str, str]:
    """What the figures of one line share: label, headings, unit and statement."""
    return undated(fact.metric), tuple(map(undated, fact.path)), fact.unit, fact.statement


@lru_cache(maxsize=65536)
def undated(text: str) -> str:
    """A label or heading in small letters without the day that it is of, and without what tells a period's opening from
    its closing; as it is where nothing else is said."""
    bare = text
    for mention in reversed(find_dates(text)):
        before = _OF_A_DAY.search(text[: mention.start])
        if mention.day is not None and before:
            bare = f"{bare[: before.start()]} {bare[mention.end :]}"
    bare = " ".join(_END_OF_PERIOD.sub("", " ".join(bare.split())).split())
    return (bare or text).lower()
