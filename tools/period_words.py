"""Words by which reporting periods are called: one list for documents, questions and claims.

All in lower case but the names of months, which a pattern may read as printed; most patterns ignore case.
"""

from __future__ import annotations

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
MONTH_NAME = (
    r"Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
)
"""Alternatives of a pattern: a month in full or short."""

ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
"""Quarters of a year, written out."""
ALL_ORDINALS = ORDINALS | {"1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
ORDINAL = "|".join(ORDINALS)
ANY_ORDINAL = "|".join(ALL_ORDINALS)

MONTH_COUNTS = {"three": 3, "six": 6, "nine": 9, "twelve": 12}
"""Lengths that reports cover, in months."""
WEEK_COUNTS = {"thirteen": 13, "twenty-six": 26, "thirty-nine": 39, "fifty-two": 52, "fifty-three": 53}
"""The same in weeks, as retailers count."""
MONTHS_OF_WEEKS = {weeks: 3 * round(weeks / 13) for weeks in range(11, 54)}
"""A year has four quarters of 12 to 17 weeks."""
LENGTHS = (
    MONTH_COUNTS
    | {str(months): months for months in MONTH_COUNTS.values()}
    | {word: MONTHS_OF_WEEKS[weeks] for word, weeks in WEEK_COUNTS.items()}
    | {str(weeks): MONTHS_OF_WEEKS[weeks] for weeks in (13, 14, 26, 27, 39, 40, 52, 53)}
)
"""Counts of months or weeks, in words or digits -> months."""
MONTH_LENGTH = "|".join([*MONTH_COUNTS, *map(str, MONTH_COUNTS.values())])
WEEK_LENGTH = "|".join([*WEEK_COUNTS, *map(str, (13, 14, 26, 27, 39, 40, 52, 53))])
