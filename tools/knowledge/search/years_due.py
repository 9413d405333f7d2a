"""Years to come: which of them a question asks about, and whether a printed line is called by one or by another."""

from __future__ import annotations

import re

from tools.documents.tables.fiscal_calendar import bare_year
from tools.period_words import MONTH_NAME
from tools.periods import Period

_YEAR = re.compile(r"(?<![\d,.])(?:((?:19|20)\d\d)|['’](\d\d))(?!\d|[.,]\d)")
_SPAN = re.compile(
    r"(?<!\basu\s)(?<!\bno\.\s)(?<!\bupdate\s)\b(20\d\d)\s*(?:(?:to|through|thru|until|[-–—])\s*(20\d\d)|[-–—](\d\d))\b(?!-)",
    re.IGNORECASE,
)
"""'2022 to 2024', '2022-24'."""
_DATE = re.compile(rf"\b(?:{MONTH_NAME})\.?(?:\s+\d{{1,2}},?)?[\s-]+(?:19|20)\d\d\b", re.IGNORECASE)


def years_of(text: str) -> set[int]:
    """The years that a text writes with four digits, or with two behind an apostrophe."""
    return {int(whole or f"20{short}") for whole, short in _YEAR.findall(text)}


def later_years(question: str, period: Period) -> set[int]:
    """The years that a question names, those within a span among them, that come after a figure's own. Those of a day
    or a month are none: they say when something was known or reported."""
    latest = _latest(period)
    bare = _DATE.sub(" ", question)
    spans = (range(int(first), int(last or f"20{short}") + 1) for first, last, short in _SPAN.findall(bare))
    return {year for year in years_of(bare).union(*spans) if year > latest > 0}


def is_of_other_year(label: str, period: Period, question: str) -> bool:
    """Whether a line is called by a year in which something falls due, and the question asks about others to come."""
    year, asked = bare_year(label), later_years(question, period)
    return year is not None and bool(asked) and year not in asked


def is_due_then(line: str, period: Period, question: str) -> bool | None:
    """Whether a figure's line names a year to come that the question does: the others tell nothing of what falls due
    then. None where the question names none, or the figure's own year as well."""
    asked = later_years(question, period)
    if not asked or _latest(period) in years_of(_DATE.sub(" ", question)):
        return None
    return bool(asked & years_of(line))


def _latest(period: Period) -> int:
    return max(period.fiscal_year or 0, period.end.year if period.end else 0)
