"""What each figure column stands for: its period, its other qualifiers, or that it is a change or a year."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from tools.documents.tables.column_dates import (
    PeriodText,
    find_durations,
    find_full_dates,
    is_year,
    read_period,
)
from tools.documents.tables.headers import NOTE, stub_period
from tools.documents.tables.table_parts import Block, Column
from tools.documents.types import YEARLY, Document
from tools.periods import Period

FiscalEnds = Mapping[tuple[int, int], date]
"""(fiscal year, quarter) -> last day, as the document's own dated columns show it."""

CHANGE = re.compile(
    r"\bchanges?\b(?! in\b)|\bincrease\b|\bdecrease\b|\bvariance\b|\bvs\.?\b|\bversus\b"
    r"|\bgrowth\b|\by/y\b|\bq/q\b|[%$] ?chg",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"\(?\bunaudited\b\)?|\(?as (?:restated|adjusted|revised)\)?|\(\d{1,2}\)|[¹²³⁴⁵⁶⁷⁸⁹]|(?<=[a-z]{3})[1-9](?!\d)",
    re.IGNORECASE,
)
_FLOW = re.compile(
    r"\b(?:beginning|start|end) of (?:the )?(?:period|year|quarter)\b|\bduring the (?:period"
    r"|quarter|year)\b|^(?:beginning|opening) balance"
    r"|^(?:total )?(?:net )?(?:sales|revenues?)$|^net income\b|^net cash\b",
    re.IGNORECASE,
)
_BALANCE = re.compile(
    r"\bas (?:of|at)\b|\bbalances?\b|\bat the end of each period\b|\boutstanding\b", re.IGNORECASE
)
_HELD = re.compile(
    r"\bfair value\b|\bamorti[sz]ed cost\b|\bcarrying (?:amount|value)\b|\bliabilities (?:were|are)\b",
    re.IGNORECASE,
)
"""What is measured on a day."""
_MOVED = re.compile(
    r"\bchanges?\b|\bactivity\b|\bgranted\b|\bvest\w*|\bacqui\w+|\bpurchase price\b|\bduring\b|\bgrant[- ]date\b",
    re.IGNORECASE,
)
_DAYS_A_QUARTER = 91.3125


def fiscal_of(end: date | None, document: Document) -> tuple[int | None, int | None]:
    """Fiscal year and quarter in which `end` falls, counted from the document's own; None where it does
    not know."""
    year, quarter, base = document.fiscal_year, document.fiscal_quarter, document.period_end
    if end is None or year is None or base is None:
        return None, None
    if quarter is None:
        if document.doc_type not in YEARLY:
            return None, None
        quarter = 4
    shift = round((end - base).days / _DAYS_A_QUARTER)
    total = year * 4 + (quarter - 1) + shift
    return total // 4, total % 4 + 1


def make_period(end: date | None, months: int | None, document: Document) -> Period:
    """A period with the fiscal quarter of its own end date; all None without an end."""
    if end is None:
        return Period()
    year, quarter = fiscal_of(end, document)
    return Period(end, months, year, quarter)


def _fiscal_label(text: PeriodText, document: Document, ends: FiscalEnds) -> Period:
    """'Q2 2023', 'YTD 2023': the end is taken only from this document's own dates."""
    year, quarter = text.fiscal_year, text.fiscal_quarter
    if year is None:
        return Period()
    if text.year_to_date:
        quarter = document.fiscal_quarter
        if quarter is None:
            return Period()
    if quarter is None:
        return Period(ends.get((year, 4)), 12, year, None)
    return Period(ends.get((year, quarter)), 3 * quarter if text.year_to_date else 3, year, quarter)


def _caption_period(block: Block, document: Document) -> Period:
    """A period for columns whose header states none: the one the caption states, else the document's end.

    A caption with several dates or durations decides nothing, and neither does a missing one: a table that
    goes on from another page had its date there.
    """
    dates = {day for day, _, _ in find_full_dates(block.caption)}
    durations = {months for months, _, _ in find_durations(block.caption)}
    if len(dates) > 1 or len(durations) > 1:
        return Period()
    if not dates:
        own = NOTE.sub("", block.caption).strip()
        return make_period(document.period_end, None, document) if own and not durations else Period()
    day = dates.pop()
    read = read_period(block.caption)
    return make_period(day, durations.pop() if durations else read.months, document)


def _clean(text: str) -> str:
    text = _NOISE.sub(" ", NOTE.sub(" ", text))
    return " ".join(text.split()).strip(" ,:;-—–")


def read_columns(block: Block, document: Document, ends: FiscalEnds) -> None:
    """Fill period, qualifiers and note of every column of a block whose header texts are known."""
    stub = stub_period(block)
    instants = block.statement == "balance"
    fallback: Period | None = None
    for column in block.columns:
        joined = " ".join(column.texts)
        column.note = " ".join(
            m.group("note") or m.group("short") or m.group("bare") or "" for m in NOTE.finditer(joined)
        )
        text = read_period(_clean(joined))
        if stub and text.end is None:
            with_stub = read_period(f"{stub} {_clean(joined)}")
            text = with_stub if with_stub.end is not None else text
        column.stated = text.says_something or any(is_year(w) for w in text.rest.split())
        column.period = _column_period(text, block, document, ends, instants)
        rest = text.rest.strip("$ ")
        if not column.stated:
            if fallback is None:
                fallback = _caption_period(block, document)
            column.period = fallback
        column.qualifiers = (rest,) if rest and not is_year(rest) else ()
        if _is_future(column.period, document):
            column.qualifiers = (*column.qualifiers, column.period.describe())
            column.period = _caption_period(block, document)
    _infer_instants(block)


def _is_future(period: Period, document: Document) -> bool:
    """True for columns of what falls due after the document's period: what they hold is known as of the
    document."""
    return (
        period.end is not None
        and document.period_end is not None
        and (period.end - document.period_end).days > 20
    )


def _column_period(
    text: PeriodText, block: Block, document: Document, ends: FiscalEnds, instants: bool
) -> Period:
    if text.end is None:
        return _fiscal_label(text, document, ends)
    months = text.months
    if months is None:
        if instants:
            months = 0
        else:
            durations = {m for m, _, _ in find_durations(block.caption)}
            months = durations.pop() if len(durations) == 1 else None
    return make_period(text.end, months, document)


def _infer_instants(block: Block) -> None:
    """Dates without a duration are balances where no duration is printed in the header or the caption.

    A filing heads flows with their duration ('Three Months Ended'); bare dates head amounts as of that
    day. Dates a year apart may still head flows, so there the caption must speak of balances.
    """
    if find_durations(f"{block.caption} {' '.join(block.stub)}") or any(
        _FLOW.search(r.label) for r in block.rows
    ):
        return
    columns = [c for c in block.columns if c.stated and c.period.end is not None]
    days = sorted({c.period.end for c in columns if c.period.end is not None})
    apart = (days[-1] - days[0]).days if days else 0
    said = _BALANCE.search(f"{block.caption} {block.shared}") is not None or _measured(block)
    if not said and (len(days) < 2 or 350 <= apart <= 380):
        return
    if columns and all(c.period.months in (None, 0) for c in columns):
        for column in columns:
            p = column.period
            column.period = Period(p.end, 0, p.fiscal_year, p.fiscal_quarter)


def _measured(block: Block) -> bool:
    """True for tables of what is held or owed: under 'Amortized Cost' and 'Fair Value' dates are days."""
    heads = " ".join(text for column in block.columns for text in column.texts)
    words = f"{block.caption} {block.shared} {heads} {' '.join(row.label for row in block.rows)}"
    return _HELD.search(f"{block.caption} {heads}") is not None and _MOVED.search(words) is None


def is_change(column: Column) -> bool:
    """True for columns of differences ('Change', '% Change', '$ Increase'): not a value of any one period."""
    return CHANGE.search(" ".join(column.texts)) is not None


def collect_ends(blocks: list[Block], document: Document) -> dict[tuple[int, int], date]:
    """Last days of fiscal quarters as the dated, three-month or as-of columns of a document show them."""
    seen: dict[tuple[int, int], set[date]] = {}
    for block in blocks:
        for column in block.columns:
            p = column.period
            if p.end is not None and p.months is not None and p.fiscal_year is not None and p.fiscal_quarter:
                seen.setdefault((p.fiscal_year, p.fiscal_quarter), set()).add(p.end)
    if document.period_end and document.fiscal_year and document.fiscal_quarter:
        seen[document.fiscal_year, document.fiscal_quarter] = {document.period_end}
    return {key: days.pop() for key, days in seen.items() if len(days) == 1}
