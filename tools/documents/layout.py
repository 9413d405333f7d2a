"""A cheap test for tables on a page's plain text: is its layout worth extracting?"""

from __future__ import annotations

import re

_FIGURE = re.compile(r"(?<![\w.])[$(]*\d[\d,]*(?:\.\d+)?\)?%?(?![\w])|(?<!\S)[—–-](?!\S)")
_PERIOD_HEADER = re.compile(
    r"\b(?:three|six|nine|twelve|\d{1,2})\s+(?:months?|weeks?)\s+ended\b|\b(?:quarters?|years?)\s+ended\b"
    r"|\bas of\b|\b(?:in|\$ in|dollars in|amounts in)\s+(?:thousands|millions|billions)\b",
    re.IGNORECASE,
)


def holds_table(text: str) -> bool:
    """True if a page of this plain text may hold a table.

    Errs towards True: three lines with two figures or more, or one such line under a period or unit heading, or five
    lines that are a figure alone (cells that plain text puts on lines of their own).
    """
    rows = alone = 0
    for line in text.split("\n"):
        figures = len(_FIGURE.findall(line))
        words = len(line.split())
        if figures >= 2 and words < 40:
            rows += 1
        elif figures == 1 and words <= 2:
            alone += 1
    return rows >= 3 or alone >= 5 or (rows + alone >= 1 and _PERIOD_HEADER.search(text) is not None)
