"""The rule by which a quarter went well: an answer states it, and the checker computes it again.

It is the 10-Q chatbot write-up's: at least two of earnings per share, revenue and net income are up on the same quarter
a year before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.drafts.figures import WHOLE_MATCH, fact_match, fact_of, quantity_of
from graphs.drafts.sentences import listed, quoted
from graphs.local.text.same_figures import canonical_name, year_before
from tools.evidence import Evidence

JUDGED_BY = ("revenue", "net income", "diluted earnings per share")
"""Canonical names of the three figures, in the order in which they are named."""
MIN_FIGURES_UP = 2
"""Of them that must be up."""

_RULE = "judged by whether at least two of revenue, net income and diluted earnings per share were up"
_ANSWER = re.compile(r"^(?:Yes|No), ")

Move = tuple[Evidence, Evidence]
"""A figure and the same one a year before."""


def judgement_fault(text: str, cited: Sequence[Evidence]) -> str | None:
    """Why the cited figures do not support a judgement by the rule; '' if they do, None where `text` is not one."""
    if _RULE not in text:
        return None
    items = [item for item in cited if fact_match(item) >= WHOLE_MATCH and canonical_name(item) in JUDGED_BY]
    found = moves([item for item in items if year_before(item, items)], items)
    well = went_well(found)
    if well is not None and _ANSWER.sub("", text) == judgement(found, well):
        return ""
    return "the cited figures do not support this judgement"


def moves(rows: Sequence[Evidence], pool: Sequence[Evidence]) -> list[Move]:
    """The rule's figures that have one a year before, in the rule's order."""
    best: dict[str, Move] = {}
    for now in rows:
        then = year_before(now, pool)
        if then is not None and canonical_name(now) in JUDGED_BY:
            best.setdefault(canonical_name(now), (now, then))
    return [best[name] for name in JUDGED_BY if name in best]


def _is_up(move: Move) -> bool:
    now, then = (quantity_of(fact_of(item)) for item in move)
    return now is not None and then is not None and now.amount > then.amount


def went_well(found: Sequence[Move]) -> bool | None:
    """None where the figures that are missing could turn it."""
    up = sum(map(_is_up, found))
    if up >= MIN_FIGURES_UP:
        return True
    return False if up + len(JUDGED_BY) - len(found) < MIN_FIGURES_UP else None


def judgement(found: Sequence[Move], well: bool) -> str:
    """'Orla Inc. did well in the three months ended ..., judged by ...: revenue and net income were up.'"""
    now = found[0][0]
    up = [canonical_name(move[0]) for move in found if _is_up(move)]
    known = [canonical_name(move[0]) for move in found]
    rest = [name for name in known if name not in up]
    missing = [name for name in JUDGED_BY if name not in known]
    parts = [
        f"{listed(names)} {'was' if len(names) == 1 else 'were'} {what}"
        for names, what in ((up, "up"), (rest, "not up"), (missing, "not found"))
        if names
    ]
    span = "quarter" if now.period.months == 3 else "period"
    did = "did well" if well else "did not do well"
    return (
        f"{quoted(now.company)} {did} in the {now.period.describe()}, {_RULE} "
        f"on the same {span} a year before: {', '.join(parts)}"
    )
