"""What is computed, from which figures, and what came out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

from tools.periods import Period, PeriodFilter

Shown = Literal["ratio", "times", "percent", "points", "days", "amount"]
"""How a result is put: 0.98, 3.5 times, 12.3 %, 4.9 percentage points, 28.8 days, or an amount of money or things."""
Pick = Literal["", "highest", "lowest"]
"""Which end of several results is asked for."""
RANKED: tuple[Pick, ...] = ("highest", "lowest")
"""Ends that a question asks for; without one nothing is ranked."""
Across = Literal["", "growth", "change", "cagr", "times", "sum", "average"]
"""What is made of a formula's value over several periods; 'times': how many times that of the earlier one it is."""
OF_ACROSS: Mapping[Across, str] = {
    "growth": "growth of",
    "cagr": "compound annual growth of",
    "times": "multiple of",
    "change": "change of",
    "average": "average",
    "sum": "total of",
}
"""What is made of a figure over time, as a title says it."""
Over = Literal["", "company", "period", "part"]
"""Of what there is one result each."""


class Operand(BaseModel):
    """A figure that is computed with, as it is printed."""

    model_config = ConfigDict(frozen=True)

    name: str
    """Its name in the formula: 'inventory'."""
    item_id: str
    """The evidence that holds it."""
    label: str
    """Headings and line item as printed: 'Inventories, Canada'."""
    value: str
    """Plain decimal in units of `unit` times ten to the `scale`, sign as it enters the formula."""
    unit: str
    scale: int = 0
    period: Period
    company_key: str
    company: str
    document: str
    page: int


def _pairs(value: object) -> object:
    return tuple(value.items()) if isinstance(value, Mapping) else value


class Asked(BaseModel):
    """What is to be computed, in the words of a question or of a planner."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = ""
    """What the result is called; '' for the measure's name."""
    measure: str = ""
    """A name of the catalogue of measures; or else:"""
    formula: str = ""
    """Over the names of `items`: 'a / b'."""
    items: Annotated[tuple[tuple[str, str], ...], BeforeValidator(_pairs)] = ()
    """(name, line item in the documents' words), a mapping of them, too; several wordings parted by a bar; '' of each
    part itself."""
    part: str = ""
    """Segment, product or region that all of it is of."""
    shown: Shown | None = None
    """None: as the measure or the unit has it."""
    is_share: bool = False
    """A part of a whole: both of one unit and length, and the part is less."""
    across: Across = ""
    averaged: bool | None = None
    """Balances on average (True) or at the close (False); None: as the catalogue has it."""
    over: Over = ""
    parts: tuple[str, ...] = ()
    """Names of the parts; () for those that the tables of `set_words` have."""
    set_words: str = ""
    """What parts, companies or periods are called together: 'geographic segments'."""
    apart: bool = False
    """How far the first result lies above the second is asked for, or whether it does."""
    pick: Pick = ""
    top: int = 0
    """How many are picked; 0: one."""
    threshold: str = ""
    """A plain decimal as the result is shown, '' where none is asked about."""
    above: bool = True
    """Whether it is asked if results lie above the threshold, or below."""
    yes_no: bool = False
    """Asked for yes or no."""
    said: str = ""
    """The question, whose words may tell under which heading a figure stands."""
    days: int = 0
    """In a formula over days: how many; 0: as many as its period has."""
    derived: bool = False
    """Only of use where a figure is not printed and was derived."""
    since_opening: bool = False
    """What a balance changed by is counted from the beginning of its one period, not from a year before."""
    of_all: bool = False
    """Of all companies there are: of those that were named most must have a result."""


class Computed(BaseModel):
    """One result."""

    model_config = ConfigDict(frozen=True)

    name: str
    """What of several it is of: a segment, a company; '' of one alone, or of a period."""
    company: str
    when: str = ""
    """Its period in words: 'as of August 29, 2021'."""
    end: date | None = None
    """Last day of it."""
    months: int | None = None
    """Its length; 0 or None of what has none."""
    formula: str
    """Over the names of the operands."""
    operands: tuple[Operand, ...] = ()
    """Each once."""
    value: str = ""
    """To 28 digits, in base units: 5370000000; a percentage as its ratio; '' where nothing could be computed."""
    unit: str = ""
    """As of a fact; '' of a ratio."""
    fault: str = ""
    """Why nothing could be computed, in words."""


class Calculation(BaseModel):
    """What was computed for a question."""

    model_config = ConfigDict(frozen=True)

    asked: Asked
    title: str
    """'current ratio', 'growth of revenue'."""
    shown: Shown
    results: tuple[Computed, ...]
    """In the order of what was asked; one alone where nothing is compared."""
    printed: Operand | None = None
    """The measure as a page prints it, where one does."""
    missing: tuple[str, ...] = ()
    """What was looked for and not found, in words."""

    @property
    def operands(self) -> tuple[Operand, ...]:
        """All figures that were computed with, and the printed one."""
        own = tuple(operand for result in self.results for operand in result.operands)
        return own if self.printed is None else (*own, self.printed)


@dataclass(frozen=True, slots=True)
class When:
    """A period to compute for."""

    periods: tuple[PeriodFilter, ...] = ()
    """Ways in which it may be labelled; () for the latest there is."""
    months: int | None = None
    """Its length; None where nobody said."""

    def describe(self) -> str:
        """'of fiscal 2021'; '' for the latest."""
        said = next(filter(None, (each.describe() for each in self.periods)), "")
        return f"of {said}" if said else ""
