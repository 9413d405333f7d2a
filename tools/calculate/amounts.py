"""Operands: the amounts of printed figures as they enter a formula, and what comes out of them again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from tools.calculate.expressions import Amount, evaluate
from tools.calculate.operands import Found
from tools.calculate.resolving import Resolved, is_size
from tools.calculate.types import Computed, Operand
from tools.evidence import Evidence, fact_of

PRINTED = "printed"
"""Name of the operand that is the measure itself."""


def is_as_printed(operand: Operand, evidence: Mapping[str, Evidence]) -> bool:
    """Whether an operand is the figure that `evidence` (by item id) prints: value, sign, unit, period, page."""
    item = evidence.get(operand.item_id)
    if item is None or item.fact is None:
        return False
    size = operand.name != PRINTED and _counts_as_size(operand.name, item)
    return operand_of(operand.name, item, size=size) == operand


def recomputed(result: Computed) -> Amount:
    """The value of a result from its operands. Raises ExpressionError."""
    amounts = {
        each.name: Amount(Decimal(each.value).scaleb(each.scale), each.unit) for each in result.operands
    }
    return evaluate(result.formula, amounts)


def amounts_of(found: Mapping[str, Found]) -> dict[str, Amount]:
    return {name: _amount(name, figure) for name, figure in found.items()}


def _amount(name: str, figure: Found) -> Amount:
    total = sum((sign * _value(name, item).value for sign, item in figure.parts), Decimal(0))
    return Amount(total, fact_of(figure.first).unit)


def _value(name: str, item: Evidence) -> Amount:
    fact = fact_of(item)
    value = Decimal(fact.value).scaleb(fact.scale)
    return Amount(abs(value) if _counts_as_size(name, item) else value, fact.unit)


_OUTFLOW = re.compile(
    r"\b(?:costs?|expenses?|provision|payments?|(?:re)?purchase[sd]?|additions?|dividends?|spending|expenditures?|"
    r"repayments?|acquisitions?|taxes)\b",
    re.IGNORECASE,
)
_INFLOW = re.compile(r"benefit|gain|income \(|^(?:total )?net cash|profit|loss", re.IGNORECASE)


def _counts_as_size(name: str, item: Evidence) -> bool:
    """Statements print costs and outflows in brackets or plain: they count without a sign, all else keeps its own."""
    label = fact_of(item).metric
    return is_size(name) or (_OUTFLOW.search(label) is not None and _INFLOW.search(label) is None)


def with_parts(resolved: Resolved) -> tuple[str, tuple[Operand, ...]]:
    """The formula and its operands, a derived figure written out: '(a_1 - a_2) / b'."""
    formula, used = resolved, list[Operand]()
    written: dict[str, str] = {}
    for name, figure in resolved.found.items():
        names = [name] if len(figure.parts) == 1 else [f"{name}_{n + 1}" for n in range(len(figure.parts))]
        for own, (_, item) in zip(names, figure.parts, strict=True):
            used.append(operand_of(own, item, size=_counts_as_size(name, item)))
        if len(names) > 1:
            signs = [
                "" if n == 0 else " + " if sign > 0 else " - " for n, (sign, _) in enumerate(figure.parts)
            ]
            written[name] = f"({''.join(s + own for s, own in zip(signs, names, strict=True))})"
    return formula.replaced(written), tuple(used)


def operand_of(name: str, item: Evidence, *, size: bool) -> Operand:
    fact = fact_of(item)
    value = Decimal(fact.value)
    return Operand(
        name=name,
        item_id=item.item_id,
        label=", ".join((*(each for each in fact.path if each != item.section), fact.metric)),
        value=format(abs(value) if size else value, "f"),
        unit=fact.unit,
        scale=fact.scale,
        period=fact.period,
        company_key=item.company_key,
        company=item.company,
        document=item.document,
        page=item.page,
    )


def misfit(found: Mapping[str, Found]) -> str:
    """Why these figures are not of one calculation; '' if they are."""
    lengths = sorted({figure.months for figure in found.values() if figure.months})
    if len(lengths) > 1:
        return f"figures of {' and '.join(map(str, lengths))} months can't be put together"
    every = [(fact_of(each.first), each.first.period) for each in found.values()]
    if found.keys() == {"a", "b"} and len({(f.value, f.scale, f.unit, period) for f, period in every}) == 1:
        return "one figure was found for both"
    units = {fact_of(figure.first).unit.partition("/")[0] for figure in found.values()}
    money = sorted(unit for unit in units if len(unit) == 3 and unit.isupper())
    return f"amounts in {' and '.join(money)} can't be put together" if len(money) > 1 else ""
