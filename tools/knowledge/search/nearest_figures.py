"""The printed figures whose lines come nearest to what a question asks for, whatever words it uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tools.evidence import Evidence, Fact, fact_of
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.figure_candidates import find_candidates, without_frame
from tools.knowledge.search.hits import MIN_FACT_MATCH
from tools.knowledge.search.kg_search import fact_evidence
from tools.knowledge.search.line_items import company_facts, own_names
from tools.knowledge.search.years_due import is_due_then, is_of_other_year
from tools.scope import Scope
from tools.vector.line_item_encoder import row_text

MAX_COMPANIES = 3
"""Of a scope, that are looked at."""
MIN_NEARNESS = 0.5
"""Cosine of question and line from which a line that shares the question's words is no doubt meant."""
DOUBTED_MATCH = 0.5
"""Highest match of a figure of which it is doubtful: less than any that is stated for its name."""


class Encoder(Protocol):
    """Texts to unit vectors."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(len(texts), width)."""
        ...


def nearest_figures(
    graph: KnowledgeGraph, question: str, scope: Scope, months: int | None, k: int, encoder: Encoder
) -> list[Evidence]:
    """At most `k` figures of tables for each company that `scope` names, one for each line item, the nearest lines'
    first; their match is 0: nearness does not say that they answer. Raises what the encoder raises."""
    found: list[Evidence] = []
    for key in scope.companies[:MAX_COMPANIES]:
        candidates = [
            each
            for each in find_candidates(graph, company_facts(graph, key), scope, months)
            if not is_of_other_year(each.item.label, each.period, question)
        ]
        if not candidates:
            continue
        items = [each.item for each in candidates]
        texts = [row_text(item.label, item.path, item.statement) for item in items]
        nearness = _nearness(without_frame(question, own_names(graph, key)), texts, encoder)
        order = np.argsort(-nearness, kind="stable")[:k]
        found += [fact_evidence(graph.triplet(candidates[at].row), 0.0) for at in order]
    return found


def with_doubts(
    graph: KnowledgeGraph,
    question: str,
    scope: Scope,
    months: int | None,
    found: Sequence[Evidence],
    encoder: Encoder,
) -> list[Evidence]:
    """`found` as it is; where its best figure shares words with the question, but its line does not come near, and that
    of another amount comes nearer, all its figures match less, so that the learned fit chooses among more; likewise
    where it is older than a year that the question names, of which its line does not speak. Raises what the encoder
    raises."""
    best = max(found, key=lambda each: each.fact.match if each.fact else 0.0, default=None)
    if best is None or best.fact is None or best.fact.match < MIN_FACT_MATCH:
        return list(found)
    older = is_due_then(line_text(best.fact), best.fact.period, question) is False
    if not older and not _has_nearer(graph, question, scope, months, best, encoder):
        return list(found)
    return [
        each.model_copy(
            update={"fact": each.fact.model_copy(update={"match": min(each.fact.match, DOUBTED_MATCH)})}
        )
        if each.fact
        else each
        for each in found
    ]


def _has_nearer(
    graph: KnowledgeGraph, question: str, scope: Scope, months: int | None, best: Evidence, encoder: Encoder
) -> bool:
    fact = fact_of(best)
    names = own_names(graph, best.company_key)
    nearest = nearest_figures(
        graph, question, replace(scope, companies=(best.company_key,)), months, 2, encoder
    )
    others = [each for each in map(fact_of, nearest) if _amount(each) != _amount(fact)]
    own, *rivals = _nearness(
        without_frame(question, names), [line_text(fact) for fact in (fact, *others)], encoder
    )
    return bool(own < MIN_NEARNESS and own <= max(rivals, default=-1.0))


def printed_lines(graph: KnowledgeGraph) -> set[str]:
    """All lines of tables that figures may be looked for in, as the encoder reads them."""
    tables = graph.tables
    printed = {
        (row[r.HEAD], row[r.CONTEXT])
        for row in tables.rows
        if row[r.VALUE] is not None and r.row_may_answer(tables, row)
    }
    found = set[str]()
    for label, context in printed:
        _, _, _, _, _, path, statement, *_ = tables.contexts[context]
        if statement != "prose":
            found.add(row_text(label, path, statement))
    return found


def line_text(fact: Fact) -> str:
    """A printed figure's line as the encoder reads it."""
    return row_text(fact.metric, fact.path, fact.statement)


def _amount(fact: Fact) -> tuple[Decimal, str]:
    """Of whatever sign."""
    return abs(Decimal(fact.value).scaleb(fact.scale)), fact.unit


def _nearness(words: str, lines: Sequence[str], encoder: Encoder) -> NDArray[np.float32]:
    """Cosines of words and lines."""
    found: NDArray[np.float32] = encoder.vectors(lines) @ encoder.vectors([words])[0]
    return found
