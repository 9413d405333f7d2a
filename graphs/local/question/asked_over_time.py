"""What a question asks to be computed over time: means of both ends or of the parts of a period, and quotients of two
times."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graphs.contracts import Reading
from graphs.local.question.computed_periods import QUARTERS
from graphs.local.question.limits import limit_of
from graphs.local.question.period_phrases import find_asks
from tools.calculate.questions import QUOTIENTS, AskedSum
from tools.calculate.resolving import QUARTER, YEAR
from tools.calculate.types import Asked, When

BOTH_ENDS = "average(a)"
"""The formula of a mean of both ends."""
_OPENING = re.compile(r"\b(?:opening|beginning|start)\b", re.IGNORECASE)
"""Of a balance that is averaged with the one at the end."""
_ON_AVERAGE = re.compile(r"\b(?:on|to|by|over)\s+(?:(?:its|the|their)\s+)?average\b", re.IGNORECASE)
"""What an average is divided into: 'the return on average equity'."""
_ENDS = re.compile(rf"{_OPENING.pattern}(?:\s+and)?|\b(?:closing|ending|end)\b", re.IGNORECASE)
_EACH = {
    "monthly": re.compile(r"\bmonthly\b|\b(?:per|each|a|every)\s+month\b", re.IGNORECASE),
    "quarterly": re.compile(r"\bquarter(?:ly)?\b", re.IGNORECASE),
}
"""Parts of a period that a mean may be by, as a question says."""
Whens = Sequence[tuple[str, tuple[When, ...]]]
"""Company key, and its periods."""


def at_both_ends(asked: Asked, reading: Reading) -> Asked | None:
    """The mean of a balance at the start and at the end of a period; None where no such mean is asked for."""
    if not _OPENING.search(reading.question) or _ON_AVERAGE.search(reading.question):
        return None
    items = tuple((name, " ".join(_ENDS.sub(" ", words).split())) for name, words in asked.items)
    return asked.model_copy(update={"across": "", "formula": BOTH_ENDS, "items": items})


def with_length(asked: Asked, reading: Reading, whens: Whens) -> Whens:
    """The periods with the time between both ends of a quarter: a balance has none of its own."""
    if asked.formula != BOTH_ENDS or not QUARTERS.search(reading.question):
        return whens
    return [(key, tuple(replace(each, months=QUARTER) for each in own)) for key, own in whens]


def by_parts_of_time(asked: Asked, reading: Reading, whens: Whens) -> tuple[Asked, Whens]:
    """A mean of one figure over the quarters or months of one period: what is printed of it all by their number."""
    (company, own), one = whens[0], len(whens) == 1 and len(whens[0][1]) == 1
    each = next((name for name, said in _EACH.items() if said.search(reading.question)), "")
    if not (one and each and asked.across == "average" and asked.formula == "a"):
        return asked, whens
    dated = any(p.end or p.fiscal_quarter or p.calendar_quarter for p in own[0].periods)
    months = own[0].months if dated else YEAR
    number = (months or 0) // (QUARTER if each == "quarterly" else 1)
    if number < 2:
        return asked, whens
    title = asked.title.replace("average", f"average {each}")
    changed = {"across": "", "formula": f"a / {number}", "title": title}
    return asked.model_copy(update=changed), [(company, (replace(own[0], months=months),))]


def over_two_times(base: Asked, read: AskedSum, reading: Reading) -> tuple[Asked, AskedSum]:
    """A quotient that is said to have been more or less at one time than at another, as its change from the earlier to
    the later; what was more before has fallen."""
    plain = not (base.across or base.apart or base.over) and read.operation in QUOTIENTS
    asks = find_asks(reading.question)
    times = list(dict.fromkeys((ask.year or 0, ask.quarter or 0, str(ask.day or "")) for ask in asks))
    two = len(times) == 2 or (len(times) == 1 and bool(reading.compared_periods))
    if read.use != "yesno" or not (plain and two) or limit_of(reading.question, bare=True)[0]:
        return base, read
    first_is_earlier = len(times) == 2 and times[0] < times[1]
    read = replace(read, less=not read.less) if first_is_earlier else read
    return base.model_copy(update={"across": "change"}), read
