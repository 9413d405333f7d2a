"""Which columns each header cell stands over: decided by position, and by what the columns then say."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from tools.documents.tables.cells import Cell
from tools.documents.tables.column_dates import find_durations, has_period_words, is_year, read_period
from tools.documents.tables.table_parts import Column

Span = tuple[int, int]
"""First and last column, both included."""
Assignment = tuple[Span, ...]
"""A span for each cell of a header line."""

_DAY = re.compile(r"[A-Za-z]{3,9}\.? ?\d{1,2},")
_MAX_CHOICES = 16
_MAX_COMBINATIONS = 4096
_CHANGE_WORDS = ("change", "increase", "decrease", "growth", "variance", "vs")


def cell_boxes(columns: Sequence[Column]) -> list[Column]:
    """Columns as wide as their table cells: each reaches back to the column before it.

    Right-aligned figures show only the right edge of their cell; a header stands over the middle of the
    whole.
    """
    if len(columns) < 2:
        return list(columns)
    pitch = (columns[-1].right - columns[0].right) / (len(columns) - 1)
    width = max(min(c.right - before.right for before, c in itertools.pairwise(columns)), 1)
    first = columns[0]
    boxes = [replace(first, left=min(first.left, int(first.right - min(width, pitch) + 2)))]
    for before, column in itertools.pairwise(columns):
        reach = max(before.right + 2, int(column.right - 1.5 * pitch))
        boxes.append(replace(column, left=min(reach, column.left)))
    return boxes


def _distance(cell: Cell, columns: Sequence[Column], first: int, last: int) -> float:
    left, right = columns[first].left, columns[last].right
    centered = abs(cell.center - (left + right) / 2)
    if first < last:
        return centered
    return min(centered, abs(cell.end - right) + 1.0, abs(cell.start - left) + 1.0)


def _spread(cell: Cell, columns: Sequence[Column], pitch: float) -> float:
    """What it costs words to stand over one column more: much where they are right above a single one."""
    over = [c for c in columns if c.left < cell.end and cell.start < c.right]
    covered = min(over[0].right, cell.end) - max(over[0].left, cell.start) if len(over) == 1 else 0
    return (0.35 if covered * 2 > cell.end - cell.start or covered >= 3 else 0.05) * pitch


def rank_assignments(cells: Sequence[Cell], columns: Sequence[Column]) -> list[tuple[float, Assignment]]:
    """The best ways to lay the cells of one header line over the columns, in order, cheapest first.

    The cost is the distance between cells and the columns they cover. Period headers should cover every
    column they can: one left out costs a fraction of the column pitch. Other words stand over one column
    unless a span fits clearly better. Empty where no way fits.
    """
    count, width = len(columns), len(cells)
    if width == count:
        return [(0.0, tuple((k, k) for k in range(count)))]
    if width > count:
        return []
    pitch = (columns[-1].right - columns[0].left) / count
    limit = max(0.9 * pitch, 14)
    dated = any(has_period_words(cell.text) and not is_year(cell.text) for cell in cells)
    skip = 0.1 * pitch if dated else 0.0
    table: list[list[list[tuple[float, Assignment]]]] = [
        [[] for _ in range(count + 1)] for _ in range(width + 1)
    ]
    for j in range(count + 1):
        table[0][j] = [(j * skip, ())]
    for i in range(1, width + 1):
        for j in range(1, count + 1):
            options = [(cost + skip, spans) for cost, spans in table[i][j - 1]]
            for first in range(j):
                gap = _distance(cells[i - 1], columns, first, j - 1)
                if gap <= limit and not (first < j - 1 and cells[i - 1].text in ("$", "%")):
                    gap += (j - 1 - first) * (0.0 if dated else _spread(cells[i - 1], columns, pitch))
                    options += [(cost + gap, (*spans, (first, j - 1))) for cost, spans in table[i - 1][first]]
            table[i][j] = sorted(options)[:_MAX_CHOICES]
    return table[width][count]


def over_figures(cells: list[Cell], columns: Sequence[Column]) -> list[Cell]:
    """The cells of a header line without those of columns that hold words or nothing, where not all can stand over
    figures."""
    if rank_assignments(cells, columns):
        return cells
    over = [cell for cell in cells if any(c.left < cell.end and cell.start < c.right for c in columns)]
    return over if rank_assignments(over, columns) else cells


def _texts(lines: Sequence[Sequence[Cell]], chosen: Sequence[Assignment | None], count: int) -> list[str]:
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


def _sense(texts: Sequence[str], stub: str, percent: Sequence[bool]) -> float:
    """Penalty for columns with half a date, with a date but no duration beside ones that have it, or like
    another that is like it of amounts or of percentages (`percent`)."""
    readings = [_reading(f"{stub} {t}".strip()) for t in texts]
    timed = any(duration for _, _, duration, _ in readings)
    halves = any(duration or _DAY.search(t) for t, (_, _, duration, _) in zip(texts, readings, strict=True))
    penalty = 0.0
    for text, reading in zip(texts, readings, strict=True):
        penalty += _column_penalty(reading, _is_change(text), timed, halves)
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


def choose_assignments(
    lines: Sequence[Sequence[Cell]], columns: Sequence[Column], stub: str
) -> list[Assignment | None]:
    """One assignment for each header line, so that the columns make the most sense together, then fit best.

    Lines with periods are weighed together, the others one after the other. None for a line that fits no way. `stub`
    is period text that holds for every column.
    """
    columns = cell_boxes(columns)
    ranked = [rank_assignments(cells, columns) for cells in lines]
    chosen: list[Assignment | None] = [options[0][1] if options else None for options in ranked]
    dated = [k for k, cells in enumerate(lines) if chosen[k] and _is_dated(cells)]
    others = [k for k, options in enumerate(ranked) if len(options) > 1 and k not in dated]
    worded = any(len(cells) == len(columns) and not _is_dated(cells) for cells in lines)
    for k in [*dated, *others]:
        if worded and k in others and _is_part(lines[k], columns):
            continue
        if even := _even(lines[k], columns):
            ranked[k] = [even, *ranked[k]]
    certain = _over_all(lines, dated, columns)
    for k in certain:
        chosen[k] = ((0, len(columns) - 1),)
    dated = [k for k in dated if k not in certain]
    for group in ([dated] if dated else []) + [[k] for k in others if k not in certain]:
        chosen = _best(lines, columns, stub, chosen, {k: ranked[k] for k in group})
    return chosen


def _is_part(cells: Sequence[Cell], columns: Sequence[Column]) -> bool:
    """True for words alone on their line that stand within one column: the beginning of its name."""
    return len(cells) == 1 and any(
        c.left - 2 <= cells[0].start and cells[0].end <= c.right + 2 for c in columns
    )


def _is_dated(cells: Sequence[Cell]) -> bool:
    return any(has_period_words(cell.text) for cell in cells)


def _over_all(lines: Sequence[Sequence[Cell]], dated: Sequence[int], columns: Sequence[Column]) -> set[int]:
    """Lines whose single period holds for every column: the only one of the table and in its middle, or a day
    without a year over a line of years."""
    if len(columns) < 2:
        return set()
    single = [k for k in dated if len(lines[k]) == 1]
    yearly = any(len(cells) == len(columns) and all(is_year(c.text) for c in cells) for cells in lines)
    return {
        k
        for k in single
        if (len(dated) == 1 and _central(lines[k][0], columns))
        or (yearly and not re.search(r"(?:19|20)\d{2}", lines[k][0].text))
    }


def _best(
    lines: Sequence[Sequence[Cell]],
    columns: Sequence[Column],
    stub: str,
    fixed: Sequence[Assignment | None],
    options: dict[int, list[tuple[float, Assignment]]],
) -> list[Assignment | None]:
    """The assignments `fixed`, those of the lines in `options` replaced by the best combination."""
    choices = list(options.values())
    while _combinations(choices) > _MAX_COMBINATIONS:
        longest = max(range(len(choices)), key=lambda k: len(choices[k]))
        choices[longest] = choices[longest][:-1]
    size = _repeat(lines, len(columns))
    best: tuple[float, float] | None = None
    chosen = list(fixed)
    for candidate in itertools.product(*choices):
        trial = list(fixed)
        for k, (_, assignment) in zip(options, candidate, strict=True):
            trial[k] = assignment
        sense = _sense(_texts(lines, trial, len(columns)), stub, [column.percent for column in columns])
        sense += sum(_astride(trial[k], size, len(columns)) for k in options)
        score = (sense, sum(cost for cost, _ in candidate))
        if best is None or score < best:
            best, chosen = score, trial
    return chosen


def _central(cell: Cell, columns: Sequence[Column]) -> bool:
    """True for a header in the middle of all columns: the only period of a table holds for every one of
    them."""
    first, last = columns[0].left, columns[-1].right
    return abs(cell.center - (first + last) / 2) < 0.15 * (last - first)


def _repeat(lines: Sequence[Sequence[Cell]], count: int) -> int:
    """Size of the group of columns that repeats ('Assets, Liabilities, Assets, Liabilities' is 2); 0 for
    none."""
    full = [cells for cells in lines if len(cells) == count]
    names = [tuple(cells[k].text for cells in full) for k in range(count)]
    for size in range(2, count // 2 + 1):
        varied = full and count % size == 0 and len(set(names[:size])) > 1
        if varied and all(names[k] == names[k % size] for k in range(count)):
            return size
    return 0


def _astride(assignment: Assignment | None, size: int, count: int) -> float:
    """Penalty for header cells that neither cover whole repeating groups nor stand at one place in each of
    them."""
    if not size or not assignment:
        return 0.0
    if all(first % size == 0 and (last + 1) % size == 0 for first, last in assignment):
        return 0.0
    places = {(first % size, last - first) for first, last in assignment}
    return 0.0 if len(places) == 1 and len(assignment) == count // size else 1.0


def _even(cells: Sequence[Cell], columns: Sequence[Column]) -> tuple[float, Assignment] | None:
    """Every cell over an equal share of the columns, if each stands above its share.

    Durations nearly always share the columns evenly: they are held to less.
    """
    share, rest = divmod(len(columns), len(cells))
    if rest or share == 1:
        return None
    spans = tuple((k * share, (k + 1) * share - 1) for k in range(len(cells)))
    for cell, (first, last) in zip(cells, spans, strict=True):
        if not columns[first].left - 2 <= cell.center <= columns[last].right + 2:
            return None
    cost = sum(_distance(c, columns, *s) for c, s in zip(cells, spans, strict=True))
    return (cost / 4 if len(cells) > 1 and all(find_durations(c.text) for c in cells) else cost), spans


def _combinations(choices: Sequence[Sequence[object]]) -> int:
    total = 1
    for options in choices:
        total *= len(options)
    return total
