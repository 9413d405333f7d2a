"""A figure that a claim gives to a line item of which the evidence prints another one."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.drafts.words import content, is_generic
from graphs.local.check.cited_figures import CitedFigure
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.figure_match import is_labelled
from graphs.local.check.period_facts import period_fault
from tools.values import Quantity

Matches = Sequence[tuple[Quantity, Sequence[CitedFigure]]]


def label_fault(
    claim: ClaimText,
    quantity: Quantity,
    same: Sequence[CitedFigure],
    figures: Sequence[CitedFigure],
    matches: Matches,
) -> str:
    """A figure of line items that the claim does not name, where the one that it names word for word has, for the
    claim's period, a figure of its own that the claim does not state.

    Which line item a figure is of is a question to a judge where the claim uses other words.
    """
    if not same or any(
        not f.label or is_labelled(claim.whole, f.label) or _is_named(claim, f.label) for f in same
    ):
        return ""
    stated = {f.label for q, found in matches if q is not quantity for f in found}
    for figure in figures:
        if figure.label in stated or not _is_named(claim, figure.label) or not _is_alike(quantity, figure):
            continue
        if not period_fault(claim, quantity, [figure]):
            return f"{quantity.text} is not what '{figure.label}' says"
    return ""


def _is_named(claim: ClaimText, label: str) -> bool:
    """Does the claim have every word of a line item, without its headings?"""
    stems = [w for w in content(label.rpartition(":")[2]) if not is_generic(w)]
    return bool(stems) and set(stems) <= claim.whole.words


def _is_alike(quantity: Quantity, figure: CitedFigure) -> bool:
    theirs = figure.quantity.unit
    return bool(figure.label) and (quantity.unit == theirs or (not theirs and quantity.unit in figure.units))
