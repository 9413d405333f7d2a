"""Whether the periods that a claim names are those of its passage."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.local.check.claim_text import ClaimText
from graphs.local.check.figure_match import is_timed
from graphs.local.check.passages import Passage
from graphs.local.check.printed_figures import Figure
from graphs.local.text.period_mentions import Mention, fits_mentions, fits_period


def period_fault(claim: ClaimText, passage: Passage) -> str:
    """A period of the claim that is neither of its figures nor the passage's nor the source's own."""
    timed = [f for f in passage.figures if f.period is not None or f.mentions]
    for mention in claim.whole.periods:
        if passage.structured and timed:
            if not _is_span_of_change(claim, mention, timed) and not any(
                is_timed([mention], f) for f in timed
            ):
                return f"the cited evidence is not for {mention.text}"
            continue
        fits = any(fits_mentions(mention, passage.said.periods, item.period) for item in passage.items)
        if not fits and not any(f.period and fits_period(mention, f.period) for f in timed):
            return f"the cited evidence does not speak of {mention.text}"
    return _relative_fault(claim, passage) if passage.structured else _month_fault(claim, passage)


def _is_span_of_change(claim: ClaimText, mention: Mention, figures: Sequence[Figure]) -> bool:
    """'fell by 150 million during the nine months' is about two balances, each of a day."""
    days = all(f.period is not None and f.period.months == 0 for f in figures)
    named = (mention.day, mention.month, mention.year, mention.quarter)
    is_bare = bool(mention.months) and named == (None,) * 4
    return days and is_bare and bool(claim.said.changes or claim.said.directions)


_EARLIER = (
    (
        re.compile(r"\b(?:previous|prior|preceding)\s+quarter\b(?!\s+of)|\bsequentially\b", re.IGNORECASE),
        (60, 110),
    ),
    (
        re.compile(
            r"\b(?:a|one)\s+year\s+(?:ago|earlier|before)\b|\byear[\s-](?:ago|earlier)\b", re.IGNORECASE
        ),
        (340, 390),
    ),
)
"""What names an earlier period, and the days by which it ends earlier."""


def _relative_fault(claim: ClaimText, passage: Passage) -> str:
    """'the previous quarter' or 'a year earlier' where the cited figures of a line item lie otherwise apart."""
    gaps = {(a.end - b.end).days for a, b in passage.spans if a.end and b.end}
    for words, (low, high) in _EARLIER:
        if gaps and (found := words.search(claim.text)) and not any(low <= gap <= high for gap in gaps):
            return f"the cited figures are not for '{found.group()}'"
    return ""


_MONTH = re.compile(
    r"\b(?:in|of|since|by|until|late|early|mid-?|through)\s+"
    r"(January|February|March|April|May|June|July|August|September|October|November|December)\b(?!\s+\d)"
)


def _month_fault(claim: ClaimText, passage: Passage) -> str:
    """A month without a year, where the passage names another one; '' if there is none."""
    theirs = {m.lower() for m in _MONTH.findall(passage.text)}
    for month in _MONTH.findall(claim.whole.text):
        if theirs and month.lower() not in theirs and month not in passage.text:
            return f"the cited evidence does not speak of {month}"
    return ""
