"""A cheap test for tables on a page's plain text: is its layout worth keeping?"""

from __future__ import annotations

import re

_FIGURE = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?\)?%?(?![\w])|(?<!\S)[—–-](?!\S)")
_SENTENCE_END = re.compile(r"[.;]\s*$")
_PERIOD_HEADER = re.compile(
    r"\b(?:three|six|nine|twelve|\d{1,2})\s+(?:months?|weeks?)\s+ended\b|\b(?:quarters?|years?)\s+ended\b"
    r"|\bas of\b|\b(?:in|\$ in|dollars in|amounts in)\s+(?:thousands|millions|billions)\b",
    re.IGNORECASE,
)


def holds_table(text: str) -> bool:
    """True if a page of this plain text may hold a table.

    Errs towards True: three lines of figures, or one under a short line that names a period or a unit, or
    five lines that are a figure alone. Prose with a few figures is not enough.
    """
    rows = alone = 0
    headed = False
    for line in text.split("\n"):
        figures, words = len(_FIGURE.findall(line)), len(line.split())
        if figures >= 2 and words <= 3 * figures + 8 and not _SENTENCE_END.search(line):
            rows += 1
        elif figures == 1 and words <= 2:
            alone += 1
        headed = headed or (words <= 14 and _PERIOD_HEADER.search(line) is not None)
    return rows >= 3 or alone >= 5 or (headed and rows + alone >= 1)
