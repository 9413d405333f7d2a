"""Calculations that a claim shows, of any length: '(1,906 + 512 + 960) / 3 = 1,126'. Each is computed again."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation
from itertools import pairwise
from operator import add, mul, sub, truediv

from tools.values import Quantity

_JOINT = re.compile(r"[\s()]*(?:(?<=[\s)])[-−–](?=\s)|[+×*/÷=≈])[\s()]*")
_SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "÷": "/"})
_OPERATORS: dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
}
_EQUALS = re.compile(r"[=≈]")
MAX_COUNT = 12
"""Up to which a bare whole number in a calculation may be a count that no evidence prints: months, quarters, parts."""
PERCENT = 100


@dataclass(frozen=True, slots=True)
class ShownSum:
    """One calculation of a text."""

    operands: tuple[Quantity, ...]
    results: tuple[Quantity, ...]
    """What it is said to come to; empty where that stands elsewhere."""
    values: tuple[Decimal, ...]
    """What it does come to: of the numbers as printed, and of the amounts that they stand for."""
    start: int
    end: int

    @property
    def fault(self) -> str:
        """Why the first result shown is not what comes out; '' if it is."""
        shown = self.results[:1]
        if not shown or not self.values or comes_to(shown[0], self.values):
            return ""
        return f"the calculation gives {self.values[0]:.4g}, not {shown[0].text}"


def comes_to(quantity: Quantity, values: Sequence[Decimal]) -> bool:
    """Is a figure one of the values, as exact as it is given, a ratio as percentage too?"""
    for value in values:
        for exact in (
            (value, value * PERCENT) if quantity.unit in ("percent", "percentage points") else (value,)
        ):
            if abs(abs(quantity.amount) - abs(exact)) * 2 <= quantity.quantum:
                return True
            if abs(abs(quantity.value) - abs(exact)) * 2 <= quantity.quantum.scaleb(-quantity.scale):
                return True
    return False


def is_count(quantity: Quantity) -> bool:
    """May a number of a calculation be one that nobody has to print: how many are averaged, 100 for per cent?"""
    whole = quantity.value == quantity.value.to_integral_value()
    return (
        whole
        and not (quantity.unit or quantity.scale)
        and (0 < quantity.value <= MAX_COUNT or quantity.value == PERCENT)
    )


def shown_sums(text: str, quantities: Sequence[Quantity]) -> Iterator[ShownSum]:
    """The calculations of a text with these figures."""
    run: list[Quantity] = []
    for quantity in (*quantities, None):
        if run and quantity is not None and _JOINT.fullmatch(text[run[-1].end : quantity.start]):
            run.append(quantity)
            continue
        if len(run) > 1:
            yield _sum(text, run)
        run = [quantity] if quantity is not None else []


def _sum(text: str, run: Sequence[Quantity]) -> ShownSum:
    equals = [m.start() for q, r in pairwise(run) for m in _EQUALS.finditer(text, q.end, r.start)]
    stop = equals[0] if equals else run[-1].end
    operands = tuple(q for q in run if q.start < stop)
    opening = re.search(r"\(*\s*$", text[: run[0].start])
    start = opening.start() if opening else run[0].start
    closing = re.match(r"\)*", text[stop:]) if not equals else None
    end = stop + (closing.end() if closing else 0)
    values = [
        value
        for numbers in ([q.value for q in operands], [q.amount for q in operands])
        if (value := _computed(text[start:end], start, operands, numbers)) is not None
    ]
    results = tuple(q for q in run if q.start >= stop)
    return ShownSum(operands, results, tuple(dict.fromkeys(values)), start, max(end, run[-1].end))


def _computed(
    text: str, start: int, operands: Sequence[Quantity], numbers: Sequence[Decimal]
) -> Decimal | None:
    """The value of an expression whose figures stand for these numbers; None where it is none."""
    parts, at = [], start
    for n, quantity in enumerate(operands):
        parts += [text[at - start : quantity.start - start], f"q{n}"]
        at = quantity.end
    written = "".join((*parts, text[at - start :])).translate(_SIGNS).strip()
    names = {f"q{n}": number for n, number in enumerate(numbers)}
    for attempt in _balanced(written):
        try:
            return _evaluated(ast.parse(attempt, mode="eval").body, names)
        except (SyntaxError, KeyError, TypeError, InvalidOperation, DivisionByZero):
            continue
    return None


def _balanced(written: str) -> Iterator[str]:
    """An expression without brackets that are the sentence's own."""
    more = written.count("(") - written.count(")")
    while more > 0 and written.startswith("("):
        written, more = written[1:].strip(), more - 1
    while more < 0 and written.endswith(")"):
        written, more = written[:-1].strip(), more + 1
    yield written


def _evaluated(node: ast.expr, names: dict[str, Decimal]) -> Decimal:
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_evaluated(node.left, names), _evaluated(node.right, names))
    raise TypeError(f"{type(node).__name__} is no part of a calculation")
