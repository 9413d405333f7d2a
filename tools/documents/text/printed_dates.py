"""Dates and quarter labels as covers and calls print them.

Only 'July 1, 2023' counts: file names, web addresses and numbers of forms in other notations are no period's end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from tools.documents.text.dates import month_number
from tools.period_words import ORDINAL, ORDINALS
from tools.value_patterns import MONTH

DATE = rf"{MONTH}\.?\s+\d{{1,2}}\s*,\s*(?:19|20)\d\d"
_DATE = re.compile(rf"\b({MONTH})\.?\s+(\d{{1,2}})\s*,\s*((?:19|20)\d\d)", re.IGNORECASE)


def read_dates(text: str) -> Iterator[tuple[int, date]]:
    """(offset, date) of each full date in words ('July 1, 2023', 'Apr 1,2023'); impossible ones are passed
    over."""
    for match in _DATE.finditer(text):
        try:
            yield match.start(), date(int(match[3]), month_number(match[1]) or 0, int(match[2]))
        except ValueError:
            continue


def first_date(text: str) -> date | None:
    """The first full date in `text`."""
    return next((found for _, found in read_dates(text)), None)


_QUARTER = re.compile(
    rf"\b(?:Q([1-4])|({ORDINAL})[\s-]+quarter)"
    r"(?:\s+(?:and|&)\s+(?:full|fiscal)(?:[\s-]+fiscal)?[\s-]+year)?"
    r"(?:\s+(?:of|for|results|earnings)\b)?(?:\s+(?:the|our|its))?(?:\s+fiscal)?(?:\s+year)?\s*,?\s*(?:FY\s?)?((?:19|20)\d\d)\b"
    rf"|\b(?:fiscal\s+)?(?:year\s+)?((?:19|20)\d\d)(?:'s|’s)?\s+(?:Q([1-4])\b|({ORDINAL})[\s-]+quarter)",
    re.IGNORECASE,
)


_QUARTER_SAID = re.compile(rf"\b(?:({ORDINAL})[\s-]+(?:fiscal[\s-]+)?quarter|Q([1-4]))\b", re.IGNORECASE)


def quarter_in(text: str) -> int | None:
    """The first quarter that `text` names, with a year or without: 2 for 'second-quarter results'."""
    said = _QUARTER_SAID.search(text)
    if said is None:
        return None
    return ORDINALS[said[1].lower()] if said[1] else int(said[2])


def read_quarters(text: str) -> Iterator[tuple[int, int]]:
    """(year, quarter) of each label such as 'Q3 2023', 'second quarter of fiscal year 2023', '2021 second
    quarter', 'fourth-quarter and full-year 2022'."""
    for match in _QUARTER.finditer(text):
        number = match[1] or match[5]
        word = match[2] or match[6]
        quarter = int(number) if number else ORDINALS[word.lower()]
        yield int(match[3] or match[4]), quarter
