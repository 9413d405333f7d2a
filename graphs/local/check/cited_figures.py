"""Every figure of the evidence that a claim cites, with all that its print leaves open: unit, scale, period."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from graphs.drafts.figures import quantities, quantity_of
from graphs.drafts.sentences import split
from graphs.local.check.passages import fact_label, is_prose
from graphs.local.check.printed_figures import Figure, range_ends
from graphs.local.text.period_mentions import Mention, find_mentions
from tools.evidence import Evidence
from tools.periods import DAYS_A_QUARTER, Period
from tools.value_patterns import PERCENT
from tools.values import Quantity, parse_decimal

_SCALE = re.compile(r"\b(thousand|million|billion)s?\b|(?<=\$)\s?(mm|m|bn|b|k)\b", re.IGNORECASE)
_POWERS = {"thousand": 3, "k": 3, "million": 6, "m": 6, "mm": 6, "billion": 9, "b": 9, "bn": 9}
_RATES = re.compile(
    r"%|\b(?:percent\w*|rates?|margins?|ratios?|yields?|growth|change|share\s+of)\b", re.IGNORECASE
)
_BASIS = re.compile(r"\b(?:basis|bps?)\b", re.IGNORECASE)
_SHARES = re.compile(r"(?<!per\s)\bshares\b|\b(?:share\s+units|options|awards|outstanding)\b", re.IGNORECASE)
ANY_SCALE = frozenset({0, 3, 6, 9})
"""Of a table that says nothing of it."""
_BARE = re.compile(r"[\d.,()\-−–\s]+")


@dataclass(frozen=True, slots=True)
class CitedFigure:
    """A figure of the evidence."""

    quantity: Quantity
    item: Evidence
    line: str
    """The sentence, row or fact that it stands in."""
    label: str = ""
    """Its line item with headings; '' in running text."""
    scales: frozenset[int] = frozenset({0})
    """Powers of ten that may have to be put to its amount."""
    units: frozenset[str] = frozenset()
    """Units that it may have; empty where its own is printed or may be any but per cent and shares."""
    period: Period | None = None
    """Its own, where that is known."""
    mentions: tuple[Mention, ...] = ()
    """Periods named beside it."""

    @property
    def amounts(self) -> tuple[Decimal, ...]:
        """What it may come to in base units, without its sign."""
        return tuple(abs(self.quantity.amount).scaleb(scale) for scale in sorted(self.scales))

    def as_figure(self) -> Figure:
        """As the checks of a passage read it."""
        quantity = self.quantity
        if self.label and not quantity.scale:
            scale = max(self.scales) if len(self.scales) <= 2 else 0
            quantity = replace(quantity, scale=scale)
        return Figure(quantity, self.label, self.period, self.mentions, loose=bool(self.units))

    @property
    def likely_unit(self) -> str:
        """Its own; a bare one of a table is one of dollars."""
        return self.quantity.unit or ("USD" if self.label else "")

    def likely_amount(self, scale: int) -> Decimal:
        """Its amount in the scale of its table's note, without its sign; where the table has none or several, in
        `scale`."""
        noted = sorted(self.scales - {0})
        power = scale if len(noted) > 1 else noted[0] if noted else 0
        return abs(self.quantity.amount).scaleb(power)


@lru_cache(maxsize=512)
def cited_figures(item: Evidence) -> tuple[CitedFigure, ...]:
    """The figures of a piece of evidence: of a fact its own, of a table its cells, of running text all it states."""
    if item.fact is not None:
        return tuple(_of_fact(item))
    if is_prose(item):
        return tuple(_of_prose(item))
    return tuple(_of_table(item))


def _of_fact(item: Evidence) -> Iterator[CitedFigure]:
    fact = item.fact
    if fact is None:
        return
    label, value = fact_label(fact), quantity_of(fact)
    if value is not None:
        yield CitedFigure(value, item, item.text, label, period=fact.period)
    mentions = find_mentions(item.text)
    for quantity in quantities(item.text):
        if value is None or fact.statement == "prose" or abs(quantity.value) != abs(value.value):
            yield CitedFigure(quantity, item, item.text, mentions=mentions)


_NOTED = re.compile(r"\(?\bin\s+(thousand|million|billion)s\b|\((thousand|million|billion)s\)", re.IGNORECASE)


def _of_prose(item: Evidence) -> Iterator[CitedFigure]:
    lines = [s.text for s in split(item)] or [item.text]
    noted = {_POWERS[(m[1] or m[2]).lower()] for m in _NOTED.finditer(f"{item.section} {item.text}")}
    for line in lines:
        mentions, found = find_mentions(line), quantities(line)
        for n, quantity in enumerate(found):
            ranged = [high.scale for high in found[n + 1 : n + 2] if _is_range(line, quantity, high)]
            scales = frozenset({0} if quantity.scale else {0, *ranged, *noted})
            units = _loose_units(line, quantity)
            yield CitedFigure(quantity, item, line, scales=scales, mentions=mentions, units=units)
        for end in range_ends(line):
            yield CitedFigure(end, item, line, mentions=mentions)


_TO = re.compile(r"\s*(?:to|and|[-–—])\s*[$€£]?\s*", re.IGNORECASE)


def _is_range(line: str, low: Quantity, high: Quantity) -> bool:
    """'$1.21 to $1.29 billion': the scale is that of both."""
    return not low.scale and bool(_TO.fullmatch(line[low.end : high.start]))


def _loose_units(line: str, quantity: Quantity) -> frozenset[str]:
    """Of a bare number in running text: those that its sentence speaks of."""
    if quantity.unit:
        return frozenset()
    found = {"", "USD"}
    found |= {"percent"} if "%" in line or "percent" in line.lower() else set()
    return frozenset(found | ({"shares"} if _SHARES.search(line) else set()))


def _of_table(item: Evidence) -> Iterator[CitedFigure]:
    lines = item.text.split("\n")
    rows = [_cells(line) for line in lines if line.startswith("|")]
    title = " ".join(line for line in lines if not line.startswith("|"))
    if not rows:
        yield from _of_prose(item)
        return
    header, *body = rows
    noted = _scales(f"{title} {header[0]} {item.section}")
    periods = [find_mentions(cell) for cell in header]
    titled = find_mentions(title)
    for line in (title, *header, *(row[0] for row in body)):
        for quantity in quantities(line):
            yield CitedFigure(quantity, item, line, mentions=find_mentions(line))
    for row in body:
        for n, cell in enumerate(row[1:], start=1):
            head = header[n] if n < len(header) else ""
            mentions = (periods[n] if n < len(periods) else ()) or find_mentions(row[0]) or titled
            about = f"{row[0]} {head}"
            named = _scales(about) or noted or ANY_SCALE
            for quantity in _of_cell(cell):
                whole_column = " ".join(r[n] for r in body if n < len(r))
                yield CitedFigure(
                    quantity,
                    item,
                    f"{row[0]} | {head}: {cell}",
                    _undated(f"{row[0]} {head}".strip()),
                    frozenset({0}) if quantity.scale or quantity.unit == "percent" else named,
                    _units(quantity, about, f"{about} {whole_column}", f"{about} {header[0]}"),
                    column_period(mentions, item.period),
                    mentions,
                )


_LOOSE_END = re.compile(r"(?:[\s,]|\b(?:as\s+of|at|for|the)\b)+$", re.IGNORECASE)


def _undated(label: str) -> str:
    """A row's name without its periods, by which rows of one line item differ."""
    bare = label
    for mention in reversed(find_mentions(label)):
        bare = f"{bare[: mention.start]}{bare[mention.end :]}"
    bare = _LOOSE_END.sub("", bare)
    return bare if re.search(r"[A-Za-z]{3}", bare) else label


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("*") for cell in line.strip().strip("|").split("|")]


def _scales(text: str) -> frozenset[int]:
    return frozenset(_POWERS[(m[1] or m[2]).lower()] for m in _SCALE.finditer(text))


def _of_cell(cell: str) -> Iterator[Quantity]:
    value = parse_decimal(cell)
    if value is None:
        yield from quantities(cell)
    else:
        yield Quantity(value, "percent" if "%" in cell else "USD" if "$" in cell else "", 0, cell, 0, 0)


def _units(quantity: Quantity, about: str, rated: str, named: str) -> frozenset[str]:
    """Units that a table's figure may have: of a bare one all that its row, column and title speak of."""
    if quantity.unit == "USD":
        return frozenset({"", "USD", "USD/share"})
    if quantity.unit:
        return frozenset()
    points = {"percentage points"} | ({"basis points"} if _BASIS.search(rated) else set())
    if PERCENT.search(about):
        return frozenset({"", "percent", *points})
    found = {"", "USD", "USD/share"}
    found |= {"percent", *points} if _RATES.search(rated) else set()
    return frozenset(found | ({"shares"} if _SHARES.search(named) else set()))


def column_period(mentions: Sequence[Mention], document: Period) -> Period | None:
    """The period of a column by its heading; its fiscal year and quarter follow from the document's."""
    days = {m.day for m in mentions if m.day}
    if len(days) != 1:
        return None
    end = days.pop()
    months = next((m.months for m in mentions if m.months is not None), None)
    if document.end is None or document.fiscal_year is None:
        return Period(end=end, months=months)
    moved = round((end - document.end).days / DAYS_A_QUARTER)
    if document.fiscal_quarter is None:
        whole_years, rest = divmod(moved, 4)
        year = document.fiscal_year + whole_years if not rest else None
        return Period(end=end, months=months, fiscal_year=year)
    at = document.fiscal_year * 4 + document.fiscal_quarter - 1 + moved
    return Period(end=end, months=months, fiscal_year=at // 4, fiscal_quarter=at % 4 + 1)
