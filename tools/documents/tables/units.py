"""Unit and scale of a figure: from its own marks, its row, its column and the table's unit note."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.documents.tables.cells import Cell

_SCALES = {"thousands": 3, "millions": 6, "billions": 9}
_SCALE_WORD = re.compile(r"\b(thousands|millions|billions)\b", re.IGNORECASE)
_PER_SHARE = re.compile(
    r"\bper\b(?:\W+\w+){0,3}\W+(?:share|rsu|unit|ads)\b|\bEPS\b|\bper[- ](?:share|unit)\b"
    r"|\b(?:earnings|income|loss|dividends?)(?: \(loss\))? (?:declared )?per\b",
    re.IGNORECASE,
)
_SHARES = re.compile(
    r"\b(?:number of|weighted[- ]average|average|dilutive|diluted|common|outstanding)\b.*\b(?:shares|rsus?|units|awards)\b"
    r"|\bshares (?:used|outstanding|issued|granted|vested|purchased|repurchased|authorized)\b|^shares\b|\bshares$"
    r"|\bRSUs (?:granted|vested|canceled|forfeited)\b|\bnumber of (?:rsus|units|awards)\b",
    re.IGNORECASE,
)
_PERCENT = re.compile(
    r"\bpercent(?:age)?\b|\brates?\b|(?:^|\s)%|\bas a % of\b|\bmargin percentage\b|\byield\b", re.IGNORECASE
)
_COUNT = re.compile(
    r"\b(?:employees|headcount|days|months|years|stores|number of (?!shares|rsus))\b|\bterm\b|\blife\b",
    re.IGNORECASE,
)
_EPS_TABLE = re.compile(r"\bper share\b|\bEPS\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UnitNote:
    """What a table's unit note says: powers of ten for money and for shares; None where it says nothing."""

    money: int | None
    shares: int | None


def read_note(note: str) -> UnitNote:
    """Scales of a unit note such as 'in millions, except number of shares, which are reflected in thousands'."""
    match = _SCALE_WORD.search(note)
    if match is None:
        return UnitNote(None, None)
    first = _SCALES[match[1].lower()]
    share = re.search(
        r"shares?\b[^,;]*?\b(?:reflected |shown |presented |stated )?in (thousands|millions|billions)",
        note,
        re.IGNORECASE,
    )
    exempt = re.search(
        r"except (?:for )?(?:number of )?shares?\b(?! ?data)(?! amounts)(?!.*\bin \w+ands\b)",
        note,
        re.IGNORECASE,
    )
    if share is not None:
        shares: int | None = _SCALES[share[1].lower()]
        money = None if re.match(r"\s*shares\b[^,;]*$", note, re.IGNORECASE) else first
        return UnitNote(money, shares)
    if exempt is not None and "and per share" in note.lower():
        return UnitNote(first, 0)
    return UnitNote(first, first)


def is_per_share(label: str) -> bool:
    """True if a label names an amount per share or unit."""
    return _PER_SHARE.search(label) is not None


def is_share_count(label: str) -> bool:
    """True if a label names a number of shares or units."""
    return _SHARES.search(label) is not None and "value" not in label.lower()


@dataclass(frozen=True, slots=True)
class Context:
    """Where a figure stands."""

    label: str
    path: tuple[str, ...]
    column: str
    """Header words of its column other than the period."""
    column_note: str
    note: UnitNote
    money_row: bool
    """True if some figure of the row carries a currency sign."""
    share_section: bool
    """True in an earnings-per-share table between a row of shares and the next amount."""
    currency: str
    """ISO code of the table's money."""
    column_money: bool = False
    """True if some figure of the column carries a currency sign."""


def unit_of(cell: Cell, where: Context) -> tuple[str, int] | None:
    """Unit and scale of a figure; None where it cannot be told with certainty."""
    if cell.suffix == "%":
        return "percent", 0
    if cell.suffix:
        return ("basis points", 0) if cell.suffix in ("bps", "basis points") else None
    column = where.column
    if _PERCENT.search(column) and not cell.currency and not where.money_row:
        return "percent", 0
    decimals = "." in cell.value or cell.kind == "nil"
    heading = where.path[-1] if where.path else ""
    named = (
        where.label
        if is_per_share(where.label) or is_share_count(where.label)
        else f"{heading} {where.label}"
    )
    per_share = is_per_share(column) or (
        is_per_share(named) and not re.search(r"\bshares\b.*\bused\b", named, re.IGNORECASE)
    )
    if per_share and decimals:
        return f"{cell.currency or where.currency or 'USD'}/share", 0
    money = bool(cell.currency) or where.money_row
    shares = (
        is_share_count(column) or where.share_section or (is_share_count(named) and not where.column_money)
    )
    if shares and not money and not decimals or shares and not money and cell.kind == "nil":
        scale = _column_scale(where, where.note.shares)
        return None if scale is None else ("shares", scale)
    if per_share and not decimals and not money:
        return None
    if not money and _PERCENT.search(where.label) and "." in cell.value:
        return "percent", 0
    if not money and (_COUNT.search(column) or _COUNT.search(where.label)) and where.note.money is None:
        return "", 0
    return _money(cell, where)


def _column_scale(where: Context, default: int | None) -> int | None:
    own = _SCALE_WORD.search(where.column_note)
    return _SCALES[own[1].lower()] if own else default


def _money(cell: Cell, where: Context) -> tuple[str, int] | None:
    scale = _column_scale(where, where.note.money)
    if scale is None or _COUNT.search(where.column):
        return None
    return cell.currency or where.currency or "USD", scale
