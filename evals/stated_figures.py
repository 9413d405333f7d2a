"""The tagged figures of a filing, read with the standard library alone: an answer key for our reader."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

_INLINE = "{http://www.xbrl.org/2013/inlineXBRL}"
_INSTANCE = "{http://www.xbrl.org/2003/instance}"
_NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"
_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


@dataclass(frozen=True, slots=True)
class Stated:
    """What a tag says of one figure."""

    concept: str
    amount: str
    """The whole amount, scale applied; '' where the format is one that is not read here."""
    unit: str
    end: date | None
    months: int | None
    printed: str
    in_table: bool
    """In a cell of its own, not among the words of one."""
    hidden: bool


def read_stated(path: Path) -> list[Stated]:
    """Every tagged figure of a filing that is not nil, in the order in which the tags end."""
    root = ET.parse(path).getroot()
    units = {u.get("id"): _unit(u) for u in root.iter(f"{_INSTANCE}unit")}
    spans = {c.get("id"): _span(c) for c in root.iter(f"{_INSTANCE}context")}
    found: list[Stated] = []
    stack: list[tuple[ET.Element, Iterator[ET.Element], bool, bool]] = [(root, iter(root), False, False)]
    while stack:
        element, children, in_table, hidden = stack[-1]
        child = next(children, None)
        if child is not None:
            unseen = child.tag in (f"{_INLINE}header", f"{_INLINE}hidden") or "display:none" in re.sub(
                r"\s", "", child.get("style", "")
            )
            stack.append((child, iter(child), in_table or _is_figure_cell(child), hidden or unseen))
            continue
        stack.pop()
        if element.tag == f"{_INLINE}nonFraction" and element.get(_NIL) != "true":
            unit = units[element.get("unitRef")]
            end, months = spans[element.get("contextRef")]
            printed = " ".join("".join(element.itertext()).split())
            amount = _amount(element, printed)
            if unit == "pure":
                percents = int(element.get("scale", "0")) < 0
                unit = "percent" if percents else ""
                amount = amount.scaleb(2) if amount is not None and percents else amount
            found.append(
                Stated(
                    element.get("name", ""),
                    plain_amount(amount),
                    unit,
                    end,
                    months,
                    printed,
                    in_table,
                    hidden,
                )
            )
    return found


def _is_figure_cell(element: ET.Element) -> bool:
    return str(element.tag).endswith("}td") and not re.search(r"[^\W\d_]{2}", "".join(element.itertext()))


def plain_amount(amount: Decimal | None) -> str:
    """An amount in one notation; '' without one."""
    return "" if amount is None else f"{amount.normalize() + 0:f}"


def _unit(unit: ET.Element) -> str:
    measures = [(m.text or "").strip() for m in unit.iter(f"{_INSTANCE}measure")]
    names = [
        m.partition(":")[2]
        if m.startswith(("iso4217:", "utr:")) or m in ("xbrli:shares", "xbrli:pure")
        else ""
        for m in measures
    ]
    return names[0] if len(names) == 1 else "/".join(names).replace("/shares", "/share")


def _span(context: ET.Element) -> tuple[date | None, int | None]:
    days = {str(e.tag).rpartition("}")[2]: date.fromisoformat((e.text or "").strip()[:10])
            for e in context.iter() if str(e.tag).endswith(("}startDate", "}endDate", "}instant"))}  # fmt: skip
    if "instant" in days:
        return days["instant"], 0
    return days["endDate"], round(((days["endDate"] - days["startDate"]).days + 1) * 12 / 365.25) or None


def _amount(tag: ET.Element, printed: str) -> Decimal | None:
    rule = tag.get("format", "").rpartition(":")[2]
    if rule == "fixed-zero":
        return Decimal(0)
    if rule == "numwordsen":
        word = "no" if printed.lower() == "none" else printed.lower()
        number = Decimal(_WORDS.index(word)) if word in _WORDS else None
    elif rule in ("", "num-dot-decimal"):
        number = Decimal(printed.replace(",", ""))
    else:
        return None
    sign = -1 if tag.get("sign") == "-" else 1
    return None if number is None else sign * number.scaleb(int(tag.get("scale", "0")))
