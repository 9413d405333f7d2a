"""From a block whose header and rows are read to facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from tools.documents.tables.cells import Cell
from tools.documents.tables.column_dates import find_full_dates, is_year
from tools.documents.tables.columns import is_change
from tools.documents.tables.fact_periods import fact_period
from tools.documents.tables.fiscal_calendar import FiscalCalendar
from tools.documents.tables.note_names import short_title
from tools.documents.tables.percent_groups import is_percent_table
from tools.documents.tables.regions import MAX_REMARK
from tools.documents.tables.row_labels import clean_label
from tools.documents.tables.row_sums import sums_across
from tools.documents.tables.table_parts import Block, Column, Row
from tools.documents.tables.table_units import TableUnits
from tools.documents.tables.tagged import tag_of, tagged_fact
from tools.documents.tables.units import (
    is_per_share,
    is_percent_head,
    is_share_count,
    read_note,
    says_numbers,
)
from tools.documents.types import TableFact
from tools.periods import Period
from tools.quantities import UNKNOWN_UNIT


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
        or sums_across(block) > 0
        or _is_dated_count(block, figures)
        or any(is_share_count(name) or is_per_share(name) or is_percent_head(name) for name in names)
    )


def _is_dated_count(block: Block, figures: Sequence[Cell]) -> bool:
    """True if the introduction dates the table and its figures, all under heads, are large numbers, or are said to be
    numbers of something."""
    if not find_full_dates(block.caption) or not all(column.texts for column in block.columns):
        return False
    return says_numbers(block.caption) or 2 * sum("," in c.text for c in figures) > len(figures)


def _ambiguous_columns(block: Block) -> set[int]:
    """Columns that share period and qualifiers with another of amounts, or another of percentages."""
    keys = [(c.period, c.qualifiers, c.percent, c.quarter_end) for c in block.columns]
    counts = Counter(keys)
    return {k for k, key in enumerate(keys) if counts[key] > 1}


def _headless_columns(block: Block) -> set[int]:
    """Columns without a header beside columns that have one."""
    empty = {k for k, column in enumerate(block.columns) if not column.texts}
    return empty if len(empty) < len(block.columns) else set()


def _change_columns(block: Block) -> set[int]:
    """Columns of differences. Words of a change over a column whose period, length included, is its own alone say how
    the signs are meant: 'Increase/(Decrease)' in the middle of a statement's head. In a table of percentages for one
    period a growth rate is no difference to another column."""
    periods = Counter(column.period for column in block.columns)
    changes = {k for k, column in enumerate(block.columns) if is_change(column)}
    others = {column.period for k, column in enumerate(block.columns) if k not in changes}
    if len(others) < 2 and is_percent_table(block):
        return {k for k in changes if block.columns[k].period == Period()}
    return {
        k
        for k, column in enumerate(block.columns)
        if k in changes
        and not (column.stated and column.period.end and column.period.months and periods[column.period] == 1)
    }


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


def _path(block: Block, row: Row, column: Column) -> tuple[str, ...]:
    """What stands over a figure. A year to come says nothing of what falls due in it: the table's title does."""
    title = (short_title(block.title),) if row.due and block.title else ()
    texts = tuple(t for t in row.texts if len(t) <= MAX_REMARK and not re.search(r"\d{4}|%", t))
    return title + row.path + texts + column.qualifiers


def block_facts(block: Block, calendar: FiscalCalendar) -> list[TableFact]:
    """The figures of a block. Rows and columns that stay ambiguous state nothing; a figure whose unit could not be
    read has the unit '?', one whose period could not be read the period `Period()`."""
    skip = (
        _ambiguous_columns(block) | _year_columns(block) | _headless_columns(block) | _change_columns(block)
    )
    units = TableUnits(block)
    facts: list[TableFact] = []
    for position, row in enumerate(block.rows):
        label = clean_label(row.label)
        if not row.cells or not re.search(r"[^\W_]", label):
            continue
        for cell, k in zip(row.cells, row.columns, strict=True):
            column = block.columns[k]
            tag = tag_of(block, row, cell)
            if tag is not None:
                named = label, _path(block, row, column), position, k
                facts.append(tagged_fact(tag, block, calendar, (row, cell), named))
                continue
            if cell.kind == "void" or k in skip:
                continue
            unit, scale = units.unit(position, cell, k) or (UNKNOWN_UNIT, 0)
            period = fact_period(row, label, column, block, calendar, unit)
            if period is None:
                continue
            facts.append(
                TableFact(
                    label,
                    _path(block, row, column),
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
