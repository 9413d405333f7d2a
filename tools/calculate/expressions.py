"""Arithmetic over named amounts, exact in decimals, with units carried through.

`+ - * /`, `**` with a number, brackets, `abs`, `average`. Nothing else is an expression.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext

MAX_CHARS = 400
MAX_POWER = 40
PRECISION = 28
RATES = ("percent", "percentage points")


class ExpressionError(ValueError):
    """An expression that is none, or that these amounts do not fit; says why in words for the user."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit, in base units: 1.2 million USD is 1200000."""

    value: Decimal
    unit: str = ""
    """As of a fact: 'USD', 'USD/share', 'shares', 'percent'; '' of a ratio or a bare count."""


def names_in(expression: str) -> tuple[str, ...]:
    """The names of an expression's amounts in their order, each once. Raises ExpressionError."""
    if len(expression) > MAX_CHARS:
        raise ExpressionError(f"a formula has at most {MAX_CHARS} characters")
    return _names(_parsed(expression))


def divisors_in(expression: str) -> tuple[str, ...]:
    """The names of the amounts that something is divided by. Raises ExpressionError."""
    divisions = [node for node in ast.walk(_parsed(expression)) if isinstance(node, ast.BinOp)]
    below = [_names(node.right) for node in divisions if isinstance(node.op, ast.Div)]
    return tuple(dict.fromkeys(name for names in below for name in names))


def _names(node: ast.expr) -> tuple[str, ...]:
    found = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
    found.sort(key=lambda each: (each.lineno, each.col_offset))
    return tuple(dict.fromkeys(each.id for each in found if each.id not in _CALLS))


def evaluate(expression: str, amounts: Mapping[str, Amount]) -> Amount:
    """What an expression comes to. Raises ExpressionError: a name without an amount, two currencies, a division by
    zero or by a loss, a root of a negative number, what is no arithmetic."""
    with localcontext() as context:
        context.prec = PRECISION
        try:
            value = _value(_parsed(expression), amounts)
            if not value.value.is_finite() or value.value.adjusted() > PRECISION:
                raise ExpressionError("the result is too large to mean anything")
            return value
        except Overflow as error:
            raise ExpressionError("the result is too large to mean anything") from error
        except RecursionError as error:
            raise ExpressionError("the formula is too deep") from error
        except DivisionByZero as error:
            raise ExpressionError("the figure to divide by is zero") from error
        except InvalidOperation as error:
            raise ExpressionError(
                "these figures can't be computed with (a zero, or a root of a loss)"
            ) from error


def _parsed(expression: str) -> ast.expr:
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"'{expression[:80]}' is no formula") from error


_CALLS = ("abs", "average")


def _value(node: ast.expr, amounts: Mapping[str, Amount]) -> Amount:
    if isinstance(node, ast.Name):
        if node.id not in amounts:
            raise ExpressionError(f"'{node.id}' was not found")
        return amounts[node.id]
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return Amount(Decimal(str(node.value)))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _value(node.operand, amounts)
        return Amount(-inner.value, inner.unit)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args and not node.keywords:
        return _called(node.func.id, [_value(each, amounts) for each in node.args])
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Pow):
            return _power(_value(node.left, amounts), _value(node.right, {}))
        return _joined(node.op, _value(node.left, amounts), _value(node.right, amounts))
    raise ExpressionError(f"'{ast.unparse(node)[:80]}' is no part of a formula")


def _called(name: str, given: list[Amount]) -> Amount:
    if name == "abs" and len(given) == 1:
        return Amount(abs(given[0].value), given[0].unit)
    if name == "average":
        total = given[0]
        for each in given[1:]:
            total = _joined(ast.Add(), total, each)
        return Amount(total.value / len(given), total.unit)
    raise ExpressionError(f"'{name}' is no part of a formula")


def _power(base: Amount, exponent: Amount) -> Amount:
    if base.unit or abs(exponent.value) > MAX_POWER:
        raise ExpressionError("only a ratio is raised to a power")
    if base.value <= 0:
        raise ExpressionError("a growth rate needs two positive figures")
    return Amount(base.value**exponent.value)


def _joined(op: ast.operator, one: Amount, other: Amount) -> Amount:
    if isinstance(op, ast.Add | ast.Sub):
        if one.unit != other.unit and all(each.unit or each.value for each in (one, other)):
            raise ExpressionError(f"{_said(one)} and {_said(other)} can't be added or subtracted")
        return Amount(
            one.value + other.value if isinstance(op, ast.Add) else one.value - other.value,
            one.unit or other.unit,
        )
    if isinstance(op, ast.Mult):
        if one.unit and other.unit:
            raise ExpressionError(f"{_said(one)} and {_said(other)} can't be multiplied")
        return Amount(one.value * other.value, one.unit or other.unit)
    if isinstance(op, ast.Div):
        if not other.value:
            raise ExpressionError("the figure to divide by is zero")
        if other.value < 0:
            raise ExpressionError("the figure to divide by is negative, so the ratio says nothing")
        return Amount(one.value / other.value, _quotient(one, other))
    raise ExpressionError("a formula has + - * / and brackets")


def _quotient(one: Amount, other: Amount) -> str:
    """USD / USD is a ratio, USD / shares is USD/share, USD / count stays USD, count / USD is refused."""
    if one.unit == other.unit:
        return ""
    if not other.unit or _is_count(other.unit):
        return one.unit
    if other.unit == "shares" and one.unit and "/" not in one.unit:
        return f"{one.unit}/share"
    if one.unit == f"{other.unit}/share":
        raise ExpressionError(f"{_said(one)} can't be divided by {_said(other)}")
    raise ExpressionError(f"{_said(one)} can't be divided by {_said(other)}: the units differ")


def _is_count(unit: str) -> bool:
    """Things counted: employees, stores; no money, no rate, no shares."""
    return "/" not in unit and unit not in (*RATES, "shares", "basis points") and not unit.isupper()


def _said(amount: Amount) -> str:
    return {"": "a bare number", "percent": "a percentage", "shares": "a number of shares"}.get(
        amount.unit, f"an amount in {amount.unit}"
    )
