"""Figures that a claim computes from others that it states itself, in however many words: sums, differences, averages,
products, ratios and percentages, one from another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations

from tools.values import Quantity

MAX_FIGURES = 14
"""Figures of a claim from which others may be computed; of more, too much can be made."""
PERCENT = Decimal(100)
_RATES = ("percent", "percentage points", "basis points")


@dataclass(frozen=True, slots=True)
class _Amount:
    amount: Decimal
    unit: str


def computed(known: Sequence[tuple[Quantity, Decimal, str]], open_: Sequence[Quantity]) -> set[int]:
    """The starts of those figures of `open_` that follow from the `known` ones, with the amount and unit that each of
    these stands for; what is found so is known for the next."""
    amounts = [_Amount(abs(amount), unit.removesuffix("/share")) for _, amount, unit in known][:MAX_FIGURES]
    found: set[int] = set()
    left = list(open_)
    while left:
        result = next(((q, made) for q in left for made in _made(q, amounts)), None)
        if result is None:
            return found
        quantity, made = result
        found.add(quantity.start)
        left.remove(quantity)
        amounts.append(made)
    return found


def _made(quantity: Quantity, known: Sequence[_Amount]) -> Iterator[_Amount]:
    """What the figures come to where that is `quantity`."""
    for made in _results(known):
        if made.unit == "ratio" and quantity.unit == "percent":
            if _is_near(quantity, made.amount * PERCENT) or _is_near(
                quantity, abs(made.amount - 1) * PERCENT
            ):
                yield _Amount(made.amount * PERCENT, "percent")
        elif made.unit == "percent" and quantity.unit in _RATES:
            factor = PERCENT if quantity.unit == "basis points" else Decimal(1)
            if _is_near(quantity, made.amount * factor):
                yield _Amount(made.amount, "percent")
        elif made.unit == "ratio" and not quantity.unit and not quantity.scale:
            if _is_near(quantity, made.amount):
                yield made
        elif (made.unit in (quantity.unit.removesuffix("/share"), "") or not quantity.unit) and (
            _is_near(quantity, made.amount) or (not quantity.scale and _is_scaled(quantity, made.amount))
        ):
            yield _Amount(made.amount, made.unit or quantity.unit)


def _results(known: Sequence[_Amount]) -> Iterator[_Amount]:
    for one, other in permutations(known, 2):
        if one.unit == "percent" and other.unit != "percent":
            yield _Amount(one.amount * other.amount / PERCENT, other.unit)
        if one.unit != other.unit:
            continue
        yield _Amount(abs(one.amount - other.amount), one.unit)
        if other.amount:
            yield _Amount(one.amount / other.amount, "ratio")
    for first in range(len(known)):
        for last in range(first + 2, len(known) + 1):
            several = known[first:last]
            if len({each.unit for each in several}) > 1:
                break
            total = sum((each.amount for each in several), Decimal(0))
            yield _Amount(total, several[0].unit)
            yield _Amount(total / len(several), several[0].unit)


def _is_near(quantity: Quantity, exact: Decimal) -> bool:
    return abs(abs(quantity.amount) - abs(exact)) * 2 <= quantity.quantum


def _is_scaled(quantity: Quantity, exact: Decimal) -> bool:
    """Is a figure without a scale what comes out in thousands, millions or billions?"""
    return any(
        abs(abs(quantity.value) - abs(exact).scaleb(-power)) * 2 <= quantity.quantum for power in (3, 6, 9)
    )
