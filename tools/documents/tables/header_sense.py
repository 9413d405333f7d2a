"""How much sense columns make with the header cells laid over them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from tools.documents.tables.cells import Cell
from tools.documents.tables.column_dates import find_durations, has_period_words, read_period

Span = tuple[int, int]
"""First and last column, both included."""
Assignment = tuple[Span, ...]
"""A span for each cell of a header line."""

DAY = re.compile(r"[A-Za-z]{3,9}\.? ?\d{1,2},")
_CHANGE_WORDS = ("change", "increase", "decrease", "growth", "variance", "vs")


def column_texts(
    lines: Sequence[Sequence[Cell]], chosen: Sequence[Assignment | None], count: int
) -> list[str]:
    texts: list[list[str]] = [[] for _ in range(count)]
    for cells, spans in zip(lines, chosen, strict=True):
        for cell, (first, last) in zip(cells, spans or (), strict=False):
            for k in range(first, last + 1):
                texts[k].append(cell.text)
    return [" ".join(t) for t in texts]


_Reading = tuple[tuple[object, ...], bool, bool, bool]


@lru_cache(maxsize=4096)
def _reading(text: str) -> _Reading:
    """What a column says, whether its date is whole, whether it gives a duration, whether it says
    anything."""
    period = read_period(text)
    whole = period.end is not None or period.fiscal_year is not None
    says = period.says_something or has_period_words(text)
    return (
        (
            period.end,
            period.months,
            period.fiscal_year,
            period.fiscal_quarter,
            period.year_to_date,
            period.rest,
        ),
        (whole),
        bool(find_durations(text)),
        says,
    )


def sense_penalty(
    texts: Sequence[str], stub: str, percent: Sequence[bool], instants: Collection[int]
) -> float:
    """Penalty for columns with half a date, with a date but no duration beside ones that have it, unless they are
    `instants`, or like another that is like it of amounts or of percentages (`percent`)."""
    readings = [_reading(f"{stub} {t}".strip()) for t in texts]
    timed = any(duration for _, _, duration, _ in readings)
    halves = any(duration or DAY.search(t) for t, (_, _, duration, _) in zip(texts, readings, strict=True))
    penalty = 0.0
    for k, (text, reading) in enumerate(zip(texts, readings, strict=True)):
        penalty += _column_penalty(reading, _is_change(text), timed and k not in instants, halves)
    if _lopsided(readings):
        penalty += 0.4
    columns = zip(texts, readings, percent, strict=True)
    values = [(reading[0], share) for text, reading, share in columns if not _is_change(text)]
    repeats = len(values) - len(set(values))
    return penalty + 2.0 * repeats


def _is_change(text: str) -> bool:
    return any(word in text.lower() for word in _CHANGE_WORDS)


def _column_penalty(reading: _Reading, change: bool, timed: bool, halves: bool) -> float:
    """Penalty of one column: for half a date where the table has days or durations (`halves`), for a date without
    a duration where others have one (`timed`), for a whole date over a column of changes."""
    _, whole, duration, says = reading
    if not whole:
        return (0.3 if change else 1.0) if says and halves else 0.0
    if change:
        return 0.5
    return 1.0 if timed and not duration else 0.0


def _lopsided(readings: Sequence[_Reading]) -> bool:
    """True if the columns of one name cover other periods than those of another."""
    periods: dict[object, set[object]] = {}
    for reading, whole, _, _ in readings:
        if whole:
            periods.setdefault(reading[-1], set()).add(reading[:-1])
    sets = list(periods.values())
    return any(other != sets[0] for other in sets[1:])


def repeat_size(lines: Sequence[Sequence[Cell]], count: int) -> int:
    """Size of the group of columns that repeats ('Assets, Liabilities, Assets, Liabilities' is 2); 0 for
    none."""
    full = [cells for cells in lines if len(cells) == count]
    names = [tuple(cells[k].text for cells in full) for k in range(count)]
    for size in range(2, count // 2 + 1):
        varied = full and count % size == 0 and len(set(names[:size])) > 1
        if varied and all(names[k] == names[k % size] for k in range(count)):
            return size
    return 0


def astride(assignment: Assignment | None, size: int, count: int) -> float:
    """Penalty for header cells that neither cover whole repeating groups nor stand at one place in each of
    them."""
    if not size or not assignment:
        return 0.0
    if all(first % size == 0 and (last + 1) % size == 0 for first, last in assignment):
        return 0.0
    places = {(first % size, last - first) for first, last in assignment}
    return 0.0 if len(places) == 1 and len(assignment) == count // size else 1.0
