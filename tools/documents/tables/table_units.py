"""The units of a table's figures: what the table as a whole says of them, and what stands around each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tools.documents.tables.cells import Cell
from tools.documents.tables.columns import is_change
from tools.documents.tables.fiscal_calendar import MARK
from tools.documents.tables.percent_groups import (
    decimals_of,
    is_percent_table,
    percent_columns,
    percent_groups,
)
from tools.documents.tables.row_labels import clean_label
from tools.documents.tables.row_sums import sums_across
from tools.documents.tables.table_parts import PRIMARY, Block, Row
from tools.documents.tables.unit_kinds import Surroundings, unit_kind
from tools.documents.tables.unit_notes import currency_of, scale_of
from tools.documents.tables.units import (
    AMOUNTS,
    UnitNote,
    counted_noun,
    counted_nouns,
    counts_things,
    excepts_share_data,
    is_per_share,
    is_percent_head,
    is_percent_row,
    is_share_count,
    marked_unit,
    names_no_amount,
    read_note,
    says_numbers,
    scale_in_brackets,
    stem,
    unit_in_brackets,
)

_DOLLARS = re.compile(r"\bdollars?\b|\$|\bUSD\b|\bamounts\b", re.IGNORECASE)
_PERCENT_TABLE = re.compile(r"\b(?:percentages?|percent) of\b", re.IGNORECASE)
"""Of a caption."""
_MONEY_ONLY = ("cash_flow", "comprehensive_income")
"""Statements that hold no numbers of shares."""
_SHARE_WORD = re.compile(r"\b(?:shares?|stock|options?|awards?|units?|warrants?|[rp]sus?)\b", re.IGNORECASE)
MIN_SHARES_IN_FULL = 10_000_000
"""Of a table's figures, from which its numbers of shares are not in thousands or millions."""
MAX_UNSIGNED = 2
"""Rows above the first sign that may be numbers of things, beside such as say what they count or their scale."""
MIN_AMOUNT = 1_000
"""No figure of a column of years, months, days or percentages is as large."""
UnitScale = tuple[str, int]


class TableUnits:
    """What a block as a whole says of its figures' units: its note, its signs, its groups of rows and columns."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._note = _note(block)
        self._currency = _currency(block)
        self._share_rows, self._price_rows = share_sections(block), price_sections(block)
        self._whole = _whole_amounts(block)
        self._rows = [k for k, row in enumerate(block.rows) if row.cells]
        self._before_signs = set() if block.statement in PRIMARY else _rows_before_signs(block, self._rows)
        self._columns: dict[int, list[tuple[int, Cell]]] = {}
        for position, row in enumerate(block.rows):
            for cell, k in zip(row.cells, row.columns, strict=True):
                self._columns.setdefault(k, []).append((position, cell))
        self._money_columns = {k for k, cells in self._columns.items() if any(c.currency for _, c in cells)}
        self._percent_paths, self._percent_columns = percent_groups(block), percent_columns(block)
        said = not self._money_columns and _PERCENT_TABLE.search(block.caption) is not None
        self._all_percent = said or is_percent_table(block)
        self._noun, self._counted = counted_noun(block.note), counted_nouns(block.note)
        self._is_money = not self._noun and _is_money(block, bool(self._money_columns))
        self._summed = 0 if self._note.money or self._is_money else sums_across(block)
        self._numbered = not (self._note.money or self._is_money) and says_numbers(block.caption)
        figures = [c for row in block.rows for c in row.cells if c.kind == "figure" and not c.suffix]
        largest = max((abs(float(c.value)) for c in figures), default=0.0)
        self._has_share_columns = any(is_share_count(" ".join(c.qualifiers)) for c in block.columns)
        self._shares_in_full = excepts_share_data(block.note) and largest >= MIN_SHARES_IN_FULL
        self._table_marks = f"table:{_marks([c for cells in self._columns.values() for _, c in cells])}"

    def unit(self, position: int, cell: Cell, k: int) -> UnitScale | None:
        """Unit and scale of a figure of the row at `position` in column `k`; None where it is not certain."""
        if cell.suffix:
            return marked_unit(cell.suffix)
        named = "" if cell.currency else self._named_in_brackets(self._block.rows[position], k)
        if named:
            return named, 0
        if self.is_percent(position, cell, k):
            return "percent", 0
        ruled, told = (False, None) if cell.currency else self._told_by_rules(position, cell, k)
        return told if ruled else self._told_by_words(position, cell, k)

    def _named_in_brackets(self, row: Row, k: int) -> str:
        """The unit in brackets of a row's label, of the words over a column of nothing larger than such a unit counts,
        or of a heading; '' without one."""
        own = unit_in_brackets(row.raw_label)
        if not own and k not in self._money_columns:
            small = all(abs(float(c.value or 0)) < MIN_AMOUNT for _, c in self._columns[k])
            own = unit_in_brackets(" ".join(self._block.columns[k].texts)) if small else ""
        return own or (unit_in_brackets(" ".join(row.path[-1:])) if not row.texts else "")

    def _told_by_rules(self, position: int, cell: Cell, k: int) -> tuple[bool, UnitScale | None]:
        """Whether words that need no weighing speak of a figure without a sign, and what they say: percent, numbers
        of things."""
        row, column = self._block.rows[position], " ".join(self._block.columns[k].qualifiers)
        decimals = "." in cell.value or cell.kind == "nil"
        if is_percent_row(row.label):
            return True, ("percent", 0) if decimals else None
        counted = self._counted_scale(row, column)
        if counted is not None:
            return True, ("", counted)
        if self._block.statement not in PRIMARY and counts_things(row, column, k in self._money_columns):
            return True, self._count(column, k, decimals)
        if position in self._before_signs and not _SHARE_WORD.search(f"{row.label} {column}"):
            scale = self._scale(row, k, self._note.money)
            return True, None if scale is None else ("", scale)
        return bool(self._noun), self._of_noun(row, column, k) if self._noun else None

    def _told_by_words(self, position: int, cell: Cell, k: int) -> UnitScale | None:
        row, kind = self._block.rows[position], self._kind(position, cell, k)
        if kind == "per share":
            return f"{cell.currency or self._currency or 'USD'}/share", 0
        if kind == "shares" and not self._is_number(cell, k):
            scale = 0 if self._shares_in_full else self._scale(row, k, self._note.shares)
            return None if scale is None else ("shares", scale)
        if cell.currency or self._is_money:
            return None if kind is None else self._money(row, cell, k)
        if self._numbered and not self._is_number(cell, k):
            return None
        scale = self._scale(row, k, 0 if self._is_number(cell, k) else self._note.money)
        column = " ".join(self._block.columns[k].qualifiers)
        return None if scale is None or names_no_amount(column) else ("", scale)

    def _is_number(self, cell: Cell, k: int) -> bool:
        """True for a whole number of a table without a scale that adds up across, or whose introduction says that it
        counts: there a footnote to a column may say something else of it."""
        return "." not in cell.value and (k < self._summed or (self._numbered and not self._is_marked(k)))

    def _is_marked(self, k: int) -> bool:
        return any(MARK.search(text) for text in self._block.columns[k].texts)

    def _kind(self, position: int, cell: Cell, k: int) -> str | None:
        """The kind that the words and marks tell; where they leave it open, money in a table of money in which no word
        speaks of shares. What is nil is of the kind of its row's figures."""
        row, column = self._block.rows[position], " ".join(self._block.columns[k].qualifiers)
        if k in self._money_columns and _DOLLARS.search(column) and not is_per_share(column):
            return "money"
        if not cell.currency and (is_share_count(column) or (position in self._share_rows and not column)):
            return "shares"
        if position in self._price_rows or (is_per_share(column) and k in self._money_columns):
            return "per share"
        if cell.kind == "nil" and not column:
            near = [(c, j) for c, j in zip(row.cells, row.columns, strict=True) if c.kind == "figure"]
            cell, k = near[0] if near else (cell, k)
        where = self.surroundings(position, cell, k)
        kind = unit_kind(where)
        if kind == "per share" and scale_of(self._block.columns[k].note):
            return "money"
        if cell.currency and kind in (None, "shares"):
            return None if is_per_share(f"{row.label} {column} {where.heading}") else "money"
        return self._settled(kind, where)

    def _settled(self, kind: str | None, where: Surroundings) -> str | None:
        """The kind, as far as a table like this holds such figures and some word near speaks of shares."""
        words = [where.label, where.column, where.heading, where.above]
        words += [] if self._numbered else [where.before, where.note]
        if kind in (None, "shares") and not any(_SHARE_WORD.search(text) for text in words):
            return "money" if self._is_money else None
        statement = self._block.statement
        of_amounts = statement in _MONEY_ONLY or (statement == "equity" and self._has_share_columns)
        open_to_money = of_amounts or (kind is None and statement == "balance")
        return "money" if open_to_money and kind != "per share" else kind

    def is_percent(self, position: int, cell: Cell, k: int) -> bool:
        """True for a figure that is in percent by its own mark, or without one by those of its group or the words over
        its column."""
        if cell.suffix or cell.currency:
            return cell.suffix == "%"
        path, column = self._block.rows[position].path, " ".join(self._block.columns[k].qualifiers)
        grouped = self._all_percent or (path, k) in self._percent_paths or k in self._percent_columns
        return grouped or is_percent_head(column)

    def surroundings(self, position: int, cell: Cell, k: int) -> Surroundings:
        """The words and marks around a figure."""
        block, row, at = self._block, self._block.rows[position], self._rows.index(position)
        above = [c for p, c in self._columns[k] if p < position and (c.currency or c.suffix)]
        decimals = "nil" if cell.kind == "nil" else decimals_of(cell)
        label_above = clean_label(block.rows[self._rows[at - 1]].label) if at else ""
        marks = (
            f"own:{_marks([cell])}",
            f"row:{_marks(row.cells)}",
            f"column:{_marks([c for _, c in self._columns[k]])}",
            self._table_marks,
            f"decimals:{decimals}",
            f"decimals:{decimals} of {'whole' if self._whole else 'broken'}",
            f"decimals:{decimals} {_marks([cell])}",
            f"above:{_marks(above[-1:])}{decimals_of(above[-1]) if above else ''} {decimals}",
            f"statement:{block.statement}",
            f"note:{bool(block.note)}{'$' * bool(currency_of(block.note))}",
            *_named("label", row.label),
            *_named("column", " ".join(block.columns[k].qualifiers)),
            *_named("above", label_above),
            *_named("heading", " ".join(row.path[-1:])),
        )
        return Surroundings(
            clean_label(row.label),
            " ".join(block.columns[k].qualifiers),
            " ".join(row.path[-1:]),
            f"{block.title} {block.caption}",
            label_above,
            clean_label(block.rows[self._rows[at + 1]].label) if at + 1 < len(self._rows) else "",
            block.note,
            marks,
        )

    def _scale(self, row: Row, k: int, default: int | None) -> int | None:
        """The scale that the column or the row states, else the table's."""
        note = self._block.columns[k].note or scale_in_brackets(" ".join((row.raw_label, *row.path[-1:])))
        own = scale_of(note)
        return default if own is None else own

    def _money(self, row: Row, cell: Cell, k: int) -> UnitScale | None:
        column = " ".join(self._block.columns[k].qualifiers)
        scale = self._scale(row, k, self._note.money)
        if scale is None or (names_no_amount(column) and k not in self._money_columns):
            return None
        if self._whole and scale >= 3 and "." in cell.value:
            return None
        return cell.currency or self._currency or "USD", scale

    def _of_noun(self, row: Row, column: str, k: int) -> UnitScale | None:
        """What the unit note counts, where the column says no other."""
        scale = self._scale(row, k, self._note.money)
        named = " ".join((column, *row.path, row.label)).lower()
        if scale is None or (column and self._noun.split()[-1] not in named):
            return None
        return self._noun, scale

    def _count(self, column: str, k: int, decimals: bool) -> UnitScale | None:
        """A bare number, where no scale of the table or the column may apply to it: a note that excepts some numbers of
        things from its scale means no others."""
        scaled = (
            bool(self._note.money)
            and not self._counted
            and (self._is_money or not counts_things(None, column, False))
        )
        return None if scaled or self._block.columns[k].note or decimals else ("", 0)

    def _counted_scale(self, row: Row, column: str) -> int | None:
        """The scale of a number of what the unit note names; None where the row, its heading and its column name
        nothing such, or an amount."""
        named = " ".join((column, *row.path[-1:], row.label))
        if AMOUNTS.search(named):
            return None
        words = {stem(word) for word in re.findall(r"[a-z]+", re.sub(r"\bper \w+", "", named.lower()))}
        return next((scale for noun, scale in self._counted.items() if set(noun.split()) <= words), None)


def _rows_before_signs(block: Block, figures: list[int]) -> set[int]:
    """Rows (by position) above the first row with a currency sign, where others follow that: the first amounts of a
    table are printed with their sign, so that what stands above them, called no amount, is none."""
    changes = {k for k, column in enumerate(block.columns) if is_change(column)}
    signed = [
        all(
            c.currency or c.kind != "figure" or k in changes
            for c, k in zip(row.cells, row.columns, strict=True)
        )
        and not changes.issuperset(row.columns)
        for row in (block.rows[p] for p in figures)
    ]
    first = signed.index(True) if True in signed else 0
    above = [block.rows[p] for p in figures[:first]]
    unsaid = [row for row in above if not (counts_things(row, "", False) or scale_in_brackets(row.raw_label))]
    if (
        not above
        or len(unsaid) > MAX_UNSIGNED
        or first + 2 > len(figures)
        or any(c.currency or "." in c.value for row in above for c in row.cells)
    ):
        return set()
    return {
        p for p in figures[:first] if not AMOUNTS.search(" ".join((block.rows[p].label, *block.rows[p].path)))
    }


def _note(block: Block) -> UnitNote:
    note = read_note(block.note)
    if note == UnitNote(None, None) and block.report_scale is not None:
        return UnitNote(block.report_scale, 0)
    if note.money is None and any(column.note for column in block.columns):
        return UnitNote(None, 0)
    return note


def _marks(cells: list[Cell]) -> str:
    """The kinds of signs that cells carry: '$' for money of any kind, '%' for any mark behind a figure."""
    return "$" * any(c.currency for c in cells) + "%" * any(c.suffix for c in cells)


def _named(place: str, words: str) -> Iterator[str]:
    """Marks of words that are usual for numbers of shares or amounts per share."""
    if is_share_count(words):
        yield f"{place}:shares"
    if is_per_share(words):
        yield f"{place}:per share"


def _currency(block: Block) -> str:
    signs = Counter(c.currency for row in block.rows for c in row.cells if c.currency)
    if signs:
        return signs.most_common(1)[0][0]
    notes = (block.note, *(column.note for column in block.columns))
    return next((code for note in notes if (code := currency_of(note))), "")


def _whole_amounts(block: Block) -> bool:
    """True if the table's amounts are printed without decimals: a bare figure with them is something else."""
    bare = [c for r in block.rows for c in r.cells if c.kind == "figure" and not c.suffix]
    whole = sum("." not in c.value for c in bare)
    return whole >= 2 * (len(bare) - whole)


def _is_money(block: Block, signed: bool) -> bool:
    """True if the table's bare figures are money: a currency sign, a primary statement, a note that says dollars, a
    line item of the primary statements, or names of amounts; a table of members or customers has none of these."""
    if signed or block.statement in PRIMARY or _DOLLARS.search(block.note) or _currency(block):
        return True
    if any(row.listed is not None and " " in row.label for row in block.rows):
        return True
    names = [block.title, block.caption, *(t for c in block.columns for t in c.texts)]
    return any(AMOUNTS.search(text) for text in (*names, *(row.label for row in block.rows)))


def share_sections(block: Block) -> set[int]:
    """Rows (by position) of an earnings-per-share table that continue a row of shares, up to the next
    amount."""
    labels = " ".join(row.label for row in block.rows)
    if not is_per_share(labels):
        return set()
    found: set[int] = set()
    inside = False
    for k, row in enumerate(block.rows):
        if not row.cells:
            inside = inside and is_share_count(row.label)
            continue
        named = is_share_count(row.label) or (row.path and is_share_count(row.path[-1]))
        if any(c.currency or c.suffix for c in row.cells):
            inside = False
        elif named:
            inside = True
        elif any("." in c.value for c in row.cells):
            inside = False
        if inside:
            found.add(k)
    return found


def price_sections(block: Block) -> set[int]:
    """Rows (by position) that continue an amount per share, up to the next marked row: 'Diluted EPS $ 0.35 /
    Share-based compensation 0.22'."""
    found: set[int] = set()
    inside = False
    for k, row in enumerate(block.rows):
        if not row.cells:
            inside = False
        elif any(c.currency or c.suffix for c in row.cells):
            inside = is_per_share(row.label) and any("." in c.value for c in row.cells)
        elif inside and all(c.kind != "figure" or re.search(r"\.\d\d$", c.value) for c in row.cells):
            found.add(k)
        else:
            inside = False
    return found
