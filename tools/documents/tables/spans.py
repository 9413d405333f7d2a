"""Which columns each header cell stands over: decided by position, and by what the columns then say."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from tools.documents.tables.cells import Cell
from tools.documents.tables.column_dates import find_durations, has_period_words, is_year
from tools.documents.tables.header_sense import (
    DAY,
    Assignment,
    astride,
    column_texts,
    repeat_size,
    sense_penalty,
)
from tools.documents.tables.table_parts import Column

_MAX_CHOICES = 16
_MAX_COMBINATIONS = 4096
_MIN_WORDED = 2
"""Rows of words under a head, from which it is that of a column of words."""


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


def over_figures(
    cells: list[Cell], columns: Sequence[Column], words: Sequence[Sequence[Cell]] = ()
) -> list[Cell]:
    """The cells of a header line without those of columns that hold words, and without those of columns that hold
    nothing where not all can stand over figures. `words` are the rows' words beside their figures."""
    aside = [cell for cell in cells if not _is_over(cell, columns)]
    worded = [cell for cell in aside if sum(_is_over(cell, row) for row in words) >= _MIN_WORDED]
    for left_out in (worded, [] if rank_assignments(cells, columns) else aside):
        over = [cell for cell in cells if cell not in left_out]
        if left_out and rank_assignments(over, columns):
            return over
    return cells


def _is_over(cell: Cell, below: Sequence[Cell | Column]) -> bool:
    """True if a header cell stands over one of several figure columns, or over one of the words of a row."""
    edges = [(c.left, c.right) if isinstance(c, Column) else (c.start, c.end) for c in below]
    return any(left < cell.end and cell.start < right for left, right in edges)


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
    certain: dict[int, Assignment] = _over_years(lines, others, columns)
    certain |= _over_parts(lines, columns)
    certain |= {k: ((0, len(columns) - 1),) for k in _over_all(lines, dated, columns)}
    for k, assignment in certain.items():
        chosen[k] = assignment
    dated = [k for k in dated if k not in certain]
    at, instants = _instants(lines, columns)
    for k in dated if instants else []:
        ranked[k] = _leaving_out(instants, ranked[k], lines[k], k == at)
    for group in ([dated] if dated else []) + [[k] for k in others if k not in certain]:
        chosen = _best(lines, columns, stub, chosen, {k: ranked[k] for k in group}, instants)
    return chosen


def _is_part(cells: Sequence[Cell], columns: Sequence[Column]) -> bool:
    """True for a line of words that each stand within one column: the beginnings of their names."""
    return all(any(c.left - 2 <= cell.start and cell.end <= c.right + 2 for c in columns) for cell in cells)


def _instants(lines: Sequence[Sequence[Cell]], columns: Sequence[Column]) -> tuple[int, list[int]]:
    """A line of nothing but days ('March 31,'), or -1, and the columns of their own over which days stand, where all
    durations stand on one side of them."""
    durations = [cell for cells in lines for cell in cells if find_durations(cell.text)]
    for at, cells in enumerate(lines):
        days = [cell for cell in cells if DAY.search(cell.text) and not find_durations(cell.text)]
        own = [
            k
            for day in days
            for k, c in enumerate(columns)
            if c.left - 2 <= day.start and day.end <= c.right + 2
        ]
        before = bool(own) and all(columns[own[-1]].right < cell.start for cell in durations)
        behind = bool(own) and all(cell.end < columns[own[0]].left for cell in durations)
        aside = bool(durations) and (before or behind)
        if aside and 1 < len(own) < len(columns) and len(own) == len(days) == len(set(own)):
            return at if len(days) == len(cells) else -1, own
    return -1, []


def dated_columns(
    lines: Sequence[Sequence[Cell]], chosen: Sequence[Assignment | None], columns: Sequence[Column]
) -> set[int]:
    """Columns under a day of their own beside durations: in the line of these, or where they stand over others only."""
    found = set(_instants(lines, columns)[1])
    timed: set[int] = set()
    for cells, spans in zip(lines, chosen, strict=True):
        durations = [bool(find_durations(cell.text)) for cell in cells]
        for cell, lasts, (first, last) in zip(cells, durations, spans or (), strict=False):
            covered = set(range(first, last + 1))
            if lasts:
                timed |= covered
            elif any(durations) and DAY.search(cell.text):
                found |= covered
    return found - timed


def _leaving_out(
    instants: Sequence[int], ranked: list[tuple[float, Assignment]], cells: Sequence[Cell], are_days: bool
) -> list[tuple[float, Assignment]]:
    """The ways to lay a line whose durations are not over the columns of days; the days themselves over one each."""
    if are_days:
        return [(0.0, tuple((k, k) for k in instants))]
    return [(cost, spans) for cost, spans in ranked if not _covers(cells, spans, instants)] or ranked


def _covers(cells: Sequence[Cell], spans: Assignment, instants: Collection[int]) -> bool:
    """True if a duration is laid over one of some columns."""
    covered = {k for cell, (first, last) in zip(cells, spans, strict=False) if find_durations(cell.text)
               for k in range(first, last + 1)}  # fmt: skip
    return not covered.isdisjoint(instants)


def _is_dated(cells: Sequence[Cell]) -> bool:
    return any(has_period_words(cell.text) for cell in cells)


def _over_all(lines: Sequence[Sequence[Cell]], dated: Sequence[int], columns: Sequence[Column]) -> set[int]:
    """Lines whose single period holds for every column: the only one of the table and in its middle, or a day
    without a year over a line of years, unless it stands aside where other columns have days of their own."""
    if len(columns) < 2:
        return set()
    single = [k for k in dated if len(lines[k]) == 1]
    yearly = any(len(cells) == len(columns) and all(is_year(c.text) for c in cells) for cells in lines)
    several = any(sum(DAY.search(c.text) is not None for c in lines[k]) > 1 for k in dated)
    return {
        k
        for k in single
        if (len(dated) == 1 and _central(lines[k][0], columns))
        or (
            yearly
            and not re.search(r"(?:19|20)\d{2}", lines[k][0].text)
            and (_central(lines[k][0], columns) or not several)
        )
    }


def _over_years(
    lines: Sequence[Sequence[Cell]], others: Collection[int], columns: Sequence[Column]
) -> dict[int, Assignment]:
    """Those of `others` whose cells each stand over years that follow one another below, where they begin again under
    the next: 'Revenue' over 2022, 2021 and 2020, 'Assets' over 2022 and 2021."""
    years = next(
        (each for each in lines if len(each) == len(columns) and all(is_year(c.text) for c in each)), ()
    )
    firsts = [k for k, each in enumerate(years) if each.text == years[0].text]
    spans = tuple(zip(firsts, [*(k - 1 for k in firsts[1:]), len(columns) - 1], strict=bool(firsts)))
    return {
        k: spans
        for k in others
        if len(lines[k]) == len(firsts) > 1
        and all(
            columns[first].left - 2 <= cell.center <= columns[last].right + 2
            for cell, (first, last) in zip(lines[k], spans, strict=True)
        )
    }


def _over_parts(lines: Sequence[Sequence[Cell]], columns: Sequence[Column]) -> dict[int, Assignment]:
    """Lines that together head every column once: all cells of the lower one stand under one cell of the upper one,
    which is over the columns of these, and the others are over one column each."""
    found: dict[int, Assignment] = {}
    for k, (upper, lower) in enumerate(itertools.pairwise(lines)):
        more = len(lower) - 1
        if more < 1 or len(upper) + more != len(columns) or _is_dated([*upper, *lower]):
            continue
        at = next((i for i, cell in enumerate(upper) if cell.start < lower[0].center < cell.end), None)
        if at is None or not lower[-1].center < upper[at].end:
            continue
        spans = [(i, i) if i < at else (i + more, i + more) for i in range(len(upper))]
        spans[at] = (at, at + more)
        if all(_is_over(c, columns[s : e + 1]) for c, (s, e) in zip(upper, spans, strict=True)):
            found |= {k: tuple(spans), k + 1: tuple((at + i, at + i) for i in range(more + 1))}
    return found


def _best(
    lines: Sequence[Sequence[Cell]],
    columns: Sequence[Column],
    stub: str,
    fixed: Sequence[Assignment | None],
    options: dict[int, list[tuple[float, Assignment]]],
    instants: Collection[int],
) -> list[Assignment | None]:
    """The assignments `fixed`, those of the lines in `options` replaced by the best combination."""
    choices = list(options.values())
    while _combinations(choices) > _MAX_COMBINATIONS:
        longest = max(range(len(choices)), key=lambda k: len(choices[k]))
        choices[longest] = choices[longest][:-1]
    size = repeat_size(lines, len(columns))
    best: tuple[float, float] | None = None
    chosen = list(fixed)
    for candidate in itertools.product(*choices):
        trial = list(fixed)
        for k, (_, assignment) in zip(options, candidate, strict=True):
            trial[k] = assignment
        texts = column_texts(lines, trial, len(columns))
        sense = sense_penalty(texts, stub, [column.percent for column in columns], instants)
        sense += sum(astride(trial[k], size, len(columns)) for k in options)
        score = (sense, sum(cost for cost, _ in candidate))
        if best is None or score < best:
            best, chosen = score, trial
    return chosen


def _central(cell: Cell, columns: Sequence[Column]) -> bool:
    """True for a header in the middle of all columns: the only period of a table holds for every one of
    them."""
    first, last = columns[0].left, columns[-1].right
    return abs(cell.center - (first + last) / 2) < 0.15 * (last - first)


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
