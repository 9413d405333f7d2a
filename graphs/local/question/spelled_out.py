"""Measures whose formula a question gives itself: 'net debt, borrowings less cash'."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from graphs.contracts import Reading
from graphs.local.question.limits import limit_of
from graphs.local.question.two_figures import is_averaged, stands_behind
from tools.calculate.measures import (
    Measure,
    is_called,
    labels_above,
    labels_below,
    measure_called,
    measure_mention,
    measure_named,
)
from tools.calculate.questions import AskedSum, first_name
from tools.calculate.resolving import DAYS
from tools.calculate.types import Asked
from tools.knowledge.lexicon.asked_metrics import find_asked

_OF_AVERAGE = re.compile(r"^(?:the\s+)?average\s+(?:of\s+)?(?:the\s+)?", re.IGNORECASE)
_BARE_NAME = re.compile(r"(?:[A-Z][\w.&'’-]*(?:\s+(?:and\s+|of\s+|&\s+)?|$))+")
"""Of a segment or a region, say."""
MIN_CHANCE = 0.5
"""Probability of what is read of a question without the measure's name from which that is its definition."""
_HIDDEN = "figure"
"""What stands in the name's place: it says nothing of what is computed."""
_OF_QUOTIENTS = ("measure", "ratio", "share")
_OF_AMOUNTS = ("measure", "difference", "sum")


def with_definition(read: AskedSum, question: str, again: Callable[[str], AskedSum]) -> AskedSum:
    """What a question with a measure's name was `read` as, its figures those of the definition that it gives, too:
    'quick ratio: cash and receivables over current liabilities'. Names are known so well that what is said beside them
    is hardly read: the question is read `again` without the name, and gives a definition where two line items are told
    and what is made of them is of the measure's kind, a quotient or an amount."""
    span = measure_mention(question) if read.operation == "measure" else None
    measure = measure_called(measure_named(question[slice(*span)])) if span else None
    if span is None or measure is None:
        return read
    found = again(f"{question[: span[0]]}{_HIDDEN}{question[span[1] :]}")
    alike = _OF_QUOTIENTS if "/" in measure.formula else _OF_AMOUNTS
    told = found.operation in alike and found.chance >= MIN_CHANCE
    if not told or not (find_asked(found.a) and find_asked(found.b)):
        return read
    return replace(read, a=found.a, b=found.b, more=found.more, minus=found.minus)


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
