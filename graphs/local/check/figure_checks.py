"""Figures of a claim against a passage: amount, unit, scale, sign, line item and period."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from graphs.local.check.arithmetic import equation_fault
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.derivations import is_derived
from graphs.local.check.figure_match import is_labelled, is_same, is_timed, near_periods
from graphs.local.check.parsed_text import ParsedText
from graphs.local.check.passages import Passage
from graphs.local.check.printed_figures import Figure
from graphs.local.text.period_mentions import Mention
from tools.value_patterns import NUMBER_WORDS
from tools.values import Quantity, same_amount

_LOST = re.compile(
    r"\b(?:lost|losing|loses|loss\s+of)\s+(?:about|roughly|nearly|some)?\s*[$€£]?$", re.IGNORECASE
)
_INCOME = re.compile(r"^(?!.*\bloss\b(?!\))).*\b(?:income|profit|earnings)\b", re.IGNORECASE)
_ZERO = re.compile(r"\D*0\d")
_TOTAL = re.compile(r"(?:.*:\s*)?total\b", re.IGNORECASE)
_TOTAL_BEHIND = re.compile(r"\s*(?:in\s+)?total\b")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*")


def number_fault(claim: ClaimText, passage: Passage, labelled: ClaimText) -> str:
    """A figure of the claim that the passage does not hold, or holds for another line item or period.

    `claim` has the line items blanked out, `labelled` is the claim as it is.
    """
    spans = [(e.start, e.end) for e in claim.equations]
    for equation in claim.equations:
        if fault := equation_fault(equation, passage.figures):
            return fault
    for quantity in claim.said.quantities:
        if any(a <= quantity.start < b for a, b in spans):
            continue
        if _ZERO.match(quantity.text) and quantity.text not in passage.text:
            return f"{quantity.text} is no figure"
        same = [f for f in passage.figures if is_same(quantity, f, claim.text)]
        if not same:
            if any(same_amount(quantity, e.result) for e in claim.equations):
                continue
            if is_derived(claim, passage, quantity):
                continue
            return f"{quantity.text} is not in the cited evidence"
        if fault := _figure_fault(claim, labelled, quantity, same):
            return fault
    taken = _taken(claim, spans)
    return _digits_fault(claim, passage, taken) or _number_word_fault(claim, passage, taken)


def _figure_fault(claim: ClaimText, labelled: ClaimText, quantity: Quantity, same: Sequence[Figure]) -> str:
    """Among equal figures one must be of the claim's line item and period."""
    total = _TOTAL_BEHIND.match(claim.text[quantity.end : quantity.end + 14])
    named = [
        f
        for f in same
        if not f.label or is_labelled(labelled.whole, f.label) or (total and _TOTAL.match(f.label))
    ]
    if not named:
        return f"{quantity.text} belongs to '{same[0].label}'"
    lost = quantity.value > 0 and _LOST.search(claim.text[max(0, quantity.start - 40) : quantity.start])
    if lost and all(f.label and f.quantity.value > 0 and _INCOME.search(f.label) for f in named):
        return f"{quantity.text} is no loss in the cited evidence"
    near = _periods_of(claim, quantity, named)
    own = _clause_periods(claim.said, quantity)
    if any(is_timed(near if f.label else own, f) for f in named):
        return ""
    return f"{quantity.text} is not the figure for {(near or own)[0].text}"


def _periods_of(claim: ClaimText, quantity: Quantity, named: Sequence[Figure]) -> list[Mention]:
    """The periods nearest to a figure. What moved 'during the nine months' from one balance to another is of none of
    them: each balance is of a day."""
    near = near_periods(claim, quantity)
    moved = any(quantity.start in (c.new.start, c.old.start) for c in claim.said.changes)
    if moved and any(f.period is not None and f.period.months == 0 for f in named):
        return [m for m in near if m.day or m.year or m.quarter or m.month or not m.months]
    return near


_CLAUSE = re.compile(r";|,\s+(?:and|but|while|whereas|although|which)\b", re.IGNORECASE)


def _clause_periods(said: ParsedText, quantity: Quantity) -> list[Mention]:
    """The periods of a figure's clause: of a sentence of running text one of them must be."""
    cuts = [0, *(m.start() for m in _CLAUSE.finditer(said.text)), len(said.text)]
    start = max(cut for cut in cuts if cut <= quantity.start)
    end = min(cut for cut in cuts if cut >= quantity.end)
    return [m for m in said.periods if start <= m.start < end]


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


def _taken(claim: ClaimText, shown: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Where the claim's calculations, quantities, periods and sizes in words stand."""
    said = claim.said
    return [
        *shown,
        *((q.start, q.end) for q in said.quantities),
        *((m.start, m.end) for m in said.periods),
        *((d.start, d.end) for d in said.degrees),
    ]


def _digits_fault(claim: ClaimText, passage: Passage, taken: Sequence[tuple[int, int]]) -> str:
    """Digits outside quantities and periods ('Class 8', 'Form 10-Q') must stand in the passage too."""
    known = frozenset(_TOKEN.findall(passage.text)) | frozenset(
        token
        for item in passage.items
        for token in _TOKEN.findall(f"{item.company} {item.document} {item.section}")
    )
    for match in _TOKEN.finditer(claim.text):
        word = _WORDS.get(match.group())
        if word and re.search(rf"\b{word}\b", passage.text, re.IGNORECASE):
            continue
        if match.group() not in known and not any(a <= match.start() < b for a, b in taken):
            return f"{match.group()} is not in the cited evidence"
    return ""


def _number_word_fault(claim: ClaimText, passage: Passage, taken: Sequence[tuple[int, int]]) -> str:
    """A number in words ('two segments') must stand in the passage too, or follow from it ('seven points')."""
    words = passage.text.lower()
    for match in _NUMBER_WORD.finditer(claim.text):
        word = match.group().lower()
        points = _POINTS.match(claim.text, match.end())
        if points and is_derived(claim, passage, _points(match, points)):
            continue
        inside = any(a <= match.start() < b for a, b in taken)
        if not inside and not re.search(rf"\b(?:{word}|{NUMBER_WORDS[word]})\b", words):
            return f"'{word}' is not in the cited evidence"
    return ""


_NUMBER_WORD = re.compile(r"\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.IGNORECASE)
