"""From a block whose header and rows are read to facts."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal

from tools.documents.tables.column_dates import is_year
from tools.documents.tables.columns import is_change
from tools.documents.tables.fact_periods import fact_period
from tools.documents.tables.fiscal_calendar import FiscalCalendar
from tools.documents.tables.regions import MAX_REMARK
from tools.documents.tables.row_labels import clean_label
from tools.documents.tables.table_parts import Block, Row
from tools.documents.tables.tagged import tag_of, tagged_fact
from tools.documents.tables.unit_notes import currency_of
from tools.documents.tables.units import (
    AMOUNTS,
    Context,
    UnitNote,
    counted_noun,
    is_per_share,
    is_percent_head,
    is_share_count,
    read_note,
    scale_in_brackets,
    unit_of,
)
from tools.documents.types import TableFact
from tools.quantities import UNKNOWN_UNIT

_DOLLARS = re.compile(r"\bdollars?\b|\$|\bUSD\b|\bamounts\b", re.IGNORECASE)
MIN_SUMS = 3
_PERCENT_TABLE = re.compile(r"\b(?:percentages?|percent) of\b", re.IGNORECASE)
"""Of a caption."""
_PRIMARY = ("income", "balance", "cash_flow", "comprehensive_income", "equity")


def _currency(block: Block) -> str:
    signs = Counter(c.currency for row in block.rows for c in row.cells if c.currency)
    if signs:
        return signs.most_common(1)[0][0]
    notes = (block.note, *(column.note for column in block.columns))
    return next((code for note in notes if (code := currency_of(note))), "")


def has_evidence(block: Block) -> bool:
    """True if something shows that the figures are amounts: a unit note, a currency or percent sign, a period or a
    unit over a column."""
    figures = [c for row in block.rows for c in row.cells if c.kind == "figure"]
    if len(figures) < 2:
        return False
    names = [" ".join(column.texts) for column in block.columns]
    return (
        read_note(block.note).money is not None
        or any(c.currency or c.suffix for c in figures)
        or any(column.stated for column in block.columns)
        or _sums_across(block)
        or any(is_share_count(name) or is_per_share(name) or is_percent_head(name) for name in names)
    )


def _sums_across(block: Block) -> bool:
    """True if most rows end in the sum of their other figures, under heads: numbers of things and their totals."""
    rows = [[Decimal(c.value) for c in row.cells if c.value] for row in block.rows if len(row.cells) > 2]
    sums = sum(values[-1] == sum(values[:-1]) for values in rows if len(values) > 2)
    return sums >= MIN_SUMS and 2 * sums > len(rows) and all(column.texts for column in block.columns)


def _ambiguous_columns(block: Block) -> set[int]:
    """Columns that share period and qualifiers with another of amounts, or another of percentages."""
    keys = [(c.period, c.qualifiers, c.percent) for c in block.columns]
    counts = Counter(keys)
    return {k for k, key in enumerate(keys) if counts[key] > 1}


def _headless_columns(block: Block) -> set[int]:
    """Columns without a header beside columns that have one."""
    empty = {k for k, column in enumerate(block.columns) if not column.texts}
    return empty if len(empty) < len(block.columns) else set()


def _year_columns(block: Block) -> set[int]:
    """Columns of years, such as maturities: they are no amounts."""
    years = set()
    for k in range(len(block.columns)):
        cells = [
            c
            for r in block.rows
            for c, j in zip(r.cells, r.columns, strict=True)
            if j == k and c.kind == "figure"
        ]
        if cells and all(is_year(c.text) for c in cells):
            years.add(k)
    return years


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


def _whole_amounts(block: Block) -> bool:
    """True if the table's amounts are printed without decimals: a bare figure with them is something else."""
    bare = [c for r in block.rows for c in r.cells if c.kind == "figure" and not c.suffix]
    whole = sum("." not in c.value for c in bare)
    return whole >= 2 * (len(bare) - whole)


def percent_groups(block: Block) -> set[tuple[tuple[str, ...], int]]:
    """Paths and columns whose figures are all in percent: some are marked and none is an amount, or their heading
    says so."""
    marked: set[tuple[tuple[str, ...], int]] = set()
    amounts: set[tuple[tuple[str, ...], int]] = set()
    for row in block.rows:
        for cell, k in zip(row.cells, row.columns, strict=True):
            if cell.suffix == "%":
                marked.add((row.path, k))
            if cell.currency:
                amounts.add((row.path, k))
    every = range(len(block.columns))
    named = {(row.path, k) for row in block.rows if row.path and is_percent_head(row.path[-1]) for k in every}
    found = {group for group in marked | named if group[0] and group not in amounts}
    figures = [row for row in block.rows if row.cells]
    ends = [all(c.suffix == "%" for c in row.cells) for row in (figures[0], figures[-1])]
    if not amounts and all(ends) and not block.note:
        found |= {(row.path, k) for row in figures for k in every}
    return found


def _is_money(block: Block, signed: bool) -> bool:
    """True if the table's bare figures are money: a currency sign, a primary statement, a note that says dollars, or
    names of amounts; a table of members or customers has none of these."""
    if signed or block.statement in _PRIMARY or _DOLLARS.search(block.note) or _currency(block):
        return True
    names = [block.title, block.caption, *(t for c in block.columns for t in c.texts)]
    return any(AMOUNTS.search(text) for text in (*names, *(row.label for row in block.rows)))


def _percent_columns(block: Block) -> set[int]:
    """Columns with percent signs on some figures and a currency sign on none, beside columns of amounts."""
    marks: dict[int, set[str]] = {}
    for row in block.rows:
        for cell, k in zip(row.cells, row.columns, strict=True):
            marks.setdefault(k, set()).add("%" if cell.suffix == "%" else cell.currency)
    percent = {k for k, found in marks.items() if "%" in found and found <= {"%", ""}}
    return percent if any(set(found) - {"%", ""} for found in marks.values()) else set()


def _qualifiers(row: Row, qualifiers: tuple[str, ...]) -> tuple[str, ...]:
    texts = tuple(t for t in row.texts if len(t) <= MAX_REMARK and not re.search(r"\d{4}|%", t))
    return row.path + texts + qualifiers


class _TableUnits:
    """What a block as a whole says of its figures' units: its note, its signs, its groups of rows and columns."""

    def __init__(self, block: Block) -> None:
        self._block = block
        note = read_note(block.note)
        if note == UnitNote(None, None) and block.report_scale is not None:
            note = UnitNote(block.report_scale, 0)
        elif note.money is None and any(column.note for column in block.columns):
            note = UnitNote(None, 0)
        self._note = note
        self._currency = _currency(block)
        self._share_rows, self._price_rows = share_sections(block), price_sections(block)
        self._whole = _whole_amounts(block)
        self._money_columns = {
            k for row in block.rows for c, k in zip(row.cells, row.columns, strict=True) if c.currency
        }
        self._percent_paths, self._percent_columns = percent_groups(block), _percent_columns(block)
        self._all_percent = not self._money_columns and _PERCENT_TABLE.search(block.caption) is not None
        self._mixed = _mixed(block)
        self._noun = counted_noun(block.note)
        self._is_money = not self._noun and _is_money(block, bool(self._money_columns))
        self._by_column = any(is_share_count(" ".join(c.qualifiers)) for c in block.columns)

    def context(self, position: int, label: str, k: int) -> Context:
        """Where the figure of the row at `position`, named `label`, in column `k` stands."""
        row, column = self._block.rows[position], self._block.columns[k]
        return Context(
            label,
            row.path,
            " ".join(column.qualifiers),
            column.note or scale_in_brackets(" ".join((row.raw_label, *row.path[-1:]))),
            self._note,
            money_row=any(c.currency for c in row.cells) and not self._mixed,
            money_column=k in self._money_columns,
            percent_section=self._all_percent
            or (row.path, k) in self._percent_paths
            or k in self._percent_columns,
            share_section=position in self._share_rows,
            price_section=position in self._price_rows,
            whole_amounts=self._whole,
            currency=self._currency,
            amounts_only=self._block.statement in ("balance", "cash_flow", "comprehensive_income"),
            by_column=self._by_column,
            money_table=self._is_money,
            noun=self._noun,
        )


def block_facts(block: Block, calendar: FiscalCalendar) -> list[TableFact]:
    """The figures of a block. Rows and columns that stay ambiguous state nothing; a figure whose unit could not be
    read has the unit '?', one whose period could not be read the period `Period()`."""
    skip = _ambiguous_columns(block) | _year_columns(block) | _headless_columns(block)
    units = _TableUnits(block)
    facts: list[TableFact] = []
    for position, row in enumerate(block.rows):
        label = clean_label(row.label)
        if not row.cells or not re.search(r"[^\W_]", label):
            continue
        for cell, k in zip(row.cells, row.columns, strict=True):
            column = block.columns[k]
            tag = tag_of(block, row, cell)
            if tag is not None:
                named = label, _qualifiers(row, column.qualifiers), position, k
                facts.append(tagged_fact(tag, block, calendar, (row, cell), named))
                continue
            if cell.kind == "void" or k in skip or is_change(column):
                continue
            unit, scale = unit_of(cell, units.context(position, label, k)) or (UNKNOWN_UNIT, 0)
            period = fact_period(row, label, column, block, calendar, counted=unit == "")
            if period is None:
                continue
            facts.append(
                TableFact(
                    label,
                    _qualifiers(row, column.qualifiers),
                    period,
                    cell.value,
                    unit,
                    scale,
                    " ".join(cell.text.split()),
                    block.page,
                    position,
                    k,
                    line=row.index,
                    start=cell.start,
                )
            )
    return _without_conflicts(facts)


def _mixed(block: Block) -> bool:
    """True if columns differ in unit (shares beside amounts): a sign in one says nothing about the next."""
    names = [" ".join(c.qualifiers) for c in block.columns]
    return any(is_share_count(n) or is_per_share(n) or "%" in n for n in names)


def _without_conflicts(facts: list[TableFact]) -> list[TableFact]:
    """Without facts that repeat a name with another value; tagged ones stay."""
    groups: dict[tuple[object, ...], list[TableFact]] = {}
    for fact in facts:
        key = (fact.metric.lower(), fact.path, fact.period, fact.column, fact.unit)
        groups.setdefault(key, []).append(fact)
    drop: set[int] = set()
    for group in groups.values():
        if len({Decimal(f.value) for f in group}) > 1:
            drop |= {id(f) for f in group if not f.concept}
    return [f for f in facts if id(f) not in drop]
