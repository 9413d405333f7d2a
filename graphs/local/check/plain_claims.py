"""Claims about which nobody needs to be asked: figures with the words of their labels, and nothing else."""

from __future__ import annotations

import re

from graphs.local.check.cited_figures import CitedFigure
from graphs.local.check.hard_facts import HardFacts
from graphs.local.check.period_facts import period_fault
from tools.values import Quantity

_WORD = re.compile(r"[^\W\d_][\w&'’.-]*\w|[^\W\d_]")
_JOINING = frozenset(
    ("a", "an", "the", "of", "in", "for", "at", "as", "its", "was", "were", "is", "are", "ended")
)
"""The words that may join a figure, a label, a company and a period and add nothing."""


def is_plain(facts: HardFacts) -> bool:
    """Does a claim without a fault give figures of one line item, with the words of its label and sign, and say nothing
    else at all but whose and of when they are?"""
    said = facts.claim.whole
    if not facts.matches or facts.computed or facts.sums:
        return False
    own = [f for quantity, same in facts.matches for f in _own(facts, quantity, same)]
    labels = {f.label for f in own}
    if len(labels) != 1 or not all(_own(facts, quantity, same) for quantity, same in facts.matches):
        return False
    known = _JOINING | _words(" ".join((*labels, *(f"{f.item.company} {f.item.company_key}" for f in own))))
    spans = [*((m.start, m.end) for m in said.periods), *((q.start, q.end) for q in said.quantities)]
    return all(
        _words(word.group()) <= known
        for word in _WORD.finditer(said.text)
        if not any(start <= word.start() < end for start, end in spans)
    )


def _own(facts: HardFacts, quantity: Quantity, same: list[CitedFigure]) -> list[CitedFigure]:
    """The figures that a claim gives as they are printed: line item in full, sign, scale and period."""
    said = _words(facts.claim.whole.text)
    return [
        f
        for f in same
        if len(f.scales) == 1
        and (quantity.value < 0) == (f.quantity.value < 0)
        and (named := _words(f.label) - _JOINING)
        and named <= said
        and not period_fault(facts.claim, quantity, [f])
    ]


def _words(text: str) -> frozenset[str]:
    """Every word of a text in lower case, without 's."""
    return frozenset(re.sub(r"['’]s$", "", word.lower()) for word in _WORD.findall(text))
