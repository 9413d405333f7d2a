"""Calendar dates in text: found with their spans, in the forms that reports and readers use.

Two readers of printed documents take less: `printed_dates` on covers and in calls, `tables.column_dates` in tables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from tools.period_words import MONTH_NAME, MONTHS

_MONTH = rf"(?P<month>{MONTH_NAME})\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_FORMS = tuple(
    re.compile(rf"(?<![\w/.-]){form}(?![\w/])", re.IGNORECASE)
    for form in (
        rf"{_MONTH}\s*{_DAY}\s*,?\s*{_YEAR}",
        rf"{_DAY}\s*(?:of\s+)?{_MONTH},?\s*{_YEAR}",
        rf"{_DAY}-{_MONTH}-(?P<short>(?:19|20)?\d\d)",
        rf"{_YEAR}[-/.](?P<number>[01]?\d)[-/.]{_DAY}",
        r"(?P<first>[0-3]?\d)[/.](?P<second>[0-3]?\d)[/.](?P<short>(?:19|20)?\d\d)",
        rf"{_MONTH}\s*(?:of\s+)?,?\s*{_YEAR}",
        rf"{_MONTH}\s+{_DAY}",
        rf"{_DAY}\s+(?:of\s+)?{_MONTH}",
    )
)
_FURTHER_YEAR = re.compile(
    r"(?:\s*,?\s*(?:and|or|&|vs\.?|versus|compared (?:to|with))\s+|\s*,\s*)(?P<year>(?:19|20)\d\d)(?![\w/-])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date as written; day or year may be missing."""

    text: str
    start: int
    end: int
    year: int | None
    month: int
    day: int | None

    @property
    def date(self) -> date | None:
        """The calendar day; None unless day and year are both given."""
        return _valid(self.year, self.month, self.day) if self.year and self.day else None


def month_number(name: str) -> int | None:
    """1 to 12 for a month's name or abbreviation, else None."""
    folded = name.strip(". ").lower()
    if len(folded) < 3:
        return None
    return next((number for number, month in enumerate(MONTHS, 1) if month.startswith(folded[:3])), None)


def find_dates(text: str) -> list[DateMention]:
    """Dates in `text`, left to right without overlap.

    'July 1, 2023', '1 July 2023', '1-Jul-23', '2023-07-01', '7/1/2023' (month first unless that is impossible),
    'June 2023', 'June 30'. A further year of the same day ('June 30, 2023 and 2022') is a date of its own.
    Impossible dates are left out.
    """
    mentions: list[DateMention] = []
    taken = [False] * len(text)
    for form in _FORMS:
        for match in form.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            mention = _mention(match)
            if mention is None and match.groupdict().get("month") == "may":
                continue
            taken[match.start() : match.end()] = [True] * (match.end() - match.start())
            if mention is not None:
                mentions.append(mention)
    return sorted([*mentions, *_further_years(text, mentions, taken)], key=lambda mention: mention.start)


def _mention(match: re.Match[str]) -> DateMention | None:
    parts = match.groupdict()
    day = int(parts["day"]) if parts.get("day") else None
    written = parts.get("year") or parts.get("short")
    year = int(written) + (2000 if len(written) == 2 else 0) if written else None
    if parts.get("first"):
        month, day = int(parts["first"]), int(parts["second"])
        if month > 12:
            month, day = day, month
    elif parts.get("number"):
        month = int(parts["number"])
    else:
        month = month_number(parts["month"]) or 0
        # 'may' the verb: 'what may 5 customers ...'
        if parts["month"] == "may" and year is None:
            return None
    if not 1 <= month <= 12 or (day is not None and _valid(year or 2000, month, day) is None):
        return None
    return DateMention(match.group(), match.start(), match.end(), year, month, day)


def _further_years(text: str, mentions: list[DateMention], taken: list[bool]) -> list[DateMention]:
    found: list[DateMention] = []
    for mention in mentions:
        if mention.year is None:
            continue
        position = mention.end
        while match := _FURTHER_YEAR.match(text, position):
            start, end = match.span("year")
            if any(taken[start:end]):
                break
            found.append(
                DateMention(match["year"], start, end, int(match["year"]), mention.month, mention.day)
            )
            position = end
    return found


def _valid(year: int | None, month: int, day: int | None) -> date | None:
    try:
        return date(year or 2000, month, day or 1)
    except ValueError:
        return None
