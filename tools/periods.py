"""Reporting periods: what a figure or a document covers, and filters over them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

MONTHS_IN_WORDS = {
    1: "one month",
    3: "three months",
    6: "six months",
    9: "nine months",
    12: "twelve months",
}


DAYS_A_QUARTER = 365.25 / 4


@dataclass(frozen=True, slots=True)
class Period:
    """The span a figure covers, or a document reports on."""

    end: date | None = None
    """Last day, as printed; never guessed from a label."""
    months: int | None = None
    """Duration in months; 0 is a balance as of `end`; None is unknown."""
    fiscal_year: int | None = None
    """The company's own fiscal year, named by the calendar year in which it ends."""
    fiscal_quarter: int | None = None
    """1 to 4, the fiscal quarter in which `end` falls; None when unknown."""

    @property
    def is_stated(self) -> bool:
        """False where nothing is known of it."""
        return self != Period()

    def describe(self) -> str:
        """Words for a reader: 'three months ended July 1, 2023', 'as of July 1, 2023', 'fiscal Q2 2021'."""
        if self.end is None:
            if self.fiscal_year is None:
                return "period not stated"
            if self.fiscal_quarter is None:
                return f"fiscal {self.fiscal_year}"
            return f"fiscal Q{self.fiscal_quarter} {self.fiscal_year}"
        day = f"{self.end:%B} {self.end.day}, {self.end.year}"
        if self.months == 0:
            return f"as of {day}"
        if self.months is None:
            return f"period ended {day}"
        return f"{MONTHS_IN_WORDS.get(self.months, f'{self.months} months')} ended {day}"


@dataclass(frozen=True, slots=True)
class PeriodFilter:
    """Conditions on a period; every one that is set must hold."""

    end: date | None = None
    months: int | None = None
    """Compared only where the record knows its duration; documents do not."""
    fiscal_year: int | None = None
    fiscal_quarter: int | None = None
    calendar_year: int | None = None
    calendar_quarter: int | None = None

    def admits(self, period: Period) -> bool:
        """True if `period` meets every condition. A condition on something the period does not know fails,
        except `months`, which restricts only periods with a known duration."""
        if self.end is not None and period.end != self.end:
            return False
        if self.months is not None and period.months is not None and period.months != self.months:
            return False
        if self.fiscal_year is not None and period.fiscal_year != self.fiscal_year:
            return False
        if self.fiscal_quarter is not None and period.fiscal_quarter != self.fiscal_quarter:
            return False
        if self.calendar_year is not None and (period.end is None or period.end.year != self.calendar_year):
            return False
        return self.calendar_quarter is None or (
            period.end is not None and (period.end.month - 1) // 3 + 1 == self.calendar_quarter
        )

    def both(self, other: PeriodFilter) -> PeriodFilter | None:
        """The filter that admits what this one and `other` admit; None if they contradict each other."""
        fields = {}
        for name in ("end", "months", "fiscal_year", "fiscal_quarter", "calendar_year", "calendar_quarter"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine is not None and theirs is not None and mine != theirs:
                return None
            fields[name] = mine if mine is not None else theirs
        return PeriodFilter(**fields)

    def describe(self) -> str:
        """'period ended July 1, 2023', 'fiscal Q2 2021', 'calendar 2023'; '' for a filter on nothing of these."""
        if self.end is not None:
            return f"period ended {self.end:%B} {self.end.day}, {self.end.year}"
        fiscal = self.fiscal_year is not None or self.fiscal_quarter is not None
        quarter = self.fiscal_quarter if fiscal else self.calendar_quarter
        year = self.fiscal_year if fiscal else self.calendar_year
        label = " ".join((*([f"Q{quarter}"] if quarter else []), *([str(year)] if year else [])))
        return f"{'fiscal' if fiscal else 'calendar'} {label}" if label else ""
