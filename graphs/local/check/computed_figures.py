"""Figures that a reader computes from cited ones: differences, percentage changes, multiples, shares and sums."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations

from graphs.local.check.figure_changes import FigureChange
from graphs.local.check.parsed_text import ParsedText
from graphs.local.check.passages import Passage
from graphs.local.check.printed_figures import Figure
from tools.values import Quantity, same_amount

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


def is_summed(text: str) -> bool:
    """Does a text speak of several things together?"""
    return _SUM.search(text) is not None


def delta_way(text: str, quantity: Quantity) -> str:
    """'up' or 'down' if a figure is given as the size of a movement ('down 10 %', '5 million less'); else ''."""
    before, after = text[max(0, quantity.start - 50) : quantity.start], text[quantity.end : quantity.end + 40]
    if _LESS_BEFORE.search(before) or _LESS_AFTER.search(after):
        return "down"
    if _MORE_BEFORE.search(before) or _MORE_AFTER.search(after):
        return "up"
    return ""


_IMPROVED = re.compile(r"\bimprov\w*\s+(?:by|of)\b[^,;]*$", re.IGNORECASE)


def is_computed(
    quantity: Quantity,
    said: ParsedText,
    stated: Sequence[Figure],
    cited: Sequence[Figure],
    passage: Passage,
    changes: Sequence[FigureChange],
) -> bool:
    """Does a figure of a text follow from figures that the text states itself, that the passage compares, or that it
    only cites?"""
    text, known = said.text, [*stated, *cited]
    improved = _IMPROVED.search(text[max(0, quantity.start - 30) : quantity.start])
    way = "" if improved else delta_way(text, quantity)
    compared = list(ordered(stated, passage, changes))
    if way or quantity.unit in ("percent", "percentage points", "basis points", ""):
        compared += ordered(cited, passage, ())
    if _is_of_compared(quantity, said, compared, way) or _is_multiple(quantity, said, known):
        return True
    near = text[max(0, quantity.start - 60) : quantity.end + 60]
    if quantity.unit in ("percent", "") and not _SHARE.search(near):
        return False
    summed = is_summed(text)
    if quantity.unit == "percent":
        return _is_share(quantity, stated) or (summed and _is_joint_share(quantity, known))
    alike = [q for q in _distinct(stated if way else known) if q.unit == quantity.unit]
    if _is_sum_of_a_period(quantity, known) or (summed and _is_sum(quantity, alike)):
        return True
    return bool(way or _REST.search(near) or _EXCLUDED.search(text)) and _is_rest(quantity, alike, way)


def _is_factor(quantity: Quantity, said: ParsedText) -> bool:
    """'2.5 times', '3-fold'."""
    return not quantity.unit and _TIMES.match(said.text[quantity.end : quantity.end + 12]) is not None


def _is_of_compared(
    quantity: Quantity, said: ParsedText, compared: Sequence[tuple[Quantity, Quantity]], way: str
) -> bool:
    """Is it what some (later, sooner) figures are of one another: a multiple, a difference, a percentage?"""
    is_factor = _is_factor(quantity, said)
    return any(
        _close(abs(later.amount / sooner.amount), quantity.value)
        if is_factor and sooner.amount
        else is_change(quantity, later, sooner, way)
        for later, sooner in compared
    )


def _is_share(quantity: Quantity, figures: Sequence[Figure]) -> bool:
    """Is it what percentage one of the figures is of another one?"""
    for pair in combinations(_distinct(figures), 2):
        small, large = sorted(pair, key=lambda q: abs(q.amount))
        is_whole = small.unit == large.unit != "percent" and large.amount != 0
        if is_whole and _close(abs(small.amount) * 100 / abs(large.amount), quantity.value):
            return True
    return False


def _is_sum(quantity: Quantity, amounts: Sequence[Quantity]) -> bool:
    """Is it what two or more of the amounts come to?"""
    return len(amounts) <= MAX_SUMMED_AMOUNTS and any(
        _is_exactly(quantity, sum((q.amount for q in chosen), Decimal(0)), quantity.unit)
        for size in range(2, len(amounts) + 1)
        for chosen in combinations(amounts, size)
    )


def _is_rest(quantity: Quantity, amounts: Sequence[Quantity], way: str) -> bool:
    """Is it by how much two of the amounts differ, the first the greater one where it is called a rise?"""
    return any(
        way in ("", "up" if abs(a.amount) >= abs(b.amount) else "down")
        and _is_exactly(quantity, abs(a.amount - b.amount), quantity.unit)
        for a, b in combinations(amounts, 2)
    )


def _is_joint_share(quantity: Quantity, figures: Sequence[Figure]) -> bool:
    """'together 62 % of expenses': what two or three figures are of a greater one, all of one period."""
    facts = [f for f in figures if f.label][:MAX_SHARED_FACTS]
    for size in (2, 3):
        for parts in combinations(facts, size):
            total = sum((abs(f.quantity.amount) for f in parts), Decimal(0))
            for whole in facts:
                alike = all((f.period, f.quantity.unit) == (whole.period, whole.quantity.unit) for f in parts)
                amount = abs(whole.quantity.amount)
                if (
                    alike
                    and whole not in parts
                    and total < amount
                    and _close(total * 100 / amount, quantity.value)
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


MAX_SHARED_FACTS = 8
"""Cited facts of which joint shares are tried."""
MAX_SUMMED_AMOUNTS = 6
"""Amounts of which every sum is tried; of more, too much can be made."""


def _is_multiple(quantity: Quantity, said: ParsedText, stated: Sequence[Figure]) -> bool:
    """'5 million, 2.5 times the 2 million': the last figure before it by the next one behind it."""
    before = [q for q in said.quantities if q.end <= quantity.start and q.unit]
    behind = [q for q in said.quantities if q.start >= quantity.end and q.unit]
    if not (_is_factor(quantity, said) and before and behind):
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
    stated: Sequence[Figure], passage: Passage, changes: Sequence[FigureChange]
) -> Iterator[tuple[Quantity, Quantity]]:
    """(later, sooner): figures of one line item of which the text states one, and what the passage or text compares."""
    for later, sooner in passage.spans:
        if later in stated or sooner in stated:
            yield _loosened(later), _loosened(sooner)
    for change in changes:
        yield change.new, change.old


def is_change(quantity: Quantity, later: Quantity, sooner: Quantity, way: str) -> bool:
    """Is `quantity` the difference of two figures, or what percentage the later is above or below the sooner? `way` is
    the direction it is given with, if any."""
    units = {later.unit, sooner.unit}
    if "USD/share" in units and {*units, quantity.unit} <= {"USD", "USD/share"}:  # 'two cents more'
        later, sooner, quantity = (replace(q, unit="USD") for q in (later, sooner, quantity))
    if later.unit != sooner.unit:
        return False
    moved = later.amount - sooner.amount
    if later.amount <= 0 and sooner.amount <= 0:
        moved = abs(later.amount) - abs(sooner.amount)  # losses, outlays: of their size
    if way and moved and (moved > 0) != (way == "up"):
        return False
    if quantity.unit == "percent" and later.unit != "percent":
        return bool(sooner.amount) and _close(abs(moved * 100 / sooner.amount), abs(quantity.value))
    size = replace(quantity, value=abs(quantity.value))
    if quantity.unit in ("percentage points", "basis points"):
        return later.unit == "percent" and _is_exactly(size, abs(moved), "percentage points")
    return quantity.unit == later.unit != "percent" and _is_exactly(size, abs(moved), later.unit)


def _is_exactly(quantity: Quantity, amount: Decimal, unit: str) -> bool:
    """Does a result round to what is stated, at the precision stated? The operands' own rounding excuses nothing."""
    if quantity.unit == "basis points" and unit == "percentage points":
        amount = amount * 100
    return abs(quantity.amount - amount) * 2 <= quantity.quantum


def _close(exact: Decimal, shown: Decimal) -> bool:
    exponent = shown.as_tuple().exponent
    return abs(exact - shown) * 2 <= Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
