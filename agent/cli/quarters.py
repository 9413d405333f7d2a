"""A quarter and a year as people write them."""

from __future__ import annotations

import argparse
import re

FIRST_YEAR, LAST_YEAR = 1900, 2099
"""As `graphs.state.BOUNDS`, which --help does not load."""
QUARTER = re.compile(r"\s*[Qq]?\s*([1-4])\s*")


def read_quarter(written: str | int) -> int | None:
    """1 to 4, of 2, '2', 'Q2' or 'q2'; None for anything else."""
    found = QUARTER.fullmatch(str(written))
    return int(found[1]) if found else None


def quarter_argument(text: str) -> int:
    """`read_quarter` for argparse."""
    quarter = read_quarter(text)
    if quarter is None:
        raise argparse.ArgumentTypeError(f"'{text}' is no quarter: give 1, 2, 3 or 4, or Q1 to Q4")
    return quarter


def year_argument(text: str) -> int:
    """A year for argparse."""
    if not (text.isdecimal() and FIRST_YEAR <= int(text) <= LAST_YEAR):
        raise argparse.ArgumentTypeError(f"'{text}' is no year: give one of {FIRST_YEAR} to {LAST_YEAR}")
    return int(text)
