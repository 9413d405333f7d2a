"""Which way a figure of a claim moved, against the sentences of the evidence that state it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from graphs.local.check.cited_figures import CitedFigure
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.computed_figures import delta_way
from graphs.local.check.figure_match import is_labelled
from graphs.local.check.parsed_text import parsed
from tools.values import Quantity

MAX_CHARS_AHEAD, MAX_CHARS_BEHIND = 40, 14
"""From a word of direction to the size of the movement behind it, and before it ('up 5 %', '5 % lower')."""
_APART = re.compile(
    r"[.;:]|,(?!\d)|\b(?:to|from|at|with|while|but|as|because|despite|versus|compared|than|on|in|for)\b",
    re.IGNORECASE,
)
_OR = re.compile(r"\s*(?:,?\s*or|\()\s*(?:by\s+|about\s+)?[$€£]?")


def way_fault(claim: ClaimText, matches: Sequence[tuple[Quantity, Sequence[CitedFigure]]]) -> str:
    """A movement between equal figures, or of a size that every sentence of the evidence with that size gives in the
    other direction."""
    for change in claim.said.changes:
        if (
            change.word
            and change.ordered
            and (change.new.amount, change.new.unit) == (change.old.amount, change.old.unit)
        ):
            return f"'{change.word}' is not what {change.new.text} and {change.old.text} show"
    for quantity, same in matches:
        way = way_of(claim.text, quantity)
        named = [f for f in same if f.label and is_labelled(claim.whole, f.label)]
        ways = {given for f in named or same if (given := _way_given(f)) or not f.label}
        if way and ways == {"down" if way == "up" else "up"}:
            return f"{quantity.text} is a movement {ways.pop()}, not {way}, in the cited evidence"
    return ""


_CHANGE = re.compile(r"\b(?:growth|change|increase|decrease)\b", re.IGNORECASE)


def _way_given(figure: CitedFigure) -> str:
    """Which way a figure of the evidence moved: by the words beside it, or by the sign of a rate of growth."""
    if not figure.label:
        return way_of(figure.line, figure.quantity)
    is_rate = "percent" in (figure.quantity.unit, *figure.units) and _CHANGE.search(figure.line)
    return ("up" if figure.quantity.value > 0 else "down") if is_rate else ""


def pair_fault(claim: ClaimText, matches: Sequence[tuple[Quantity, Sequence[CitedFigure]]]) -> str:
    """'5 million, or 7 %', where the evidence gives both, but never of one thing."""
    for (one, ones), (other, others) in pairwise(matches):
        prose = [f.line for f in (*ones, *others) if not f.label]
        is_pair = one.unit != other.unit and _OR.fullmatch(claim.text[one.end : other.start])
        if not is_pair or not ones or not others or len(prose) < len(ones) + len(others):
            continue
        if not {f.line for f in ones} & {f.line for f in others}:
            return f"{one.text} and {other.text} are not given for one thing in the cited evidence"
    return ""


def way_of(text: str, quantity: Quantity) -> str:
    """'up' or 'down' of the size of a movement, by the word beside it; 'rose 5 million, or 7 %' gives both; else ''."""
    if way := delta_way(text, quantity):
        return way
    for other in parsed(text).quantities:
        if other.end <= quantity.start and _OR.fullmatch(text[other.end : quantity.start]):
            return way_of(text, other)
    for sign in parsed(text).directions:
        ahead, behind = quantity.start - sign.start - len(sign.text), sign.start - quantity.end
        if 0 <= ahead <= MAX_CHARS_AHEAD and not _APART.search(
            text[sign.start + len(sign.text) : quantity.start]
        ):
            return "up" if sign.up else "down"
        if 0 <= behind <= MAX_CHARS_BEHIND and not _APART.search(text[quantity.end : sign.start]):
            return "up" if sign.up else "down"
    return ""
