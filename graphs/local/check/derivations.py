"""Figures of a claim that follow from cited ones: changes, shares, multiples, sums; each recomputed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from graphs.drafts.words import content, is_generic
from graphs.local.check.arithmetic import is_dated_change
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.computed_figures import delta_way, is_computed, ordered
from graphs.local.check.figure_changes import FigureChange
from graphs.local.check.figure_match import (
    is_about,
    is_labelled,
    is_same,
    is_timed,
    near_periods,
    stated_figures,
)
from graphs.local.check.passages import Passage, fact_label
from graphs.local.check.printed_figures import Figure
from tools.values import Quantity

_MARGIN = re.compile(r"\b(operating|gross|net|profit)\s+(?:profit\s+)?margins?\b", re.IGNORECASE)
_PART_OF = re.compile(
    r"\b(?:share|account\w*|ma[dk]e\w*\s+up|represent\w*|compris\w*|contribut\w*|constitut\w*|portion|percentage|of|rates?|ratio)\b",
    re.I,
)


def is_derived(claim: ClaimText, passage: Passage, quantity: Quantity) -> bool:
    """Does a figure that the passage does not print follow from those that it prints and the claim states or cites?"""
    own = stated_figures(claim, passage)
    if passage.structured and is_dated_change(quantity, own):
        return True
    if _is_share(claim, passage, quantity):
        return True
    changes = _known_changes(claim, passage, own, sized=delta_way(claim.text, quantity) != "")
    cited = [f for f in _cited(claim, passage) if f not in own]
    forms = [quantity, *_as_points(quantity, claim.text)]
    if any(is_computed(form, claim.said, own, cited, passage, changes) for form in forms):
        return True
    return any(
        a.unit == b.unit == quantity.unit and is_about(quantity, claim.text, abs(a.amount - b.amount))
        for a, b in ordered([*own, *cited], passage, changes)
    )


def _known_changes(
    claim: ClaimText, passage: Passage, own: Sequence[Figure], *, sized: bool
) -> list[FigureChange]:
    """What a figure may be computed from: changes of the claim whose figures the passage prints, and those that running
    text states; `sized`: the figure is the size of a movement."""
    changes = [
        change
        for change in claim.said.changes
        if all(any(is_same(q, f, claim.text) for f in passage.figures) for q in (change.new, change.old))
    ]
    if not passage.structured:
        stated = {f.quantity.amount for f in own}
        changes += [c for c in passage.changes if {abs(c.new.amount), abs(c.old.amount)} & stated]
        if sized:
            changes += _beside(own, passage)
    return changes


def _cited(claim: ClaimText, passage: Passage) -> list[Figure]:
    """Figures that a claim may compute from without stating them: of facts that it cites, and of the rows it names."""
    labels = {fact_label(i.fact) for i in passage.items if i.fact is not None}
    if sum(i.fact is not None and i.fact.statement != "prose" for i in passage.items) > MAX_CITED_FACTS:
        return []
    words = claim.whole.words
    return [f for f in passage.figures if f.label in labels or (f.label and _row(f.label) <= words)]


def _row(label: str) -> set[str]:
    """The words of a row, without the heading that it stands under."""
    stems = content(label.rpartition(":")[2])
    return {w for w in stems if not is_generic(w)} or set(stems)


MAX_CITED_FACTS = 8
"""Facts cited at once from which a claim may compute: of more, too much can be made."""


def _beside(own: Sequence[Figure], passage: Passage) -> Iterator[FigureChange]:
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
                yield FigureChange(new.quantity, old.quantity)


_POINTS = re.compile(r"^\s*points?\b", re.IGNORECASE)


def _as_points(quantity: Quantity, text: str) -> Iterator[Quantity]:
    """'19.4 points' of percentages."""
    if not quantity.unit and _POINTS.match(text[quantity.end : quantity.end + 8]):
        yield replace(quantity, unit="percentage points")


def _is_share(claim: ClaimText, passage: Passage, quantity: Quantity) -> bool:
    """Is a percentage what one figure is of another, both cited and named by line item, of the period said?"""
    facts = all(item.fact is not None for item in passage.items)
    margin = _MARGIN.search(claim.text)
    if quantity.unit != "percent" or not facts or not (_PART_OF.search(claim.text) or margin):
        return False
    near = near_periods(claim, quantity)
    if margin:  # 'operating margin' is operating income of revenue
        named = f"{claim.text} ; {margin[1]} income, {margin[1]} profit ; revenue, sales"
        claim = ClaimText(named, claim.context)
    return any(
        abs(share.ratio * 100 - quantity.value) * 2 <= quantity.quantum and is_timed(near, share.part)
        for share in shares(claim, passage)
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


def shares(claim: ClaimText, passage: Passage) -> Iterator[Share]:
    """Shares between figures that the claim states or names by line item, and that are of one period."""
    own = stated_figures(claim, passage)
    facts = [item for item in passage.items if item.fact is not None]
    few = len(facts) == len(passage.items) <= MAX_CITED_FACTS // 2  # all that is cited is meant
    named = [f for f in passage.figures if f.label and (few or is_labelled(claim.whole, f.label))]
    known = [f for f in passage.figures if f in own or f in named]
    for part in known:
        for whole in passage.figures:
            loose = not part.label and not whole.label
            if not _is_part(part, whole) or not (loose or whole in known):
                continue
            small, large = sorted((part, whole), key=lambda f: abs(f.quantity.amount))
            if 0 < abs(small.quantity.amount) < abs(large.quantity.amount):
                yield Share(small, large)


def _is_part(part: Figure, whole: Figure) -> bool:
    """May one figure be a part of the other: two amounts of one unit, of other line items and one period?"""
    if part.quantity.unit != whole.quantity.unit or part.quantity.unit == "percent":
        return False
    return not part.label or (part.label != whole.label and part.period == whole.period)
