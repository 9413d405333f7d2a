"""What a question is about, in words for a prompt."""

from __future__ import annotations

from graphs.contracts import Part, Reading
from tools.periods import MONTHS_IN_WORDS, PeriodFilter


def scope_in_words(reading: Reading) -> str:
    """'Orla Devices; three months; period ended June 29, 2024'; 'no particular company or period'; of a comparison
    its parts: 'Orla Devices, period ended June 29, 2024: revenue; Tilbrook, ...'."""
    names = ", ".join(reading.company_names or reading.companies or reading.scope.companies)
    months = "" if reading.months is None else MONTHS_IN_WORDS.get(reading.months, f"{reading.months} months")
    if reading.months == 0:
        months = "at one date"
    if reading.parts:
        return "; ".join(filter(None, (*map(_part, reading.parts), months)))
    periods = " or ".join(dict.fromkeys(filter(None, map(PeriodFilter.describe, reading.scope.periods[:6]))))
    return "; ".join(filter(None, (names, months, periods))) or "no particular company or period"


def _part(part: Part) -> str:
    names = ", ".join(lookup.name for lookup in part.lookups if lookup.name)
    return f"{part.describe()}: {names}" if names else part.describe()
