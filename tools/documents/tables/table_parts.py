"""What the steps of table reading pass to each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tools.documents.tables.cells import Cell, Line
from tools.documents.types import Tag
from tools.periods import Period

FLOWS = ("income", "cash_flow", "comprehensive_income")
"""Statements of what came and went."""
PRIMARY = (*FLOWS, "balance", "equity")
"""The primary statements, by the names of `Block.statement`."""


@dataclass(slots=True)
class Column:
    """A figure column: its horizontal extent and what its header says."""

    left: int
    right: int
    texts: list[str] = field(default_factory=list)
    """Header cells above it, top to bottom."""
    period: Period = field(default_factory=Period)
    """All None where the header does not state it."""
    qualifiers: tuple[str, ...] = ()
    """Header words other than the period: 'Level 1', 'Total', 'Amount'."""
    percent: bool = False
    """True if its figures are percentages by their signs."""
    note: str = ""
    """A unit note of its own, e.g. 'in millions'."""
    stated: bool = False
    """True if the header states something about the period, readable or not."""
    either: bool = False
    """True if the header is one for balances and flows alike."""
    quarter_end: tuple[int, int] | None = None
    """Month and day, where its header is one of several days without a year: quarters of the years that rows name."""
    dated: bool = False
    """True if a day of its own stands over it beside lengths over other columns."""
    moved: bool = False
    """True between columns of an opening and a closing balance: it states what came or went."""

    @property
    def center(self) -> float:
        """Middle, in character columns."""
        return (self.left + self.right) / 2


@dataclass(slots=True)
class Row:
    """A line of figures, or a heading (no cells)."""

    index: int
    """Line on the page."""
    label: str
    indent: int
    cells: list[Cell] = field(default_factory=list)
    """Figures, nils and voids."""
    columns: list[int] = field(default_factory=list)
    """Column number of each cell."""
    texts: tuple[str, ...] = ()
    """Text cells between label and figures ('Level 2')."""
    remarks: tuple[str, ...] = ()
    """Text cells behind its first figure ('Cost of sales')."""
    words: tuple[Cell, ...] = ()
    """The cells of its texts and remarks, where they stand."""
    path: tuple[str, ...] = ()
    period: Period | None = None
    """Where a section head or the row's own label states one."""
    line_end: int = 0
    """Right edge of the label on its last printed line."""
    text_end: int = 0
    """Right edge of the label and of text cells before the figures."""
    moved: bool = False
    """True between an opening and a closing balance: it states what came or went."""
    listed: bool | None = None
    """Whether the document's balance sheet lists a row of this name, or statements of flows do; None where neither."""
    closes: bool = False
    """True for the closing balance of what the rows above it open."""
    due: bool = False
    """True for what falls due in a year or on a day to come, and for the rest and the total below."""
    kin: Sequence[Row] = field(default=(), repr=False, compare=False)
    """The rows that add up to one total, and the total, this row among them."""
    raw_label: str = ""
    """As printed, with footnote marks and the like."""

    @property
    def is_heading(self) -> bool:
        """True for a label without figures."""
        return not self.cells


@dataclass(slots=True)
class Block:
    """Consecutive rows under one header."""

    page: int
    rows: list[Row]
    columns: list[Column] = field(default_factory=list)
    first_line: int = 0
    last_line: int = 0
    header: list[Line] = field(default_factory=list)
    """Header lines, top to bottom."""
    stub: list[str] = field(default_factory=list)
    """Header texts in the label column."""
    lead: list[str] = field(default_factory=list)
    """Printed lines above the header, nearest last."""
    title: str = ""
    caption: str = ""
    """Title, caption sentence and stub in one text: where units and periods may be stated for the whole
    table."""
    note: str = ""
    report_scale: int | None = None
    """Power of ten of money where the table itself says none: the report's, stated once for a part of it."""
    shared: str = ""
    """Caption that may hold for the following tables too ('The following tables show ... (in millions)')."""
    entity: str = ""
    """Another company whose figures the table holds."""
    statement: str = "other"
    tags: Mapping[int, Sequence[Tag]] = field(default_factory=dict)
    """Of its page."""
