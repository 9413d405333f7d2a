"""Header rows of a table: which lines they are, and what each column's header says, by horizontal position."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.documents.tables.cells import Cell, Line
from tools.documents.tables.dates import find_dates, has_period_words, read_period
from tools.documents.tables.model import Block, Column, Row
from tools.documents.tables.regions import is_year_header

NOTE = re.compile(
    r"\((?P<note>[^()]*\b(?:in|dollars|shares)\s+(?:\w+\s+)?(?:millions|thousands|billions)\b[^()]*(?:\([^()]*\)[^()]*)?)\)"
    r"|(?P<bare>\b(?:dollars|amounts|\$|US\$|USD)\s+(?:and \w+ )?in (?:millions|thousands|billions)\b[^.()]*)",
    re.IGNORECASE,
)
_NOISE = re.compile(r"\(?\bunaudited\b\)?|\(continued\)", re.IGNORECASE)
_MAX_HEADER = 9
_MAX_LEAD = 6
_STATEMENT = re.compile(r"\bstatements?\b|\bbalance sheets?\b", re.IGNORECASE)


def _is_note(text: str) -> bool:
    rest = _NOISE.sub("", NOTE.sub("", text)).strip(" ();,.")
    return not rest and bool(text.strip())


def _starts_note(text: str) -> bool:
    return (
        re.match(
            r"\((?:\w+ ){0,2}in (?:millions|thousands|billions)|\(dollars|\(unaudited", text, re.IGNORECASE
        )
        is not None
    )


def _zone(line: Line, left: float, label_end: float) -> tuple[list[Cell], list[Cell]]:
    """Cells of the label zone, and cells above the figure columns."""
    zone: list[Cell] = []
    over: list[Cell] = []
    for cell in line.cells:
        above = cell.start >= left - 10 and cell.center >= left - 4
        beside = cell.start > label_end + 2 and cell.start >= left - 18
        (over if above or beside or over else zone).append(cell)
    return zone, over


def _bounds(block: Block) -> tuple[float, float]:
    """Left edge of the figures, and right edge of the row labels."""
    left = min(c.left for c in block.columns)
    ends = [row.indent + len(row.label) for row in block.rows if row.cells]
    return left, min(max(ends), left)


def take_header(block: Block, lines: Sequence[Line], floor: int) -> None:
    """Fill `header`, `stub` and `lead` of a block from the lines above it, not above line `floor`.

    Lines directly above the first row that stand in the label zone become headings of the rows.
    """
    left, label_end = _bounds(block)
    first = block.rows[0].index
    leading: list[Line] = []
    header: list[Line] = []
    blanks = 0
    k = first - 1
    while k >= floor:
        line = lines[k]
        k -= 1
        if line.blank:
            blanks += 1
            if blanks > 4:
                break
            continue
        if blanks > 1 and header and not _is_header_line(line, left, label_end):
            k += 1
            break
        blanks = 0
        if _is_header_line(line, left, label_end):
            header.append(line)
            if len(header) > _MAX_HEADER:
                break
        elif not header and line.cells[-1].end <= left and len(leading) < 4 and not _sentence(line):
            leading.append(line)
        else:
            k += 1
            break
    if not header:
        k, leading = first - 1, []
        while k >= floor and lines[k].blank:
            k -= 1
    header.reverse()
    leading.reverse()
    _add_leading(block, leading)
    block.header = header
    block.first_line = header[0].index if header else block.first_line
    block.lead = _lead(lines, k, floor)
    for line in header:
        zone, _ = _zone(line, left, label_end)
        block.stub += [cell.text for cell in zone]


def _add_leading(block: Block, leading: list[Line]) -> None:
    block.rows[:0] = [Row(x.index, x.text, x.indent, raw_label=x.text) for x in leading]
    if leading:
        block.first_line = leading[0].index


def _sentence(line: Line) -> bool:
    text = line.text
    return (text.endswith((".", ";")) and len(text) > 50) or len(text) > 140 or text.endswith("as follows:")


def _is_header_line(line: Line, left: float, label_end: float) -> bool:
    if line.blank:
        return False
    zone, over = _zone(line, left, label_end)
    text = line.text
    if over:
        if is_year_header(line):
            return True
        if any(c.kind == "figure" and not re.fullmatch(r"\d{1,4}", c.text) for c in over):
            return False
        if (
            len(over) == 1
            and _is_prose(zone)
            and not _is_note(zone[0].text)
            and read_period(over[0].text).rest
        ):
            return False
        if zone and over[0].start - zone[-1].end < (3 if len(over) == 1 else 8) and _is_prose(zone):
            return False
        if len(line.cells) == 1 and _STATEMENT.search(text) and len(text) > 30 and not has_period_words(text):
            return False
        return all(len(c.text) <= 110 for c in over)
    return _is_note(text) or (_starts_note(text) and len(text) < 110)


def _is_prose(zone: Sequence[Cell]) -> bool:
    return len(zone) > 3 or sum(len(c.text) for c in zone) > 55


def _lead(lines: Sequence[Line], k: int, floor: int) -> list[str]:
    """Printed lines above the header, nearest last; a previous table's rows end them."""
    lead: list[str] = []
    blanks = 0
    while k >= floor and len(lead) < _MAX_LEAD and blanks <= 4:
        line = lines[k]
        k -= 1
        if line.blank:
            blanks += 1
            lead.append("")
            continue
        blanks = 0
        lead.append(line.text)
    lead.reverse()
    return lead


def _distance(cell: Cell, columns: Sequence[Column], first: int, last: int) -> float:
    left, right = columns[first].left, columns[last].right
    centered = abs(cell.center - (left + right) / 2)
    if first < last:
        return centered
    return min(centered, abs(cell.end - right) + 1.0, abs(cell.start - left) + 1.0)


def match_cells(cells: Sequence[Cell], columns: Sequence[Column]) -> list[tuple[int, int]]:
    """For each header cell the columns [first, last] it stands over; (-1, -1) where it is over none.

    Cells keep their order; the assignment with the least total distance between cells and the columns they cover
    wins, a column without a cell costing a fraction of the column pitch.
    """
    count, width = len(columns), len(cells)
    if width == count:
        return [(k, k) for k in range(count)]
    pitch = (columns[-1].right - columns[0].left) / count
    skip = 0.1 * pitch
    infinite = float("inf")
    best = [[infinite] * (count + 1) for _ in range(width + 1)]
    back: list[list[tuple[int, int]]] = [[(-1, -1)] * (count + 1) for _ in range(width + 1)]
    best[0] = [j * skip for j in range(count + 1)]
    for i in range(1, width + 1):
        for j in range(1, count + 1):
            options = [(best[i][j - 1] + skip, (-1, -1))]
            for first in range(j):
                gap = _distance(cells[i - 1], columns, first, j - 1)
                options.append((best[i - 1][first] + gap, (first, j - 1)))
            best[i][j], back[i][j] = min(options)
    spans: list[tuple[int, int]] = []
    i, j = width, count
    if best[width][count] == infinite:
        return [(-1, -1)] * width
    while i > 0:
        first, last = back[i][j]
        if last < 0:
            j -= 1
            continue
        spans.append((first, last))
        i, j = i - 1, first
    spans.reverse()
    limit = max(0.9 * pitch, 14)
    return [
        span if _distance(cell, columns, *span) <= limit else (-1, -1)
        for cell, span in zip(cells, spans, strict=True)
    ]


def split_glued(cell: Cell) -> list[Cell]:
    """A cell of several whole dates ('June 30, 2022June 30, 2021') as one cell a date."""
    dates = find_dates(cell.text)
    if len(dates) < 2 or _between(cell.text, dates):
        return [cell]
    return [Cell("text", cell.text[s:e], cell.start + s, cell.start + e) for _, s, e in dates]


def _between(text: str, dates: Sequence[tuple[object, int, int]]) -> bool:
    """True if words stand around the dates: a sentence, not two headers run together."""
    rest = text
    for _, start, end in reversed(dates):
        rest = rest[:start] + rest[end:]
    return bool(rest.strip())


def fill_columns(block: Block) -> None:
    """Give each column its header texts, top to bottom; a spanning cell goes to every column it spans."""
    left, label_end = _bounds(block)
    for line in block.header:
        _, over = _zone(line, left, label_end)
        if not over or _is_note(" ".join(c.text for c in over)) and len(over) == 1 < len(block.columns):
            if over:
                block.stub.append(over[0].text)
            continue
        cells = [piece for cell in over for piece in split_glued(cell)]
        if len(cells) > len(block.columns):
            continue
        for cell, (first, last) in zip(cells, match_cells(cells, block.columns), strict=True):
            for k in range(first, last + 1):
                if k >= 0:
                    block.columns[k].texts.append(cell.text)
