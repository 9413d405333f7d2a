"""The figures that an expected answer, written or spoken, states: which of them are worth looking for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from evals.datasets.derived import follows_from
from evals.datasets.types import ExpectedNumber
from tools.value_patterns import YEAR
from tools.values import Quantity, find_quantities, same_amount

SPANS_OF_TIME = frozenset({"years", "months", "weeks", "days"})

_NO_FIGURES = re.compile(
    r"""
      \((?:SOURCES?(?:\(S\))?|see)\s*:?[^()\n]*\)          # (SOURCE: 2022 Q3 AAPL.pdf)
    | (?:^[ \t*_\#>-]*|[.!?)][ \t]+)SOURCES?(?:\(S\))?[*_]*\s*:.*$ # to the end of its line
    | (?:[\w&-]+[ ]){0,2}[\w&.-]+\.(?:pdf|html?|txt|docx?)\b      # 2022 Q3 AAPL.pdf
    | https?://\S+
    | ^[ \t]*\d{3}[.)][ \t]+(?=[^\W\d])                    # list numbers that `find_quantities` leaves
    | \bPatents?\s+Nos?\.?[\d\s,;.]*(?:and[\d\s,]+)?
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_NOTED_SCALE = re.compile(
    r"\bin\s+(?:(?:U\.?S\.?|USD|US\$|\$)\s*)?(?:dollars?\s+)?(?P<scale>thousand|million|billion)s?\b"
    r"|\((?:USD\s+|\$\s*)?(?P<alone>thousand|million|billion)s\b",
    re.IGNORECASE,
)
_POWERS = {"thousand": 3, "million": 6, "billion": 9}
_CALCULATED = re.compile(r"[=/*×÷]\s*\(?\s*$"), re.compile(r"\s*\)?\s*[=/*×÷]")
"""Before and after a number of a calculation shown: '(21 / 84) * 100 = 25'."""
_NAME_BEFORE = re.compile(r"(?<![.!?:•*-])\s[A-Z][\w-]*\s$")
_SURE = Decimal(100)
"""'I agree 100 %' is a manner of speaking."""


class Figures(NamedTuple):
    """The figures of one answer."""

    numbers: tuple[ExpectedNumber, ...]
    derived: int
    """Figures left out because they follow from two others of the answer."""


def written_figures(answer: str) -> Figures:
    """Figures of a written answer, each once, in order.

    Left out: lines that name sources, file names, dates, years, list and note numbers (`find_quantities`), spans of
    time, bare counts below 100, numbers in names ('Model 365'), of patents and within calculations; and a
    difference, change or share that follows from two other figures of the answer: documents need not print it, and
    who finds those two has it. A scale noted apart ('in millions') is given to the figures that print none.
    """
    text = _NO_FIGURES.sub(lambda match: " " * len(match.group()), apart(answer))
    found = [q for q in _scaled(text, find_quantities(text)) if _counts(q, text)]
    derived = [q for q in found if follows_from(q, found, text)]
    return Figures(_numbers(q for q in found if q not in derived), len(derived))


def spoken_figures(answer: str) -> tuple[ExpectedNumber, ...]:
    """Figures of a spoken answer, each once, in order: only those with a unit or a scale.

    A bare number in speech is mostly a name, a count of things on hand or a year ('the 737', 'number 1', 'in 22');
    spans of time and '100 %' are manners of speaking more often than figures.
    """
    found = find_quantities(apart(answer))
    return _numbers(
        q
        for q in found
        if (q.unit or q.scale)
        and q.unit not in SPANS_OF_TIME
        and not (q.unit == "percent" and q.value == _SURE)
    )


def apart(text: str) -> str:
    """`text` with a blank before each line end: `find_quantities` takes a number at a line's start for part of the
    word that ends the line before."""
    return text.replace("\n", " \n")


def asked_scale(question: str) -> int:
    """Power of ten that a question wants its answer in: 6 for '(in USD millions)', else 0."""
    noted = _NOTED_SCALE.search(question)
    return _POWERS[(noted["scale"] or noted["alone"]).lower()] if noted else 0


def _counts(quantity: Quantity, text: str) -> bool:
    if quantity.unit in SPANS_OF_TIME:
        return False
    if quantity.unit or quantity.scale:
        return True
    before, after = _CALCULATED
    if before.search(text, 0, quantity.start) or after.match(text, quantity.end):
        return False
    if re.search(r"\d,\d", quantity.text):
        return True
    worth = abs(quantity.value) >= 100 or "." in quantity.text
    year = YEAR.fullmatch(str(abs(quantity.value)))  # with a bracket after it
    return worth and not year and not _NAME_BEFORE.search(" " + text[: quantity.start])


def _scaled(text: str, found: list[Quantity]) -> Iterable[Quantity]:
    """The note holds for amounts after it, but not in a line of amounts per share."""
    noted = _NOTED_SCALE.search(text)
    for q in found:
        line = text[text.rfind("\n", 0, q.start) + 1 : q.end]
        amount = q.unit == "USD" or (q.unit == "" and re.search(r"\d[.,]\d", q.text))
        if noted and q.start > noted.end() and not q.scale and amount and "per share" not in line.lower():
            scale = _POWERS[(noted["scale"] or noted["alone"]).lower()]
            yield Quantity(q.value, q.unit, scale, q.text, q.start, q.end)
        else:
            yield q


def _numbers(found: Iterable[Quantity]) -> tuple[ExpectedNumber, ...]:
    """One of each amount: of several prints the finest, in the place of the first."""
    kept: list[Quantity] = []
    for q in found:
        alike = next((place for place, other in enumerate(kept) if same_amount(q, other)), None)
        if alike is None:
            kept.append(q)
        elif q.quantum < kept[alike].quantum:
            kept[alike] = q
    return tuple(ExpectedNumber(value=q.value, unit=q.unit, scale=q.scale) for q in kept)
