"""Hard facts of a claim's figures: amount, unit and scale."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from graphs.drafts.figures import quantities
from graphs.local.check.cited_figures import CitedFigure
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.figure_match import is_about
from graphs.local.check.passages import is_prose
from tools.evidence import Evidence
from tools.value_patterns import NUMBER_WORDS
from tools.values import Quantity

_HEDGE = re.compile(
    r"\b(?:(?P<over>over|more\s+than|above|exceed\w*|at\s+least)|(?P<under>nearly|almost|close\s+to|under|less\s+than"
    r"|up\s+to))\s+[$€£]?$",
    re.IGNORECASE,
)
_ZERO = re.compile(r"\D*0\d")
_POWER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?[eE][+-]?\d+\b")
MAX_PER_SHARE = 10_000
"""Dollars from which an amount is none of a share."""


def stated_quantities(claim: ClaimText) -> list[Quantity]:
    """Figures of a claim that are no part of a period."""
    spans = [(m.start, m.end) for m in claim.said.periods]
    return [q for q in claim.said.quantities if not any(a <= q.start < b for a, b in spans)]


def misprinted(claim: ClaimText) -> str:
    """'$02.4 billion', '3.1e4': what is no figure of a filing; '' where nothing is."""
    zero_led = next((q.text for q in stated_quantities(claim) if _ZERO.match(q.text)), "")
    power = _POWER.search(claim.text)
    return zero_led or (power.group() if power else "")


def is_one_digit(quantity: Quantity) -> bool:
    """'nine hundred million', '$2 billion': too rough to follow from figures that the claim does not state."""
    digits = str(abs(quantity.value)).replace(".", "").lstrip("0")
    return len(digits) == 1 and bool(quantity.scale) and quantity.unit != "percent"


def matching(quantity: Quantity, figures: Sequence[CitedFigure], text: str) -> list[CitedFigure]:
    """The figures of the evidence that a claim may state so: amount as exact as it is given, unit and scale; the sign
    is a matter of words."""
    return [f for f in figures if is_amount(quantity, f, text)]


def is_amount(quantity: Quantity, figure: CitedFigure, text: str) -> bool:
    """Is a figure of `text` the evidence's, as to amount, unit and scale?"""
    return any(
        _is_near(form, amount, text) for form in _forms(quantity, figure) for amount in _amounts(form, figure)
    )


def _amounts(quantity: Quantity, figure: CitedFigure) -> tuple[Decimal, ...]:
    """Of the evidence; a claim that names no scale may print a figure as the evidence does."""
    bare = not quantity.scale and (figure.label or not quantity.unit)
    return (*figure.amounts, abs(figure.quantity.value)) if bare else figure.amounts


def _forms(quantity: Quantity, figure: CitedFigure) -> Iterator[Quantity]:
    """The claim's figure in the evidence's unit, if they can be of one."""
    ours, theirs = quantity.unit, figure.quantity.unit
    points = {"basis points": Decimal(1), "percentage points": Decimal(100)}
    if (
        ours == theirs
        or not ours
        or ours in figure.units
        or ({ours, theirs} == {"USD", "USD/share"} and abs(quantity.amount) < MAX_PER_SHARE)
    ):
        yield quantity
    elif ours in points and (theirs in (*points, "percent") or set(points) & figure.units):
        yield replace(quantity, value=quantity.value * points[ours] / points.get(theirs, Decimal(100)))


def _is_near(quantity: Quantity, amount: Decimal, text: str) -> bool:
    ours = abs(quantity.amount)
    if ours == amount or abs(ours - amount) * 2 <= quantity.quantum:
        return True
    hedge = _HEDGE.search(text[max(0, quantity.start - 20) : quantity.start])
    if hedge is not None:
        off = amount - ours
        return (off >= 0 if hedge["over"] else off <= 0) and abs(off) < quantity.quantum
    return is_about(quantity, text, amount)


def is_gap(quantity: Quantity, figures: Sequence[CitedFigure]) -> bool:
    """'in two years': does as much time lie between two periods of the evidence?"""
    days = {"year": 365.25, "month": 30.44, "week": 7.0, "day": 1.0}.get(quantity.unit.rstrip("s"), 0.0)
    ends = sorted({f.period.end for f in figures if f.period and f.period.end})
    wanted = float(quantity.value) * days
    if quantity.unit == "years" and len(ends) > 1 and quantity.value == len(ends):
        return True  # 'over the three years'
    return bool(days) and any(abs((b - a).days - wanted) <= days / 4 for a in ends for b in ends if a < b)


_TIME = frozenset(("day", "week", "month", "year", "hour"))


def may_be_printed(quantity: Quantity, figures: Sequence[CitedFigure], cited: Sequence[Evidence]) -> bool:
    """May the evidence print a figure otherwise: as the length of its period, as 8% for 0.08, without the scale that
    stands somewhere else, in words ('Class eight'), or as part of something else ('12 months')?"""
    rates = (f.quantity.value for f in figures if f.quantity.unit == "percent")
    if quantity.unit.rstrip("s") in _TIME or (
        not quantity.unit and quantity.value * 100 in {*map(abs, rates)}
    ):
        return True
    if quantity.text.isdigit() and not quantity.unit:
        words = "|".join((quantity.text, *(word for word, n in NUMBER_WORDS.items() if n == quantity.value)))
        said = re.compile(rf"(?<![\w.,])(?:{words})(?![\w%]|[.,]\d)", re.IGNORECASE)
        return any(said.search(item.text) for item in cited)
    return any(
        is_prose(f.item)
        and not (f.quantity.scale or any(f.scales))
        and abs(f.quantity.value) == abs(quantity.value)
        and f.quantity.unit.removesuffix("/share") == quantity.unit
        for f in figures
    )


def in_question(quantity: Quantity, question: str) -> bool:
    """Is a figure one that the question states?"""
    return any(
        abs(q.amount) == abs(quantity.amount) and (q.unit == quantity.unit or "" in (q.unit, quantity.unit))
        for q in quantities(question)
    )
