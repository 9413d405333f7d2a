"""Figures of a claim that follow from cited ones: changes, shares, multiples, sums; each recomputed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from graphs.local.arithmetic import derived
from graphs.local.computed import is_computed
from graphs.local.figure_match import is_labelled, is_same, is_timed, near_periods, stated
from graphs.local.pairs import find_pairs
from graphs.local.sources import Figure, Passage
from graphs.local.swaps import passage_pairs
from graphs.local.told import Told
from tools.values import Quantity

_PART_OF = re.compile(
    r"\b(?:share|account\w*|ma[dk]e\w*\s+up|represent\w*|compris\w*|contribut\w*|constitut\w*|portion|percentage|of)\b",
    re.I,
)


def is_derived(quantity: Quantity, told: Told, passage: Passage) -> bool:
    """Does a figure that the passage does not print follow from those that it prints and the claim states?"""
    own = stated(told, passage)
    if passage.structured and derived(quantity, own):
        return True
    if _is_share(quantity, told, passage):
        return True
    pairs = [
        pair
        for pair in find_pairs(told.text)
        if all(any(is_same(q, f, told.text) for f in passage.figures) for q in (pair.new, pair.old))
    ]
    if not passage.structured:
        said = {f.quantity.amount for f in own}
        pairs += [p for p in passage_pairs(passage) if {abs(p.new.amount), abs(p.old.amount)} & said]
    return is_computed(quantity, told.text, own, passage, pairs)


def _is_share(quantity: Quantity, told: Told, passage: Passage) -> bool:
    """Is a percentage what one figure is of another, both cited and named by line item, of the period said?"""
    facts = all(item.fact is not None for item in passage.items)
    if quantity.unit != "percent" or not facts or not _PART_OF.search(told.text):
        return False
    near = near_periods(told, quantity)
    return any(
        abs(share.ratio * 100 - quantity.value) * 2 <= quantity.quantum and is_timed(near, share.part)
        for share in shares(told, passage)
    )


@dataclass(frozen=True, slots=True)
class Share:
    """What part one figure is of another one of its period."""

    part: Figure
    whole: Figure

    @property
    def ratio(self) -> Decimal:
        """Between 0 and 1."""
        return abs(self.part.quantity.amount) / abs(self.whole.quantity.amount)


def shares(told: Told, passage: Passage) -> Iterator[Share]:
    """Shares between figures that the claim states or names by line item, and that are of one period."""
    own = stated(told, passage)
    named = [f for f in passage.figures if f.label and is_labelled(told.whole, f.label)]
    for part in passage.figures:
        for whole in passage.figures:
            if part not in own and part not in named:
                continue
            if (part.label or whole.label) and whole not in own and whole not in named:
                continue
            if part.quantity.unit != whole.quantity.unit or part.quantity.unit == "percent":
                continue
            if part.label and (part.label == whole.label or part.period != whole.period):
                continue
            small, large = sorted((part, whole), key=lambda f: abs(f.quantity.amount))
            if 0 < abs(small.quantity.amount) < abs(large.quantity.amount):
                yield Share(small, large)
