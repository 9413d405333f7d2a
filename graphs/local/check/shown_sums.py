"""Calculations that a claim shows, of any length: '(1,906 + 512 + 960) / 3 = 1,126'. Each is computed again."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, DivisionByZero, InvalidOperation
from itertools import pairwise
from operator import add, mul, sub, truediv

from tools.values import Quantity

_LABEL = r"(?:[\s()]|[A-Za-z][\w'’&-]*+,?(?=[\s)])){0,40}+"
"""Names of the figures in a calculation: 'EMEA $3 million + LATAM $1 million', '5 (the current part) + 2'."""
_JOINT = re.compile(
    rf"[\s()]*(?:(?<=[\s)])[-−–](?=\s)|[+×*/÷=≈])[\s()]*|{_LABEL}(?<=[\s)])[+×*/÷=≈](?=\s){_LABEL}"
)
_LESS = re.compile(rf"{_LABEL}(?<=[\s)])[-−–](?=\s){_LABEL}")
"""With words around it a dash may join two statements; it is a minus where a result follows."""
_WORDS = re.compile(r"[A-Za-z][\w'’&,-]*")
_SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "÷": "/"})
_OPERATORS: dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
}
_SLASH = re.compile(r"[/÷]")
_EQUALS = re.compile(r"[=≈]")
MAX_COUNT = 12
"""Up to which a bare whole number in a calculation may be a count that no evidence prints: months, quarters, parts."""
MAX_OPERANDS = 40
"""Figures of one calculation; a longer one is not computed again."""
PERCENT = 100
SCALES = (100, 1_000, 1_000_000)
"""By which an amount is put into per cent, thousands or millions."""


@dataclass(frozen=True, slots=True)
class ShownSum:
    """One calculation of a text."""

    operands: tuple[Quantity, ...]
    results: tuple[Quantity, ...]
    """What it is said to come to; empty where that stands elsewhere."""
    printed: Decimal | None
    """What the numbers as printed come to; None where they cannot be computed."""
    amount: Decimal | None
    """What the amounts that they stand for come to."""
    unit: str
    """Of that amount: that of all operands; '' of a ratio."""
    start: int
    end: int

    @property
    def result(self) -> Quantity | None:
        """What it comes to in the end: in 'a / b = c / d = e' e."""
        return self.results[-1] if self.results else None

    @property
    def fault(self) -> str:
        """Why the result shown is not what comes out; '' if it is."""
        if self.result is None or self.printed is None or self.comes_to(self.result):
            return ""
        rescaled = any(operand.value in SCALES[1:] and is_count(operand) for operand in self.operands)
        if rescaled and _is_near(replace(self.result, scale=0), self.printed):
            return ""  # '381,603 thousand / 1,000 = 381.6 million'
        return f"the calculation gives {self.printed:.6g}, not {self.result.text}"

    @property
    def is_close(self) -> bool:
        """Is only the point elsewhere, in a result without a scale: '21% * 24,977 = 5,245'?"""
        if self.result is None or self.result.scale or not self.printed:
            return False
        digits = replace(self.result, scale=0)
        return any(_is_near(digits, self.printed.scaleb(power)) for power in range(-9, 10))

    def comes_to(self, quantity: Quantity) -> bool:
        """Is a figure what comes out, as exact as it is given, in its unit, a ratio as percentage too?"""
        if self.printed is None or self.amount is None:
            return False
        if not quantity.unit and not quantity.scale:
            return _is_near(quantity, self.printed) or _is_near(quantity, self.amount)
        if quantity.unit in ("percent", "percentage points"):
            factor = 1 if self.unit == "percent" else PERCENT
            comes = (_is_near(quantity, value * factor) for value in (self.amount, self.printed))
            return self.unit in ("", "percent") and any(comes)
        return self.unit in (quantity.unit, quantity.unit.removesuffix("/share"), "") and _is_near(
            quantity, self.amount
        )


def _is_near(quantity: Quantity, exact: Decimal) -> bool:
    return abs(abs(quantity.amount) - abs(exact)) * 2 <= quantity.quantum


def is_count(quantity: Quantity) -> bool:
    """May a number of a calculation be one that nobody has to print: how many are averaged, 100 for per cent?"""
    whole = quantity.value == quantity.value.to_integral_value()
    return (
        whole
        and not (quantity.unit or quantity.scale)
        and (0 < quantity.value <= MAX_COUNT or quantity.value in SCALES)
    )


Meant = Callable[[Quantity], tuple[Decimal, str]]
"""The amount and unit that a figure of a calculation stands for: a bare one that of the evidence."""


def shown_sums(text: str, quantities: Sequence[Quantity], meant: Meant) -> Iterator[ShownSum]:
    """The calculations of a text with these figures."""
    run: list[Quantity] = []
    for quantity in (*map(_as_count, quantities), None):
        if run and quantity is not None and _are_joined(text, run[-1], quantity):
            run.append(quantity)
            continue
        if len(run) > 1:
            yield _sum(text, run, meant)
        run = [quantity] if quantity is not None else []


_RESULT = re.compile(r"[^;:.]*?(?:\.\d[^;:.]*?)*[=≈]")


def _are_joined(text: str, one: Quantity, other: Quantity) -> bool:
    between = text[one.end : other.start]
    if _JOINT.fullmatch(between):
        return True
    return _LESS.fullmatch(between) is not None and _RESULT.match(text, other.end) is not None


def _as_count(quantity: Quantity) -> Quantity:
    """The 2 of '/ 2 - $292 million' is a count, though '2 - 292 million' may be a range."""
    bare = replace(quantity, unit="", scale=0)
    return bare if quantity.text.isdigit() and is_count(bare) else quantity


def _sum(text: str, run: Sequence[Quantity], meant: Meant) -> ShownSum:
    equals = [m.start() for q, r in pairwise(run) for m in _EQUALS.finditer(text, q.end, r.start)]
    stop = equals[0] if equals else run[-1].end
    operands = tuple(q for q in run if q.start < stop)
    opening = re.search(rf"\({_LABEL}$|\s*$", text[: run[0].start])
    start = opening.start() if opening else run[0].start
    closing = None if equals else re.match(r"\)*", text[stop:])
    end = stop + (closing.end() if closing else 0)
    known = [meant(q) for q in operands]
    units = {unit for q, (_, unit) in zip(operands, known, strict=True) if not is_count(q)}
    is_ratio = _divides(text, operands)
    return ShownSum(
        operands,
        tuple(q for q in run if q.start >= stop),
        _computed(text[start:end], start, operands, [q.value for q in operands]),
        _computed(text[start:end], start, operands, [amount for amount, _ in known]),
        units.pop() if len(units) == 1 and not is_ratio else "",
        start,
        max(end, run[-1].end),
    )


def _divides(text: str, operands: Sequence[Quantity]) -> bool:
    """Is one amount divided by another one, and not by a count?"""
    return any(_SLASH.search(text, q.end, r.start) and not is_count(r) for q, r in pairwise(operands))


def _computed(
    text: str, start: int, operands: Sequence[Quantity], numbers: Sequence[Decimal]
) -> Decimal | None:
    """The value of an expression whose figures stand for these numbers; None where it is none."""
    parts, at = [], start
    for n, quantity in enumerate(operands):
        parts += [text[at - start : quantity.start - start], f"q{n}"]
        at = quantity.end
    signs = [
        _WORDS.sub("", part) if n % 2 == 0 else part for n, part in enumerate((*parts, text[at - start :]))
    ]
    written = re.sub(r"\(\s*\)", "", "".join(signs)).translate(_SIGNS).strip()
    if len(written) > MAX_OPERANDS * 10:
        return None
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
