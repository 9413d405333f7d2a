"""Figures that the filer has tagged: what a cell states is what its tag says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.documents.tables.cells import Cell
from tools.documents.tables.fiscal_calendar import FiscalCalendar
from tools.documents.tables.table_parts import Block, Row
from tools.documents.text.cleaning import name_words
from tools.documents.types import TableFact, Tag
from tools.periods import Period

_GENERAL = frozenset(("member", "domain", "segment"))
_NO_PART = frozenset({"us-gaap:OperatingSegmentsMember"})
"""Members that only say that another one of the tag's is a segment."""


def tags_by_line(tags: Sequence[Tag]) -> dict[int, list[Tag]]:
    """A page's tags by the line on which their figures stand."""
    lines: dict[int, list[Tag]] = {}
    for tag in tags:
        lines.setdefault(tag.line, []).append(tag)
    return lines


def is_tagged(block: Block) -> bool:
    """True if a figure of the block is tagged: then its figures are amounts."""
    return any(row.cells and row.index in block.tags for row in block.rows)


def tag_of(block: Block, row: Row, cell: Cell) -> Tag | None:
    """The tag of a cell's figure; of several, the one that covers most of it."""
    inside = [t for t in block.tags.get(row.index, ()) if cell.start <= t.start < cell.end]
    return max(inside, key=lambda t: t.end - t.start, default=None)


def tagged_fact(
    tag: Tag,
    block: Block,
    calendar: FiscalCalendar,
    place: tuple[Row, Cell],
    names: tuple[str, tuple[str, ...], int, int],
) -> TableFact:
    """The fact that a tagged cell states; `names` are its label, its qualifiers, its row and its column."""
    row, cell = place
    label, path, position, column = names
    return TableFact(
        label,
        path + member_names(tag, (*path, label)),
        tag_period(tag, calendar),
        tag.value,
        tag.unit,
        tag.scale,
        " ".join(cell.text.split()),
        block.page,
        position,
        column,
        concept=tag.concept,
        line=row.index,
        start=cell.start,
    )


def tag_period(tag: Tag, calendar: FiscalCalendar) -> Period:
    """The tag's period with the fiscal quarter of its end."""
    return calendar.period(tag.period.end, tag.period.months)


def member_names(tag: Tag, given: Sequence[str]) -> tuple[str, ...]:
    """The members of the tag's dimensions in words, those left out that the printed words `given` say already."""
    said = {word for text in given for word in _folded(text.split())}
    several = len(tag.dimensions) > 1
    names = [words_of(member) for _, member in tag.dimensions if not (several and member in _NO_PART)]
    return tuple(name for name in names if not set(_folded(name.split())) - _GENERAL <= said)


def words_of(name: str) -> str:
    """A qualified name in words: 'aapl:AmericasSegmentMember' is 'Americas Segment'."""
    local = re.sub(r"(?:Member|Domain)$", "", name.rpartition(":")[2])
    return " ".join(name_words(local))


def _folded(words: Sequence[str]) -> set[str]:
    return {re.sub(r"\W", "", word.lower()).removesuffix("s") for word in words}
