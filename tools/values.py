"""Quantities in text: numbers with their unit and scale, found and compared."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as printed, with its meaning."""

    value: Decimal
    """As printed, sign included, before `scale` is applied."""
    unit: str
    """As `tools.evidence.Fact.unit`; '' when none is printed."""
    scale: int
    """Power of ten said in words ('billion' is 9), 0 otherwise."""
    text: str
    start: int
    end: int
    """Character span in the text."""

    @property
    def amount(self) -> Decimal:
        """Value in base units: 81.8 billion USD is 81800000000."""
        return self.value.scaleb(self.scale)
