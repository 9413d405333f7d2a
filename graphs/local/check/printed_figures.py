"""Figures as evidence prints them: the cells of a table, the ends of a range."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import pairwise

from graphs.drafts.figures import quantities
from graphs.local.text.period_mentions import Mention, find_mentions
from tools.periods import Period
from tools.values import Quantity, parse_decimal

_NOTE_SCALE = {"thousand": 3, "million": 6, "billion": 9}
_NOTE = re.compile(
    r"\(?\b(?:dollars\s+|amounts\s+|usd\s+|\$\s*)?(?:in|of)\s+(?:us\$?\s*|usd\s*|\$\s*)?(thousand|million|"
    r"billion)s",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A quantity in evidence; of a table or fact, with its line item and period."""

    quantity: Quantity
    label: str = ""
    """Line item with headings; '' in running text."""
    period: Period | None = None
    mentions: tuple[Mention, ...] = ()
    """Of a table's column header."""
    loose: bool = False
    """True if unit and scale may also be those of the table's note."""

    @property
    def end(self) -> date | None:
        """The day its period ends, if that is known."""
        if self.period is not None:
            return self.period.end
        days = {m.day for m in self.mentions if m.day}
        return days.pop() if len(days) == 1 else None


_AROUND = re.compile(r",?\s+(?:plus\s+or\s+minus|give\s+or\s+take|\+/-|±)\s+[$€£]?$", re.IGNORECASE)


@lru_cache(maxsize=8192)
def range_ends(sentence: str) -> tuple[Quantity, ...]:
    """Both ends of '1.25 billion, plus or minus 40 million'."""
    found: list[Quantity] = []
    for middle, spread in pairwise(quantities(sentence)):
        if _AROUND.fullmatch(sentence[middle.end : spread.start]) or _AROUND.fullmatch(
            sentence[middle.end : spread.start] + "$"
        ):
            amounts = (middle.amount - abs(spread.amount), middle.amount + abs(spread.amount))
            if middle.unit == spread.unit:
                found += [
                    Quantity(a.scaleb(-spread.scale), middle.unit, spread.scale, "", 0, 0) for a in amounts
                ]
    return tuple(found)


@lru_cache(maxsize=512)
def table_figures(text: str) -> tuple[Figure, ...]:
    """The cells of a Markdown table with row label and the periods of their column."""
    lines = text.split("\n")
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]
    if not rows:
        return tuple(Figure(q) for q in quantities(text))
    header, *body = rows
    note = _NOTE.search(" ".join(line for line in lines if not line.startswith("|")) + " " + header[0])
    scale = _NOTE_SCALE[note[1].lower()] if note else 0
    rates = _rate_columns(body, max(map(len, rows)))
    periods = [find_mentions(cell) for cell in header]
    return tuple(
        figure
        for row in body
        for n, cell in enumerate(row[1:], start=1)
        for figure in _cell_figures(cell, row[0], periods[n] if n < len(header) else (), n in rates, scale)
    )


def _rate_columns(body: Sequence[Sequence[str]], width: int) -> frozenset[int]:
    """Columns of percentages, where '%' may be printed in the first row alone."""
    cells = {n: " ".join(row[n] for row in body if n < len(row)) for n in range(width)}
    return frozenset(n for n, text in cells.items() if "%" in text and "$" not in text)


def _cell_figures(
    cell: str, label: str, periods: tuple[Mention, ...], is_rate: bool, scale: int
) -> Iterator[Figure]:
    """What a cell may print: its number as it stands, as a percentage of a rate column, in the scale of the note."""
    value = parse_decimal(cell)
    if value is None:
        return
    unit = "percent" if "%" in cell else "USD" if "$" in cell else ""
    quantity = Quantity(value, unit, 0, cell, 0, 0)
    printed = Figure(quantity, label, None, periods, loose=unit != "percent")
    yield printed
    last = printed
    if is_rate and not unit:
        last = replace(printed, quantity=replace(quantity, unit="percent"), loose=False)
        yield last
    if scale and unit != "percent":
        yield replace(last, quantity=replace(quantity, scale=scale))
