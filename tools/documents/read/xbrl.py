"""What inline XBRL says of a figure: its value, unit and period, out of the tag and what the tag refers to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

from tools.periods import Period
from tools.value_patterns import NUMBER_WORDS

Dimensions = tuple[tuple[str, str], ...]

_DECIMAL_COMMA = frozenset({"numcommadecimal", "numdotcomma", "numspacecomma"})
_ZERO = frozenset({"zerodash", "fixedzero", "numdash", "fixedempty", "nocontent"})
_DAYS_A_MONTH = 30.4375


@dataclass(frozen=True, slots=True)
class TaggedValue:
    """What one tag states."""

    concept: str
    period: Period
    value: str
    unit: str
    scale: int
    dimensions: Dimensions


@dataclass(slots=True)
class Contexts:
    """The contexts and units that a document declares, by id."""

    periods: dict[str, tuple[Period, Dimensions]] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)


@cache
def tag_name(tag: object) -> str:
    """Lower-case name of an element, 'ix:' before those of inline XBRL and no prefix before others; '' for what is
    no element."""
    if not isinstance(tag, str):
        return ""
    space, _, name = tag.rpartition("}")
    prefix, _, name = name.lower().rpartition(":")
    return f"ix:{name}" if "inlinexbrl" in space.lower() or prefix == "ix" else name


def attribute(element: Any, name: str) -> str:
    """An attribute by its name as XBRL writes it, or in lower case as an HTML parser leaves it; '' without one."""
    return str(element.get(name) or element.get(name.lower()) or "")


def read_contexts(elements: Iterable[Any]) -> Contexts:
    """The contexts and units among `elements`; those that cannot be read are left out."""
    found = Contexts()
    for element in elements:
        name = tag_name(element.tag)
        if name == "context":
            found.periods[attribute(element, "id")] = _context(element)
        elif name == "unit":
            found.units[attribute(element, "id")] = _unit(element)
    return found


def _context(element: Any) -> tuple[Period, Dimensions]:
    days: dict[str, date | None] = {}
    dimensions: list[tuple[str, str]] = []
    for part in element.iter():
        name = tag_name(part.tag)
        text = "".join(part.itertext()).strip() if name else ""
        if name in ("startdate", "enddate", "instant"):
            days[name] = _day(text, last=name != "startdate")
        elif name in ("explicitmember", "typedmember"):
            dimensions.append((attribute(part, "dimension"), text))
    if "instant" in days:
        return Period(days["instant"], 0), tuple(dimensions)
    start, end = days.get("startdate"), days.get("enddate")
    return Period(end, _months(start, end) if start and end else None), tuple(dimensions)


def _months(start: date, end: date) -> int | None:
    """A duration in whole months, 13 weeks being three; None for one that is nearer to none."""
    return round(((end - start).days + 1) / _DAYS_A_MONTH) or None


def _day(text: str, last: bool) -> date | None:
    """A date; of a last day that is given as midnight, the day before."""
    day, _, time = text.partition("T")
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return None
    return found - timedelta(days=1) if last and re.match(r"00:00", time) else found


def _unit(element: Any) -> str:
    """'USD', 'shares', 'USD/share', 'pure'; '' for things that are counted."""
    top: list[str] = []
    below: list[str] = []
    for part in element.iter():
        if tag_name(part.tag) == "measure":
            parent = part.getparent()
            under = parent is not None and tag_name(parent.tag) == "unitdenominator"
            (below if under else top).append(_measure("".join(part.itertext()).strip()))
    if not below:
        return top[0] if len(top) == 1 else ""
    return f"{'*'.join(top)}/{'*'.join('share' if m == 'shares' else m for m in below)}"


def _measure(text: str) -> str:
    prefix, _, name = text.rpartition(":")
    if prefix == "iso4217":
        return name.upper()
    return name if name in ("shares", "pure") or prefix == "utr" else ""


def read_value(element: Any, contexts: Contexts) -> TaggedValue | None:
    """What a tagged figure states; None where it states nothing (nil), or refers to what is not declared."""
    context = contexts.periods.get(attribute(element, "contextRef"))
    unit = contexts.units.get(attribute(element, "unitRef"))
    if context is None or unit is None or _is_nil(element):
        return None
    number = _fraction(element) if tag_name(element.tag) == "ix:fraction" else _number(element)
    if number is None:
        return None
    if attribute(element, "sign") == "-" and number.strip("0."):
        number = f"-{number}"
    scale = _scale(element)
    if unit == "pure":
        unit, scale = ("percent", scale + 2) if scale < 0 else ("", scale)
    period, dimensions = context
    return TaggedValue(attribute(element, "name"), period, number, unit, scale, dimensions)


def _is_nil(element: Any) -> bool:
    return any(
        tag_name(name) == "nil" and str(value) in ("true", "1") for name, value in element.attrib.items()
    )


def _scale(element: Any) -> int:
    text = attribute(element, "scale")
    return int(text) if re.fullmatch(r"[+-]?\d{1,2}", text) else 0


def _number(element: Any) -> str | None:
    """The printed number as a plain decimal, read as the tag's format says."""
    rule = attribute(element, "format").rpartition(":")[2].lower().replace("-", "")
    text = " ".join("".join(element.itertext()).split())
    if rule in _ZERO:
        return "0"
    if rule.startswith("numwords"):
        return _in_words(text)
    mark = "," if rule in _DECIMAL_COMMA else "."
    digits = "".join(c for c in text if c.isdecimal() or c == mark).replace(mark, ".")
    try:
        return format(Decimal(digits), "f")
    except InvalidOperation:
        return "0" if re.fullmatch(r"[-–—−]+", text) else None


def _in_words(text: str) -> str | None:
    """'four', 'no', 'one hundred and five'."""
    total = part = 0
    for word in re.findall(r"\w+", text.lower()):
        if word in ("hundred", "thousand", "million"):
            size = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}[word]
            total, part = (total, max(part, 1) * size) if size == 100 else (total + max(part, 1) * size, 0)
        elif word in ("no", "none", "and"):
            continue
        elif word not in NUMBER_WORDS:
            return _plain(word)
        else:
            part += int(NUMBER_WORDS[word])
    return str(total + part)


def _plain(text: str) -> str | None:
    return text if text.isdecimal() else None


def _fraction(element: Any) -> str | None:
    """Numerator over denominator, to twelve digits."""
    parts = {tag_name(part.tag): _number(part) for part in element.iter() if tag_name(part.tag)}
    top, bottom = parts.get("ix:numerator"), parts.get("ix:denominator")
    if not top or not bottom or not Decimal(bottom):
        return None
    return format(round(Decimal(top) / Decimal(bottom), 12).normalize(), "f")
