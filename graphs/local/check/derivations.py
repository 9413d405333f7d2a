"""Figures of a claim that follow from cited ones: changes, shares, multiples, sums; each recomputed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from graphs.drafts.words import content, is_generic
from graphs.local.check.arithmetic import derived
from graphs.local.check.claim_text import Told
from graphs.local.check.computed_figures import delta_way, is_computed, ordered
from graphs.local.check.figure_changes import Pair, find_pairs
from graphs.local.check.figure_match import is_about, is_labelled, is_same, is_timed, near_periods, stated
from graphs.local.check.passages import Figure, Passage, fact_label
from graphs.local.check.swapped_figures import passage_pairs
from tools.values import Quantity

_MARGIN = re.compile(r"\b(operating|gross|net|profit)\s+(?:profit\s+)?margins?\b", re.IGNORECASE)
_PART_OF = re.compile(
    r"\b(?:share|account\w*|ma[dk]e\w*\s+up|represent\w*|compris\w*|contribut\w*|constitut\w*|portion|percentage|of|rates?|ratio)\b",
    re.I,
)


def is_derived(quantity: Quantity, told: Told, passage: Passage) -> bool:
    """Does a figure that the passage does not print follow from those that it prints and the claim states or cites?"""
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
        if delta_way(told.text, quantity):
            pairs += _beside(own, passage)
    cited = [f for f in _cited(told, passage) if f not in own]
    forms = [quantity, *_as_points(quantity, told.text)]
    if any(is_computed(form, told.text, own, cited, passage, pairs) for form in forms):
        return True
    changes = (
        (a, abs(a.amount - b.amount)) for a, b in ordered([*own, *cited], passage, pairs) if a.unit == b.unit
    )
    return any(a.unit == quantity.unit and is_about(quantity, told.text, change) for a, change in changes)


def _cited(told: Told, passage: Passage) -> list[Figure]:
    """Figures that a claim may compute from without stating them: of facts that it cites, and of the rows it names."""
    labels = {fact_label(i.fact) for i in passage.items if i.fact is not None}
    if sum(i.fact is not None and i.fact.statement != "prose" for i in passage.items) > MOST_FACTS:
        return []
    words = set(content(told.whole))
    return [f for f in passage.figures if f.label in labels or (f.label and _row(f.label) <= words)]


def _row(label: str) -> set[str]:
    """The words of a row, without the heading that it stands under."""
    stems = content(label.rpartition(":")[2])
    return {w for w in stems if not is_generic(w)} or set(stems)


MOST_FACTS = 8
"""Facts cited at once from which a claim may compute: of more, too much can be made."""


def _beside(own: Sequence[Figure], passage: Passage) -> Iterator[Pair]:
    """Each figure that the claim states of running text with the others of its unit there: it may be compared with
    one that the claim leaves out."""
    loose = [f for f in passage.figures if not f.label]
    for new in loose:
        for old in loose:
            if (
                new in own
                and new.quantity.unit == old.quantity.unit
                and new.quantity.amount != old.quantity.amount
            ):
                yield Pair(new.quantity, old.quantity)


_POINTS = re.compile(r"^\s*points?\b", re.IGNORECASE)


def _as_points(quantity: Quantity, text: str) -> Iterator[Quantity]:
    """'19.4 points' of percentages."""
    if not quantity.unit and _POINTS.match(text[quantity.end : quantity.end + 8]):
        yield replace(quantity, unit="percentage points")


def _is_share(quantity: Quantity, told: Told, passage: Passage) -> bool:
    """Is a percentage what one figure is of another, both cited and named by line item, of the period said?"""
    facts = all(item.fact is not None for item in passage.items)
    margin = _MARGIN.search(told.text)
    if quantity.unit != "percent" or not facts or not (_PART_OF.search(told.text) or margin):
        return False
    near = near_periods(told, quantity)
    if margin:  # 'operating margin' is operating income of revenue
        told = Told(f"{told.text} ; {margin[1]} income, {margin[1]} profit ; revenue, sales", told.context)
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
    facts = [item for item in passage.items if item.fact is not None]
    few = len(facts) == len(passage.items) <= MOST_FACTS // 2  # all that is cited is meant
    named = [f for f in passage.figures if f.label and (few or is_labelled(told.whole, f.label))]
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
