"""Measures whose formula a question gives itself: 'net debt, borrowings less cash'."""

from __future__ import annotations

import re

from graphs.contracts import Reading
from graphs.local.question.limits import limit_of
from graphs.local.question.two_figures import is_averaged, stands_behind
from tools.calculate.measures import (
    Measure,
    is_called,
    labels_above,
    labels_below,
)
from tools.calculate.questions import AskedSum, first_name
from tools.calculate.resolving import DAYS
from tools.calculate.types import Asked

_OF_AVERAGE = re.compile(r"^(?:the\s+)?average\s+(?:of\s+)?(?:the\s+)?", re.IGNORECASE)
_BARE_NAME = re.compile(r"(?:[A-Z][\w.&'’-]*(?:\s+(?:and\s+|of\s+|&\s+)?|$))+")
"""Of a segment or a region, say."""


def spelled_out(read: AskedSum, measure: Measure, reading: Reading) -> Asked | None:
    """A measure by the formula that the question gives for it, where that is of other line items than the catalogue's:
    'net debt, borrowings less cash'; None where it gives none."""
    if not is_spelled_out(read, measure, reading):
        return None
    quotient, b = "/" in measure.formula, _OF_AVERAGE.sub("", first_name(read.b))
    if _is_as_known(read, measure, b):
        return None
    averaged = b != first_name(read.b) or is_averaged(b, reading.question)
    items: dict[str, str] = {}

    def named(name: str, words: str, side: str) -> str:
        """The name of an item in the formula, that of an earlier one of the same words."""
        name = next((known for known, own in items.items() if own == words), name)
        items[name] = words
        return f"average({name})" if averaged and quotient and side == "b" else name

    terms = {"a": named("a", read.a, "a"), "b": named("b", b, "b") if b else ""}
    for sign, name, words in (("+", "more", read.more), ("-", "less", read.minus)):
        for number, text in enumerate(words, start=1):
            side = stands_behind(text, read, reading.question) if quotient or sign == "+" else "a"
            terms[side] += f" {sign} {named(f'{name}_{number}', text, side)}"
    one, other = (f"({each})" if " " in each else each for each in terms.values())
    formula = f"{one} / {other}" if quotient else f"{terms['a']} - {other}" if b else terms["a"]
    formula = f"{formula} * {DAYS}" if measure.shown == "days" else formula
    return Asked(formula=formula, items=tuple(items.items()), shown=measure.shown, title=measure.name)


def _is_as_known(read: AskedSum, measure: Measure, b: str) -> bool:
    """Whether all figures are the catalogue's own; `b`: the other figure."""
    above = labels_above(measure)
    below = labels_below(measure) if "/" in measure.formula else above
    known = all(is_called(each, above) for each in (first_name(read.a), *read.more, *read.minus))
    return known and (not b or is_called(b, below))


def is_spelled_out(read: AskedSum, measure: Measure, reading: Reading) -> bool:
    """Whether the question says of which figures a measure of one quotient, or of none, is made; two parts that are
    held against one another in it are none."""
    names = {first_name(read.a), *read.more, first_name(read.b)} - {""}
    others = bool(read.b) or ("/" not in measure.formula and bool(read.minus or read.more))
    bare, money = measure.shown in ("ratio", "times"), measure.shown == "amount"
    apart = read.use == "yesno" and not limit_of(reading.question, bare=bare, money=money)[0]
    named = read.use == "yesno" and all(map(_BARE_NAME.fullmatch, names))
    simple = measure.formula.count("/") < 2 and names.isdisjoint(reading.entities)
    told = bool(read.a) and all((*read.more, *read.minus))
    return told and others and simple and not (read.b and (apart or named))
