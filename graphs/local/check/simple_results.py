"""Figures that a reader computes from cited ones in one step: difference, sum, average, ratio, share, change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import combinations, permutations

from graphs.drafts.words import content, is_generic
from graphs.local.check.cited_figures import CitedFigure
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.direction_facts import way_of
from graphs.local.check.figure_facts import is_amount
from graphs.local.check.figure_match import is_about
from graphs.local.check.parsed_text import parsed
from tools.values import Quantity

MAX_OPERANDS = 40
"""Figures from which a claim may compute; of more, too much can be made."""
MAX_SUMMED = 6
"""Figures of which every sum is tried."""
MIN_ROW_SHARE = 0.5
"""Of a row's words that claim and question name, from which the row is meant; all, where the claim states figures of
other rows."""


@dataclass(frozen=True, slots=True)
class _Operand:
    amount: Decimal
    unit: str
    label: str
    end: date | None
    months: int | None
    line: str
    stated: bool
    is_total: bool = False
    """Of a table of which another figure is stated: only a share may be of it."""


def follows(claim: ClaimText, quantity: Quantity, figures: Sequence[CitedFigure], question: str) -> bool:
    """Is a figure of the claim the result of one simple step over figures of the evidence: those that the claim states,
    and those of the line items that claim or question name?"""
    known = operands(claim, quantity, figures, question)
    way = way_of(claim.text, quantity)
    return any(_equals(quantity, result, claim.text) for result in _results(quantity, known, way))


def operands(
    claim: ClaimText, quantity: Quantity, figures: Sequence[CitedFigure], question: str
) -> list[_Operand]:
    """What a figure of the claim may be computed from."""
    others = [q for q in claim.said.quantities if q.start != quantity.start]
    found: dict[tuple[object, ...], _Operand] = {}
    stated_lines, stated_items = set(), set()
    for q in others:
        for f in figures:
            if is_amount(q, f, claim.text) and not is_amount(quantity, f, claim.text):
                stated_lines.add(f.label or f.line)
                stated_items.add(f.item.item_id)
                for amount in (
                    {abs(q.amount), f.likely_amount(q.scale)} if q.scale or q.unit else {f.likely_amount(0)}
                ):
                    _add(found, _operand(f, amount, q.unit or f.likely_unit, stated=True))
    share = 1.0 if stated_lines else MIN_ROW_SHARE
    words = parsed(f"{claim.whole.text} {question}").words
    for f in figures:
        meant = f.line in stated_lines or (
            f.label and (f.label in stated_lines or _is_named(f.label, words, share))
        )
        total = not meant and f.item.item_id in stated_items and _TOTAL.match(f.label)
        meant = meant or total
        if meant or (f.item.fact is not None and f.label):
            operand = _operand(f, f.likely_amount(0), f.likely_unit, stated=False)
            _add(found, replace(operand, is_total=bool(total)))
    return list(found.values())[:MAX_OPERANDS]


def _add(found: dict[tuple[object, ...], _Operand], operand: _Operand) -> None:
    key = (operand.amount, operand.unit, operand.label, operand.end, operand.months)
    if key not in found or operand.stated:
        found[key] = operand


def _operand(f: CitedFigure, amount: Decimal, unit: str, *, stated: bool) -> _Operand:
    signed = -amount if f.quantity.value < 0 else amount
    end = f.period.end if f.period else None
    months = f.period.months if f.period else None
    return _Operand(signed, unit, f.label, end, months, f.line, stated)


def _is_named(label: str, words: frozenset[str], share: float) -> bool:
    stems = [w for w in content(label.rpartition(":")[2]) if not is_generic(w)]
    return bool(stems) and sum(w in words for w in stems) >= share * len(stems)


def _alike(a: _Operand, b: _Operand) -> bool:
    return a.unit == b.unit or "" in (a.unit, b.unit) or {a.unit, b.unit} == {"USD", "USD/share"}


_TOTAL = re.compile(r"(?:.*:\s*)?total\b", re.IGNORECASE)


def _results(quantity: Quantity, known: Sequence[_Operand], way: str) -> Iterator[Decimal]:
    if quantity.unit in ("percent", "percentage points", "basis points"):
        factor = 100 if quantity.unit == "basis points" else 1
        for a, b in permutations(known, 2):
            if a.unit == b.unit == "percent":
                if quantity.unit != "percent" and _moves(a, b, way):
                    yield abs(a.amount - b.amount) * factor
            elif quantity.unit == "percent" and _alike(a, b) and "percent" not in (a.unit, b.unit):
                yield from _percentages(a, b, way)
        return
    alike = [o for o in known if not quantity.unit or _alike(o, _bare(quantity))]
    for a, b in permutations(alike, 2):
        if (a.label == b.label or a.stated or b.stated) and _moves(a, b, way):
            yield abs(abs(a.amount) - abs(b.amount))
            yield abs(a.amount - b.amount)
    yield from _sums(alike)
    if not quantity.unit or quantity.unit == "USD/share":
        for a, b in permutations(known, 2):
            if b.amount and (a.stated or b.stated or a.label != b.label):
                yield abs(a.amount / b.amount)


def _bare(quantity: Quantity) -> _Operand:
    return _Operand(quantity.amount, quantity.unit, "", None, None, "", True)


def _percentages(a: _Operand, b: _Operand, way: str) -> Iterator[Decimal]:
    """By what percentage the one is above or below the other; what percentage of the other it is."""
    if not b.amount:
        return
    if not (a.is_total or b.is_total) and _are_of_one_row(a, b) and _moves(a, b, way):
        yield abs((a.amount - b.amount) * 100 / b.amount)
    if not way and ((a.end, a.months) == (b.end, b.months) or (a.stated and b.stated)):
        yield abs(a.amount * 100 / b.amount)


def _are_of_one_row(a: _Operand, b: _Operand) -> bool:
    return (a.label == b.label if a.label and b.label else a.line == b.line) or (a.stated and b.stated)


def _moves(later: _Operand, sooner: _Operand, way: str) -> bool:
    """May what lies between the two be called a move in that direction?"""
    if later.end and sooner.end and later.label == sooner.label and later.end < sooner.end:
        return False
    if not way:
        return True
    new, old = later.amount, sooner.amount
    if new <= 0 and old <= 0:
        new, old = abs(new), abs(old)
    return (new >= old) == (way == "up")


def _sums(known: Sequence[_Operand]) -> Iterator[Decimal]:
    """What the stated ones come to, and all of one period; and their averages."""
    groups = [[o for o in known if o.stated]]
    groups += [[o for o in known if (o.end, o.months) == key] for key in {(o.end, o.months) for o in known}]
    for group in groups:
        amounts = list(dict.fromkeys((o.amount, o.label, o.end) for o in group))
        values = [amount for amount, _, _ in amounts]
        sizes = range(2, len(values) + 1) if len(values) <= MAX_SUMMED else (2, len(values))
        for size in sizes:
            for chosen in combinations(values, size):
                yield abs(sum(chosen, Decimal(0)))
                yield sum((abs(v) for v in chosen), Decimal(0))
                if size == len(values) or size == 2:
                    yield abs(sum(chosen, Decimal(0)) / size)


def _equals(quantity: Quantity, result: Decimal, text: str) -> bool:
    ours = replace(quantity, value=abs(quantity.value))
    return abs(ours.amount - result) * 2 <= ours.quantum or is_about(ours, text, result)
