"""Figures of a claim against a passage: amount, unit, scale, sign, line item and period."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from graphs.drafts.figures import quantities
from graphs.local.check.arithmetic import equation_fault, find_equations
from graphs.local.check.claim_text import Told
from graphs.local.check.derivations import is_derived
from graphs.local.check.figure_changes import find_pairs
from graphs.local.check.figure_match import is_labelled, is_same, is_timed, near_periods
from graphs.local.check.passages import Figure, Passage
from graphs.local.text.degrees import find_degrees
from graphs.local.text.period_mentions import Mention, find_mentions
from tools.value_patterns import NUMBER_WORDS
from tools.values import Quantity, same_amount

_LOST = re.compile(
    r"\b(?:lost|losing|loses|loss\s+of)\s+(?:about|roughly|nearly|some)?\s*[$€£]?$", re.IGNORECASE
)
_INCOME = re.compile(r"^(?!.*\bloss\b(?!\))).*\b(?:income|profit|earnings)\b", re.IGNORECASE)
_ZERO = re.compile(r"\D*0\d")
_TOTAL = re.compile(r"(?:.*:\s*)?total\b", re.IGNORECASE)
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
        if _ZERO.match(quantity.text) and quantity.text not in passage.text:
            return f"{quantity.text} is no figure"
        same = [f for f in passage.figures if is_same(quantity, f, told.text)]
        if not same:
            if any(same_amount(quantity, e.result) for e in equations):
                continue
            if is_derived(quantity, told, passage):
                continue
            return f"{quantity.text} is not in the cited evidence"
        if fault := _figure_fault(quantity, told, labelled, same):
            return fault
    return _loose_number_fault(told, passage, spans)


def _figure_fault(quantity: Quantity, told: Told, labelled: Told, same: Sequence[Figure]) -> str:
    """Among equal figures one must be of the claim's line item and period."""
    after = told.text[quantity.end : quantity.end + 14]
    whole = re.match(r"\s*(?:in\s+)?total\b", after)
    named = [
        f
        for f in same
        if not f.label or is_labelled(labelled.whole, f.label) or (whole and _TOTAL.match(f.label))
    ]
    if not named:
        return f"{quantity.text} belongs to '{same[0].label}'"
    if _LOST.search(told.text[max(0, quantity.start - 40) : quantity.start]) and all(
        f.label and f.quantity.value > 0 and quantity.value > 0 and _INCOME.search(f.label) for f in named
    ):
        return f"{quantity.text} is no loss in the cited evidence"
    near = near_periods(told, quantity)
    moved = any(quantity.start in (p.new.start, p.old.start) for p in find_pairs(told.text))
    if moved and any(f.period is not None and f.period.months == 0 for f in named):
        near = [
            m for m in near if m.day or m.year or m.quarter or m.month or not m.months
        ]  # 'during the nine months'
    own = _clause_periods(told.text, quantity)
    timed = [f for f in named if is_timed(near if f.label else own, f)]
    if not timed:
        return f"{quantity.text} is not the figure for {(near or own)[0].text}"
    return ""


_CLAUSE = re.compile(r";|,\s+(?:and|but|while|whereas|although|which)\b", re.IGNORECASE)


def _clause_periods(text: str, quantity: Quantity) -> list[Mention]:
    """The periods of a figure's clause: of a sentence of running text one of them must be."""
    cuts = [0, *(m.start() for m in _CLAUSE.finditer(text)), len(text)]
    start = max(cut for cut in cuts if cut <= quantity.start)
    end = min(cut for cut in cuts if cut >= quantity.end)
    return [m for m in find_mentions(text) if start <= m.start < end]


_WORDS = {str(number): word for word, number in NUMBER_WORDS.items() if 1 < number < 21}


_POINTS = re.compile(
    r"\s+(?:(?P<points>(?:percentage\s+)?points?)|(?:more|fewer|less|higher|lower))\b", re.IGNORECASE
)


def _points(word: re.Match[str], unit: re.Match[str]) -> Quantity:
    """'seven points', 'eight more'."""
    return Quantity(
        Decimal(NUMBER_WORDS[word.group().lower()]),
        "percentage points" if unit["points"] else "",
        0,
        word.group(),
        word.start(),
        unit.end() if unit["points"] else word.end(),
    )


def _loose_number_fault(told: Told, passage: Passage, spans: Sequence[tuple[int, int]]) -> str:
    """Digits outside quantities and periods ('iPhone 15', 'Form 10-Q', 'two segments') must stand in the
    passage too."""
    taken = [*spans, *((q.start, q.end) for q in quantities(told.text))]
    taken += [(m.start, m.end) for m in find_mentions(told.text)]
    taken += [(d.start, d.end) for d in find_degrees(told.text)]
    known = frozenset(_TOKEN.findall(passage.text)) | frozenset(
        token
        for item in passage.items
        for token in _TOKEN.findall(f"{item.company} {item.document} {item.section}")
    )
    for match in _TOKEN.finditer(told.text):
        word = _WORDS.get(match.group())
        if word and re.search(rf"\b{word}\b", passage.text, re.IGNORECASE):
            continue
        if match.group() not in known and not any(a <= match.start() < b for a, b in taken):
            return f"{match.group()} is not in the cited evidence"
    words = passage.text.lower()
    for match in re.finditer(
        r"\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", told.text, re.IGNORECASE
    ):
        word = match.group().lower()
        inside = any(a <= match.start() < b for a, b in taken)
        points = _POINTS.match(told.text, match.end())
        if points and is_derived(_points(match, points), told, passage):
            continue
        if not inside and not re.search(rf"\b(?:{word}|{NUMBER_WORDS[word]})\b", words):
            return f"'{word}' is not in the cited evidence"
    return ""
