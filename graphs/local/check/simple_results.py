"""Figures that a reader computes from cited ones in one step: difference, sum, average, ratio, share, change."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import IntEnum
from itertools import combinations, permutations

from graphs.drafts.words import content, is_generic
from graphs.local.check.cited_figures import CitedFigure, cited_figures
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.computed_figures import is_summed
from graphs.local.check.direction_facts import way_of
from graphs.local.check.figure_facts import is_amount
from graphs.local.check.figure_match import is_about
from graphs.local.check.parsed_text import ParsedText, parsed
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.values import Quantity

MAX_OPERANDS = 40
"""Figures from which a claim may compute; of more, too much can be made."""
MAX_SUMMED = 6
"""Figures of which every sum is tried."""
MAX_PROSE_FIGURES = 10
"""Of one unit in a piece of running text, from all of which a claim may compute."""
MIN_ROW_SHARE = 0.5
"""Of a line item's words that claim and question name, from which it is likely meant."""


class _Known(IntEnum):
    """How surely a claim means a figure that it may be computed from, and so what may be made of it."""

    TOTAL = 0
    """Total of a table of which the claim states another figure: shares of it."""
    LIKELY = 1
    """Of a line item that claim or question name in part: its own changes."""
    NAMED = 2
    """Of one that they name wholly, of a cited fact, or beside a figure that the claim states: all."""
    STATED = 3


@dataclass(frozen=True, slots=True)
class _Operand:
    amount: Decimal
    unit: str
    label: str
    end: date | None
    months: int | None
    line: str
    known: _Known

    @property
    def stated(self) -> bool:
        return self.known is _Known.STATED


def follows(
    claim: ClaimText,
    quantity: Quantity,
    figures: Sequence[CitedFigure],
    question: str,
    *,
    stated_only: bool = False,
) -> bool:
    """Is a figure of the claim the result of one simple step over figures of the evidence: those that the claim states,
    and, but for `stated_only`, those of the line items that claim or question name?"""
    found = operands(claim, quantity, figures, question)
    chosen = [o for o in found if o.stated] if stated_only else found
    way = way_of(claim.text, quantity)
    return any(
        _equals(quantity, result, claim.text)
        for result in _results(quantity, chosen, way, is_summed(claim.text))
    )


def follows_in_two_steps(
    claim: ClaimText, quantity: Quantity, figures: Sequence[CitedFigure], question: str
) -> bool:
    """Is a percentage what two figures of one period come to of a third one?"""
    if quantity.unit != "percent":
        return False
    known = [o for o in operands(claim, quantity, figures, question) if o.amount]
    periods = {(o.end, o.months, o.unit) for o in known if o.unit != "percent"}
    groups = [[o.amount for o in known if (o.end, o.months, o.unit) == key] for key in periods]
    return any(
        _equals(quantity, abs((one + other) * 100 / whole), claim.text)
        for group in groups
        for one, other in combinations(group, 2)
        for whole in group
    )


def operands(
    claim: ClaimText, quantity: Quantity, figures: Sequence[CitedFigure], question: str
) -> list[_Operand]:
    """What a figure of the claim may be computed from."""
    found: dict[tuple[object, ...], _Operand] = {}
    beside: set[str] = set()
    for q in claim.said.quantities:
        for f in figures:
            if (
                q.start == quantity.start
                or not is_amount(q, f, claim.text)
                or is_amount(quantity, f, claim.text)
            ):
                continue
            beside |= {f.label or f.line, f.item.item_id}
            exact = f.likely_amount(q.scale)
            for amount in {abs(q.amount), exact} if q.scale or q.unit else {exact}:
                _add(found, _operand(f, amount, q.unit or f.likely_unit, _Known.STATED))
    said = parsed(f"{claim.whole.text} {question}")
    least = MIN_ROW_SHARE if any(f.label and _named_share(said, f) for f in figures) or beside else 0.0
    for f in figures:
        if (known := _known(said, f, beside, least)) is not None:
            _add(found, _operand(f, f.likely_amount(0), f.likely_unit, known))
    return list(found.values())[:MAX_OPERANDS]


def _known(said: ParsedText, f: CitedFigure, beside: Container[str], least: float) -> _Known | None:
    if (f.label or f.line) in beside or (f.item.fact is not None and f.label):
        return _Known.NAMED
    if not f.label and not is_summed(said.text):
        return None
    if not f.label:
        unit = f.quantity.unit
        few = sum(other.quantity.unit == unit for other in cited_figures(f.item)) <= MAX_PROSE_FIGURES
        return _Known.NAMED if few else None
    share = _named_share(said, f)
    if share == 1:
        return _Known.NAMED
    if f.item.item_id in beside:
        return _Known.TOTAL if _TOTAL.match(f.label) else None
    return _Known.LIKELY if share >= least else None


def _named_share(said: ParsedText, f: CitedFigure) -> float:
    """What part of a line item's words a text has, headings left out; all, where it names it by a usual name."""
    if canonical_metric(f.label.rpartition(":")[2].strip()) in said.metric_names:
        return 1.0
    stems = [w for w in content(f.label.rpartition(":")[2]) if not is_generic(w)]
    held = [w in said.words for w in stems]
    if len(held) == 2 and held[-1]:  # 'sales' for 'Net sales'
        return 1.0
    return sum(held) / len(held) if held else 0.0


def _add(found: dict[tuple[object, ...], _Operand], operand: _Operand) -> None:
    key = (operand.amount, operand.unit, operand.label, operand.end, operand.months)
    if key not in found or operand.stated:
        found[key] = operand


def _operand(f: CitedFigure, amount: Decimal, unit: str, known: _Known) -> _Operand:
    signed = -amount if f.quantity.value < 0 else amount
    end = f.period.end if f.period else None
    months = f.period.months if f.period else None
    return _Operand(signed, unit, f.label, end, months, f.line, known)


def _alike(a: _Operand, b: _Operand) -> bool:
    return a.unit == b.unit or "" in (a.unit, b.unit) or {a.unit, b.unit} == {"USD", "USD/share"}


_TOTAL = re.compile(r"(?:.*:\s*)?total\b", re.IGNORECASE)


def _results(quantity: Quantity, known: Sequence[_Operand], way: str, summed: bool) -> Iterator[Decimal]:
    if quantity.unit in ("percent", "percentage points", "basis points"):
        yield from _rates(quantity, known, way)
        return
    alike = [o for o in known if not quantity.unit or _alike(o, _bare(quantity))]
    for a, b in permutations(alike, 2):
        is_meant = a.stated or b.stated or (_are_of_one_row(a, b) and (way or a.known > _Known.LIKELY))
        if is_meant and _moves(a, b, way):
            yield abs(abs(a.amount) - abs(b.amount))
            yield abs(a.amount - b.amount)
    likely = [o for o in alike if o.known >= _Known.LIKELY]
    sure = likely if len(likely) <= MAX_SUMMED else [o for o in likely if o.known >= _Known.NAMED]
    yield from _sums([o for o in sure if o.label or o.stated or summed])
    if not quantity.unit or quantity.unit == "USD/share":
        yield from _ratios(known)


def _rates(quantity: Quantity, known: Sequence[_Operand], way: str) -> Iterator[Decimal]:
    """Percentages of amounts, and points between percentages."""
    factor = 100 if quantity.unit == "basis points" else 1
    for a, b in permutations(known, 2):
        if a.unit == b.unit == "percent":
            if quantity.unit != "percent" and _moves(a, b, way):
                yield abs(a.amount - b.amount) * factor
        elif quantity.unit == "percent" and _alike(a, b) and "percent" not in (a.unit, b.unit):
            yield from _percentages(a, b, way)


def _ratios(known: Sequence[_Operand]) -> Iterator[Decimal]:
    for a, b in permutations(known, 2):
        if b.amount and (a.stated or b.stated or a.label != b.label):
            yield abs(a.amount / b.amount)


def _bare(quantity: Quantity) -> _Operand:
    return _Operand(quantity.amount, quantity.unit, "", None, None, "", _Known.STATED)


def _percentages(a: _Operand, b: _Operand, way: str) -> Iterator[Decimal]:
    """By what percentage the one is above or below the other; what percentage of the other it is."""
    if not b.amount:
        return
    if _Known.TOTAL not in (a.known, b.known) and _are_of_one_row(a, b) and _moves(a, b, way):
        yield abs((a.amount - b.amount) * 100 / b.amount)
    whole = (a.end, a.months) == (b.end, b.months) or (a.stated and b.stated)
    if not way and whole and _Known.LIKELY not in (a.known, b.known):
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
