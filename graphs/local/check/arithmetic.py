"""Shown calculations: found in a draft and recomputed from cited figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from graphs.local.check.printed_figures import Figure
from tools.values import Quantity, find_quantities, parse_decimal, same_amount

_NUMBER = r"\(?[-−–]?\s?(?:[$€£]\s?)?\d[\d,]*(?:\.\d+)?\)?"
_UNITS = (
    r"(?:\s?%|(?:\s(?:thousand|million|billion|trillion))?(?:\s(?:USD|EUR|GBP|JPY|shares))?(?:\sper\sshare)?)"
)
_EQUATION = re.compile(
    rf"(?P<a>{_NUMBER})(?P<ua>{_UNITS})\s*(?P<op>[-−–+×*/÷])\s*(?P<b>{_NUMBER})(?P<ub>{_UNITS})\s*=\s*"
    rf"(?P<r>[-−–+]?\s?(?:[$€£]\s?)?\d[\d,]*(?:\.\d+)?)(?P<tail>[^\[\]]{{0,60}})"
)
_SHARE = re.compile(r"\((?P<p>[-−–+]?\d[\d,]*(?:\.\d+)?)\s?%\)")


@dataclass(frozen=True, slots=True)
class Equation:
    """'a op b = result (share %)' as shown."""

    a: Decimal
    operator: str
    b: Decimal
    result: Quantity
    share: Quantity | None
    start: int
    end: int


def find_equations(text: str) -> list[Equation]:
    """Calculations that `text` shows."""
    found = []
    for match in _EQUATION.finditer(text):
        a, b = (parse_decimal(match[name].replace("+", "").strip()) for name in "ab")
        shown = text[match.start("r") : match.end()].lstrip("+").replace("−", "-").replace("–", "-")
        results = find_quantities(shown)
        if a is None or b is None or not results:
            continue
        result = results[0]
        share = _SHARE.search(match["tail"])
        end = match.end("r") + len(result.text) - len(match["r"].strip())
        percent = None
        if share is not None:
            printed = share["p"].lstrip("+").replace("−", "-").replace("–", "-").replace(",", "")
            percent = Quantity(Decimal(printed), "percent", 0, share.group(), 0, 0)
            end = match.start("tail") + share.end()
        found.append(Equation(a, match["op"], b, result, percent, match.start(), max(end, match.end("r"))))
    return found


def equation_fault(equation: Equation, figures: Sequence[Figure]) -> str:
    """Why a shown calculation does not hold: an operand that is not cited, or a wrong result; '' if it
    holds."""
    for value in (equation.a, equation.b):
        if not any(_is_operand(value, equation, figure) for figure in figures):
            return f"{value} in the calculation is not in the cited evidence"
    try:
        exact = _compute(equation)
    except ZeroDivisionError:
        return "the calculation divides by zero"
    shown = equation.result
    if abs(exact - shown.value) > _quantum(shown.value) / 2:
        return f"the calculation gives {exact}, not {shown.value}"
    if equation.share is not None:
        if equation.operator not in "-−–" or not equation.b:
            return "the share of the calculation cannot be recomputed"
        share = (equation.a - equation.b) * 100 / abs(equation.b)
        if abs(share - equation.share.value) > _quantum(equation.share.value) / 2:
            return f"the change is {share:.2f} %, not {equation.share.value} %"
    return ""


def _compute(equation: Equation) -> Decimal:
    a, b = equation.a, equation.b
    if equation.operator == "+":
        return a + b
    if equation.operator in "×*":
        return a * b
    if equation.operator in "/÷":
        ratio = a / b
        return ratio * 100 if equation.result.unit == "percent" else ratio
    return a - b


def _quantum(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)


def _is_operand(value: Decimal, equation: Equation, figure: Figure) -> bool:
    result, operator = equation.result, equation.operator
    unit = "percent" if result.unit in {"percentage points", "basis points"} else result.unit
    theirs = figure.quantity
    if theirs.value != value:
        return False
    if operator in "/÷" and result.unit in {"percent", ""}:
        return True  # a ratio has another unit than its operands
    return (unit == theirs.unit or figure.loose) and result.scale == theirs.scale


def is_dated_change(quantity: Quantity, figures: Sequence[Figure]) -> bool:
    """True if `quantity` is the difference or the percentage change of two given figures of one line item."""
    dated = [(f, f.end) for f in figures if f.end is not None]
    return any(
        later.label == sooner.label
        and end is not None
        and start is not None
        and end > start
        and later.quantity.unit == sooner.quantity.unit
        and _is_change(quantity, later.quantity, sooner.quantity)
        for later, end in dated
        for sooner, start in dated
    )


def _is_change(quantity: Quantity, later: Quantity, sooner: Quantity) -> bool:
    difference = later.amount - sooner.amount
    if quantity.unit == "percent" and later.unit != "percent" and sooner.amount:
        share = abs(difference * 100 / sooner.amount)
        return abs(share - abs(quantity.value)) <= _quantum(quantity.value) / 2
    points = quantity.unit in {"percentage points", "basis points"} and later.unit == "percent"
    if points:
        exact = Quantity(abs(difference), "percentage points", 0, "", 0, 0)
        return same_amount(replace(quantity, value=abs(quantity.value)), exact)
    if quantity.unit != later.unit:
        return False
    exact = Quantity(abs(difference), later.unit, 0, "", 0, 0)
    return same_amount(replace(quantity, value=abs(quantity.value)), exact)
