"""Header rows of a table: which lines they are, and what each column's header says, by horizontal
position."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tools.documents.tables.cells import Cell, Line
from tools.documents.tables.column_dates import (
    find_durations,
    find_full_dates,
    has_period_words,
    is_year,
    read_period,
)
from tools.documents.tables.regions import is_heading, is_year_header, names_columns, row_of
from tools.documents.tables.spans import choose_assignments, dated_columns, over_figures
from tools.documents.tables.stacked_heads import MAX_ASIDE, are_stacked, join_durations, widen_stacked
from tools.documents.tables.table_parts import Block, Row
from tools.documents.tables.unit_notes import NOTE

_RUN_TOGETHER = re.compile(
    r"(?<=[a-z]{3})(?=[A-Z][a-z]{2})|(?<=[a-z]{2})(?=[A-Z]{2,})|(?<=[a-z])(?=\()|(?<=\))(?=[A-Z][a-z])"
    r"|(?<=[Nn]umber)(?=of\b)"
)
FURNITURE = re.compile(
    r"table of contents|part\s+i+v?\b.{0,60}|item\s+\d+[a-c]?\.?.{0,12}|page|\d{1,3}|form 10-[qk].*|index",
    re.IGNORECASE,
)
_NOISE = re.compile(r"\(?\bunaudited\b\)?|\(continued\)", re.IGNORECASE)
_UNLIKE = re.compile(r"\b(?:shares?|number|price|dividend|rates?|life|term|units|RSUs)\b", re.IGNORECASE)
_YEARLESS = re.compile(
    r"(?:as of (?:or|and) )?(?:for )?(?:the )?(?:(?:(?:fiscal )?(?:years?|quarters?)|\w+ (?:months|weeks)) )?"
    r"ended [a-z]+ \d{1,2},?"
    r"|(?:as (?:of|at)|at) [a-z]+ \d{1,2},?",
    re.IGNORECASE,
)
_MAX_HEADER = 9
MAX_OFF_CENTRE = 4
"""Characters by which a centred title may stand beside the middle of its table."""
_MAX_HEADER_BLANKS = 6
_MAX_LEADING = 4
_MAX_WRAPS = 3
_MAX_LEAD = 6
_STATEMENT = re.compile(
    r"(?:(?:interim|condensed|consolidated|unaudited|income|comprehensive|cash|flows?|equity"
    r"|\w+holders['’]?s?) )*"
    r"(?:statements?(?: of .*)?|balance sheets?)(?: \(.*\))*",
    re.IGNORECASE,
)


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
        near = cell.start >= left - 10 or (len(cell.text) <= 40 and has_period_words(cell.text))
        above = near and cell.center >= left - 4
        beside = cell.start > label_end + 2 and (cell.start >= left - 18 or cell.end > left)
        (over if above or beside or over else zone).append(cell)
    return zone, over


def _bounds(block: Block) -> tuple[float, float]:
    """Left edge of the figures, and right edge of the row labels."""
    left = min(c.left for c in block.columns)
    ends = [row.text_end for row in block.rows if row.cells]
    return left, min(max(ends), left)


def take_header(block: Block, lines: Sequence[Line], floor: int) -> None:
    """Fill `header`, `stub` and `lead` of a block from the lines above it, not above line `floor`.

    Lines directly above the first row that stand in the label zone become headings of the rows.
    """
    left, label_end = _bounds(block)
    header, leading, k = _lines_above(lines, block.rows[0].index, floor, left, label_end)
    titles = _titles_over(header, block)
    header, k = header[titles:], header[titles - 1].index if titles else k
    _add_leading(block, leading)
    block.header = header
    block.first_line = header[0].index if header else block.first_line
    block.lead = _lead(lines, k, floor)
    for line in header:
        zone, _ = _zone(line, left, label_end)
        block.stub += [cell.text for cell in zone]


def _titles_over(header: Sequence[Line], block: Block) -> int:
    """Number of lines at the top of a header that stand in the middle of labels and columns together, not of the
    columns: titles, where the lines below give the periods, or where one is a statement's name."""
    middle = (min(row.indent for row in block.rows) + block.columns[-1].right) / 2
    columns = (block.columns[0].left + block.columns[-1].right) / 2
    off = abs(middle - columns)
    for count, line in reversed([*enumerate(header, start=1)]):
        center = line.cells[0].center
        if len(line.cells) == 1 and _STATEMENT.fullmatch(line.text):
            return count if abs(center - middle) < abs(center - columns) else 0
    count = 0
    while off > MAX_OFF_CENTRE and count < len(header) and len(header[count].cells) == 1:
        if abs(header[count].cells[0].center - middle) > MAX_OFF_CENTRE:
            break
        count += 1
    return count if any(has_period_words(line.text) for line in header[count:]) else 0


def _lines_above(
    lines: Sequence[Line], first: int, floor: int, left: float, label_end: float
) -> tuple[list[Line], list[Line], int]:
    """Header lines above line `first`, the row headings below them, both top to bottom, and the line at which
    the search ended. Without a header there are no row headings either."""
    leading: list[Line] = []
    header: list[Line] = []
    blanks = 0
    k = first - 1
    while k >= floor:
        line = lines[k]
        k -= 1
        if line.blank:
            blanks += 1
            if blanks > _MAX_HEADER_BLANKS:
                break
            continue
        if blanks > 1 and header and not _is_header_line(line, left, label_end):
            k += 1
            break
        if blanks and _is_heading_above(line, header):
            k += 1
            break
        blanks = 0
        if _is_header_line(line, left, label_end):
            header.append(line)
            if len(header) > _MAX_HEADER:
                break
        elif header and _belongs(
            line, header[-1], lines[max(floor, k - _MAX_WRAPS) : k + 1], (left, label_end)
        ):
            header.append(line)
        elif not header and len(leading) < _MAX_LEADING and _heads_rows(line, left):
            leading.append(line)
        else:
            k += 1
            break
    if not header:
        k = first - 1
        while k >= floor and lines[k].blank:
            k -= 1
        return [], [], k
    return header[::-1], leading[::-1], k


def _belongs(line: Line, below: Line, above: Sequence[Line], bounds: tuple[float, float]) -> bool:
    """True for a line right below the lines `above`, above a header, that is a part of it though it does not look like
    one."""
    if _is_period(line, *bounds) or _beside(line, above, *bounds) or _tops_stub(line, below, above, bounds):
        return True
    return below.index == line.index + 1 and _tops(line, below, bounds[0])


def _is_heading_above(line: Line, header: Sequence[Line]) -> bool:
    """True for words alone on a line, set apart from header lines that give periods: a heading of the page."""
    if len(line.cells) != 1 or has_period_words(line.text) or _is_note(line.text):
        return False
    return any(has_period_words(below.text) for below in header)


def _heads_rows(line: Line, left: float) -> bool:
    """True for a line of the label zone that may be a heading of the rows below it."""
    return (line.cells[-1].end <= left or is_heading(line)) and not _sentence(line)


def _beside(line: Line, above: Sequence[Line], left: float, label_end: float) -> bool:
    """True for header words of a text column alone on their line, between two lines of the header."""
    if line.cells[0].start < 20 or line.cells[-1].end > left or not above:
        return False
    return _is_header_line(above[-1], left, label_end) and has_period_words(above[-1].text)


def _tops_stub(line: Line, below: Line, above: Sequence[Line], bounds: tuple[float, float]) -> bool:
    """True for words of the label column right over words of it, between two lines of heads over figures: an upper
    part of a wrapped head of that column."""
    zone, over = _zone(below, *bounds)
    if not over and (_is_header_line(below, *bounds) or has_period_words(below.text)):
        return False
    stacked = [c for c in zone if abs(c.start - line.indent) <= MAX_ASIDE or are_stacked(line.cells[0], c)]
    if not stacked or line.cells[-1].end > bounds[0] or below.index > line.index + 1:
        return False
    upper = (x for x in reversed(above) if x.blank or x.indent != line.indent or _zone(x, *bounds)[1])
    head = next(upper, None)
    if head is None or not _is_header_line(head, *bounds) or row_of(head) is not None:
        return False
    return bool(_zone(head, *bounds)[1])


def _tops(line: Line, below: Line, left: float) -> bool:
    """True for words alone on a line right over one of several header cells, aside from their middle: the upper part of
    this one."""
    over = [c for c in below.cells if c.end > left]
    if len(line.cells) > 1 or len(over) < 2 or has_period_words(f"{line.text} {below.text}"):
        return False
    aside = abs(line.cells[0].center - (over[0].start + over[-1].end) / 2) > MAX_OFF_CENTRE
    return aside and any(are_stacked(line.cells[0], c) for c in over)


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
    if FURNITURE.fullmatch(text):
        return False
    if not over:
        return _is_note(text) or (_starts_note(text) and len(text) < 110)
    if is_year_header(line) or names_columns(line):
        return True
    if any(c.kind == "figure" and not re.fullmatch(r"\d{1,4}", c.text) for c in over):
        return False
    if _runs_over(zone, over) or (len(line.cells) == 1 and _is_title(line, left)):
        return False
    return all(len(c.text) <= 110 for c in over)


def _is_period(line: Line, left: float, label_end: float) -> bool:
    """True for words of the label zone that say how long the columns' periods are, and no more."""
    period = read_period(_bare(line.text))
    whole = period.months is not None and bool(find_durations(line.text)) and not period.rest
    yearless = _YEARLESS.fullmatch(_bare(line.text)) is not None
    return (whole or yearless) and not _zone(line, left, label_end)[1]


def _runs_over(zone: Sequence[Cell], over: Sequence[Cell]) -> bool:
    """True for prose of the label zone that goes on over the columns, next to it or as a lone piece that says
    more than a period."""
    if not _is_prose(zone):
        return False
    alone = len(over) == 1
    if _is_note(over[-1].text) or (not alone and all(read_period(c.text).end is not None for c in over)):
        return False
    if alone and not _is_note(zone[0].text) and read_period(over[0].text).rest:
        return True
    return over[0].start - zone[-1].end < (3 if alone else 8)


def _is_title(line: Line, left: float) -> bool:
    """True for a line of one cell that names the table: a statement's name, or long words from the left."""
    if _STATEMENT.fullmatch(line.text) and line.cells[0].center < 1.2 * left:
        return True
    words = has_period_words(line.text) or _is_note(line.text)
    return len(line.text) > 20 and line.indent < left and not words


def _is_prose(zone: Sequence[Cell]) -> bool:
    return len(zone) > 3 or sum(len(c.text) for c in zone if not _starts_note(c.text)) > 55


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
        if not FURNITURE.fullmatch(line.text):
            lead.append(line.text)
    lead.reverse()
    return lead


def _spaced(cell: Cell) -> Cell:
    """Words set without a blank ('EndedMarch 31,') taken apart, a footnote number at the end
    taken off."""
    if cell.kind != "text":
        return cell
    text = _RUN_TOGETHER.sub(" ", cell.text)
    return replace(cell, text=re.sub(r"(?<=[a-z]{3})[1-9]$", "", text))


def split_glued(cell: Cell) -> list[Cell]:
    """A cell of several whole dates ('June 30, 2022June 30, 2021') as one cell a date."""
    dates = find_full_dates(cell.text)
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
    words = [row.words for row in block.rows if row.words]
    lines: list[list[Cell]] = []
    for line in block.header:
        _, over = _zone(line, left, label_end)
        if over and _is_table_note(over, block, first=not lines):
            block.stub.append(over[0].text)
        elif over:
            named = [c for c in over if re.search(r"\w\w", c.text) or c.text in "$%"] or over
            pieces = [piece for cell in named for piece in split_glued(_spaced(cell))]
            lines.append(over_figures(pieces, block.columns, words))
    lines = join_durations(lines)
    chosen = widen_stacked(lines, choose_assignments(lines, block.columns, stub_period(block)))
    for cells, spans in zip(lines, chosen, strict=True):
        for cell, (first, last) in zip(cells, spans or (), strict=False):
            for k in range(first, last + 1):
                block.columns[k].texts.append(cell.text)
    for k in dated_columns(lines, chosen, block.columns):
        block.columns[k].dated = True


def _is_table_note(over: Sequence[Cell], block: Block, first: bool) -> bool:
    """True for a unit note, or other words in brackets, that stand alone over the columns and hold
    for all."""
    if len(over) != 1:
        return False
    if _is_note(over[0].text):
        return first or not _of_one_column(over[0], block)
    return len(block.columns) > 1 and re.fullmatch(r"\([^()]{12,}\)", over[0].text) is not None


def _of_one_column(cell: Cell, block: Block) -> bool:
    """True for a unit note printed under the words of a single column, for that column alone."""
    words = " ".join(line.text for line in block.header)
    if len(block.columns) == 1 or "except" in cell.text.lower() or not _UNLIKE.search(words):
        return False
    return any(c.left - 4 <= cell.start and cell.end <= c.right + 6 for c in block.columns)


def stub_period(block: Block) -> str:
    """Period words that hold for every column: of the label column ('Three Months Ended September 30,'), or,
    over columns headed by bare years, alone on a line of the title ('Years ended December 31')."""
    texts = [
        t
        for t in block.stub
        if find_durations(t) or re.fullmatch(r"as of.*|.*\d{1,2},\s*", t, re.IGNORECASE) or _is_day(t)
    ]
    if not texts and any(is_year(c.text) for line in block.header for c in line.cells):
        texts = [t for t in block.lead[-5:] if _YEARLESS.fullmatch(_bare(t))][-1:]
    return " ".join(_bare(t) for t in texts)


def _is_day(text: str) -> bool:
    """True for a day with its year and nothing else."""
    period = read_period(_bare(text))
    return period.end is not None and not period.rest


def _bare(text: str) -> str:
    return " ".join(_NOISE.sub(" ", NOTE.sub(" ", text)).split())
