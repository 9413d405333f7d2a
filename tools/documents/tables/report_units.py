"""The scale of money that a report states once, for all its tables that state none."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from tools.documents.tables.cells import Line
from tools.documents.tables.table_parts import Block
from tools.documents.tables.unit_notes import NOTE
from tools.documents.tables.units import read_note

_SCOPE = re.compile(
    r"^notes to\b|\bitem \d|\bmanagement.s discussion\b|\bunless otherwise\b|\ball (?:dollar )?amounts\b|\btabular\b",
    re.IGNORECASE,
)
"""Words that make a unit note hold for more than one table."""
_PRIMARY = ("income", "balance", "cash_flow")
_LINES_ABOVE = 3
PageLine = tuple[int, int]
"""Page and line, in the order of the document."""


def notes_of_page(page: int, lines: Sequence[Line], blocks: Sequence[Block]) -> dict[PageLine, int | None]:
    """Scales that a page states for what follows, by place; None where a new item of a report begins, which ends
    them."""
    inside = {k for block in blocks for k in range(block.first_line, block.last_line)}
    found: dict[PageLine, int | None] = {}
    printed = [line for line in lines if not line.blank and line.index not in inside]
    for k, line in enumerate(printed):
        above = " ".join(x.text for x in printed[max(0, k - _LINES_ABOVE) : k + 1])
        if re.match(r"item \d", line.text, re.IGNORECASE) and len(line.text) < 200:
            found[page, line.index] = None
        note = NOTE.search(line.text) or NOTE.search(
            f"{line.text} {printed[k + 1].text}" if k + 1 < len(printed) else ""
        )
        if note is not None and _SCOPE.search(above):
            found[page, line.index] = read_note(note[0]).money
    return found


def give_report_scales(blocks: Sequence[Block], notes: Mapping[PageLine, int | None]) -> None:
    """Set `report_scale` of the blocks that state no scale themselves.

    It is what the report states above, else what its primary statements state, before them for tables of money only.
    Figures larger than any of the primary statements are printed in full.
    """
    scaled = [block for block in blocks if read_note(block.note).money is not None]
    primary = [block for block in scaled if block.statement in _PRIMARY]
    scales = {read_note(block.note).money for block in primary}
    usual = scales.pop() if len(scales) == 1 else None
    largest = max((_largest(block) for block in primary), default=0.0)
    begins = min(((block.page, block.first_line) for block in primary), default=None)
    stated = sorted(notes)
    own = {id(block) for block in scaled}
    for block in blocks:
        if id(block) in own:
            continue
        place = (block.page, block.first_line)
        at = bisect_right(stated, place)
        above = notes[stated[at - 1]] if at else None
        if above is None and begins is not None and (place > begins or _has_currency(block)):
            above = usual
        if largest and _largest(block) > largest:
            above = 0
        block.report_scale = 0 if above is None and not scaled else above


def _has_currency(block: Block) -> bool:
    return any(cell.currency for row in block.rows for cell in row.cells)


def _largest(block: Block) -> float:
    return max(
        (abs(float(c.value)) for row in block.rows for c in row.cells if c.kind == "figure" and not c.suffix),
        default=0.0,
    )
