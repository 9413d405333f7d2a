"""Figures of a claim against a passage: amount, unit, scale, sign, line item and period."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graphs.local.arithmetic import derived, equation_fault, find_equations
from graphs.local.mentions import Mention, find_mentions, fits_period
from graphs.local.ranking import mentioned
from graphs.local.sources import Figure, Passage, quantities
from graphs.local.told import Told
from graphs.local.words import content, is_generic
from tools.knowledge.lexicon import canonical_metric
from tools.value_patterns import NUMBER_WORDS
from tools.values import Quantity, same_amount

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*")


def number_fault(told: Told, labelled: Told, passage: Passage) -> str:
    """A figure of the claim that the passage does not hold, or holds for another line item or period.

    `told` is the claim with the line items blanked out, `labelled` as it is.
    """
    equations = find_equations(told.text)
    spans = [(e.start, e.end) for e in equations]
    for equation in equations:
        if fault := equation_fault(equation, passage.figures):
            return fault
    for quantity in quantities(told.text):
        if any(a <= quantity.start < b for a, b in spans):
            continue
        same = [f for f in passage.figures if _same(quantity, f, told.text)]
        if not same:
            if any(same_amount(quantity, e.result) for e in equations):
                continue
            if passage.structured and derived(quantity, stated(told, passage)):
                continue
            return f"{quantity.text} is not in the cited evidence"
        if fault := _figure_fault(quantity, told, labelled, same):
            return fault
    return _loose_number_fault(told, passage, spans)


def stated(told: Told, passage: Passage) -> list[Figure]:
    """Figures of the passage that the claim states itself: what a change it tells may be computed from."""
    stated = quantities(told.text)
    operands = {value for e in find_equations(told.text) for value in (e.a, e.b)}
    return [
        f
        for f in passage.figures
        if f.quantity.value in operands or any(_same(q, f, told.text) for q in stated)
    ]


def _same(quantity: Quantity, figure: Figure, text: str) -> bool:
    theirs = figure.quantity
    if figure.loose and quantity.unit in {"USD", "USD/share", "shares", ""} and theirs.unit in {"USD", ""}:
        theirs = replace(theirs, unit=quantity.unit)
    if not figure.label and theirs.unit == "" and theirs.scale and quantity.unit == "USD":
        theirs = replace(theirs, unit="USD")
    if {theirs.unit, quantity.unit} == {"USD", "USD/share"} and not theirs.scale and not quantity.scale:
        theirs = replace(theirs, unit=quantity.unit)
    if same_amount(quantity, theirs):
        return True
    turned = same_amount(replace(quantity, value=-quantity.value), theirs)
    return turned and _explains_sign(quantity, text, theirs)


_MINUS = re.compile(
    r"\b(?:loss(?:es)?|deficits?|decreas\w*|declin\w*|fell|down|lower|reduc\w*|used|outflows?|negative|"
    r"expens\w*|cost\w*|paid|"
    r"payments?|purchases?|repurchases?|repayments?|charges?|shortfall|drop\w*|provision|benefit|"
    r"dividends?|contra)\b",
    re.IGNORECASE,
)


def _explains_sign(quantity: Quantity, text: str, theirs: Quantity) -> bool:
    """A positive figure may tell a negative one if words near it say so ('a net loss of 5'), and the other
    way round."""
    if quantity.value < 0:
        return theirs.unit == "percent"
    near = text[max(0, quantity.start - 90) : quantity.end + 30]
    return bool(
        _MINUS.search(
            re.sub(r"\((?:loss|deficit|used in|benefit|decrease)[^)]*\)", " ", near, flags=re.IGNORECASE)
        )
    )


def _figure_fault(quantity: Quantity, told: Told, labelled: Told, same: Sequence[Figure]) -> str:
    """Among equal figures one must be of the claim's line item and period."""
    named = [f for f in same if not f.label or _is_labelled(labelled.whole, f.label)]
    if not named:
        return f"{quantity.text} belongs to '{same[0].label}'"
    near = _near_periods(told, quantity)
    timed = [f for f in named if is_timed(near, f)]
    if not timed:
        return f"{quantity.text} is not the figure for {near[0].text}"
    return ""


def _is_labelled(text: str, label: str) -> bool:
    stems = [w for w in content(label) if not is_generic(w)]
    if not stems:
        return True
    words = set(content(text))
    held = sum(w in words for w in stems) / len(stems)
    last = [w for w in stems[-2:] if w in words]
    return (held >= 0.5 and bool(last)) or bool(
        {canonical_metric(label), *mentioned(label)} & mentioned(text)
    )


def _near_periods(told: Told, quantity: Quantity) -> list[Mention]:
    """The periods nearest to a figure: of its own clause, else the nearest before and after; of the
    context at last."""
    own = find_mentions(told.text)
    before = [m for m in own if m.end <= quantity.start]
    after = [m for m in own if m.start >= quantity.end]
    near = before[-1:] + after[:1]
    return near or list(find_mentions(told.context))


def is_timed(near: Sequence[Mention], figure: Figure) -> bool:
    if not near:
        return True
    if figure.period is not None:
        return any(fits_period(m, figure.period) for m in near)
    return not figure.mentions or any(_agree(m, figure.mentions) for m in near)


def _agree(mention: Mention, others: Sequence[Mention]) -> bool:
    for name in ("day", "year", "quarter", "months"):
        mine = getattr(mention, name)
        theirs = {getattr(o, name) for o in others} - {None}
        if mine is not None and theirs and mine not in theirs:
            return False
    return True


def _loose_number_fault(told: Told, passage: Passage, spans: Sequence[tuple[int, int]]) -> str:
    """Digits outside quantities and periods ('iPhone 15', 'Form 10-Q', 'two segments') must stand in the
    passage too."""
    taken = [*spans, *((q.start, q.end) for q in quantities(told.text))]
    taken += [(m.start, m.end) for m in find_mentions(told.text)]
    known = frozenset(_TOKEN.findall(passage.text)) | frozenset(
        token
        for item in passage.items
        for token in _TOKEN.findall(f"{item.company} {item.document} {item.section}")
    )
    for match in _TOKEN.finditer(told.text):
        if match.group() not in known and not any(a <= match.start() < b for a, b in taken):
            return f"{match.group()} is not in the cited evidence"
    words = passage.text.lower()
    for match in re.finditer(
        r"\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", told.text, re.IGNORECASE
    ):
        word = match.group().lower()
        inside = any(a <= match.start() < b for a, b in taken)
        if not inside and not re.search(rf"\b(?:{word}|{NUMBER_WORDS[word]})\b", words):
            return f"'{word}' is not in the cited evidence"
    return ""
