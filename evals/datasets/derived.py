"""Figures that follow from others of the same text: '25 %' in 'from $80 to $100, an increase of $20, or 25 %'.

Wording decides, not arithmetic alone: of a total and its two parts each is the difference or sum of the others, and
a report prints all three.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import permutations

from tools.values import Quantity

_ROUGHLY = r"(?:approximately|about|around|roughly|nearly|almost|over|just|only|a|an|the|\$)?\s*"
_NOUN = r"(?:increase|decrease|decline|drop|rise|growth|reduction|change|difference|improvement|gain|fall)"
_VERB = (
    r"(?:increas|decreas|declin|grew|grow|rose|rise|ris|fell|fall|drop+|chang|reduc|improv|differ)"
    r"(?:e?[ds]|ing|en)?"
)
_BEFORE = re.compile(
    rf"(?:\b{_NOUN}s?(?:\s+(?:of|was|is|equals|amounts?\s+to|by)|:)|\b{_VERB}\s+by|\b(?:up|down)(?:\s+by)?)"
    rf"\s+{_ROUGHLY}$",
    re.IGNORECASE,
)
_BEFORE_PERCENT = re.compile(rf"\b{_VERB}\s+{_ROUGHLY}$", re.IGNORECASE)
"""'rose 25 %' is a change; 'rose $20' may be, 'rose from $80' is not."""
_AFTER = re.compile(
    rf"\s*(?:\w+(?:-\w+)*\s+)?(?:{_NOUN}\b|higher\b|lower\b|more\s+than\b|less\s+than\b)", re.IGNORECASE
)
_JOINED = re.compile(
    r"\s*,?\s*\(?\s*(?:or|and|which\s+is|representing|equal\s+to|i\.e\.,?)?\s*" + _ROUGHLY + "$"
)
"""Between a change and the same change in other terms: ' (', ', or about '."""
_SHARE_BEFORE = re.compile(r"=\s*(?:0?\.\d+\s+or\s+)?$")
_SHARE_AFTER = re.compile(r"\s+of\b")
"""'43.1 % of net revenue'; a margin is printed, and its words are others."""
_SURE_DIGITS = 3
"""A figure of so many digits is not met by chance; a coarser one only counts beside its two figures."""


def follows_from(quantity: Quantity, found: Sequence[Quantity], text: str) -> bool:
    """True if `text` calls `quantity` a change or a share, and it is the difference of two others of `found`, their
    change in percent, or one in percent of the other, at its printed precision.

    `found` is in the text's order. A figure of fewer than three digits must stand in one line with those two.
    """
    change, share = _is_a_change(quantity, found, text), _is_a_share(quantity, text)
    if not (change or share):
        return False
    others = [q for q in found if q is not quantity]
    if len(str(abs(quantity.value)).replace(".", "").strip("0")) < _SURE_DIGITS:
        others = [
            q for q in others if "\n" not in text[min(q.start, quantity.start) : max(q.end, quantity.end)]
        ]
    return any(
        abs(made - abs(quantity.amount)) * 2 <= quantity.quantum
        for a, b in permutations(others, 2)
        for made in (*(_changes(a, b, quantity.unit) if change else ()), *(_shares(a, b) if share else ()))
    )


def _is_a_change(quantity: Quantity, found: Sequence[Quantity], text: str) -> bool:
    before = text[max(0, quantity.start - 60) : quantity.start]
    if _BEFORE.search(before) or (quantity.unit == "percent" and _BEFORE_PERCENT.search(before)):
        return True
    if _AFTER.match(text, quantity.end):
        return True
    previous = max((q for q in found if q.end <= quantity.start), key=lambda q: q.end, default=None)
    if previous is None or not _JOINED.fullmatch(text[previous.end : quantity.start]):
        return False
    return {previous.unit, quantity.unit} > {"percent"} and _is_a_change(previous, found, text)


def _is_a_share(quantity: Quantity, text: str) -> bool:
    if quantity.unit != "percent":
        return False
    return bool(_SHARE_BEFORE.search(text[: quantity.start]) or _SHARE_AFTER.match(text, quantity.end))


def _shares(a: Quantity, b: Quantity) -> Iterator[Decimal]:
    """`a` in percent of `b`."""
    if a.unit == b.unit != "percent" and b.amount:
        yield 100 * abs(a.amount / b.amount)


def _changes(a: Quantity, b: Quantity, unit: str) -> Iterator[Decimal]:
    """What `unit` may say of the way from `b` to `a`, in base units."""
    if a.unit != b.unit or a.amount == b.amount:
        return
    apart = abs(a.amount - b.amount)
    if a.unit == unit or (a.unit == "percent" and unit == "percentage points"):
        yield apart
    elif a.unit == "percent" and unit == "basis points":
        yield apart * 100
    elif unit == "percent" and b.amount:
        yield 100 * apart / abs(b.amount)
