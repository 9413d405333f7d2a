"""The limit that a result is held against: said in words of comparison, or the only one that a question speaks of."""

from __future__ import annotations

from graphs.contracts import Reading
from graphs.local.question.limits import limit_of, multiple_in, only_share
from tools.calculate.measures import Measure, is_made_of, measure_called
from tools.calculate.questions import AskedSum
from tools.calculate.types import Asked


def asked_limit(read: AskedSum, base: Asked, reading: Reading) -> tuple[str, bool]:
    """The threshold for yes or no or for a list, and whether it is asked for what lies above it."""
    if read.use not in ("yesno", "list"):
        return "", True
    measure = measure_called(base.measure)
    shown = measure.shown if measure else base.shown
    rate = base.across in ("growth", "cagr")
    bare = shown in ("ratio", "times") or (shown is None and read.operation == "ratio")
    money = shown in (None, "amount") and not (bare or rate)
    threshold, above = limit_of(reading.question, bare=bare, money=money)
    if base.across == "times":
        return limit_of(reading.question, bare=True)
    if read.use == "yesno" and base.across in ("growth", "change") and not base.apart:
        return _moved(read, base, reading, threshold, above=above)
    if read.use == "yesno" and bare and measure:
        threshold = threshold or "1"
    if not threshold:
        return _unworded_limit(read, measure, reading, in_percent=shown == "percent"), not read.less
    return (threshold, above) if money or bare or rate or shown == "percent" else ("", above)


def _unworded_limit(read: AskedSum, measure: Measure | None, reading: Reading, *, in_percent: bool) -> str:
    """What is held against, where no word of comparison says it: the only part of a hundred that is spoken of, or
    nothing, of a measure that is a difference: 'is its capex covered?'; '' where that can't be told."""
    if read.use != "yesno":
        return ""
    if in_percent:
        return only_share(reading.question)
    return "0" if measure and _is_of_itself(read, measure, reading) else ""


def _is_of_itself(read: AskedSum, measure: Measure, reading: Reading) -> bool:
    """Whether a question is of a measure that is a difference of two figures, and of no figure besides."""
    difference = " - " in measure.formula and measure.shown == "amount"
    alone = not (read.b or read.more)
    return (
        difference
        and alone
        and all(measure_called(each) == measure or is_made_of(measure, each) for each in reading.metrics)
    )


def _moved(read: AskedSum, base: Asked, reading: Reading, threshold: str, *, above: bool) -> tuple[str, bool]:
    """The limit of a change: what fell by more than a third came to less than minus a third, what more than doubled
    grew by more than 100 percent."""
    times = multiple_in(reading.question) if base.across == "growth" and not threshold else None
    if times:
        threshold = format((times - 1) * 100, "f")
    if not threshold:
        return "0", not read.less
    return (f"-{threshold}", False) if read.less and above else (threshold, above)
