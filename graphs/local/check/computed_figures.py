"""Figures that a reader computes from cited ones: differences, percentage changes, multiples, shares and sums."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations

from graphs.local.check.figure_changes import Pair
from graphs.local.check.passages import Figure, Passage
from tools.values import Quantity, find_quantities, same_amount

_SUM = re.compile(
    r"\b(?:together|combined|altogether|in\s+all|sum|total(?:ed|s|ing|ling|led)?|amount(?:ed|s|ing)?\s+to|returned|"
    r"overall|adds?\s+up|or\s+a\s+total)\b",
    re.IGNORECASE,
)
_SHARE = re.compile(
    r"\b(?:share|accounted?|made\s+up|makes?\s+up|represent\w*|comprised?|contribut\w*|constitut\w*|of|portion|"
    r"percentage|margin|rate)\b",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:differen\w+|gap|by|spread|exclud\w+|without|apart\s+from|aside|net\s+of|remain\w*|left|leaves?|leaving|rest|"
    r"less|other\s+than|ex)\b",
    re.IGNORECASE,
)
_EXCLUDED = re.compile(r"\b(?:exclud\w+|without|apart\s+from|net\s+of)\b", re.IGNORECASE)
_TIMES = re.compile(r"^\s*(?:times\b|x\b|×|-fold\b|fold\b)", re.IGNORECASE)
_LESS_AFTER = re.compile(
    r"^[\s)]*(?:\([^)]*\)\s*)?(?:less|lower|below|fewer|worse|decrease|decline|reduction|drop)\b", re.I
)
_MORE_AFTER = re.compile(
    r"^[\s)]*(?:\([^)]*\)\s*)?(?:more|higher|above|greater|better|increase|rise|gain|improvement)\b", re.I
)
_APPROX = (
    r"\s*(?:about\s+|roughly\s+|nearly\s+|almost\s+|approximately\s+|some\s+|around\s+|over\s+|more\s+than\s+)?"
    r"\(?$"
)
_LESS_BEFORE = re.compile(
    r"\b(?:down|fell|slid|slipped|sank|dipped|declined|decreased|dropped|shrank|decreas(?:e|es)\s+of|declines?\s+of|reduction\s+of|drop\s+of|deterioration\s+of|"
    r"(?:fell|declin\w+|decreas\w+|dropp\w+|shrank|lowered|reduced|contracted|narrowed|dipped|slid|slipped|cut)\s+"
    r"(?:(?!from\b|to\b)[\w-]+\s+){0,4}?by)" + _APPROX,
    re.I,
)
_MORE_BEFORE = re.compile(
    r"\b(?:(?<!made\s)(?<!make\s)(?<!makes\s)up|rose|grew|increased|climbed|jumped|increases?\s+of|rise\s+of|gain\s+of|improvement\s+of|growth\s+of|"
    r"(?:rose|grew|increas\w+|climb\w+|jump\w+|improv\w+|expand\w+|widen\w+|raised)\s+by)" + _APPROX,
    re.I,
)


def delta_way(text: str, quantity: Quantity) -> str:
    """'up' or 'down' if a figure is told as the size of a movement ('down 10 %', '5 million less'); else ''."""
    before, after = text[max(0, quantity.start - 50) : quantity.start], text[quantity.end : quantity.end + 40]
    if _LESS_BEFORE.search(before) or _LESS_AFTER.search(after):
        return "down"
    if _MORE_BEFORE.search(before) or _MORE_AFTER.search(after):
        return "up"
    return ""


_IMPROVED = re.compile(r"\bimprov\w*\s+(?:by|of)\b[^,;]*$", re.IGNORECASE)


def is_computed(
    quantity: Quantity,
    text: str,
    stated: Sequence[Figure],
    cited: Sequence[Figure],
    passage: Passage,
    pairs: Sequence[Pair],
) -> bool:
    """Does a figure of `text` follow from figures that the text states itself, that the passage compares, or that it
    only cites?"""
    known = [*stated, *cited]
    tail = text[quantity.end : quantity.end + 12]
    near = text[max(0, quantity.start - 60) : quantity.end + 60]
    way = (
        ""
        if _IMPROVED.search(text[max(0, quantity.start - 30) : quantity.start])
        else delta_way(text, quantity)
    )
    compared = list(ordered(stated, passage, pairs))
    if way or quantity.unit in ("percent", "percentage points", "basis points", ""):
        compared += ordered(cited, passage, ())
    for later, sooner in compared:
        if _TIMES.match(tail) and sooner.amount and quantity.unit == "":
            if _close(abs(later.amount / sooner.amount), quantity.value):
                return True
        elif is_change(quantity, later, sooner, way):
            return True
    if _TIMES.match(tail) and quantity.unit == "" and _is_multiple(quantity, text, known):
        return True
    if quantity.unit in ("percent", "") and not _SHARE.search(near):
        return False
    amounts = _distinct(stated)
    if quantity.unit == "percent":
        for a, b in combinations(amounts, 2):
            small, large = sorted((a, b), key=lambda q: abs(q.amount))
            is_whole = a.unit == b.unit != "percent" and large.amount != 0
            if is_whole and _close(abs(small.amount) * 100 / abs(large.amount), quantity.value):
                return True
        return _SUM.search(text) is not None and _is_joint_share(quantity, known)
    amounts = amounts if way else _distinct(known)
    alike = [q for q in amounts if q.unit == quantity.unit]
    if _is_sum_of_a_period(quantity, known):
        return True
    if _SUM.search(text) and 2 <= len(alike) <= 6:
        for size in range(2, len(alike) + 1):
            for chosen in combinations(alike, size):
                if _is_exactly(quantity, sum((q.amount for q in chosen), Decimal(0)), quantity.unit):
                    return True
    return any(
        way in ("", "up" if abs(a.amount) >= abs(b.amount) else "down")
        and _is_exactly(quantity, abs(a.amount - b.amount), quantity.unit)
        for a, b in combinations(alike, 2)
        if way or _REST.search(near) or _EXCLUDED.search(text)
    )


def _is_joint_share(quantity: Quantity, figures: Sequence[Figure]) -> bool:
    """'together 62 % of expenses': what two or three figures are of a greater one, all of one period."""
    facts = [f for f in figures if f.label][:MOST]
    for size in (2, 3):
        for parts in combinations(facts, size):
            for whole in facts:
                if whole in parts or any(
                    (f.period, f.quantity.unit) != (whole.period, whole.quantity.unit) for f in parts
                ):
                    continue
                total = sum((abs(f.quantity.amount) for f in parts), Decimal(0))
                if total < abs(whole.quantity.amount) and _close(
                    total * 100 / abs(whole.quantity.amount), quantity.value
                ):
                    return True
    return False


def _is_sum_of_a_period(quantity: Quantity, figures: Sequence[Figure]) -> bool:
    """Is it what all cited facts of its unit and of one period come to?"""
    periods = {f.period for f in figures if f.period is not None}
    for period in periods:
        own = [
            abs(f.quantity.amount) for f in figures if f.period == period and f.quantity.unit == quantity.unit
        ]
        if len(own) > 1 and _is_exactly(
            replace(quantity, value=abs(quantity.value)), sum(own, Decimal(0)), quantity.unit
        ):
            return True
    return False


MOST = 8
"""Figures of which sums are tried."""


def _is_multiple(quantity: Quantity, text: str, stated: Sequence[Figure]) -> bool:
    """'5 million, 2.5 times the 2 million': the last figure before it by the next one behind it."""
    told = find_quantities(text)
    before = [q for q in told if q.end <= quantity.start and q.unit]
    behind = [q for q in told if q.start >= quantity.end and q.unit]
    if not before or not behind:
        return False
    exact = [[f.quantity for f in stated if same_amount(q, _loosened(f))] for q in (before[-1], behind[0])]
    return any(
        a.unit == b.unit and b.amount and _close(abs(a.amount / b.amount), quantity.value)
        for a in exact[0]
        for b in exact[1]
    )


def _distinct(figures: Sequence[Figure]) -> list[Quantity]:
    found: dict[tuple[Decimal, str, str], Quantity] = {}
    for figure in figures:
        quantity = _loosened(figure)
        found.setdefault((quantity.amount, quantity.unit, figure.label), quantity)
    return list(found.values())


def _loosened(figure: Figure) -> Quantity:
    """A table's bare number is one of dollars, unless its column says otherwise."""
    quantity = figure.quantity
    return replace(quantity, unit="USD") if figure.loose and not quantity.unit else quantity


def ordered(
    stated: Sequence[Figure], passage: Passage, pairs: Sequence[Pair]
) -> Iterator[tuple[Quantity, Quantity]]:
    """(later, sooner): figures of one line item of which the text states one, and what the passage or text compares."""
    for later, sooner in spans_of(passage.figures):
        if later in stated or sooner in stated:
            yield _loosened(later), _loosened(sooner)
    for pair in pairs:
        yield pair.new, pair.old


def spans_of(figures: Sequence[Figure]) -> Iterator[tuple[Figure, Figure]]:
    """(later, sooner) figures of one line item, of periods of one length."""
    dated = [(f, f.end) for f in figures if f.end is not None]
    for later, end in dated:
        for sooner, start in dated:
            alike = (
                later.label and later.label == sooner.label and later.quantity.scale == sooner.quantity.scale
            )
            spans = (
                later.period is None or sooner.period is None or later.period.months == sooner.period.months
            )
            if alike and spans and end and start and end > start:
                yield later, sooner


def is_change(quantity: Quantity, later: Quantity, sooner: Quantity, way: str) -> bool:
    """Is `quantity` the difference of two figures, or what percentage the later is above or below the sooner? `way` is
    the direction it is told with, if any."""
    per_share = {"USD", "USD/share"}
    if "USD/share" in (later.unit, sooner.unit) and {later.unit, sooner.unit, quantity.unit} <= per_share:
        later, sooner, quantity = (
            replace(q, unit="USD") for q in (later, sooner, quantity)
        )  # 'two cents more'
    if later.unit != sooner.unit:
        return False
    moved = later.amount - sooner.amount
    if later.amount <= 0 and sooner.amount <= 0:
        moved = abs(later.amount) - abs(sooner.amount)  # losses, outlays: of their size
    if way and moved and (moved > 0) != (way == "up"):
        return False
    if quantity.unit == "percent" and later.unit != "percent":
        return bool(sooner.amount) and _close(abs(moved * 100 / sooner.amount), abs(quantity.value))
    if quantity.unit in ("percentage points", "basis points"):
        told = replace(quantity, value=abs(quantity.value))
        return later.unit == "percent" and _is_exactly(told, abs(moved), "percentage points")
    if quantity.unit != later.unit or quantity.unit == "percent":
        return False
    return _is_exactly(replace(quantity, value=abs(quantity.value)), abs(moved), later.unit)


def _is_exactly(told: Quantity, amount: Decimal, unit: str) -> bool:
    """Does a result round to what is told, at the precision told? The operands' own rounding excuses nothing."""
    if told.unit == "basis points" and unit == "percentage points":
        amount = amount * 100
    return abs(told.amount - amount) * 2 <= told.quantum


def _close(exact: Decimal, shown: Decimal) -> bool:
    exponent = shown.as_tuple().exponent
    return abs(exact - shown) * 2 <= Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
