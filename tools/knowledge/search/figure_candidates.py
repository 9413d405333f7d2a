"""The printed figures that a question's scope admits, and what of a question says which of them is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.line_items import CompanyFacts, LineItem
from tools.knowledge.search.linking import STATED_PERIOD
from tools.periods import Period
from tools.scope import Scope

_END_OR_BEGINNING = re.compile(r"\b(?:end|ending|beginning)\b", re.IGNORECASE)
_FRAME = re.compile(
    r"\s+(?:in|at|on|of|for|as\s+of|to|over|during|through|by|ended|ending|from)?\s*(?=[?.,;]*\s*$)",
    re.IGNORECASE,
)
"""What is left of a period's phrase at the end."""
_SPAN = re.compile(
    r"\b(?:quarter|months?|weeks?|year|fiscal|period)\b(?:\s+(?:ended|ending|to|through|that ended))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One figure of one line item."""

    item: LineItem
    row: int
    """Position in the graph."""
    period: Period
    lag: int
    """Days from the figure's period end to that of the document that prints it."""


def find_candidates(
    graph: KnowledgeGraph, facts: CompanyFacts, scope: Scope, months: int | None
) -> list[Candidate]:
    """Figures of tables within `scope` for the duration asked for, one for each line item."""
    tables = graph.tables
    found: list[Candidate] = []
    for item in facts.items:
        if item.statement == "prose":
            continue
        best: Candidate | None = None
        for position in item.rows:
            row = tables.rows[position]
            period = tables.periods[row[r.PERIOD]]
            if not _lasts(period.months, months, item) or not graph.admits(position, scope):
                continue
            if r.row_amount(tables, row) is None:
                continue
            stated = tables.documents[row[r.DOCUMENT]].period_end
            lag = abs((stated - period.end).days) if stated and period.end else 0
            figure = Candidate(item, position, period, lag)
            if best is None or _place(figure, months) < _place(best, months):
                best = figure
        found += [best] if best else []
    return found


def _place(figure: Candidate, months: int | None) -> tuple[bool, bool, int, int, int]:
    """Order among one item's figures: the duration asked for, a quarter or a balance, the latest, as first printed."""
    end = figure.period.end.toordinal() if figure.period.end else 0
    return figure.period.months != months, figure.period.months not in (0, 3), -end, figure.lag, figure.row


def _lasts(months: int | None, asked: int | None, item: LineItem) -> bool:
    if asked is None:
        return True
    if asked == 0:
        return months in (0, None) or bool(_END_OR_BEGINNING.search(item.label))
    return months == asked or (months == 0 and asked == 3)


def without_frame(question: str, names: Iterable[str]) -> str:
    """`question` without the company's names and the words of its period: what is asked of them."""
    text = question.replace("\u2019", "'")
    for name in sorted(names, key=lambda name: (-len(name), name)):
        if len(name) > 1:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?:'s)?(?!\w)", " ", text, flags=re.IGNORECASE)
    text = STATED_PERIOD.sub(" ", text)
    text = _SPAN.sub(" ", text)
    for _ in range(3):
        text = _FRAME.sub(" ", text)
    return " ".join(text.split()) or question
