"""Unit and scale of a figure: from its own marks, its row, its column and the table's unit note."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.documents.tables.cells import Cell

_SCALES = {"thousands": 3, "000s": 3, "000's": 3, "000’s": 3, "millions": 6, "billions": 9}
_SCALE_WORD = re.compile(r"\b(thousands|millions|billions|000['’]?s)\b", re.IGNORECASE)
_PER_SHARE = re.compile(
    r"\bper\b(?:\W+\w+){0,3}\W+(?:shares?|rsus?|units?|ads)\b|\bEPS\b"
    r"|\b(?:earnings|income|loss|dividends?)(?: \(loss\))? (?:declared )?per\b"
    r"|^(?!.*\b(?:aggregate|total|intrinsic)\b).*\bgrant[- ]date fair value\b",
    re.IGNORECASE,
)
_SHARES = re.compile(
    r"\b(?:number of|weighted[- ]average|average|dilutive|diluted|common"
    r"|outstanding)\b.*\b(?:shares|rsus?|psus?|units|awards)\b"
    r"|\bshares (?:used|outstanding|issued|granted|vested|purchased|repurchased|authorized)\b"
    r"|^shares\b|\bshares$"
    r"|\b(?:RSUs|PSUs|units) (?:granted|vested|cancel\w+|forfeited|outstanding)\b|\bstock units\b",
    re.IGNORECASE,
)
_SHARES_FOR = re.compile(
    r"\bshares\b.*\bused\b|\b(?:weighted[- ]average|number of)(?: \w+){0,4} shares\b", re.IGNORECASE
)
_FLOW = re.compile(
    r"\b(?:proceeds|payments?|withh\w+|withholding|expenses?|compensation|tax(?:es)?|cost|price|dividends)\b",
    re.IGNORECASE,
)
_PERCENT_COLUMN = re.compile(r"\bpercent(?:age)?\b|%|\bmix\b|\bmargin rate\b", re.IGNORECASE)
_PERCENT_ROW = re.compile(
    r"\bpercent(?:age)?\b|\b(?:tax|interest|discount|effective|statutory) rates?(?:$|\s*[–—-])"
    r"|\bas a % of\b|\byield$",
    re.IGNORECASE,
)
_NO_AMOUNT = re.compile(
    r"\b(?:useful li(?:fe|ves)|average life|years|number of (?!shares|rsus|psus|units))\b|\bterm$",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\b(?:employees|headcount|stores|number of (?!shares|rsus|psus|units))\b", re.IGNORECASE)

_AMOUNTS = re.compile(r"\b(?:sales|revenues?|income|earnings|expenses?|costs?|profit|loss)\b", re.IGNORECASE)
"""Headings of amounts of money."""


@dataclass(frozen=True, slots=True)
class UnitNote:
    """What a table's unit note says: powers of ten for money and for shares; None where it says nothing."""

    money: int | None
    shares: int | None


def read_note(note: str) -> UnitNote:
    """Scales of a unit note such as 'in millions, except number of shares, which are reflected in
    thousands'."""
    match = _SCALE_WORD.search(note)
    if match is None:
        return UnitNote(None, None)
    first = _SCALES[match[1].lower()]
    share = re.search(
        r"\bshares?,?\s+(?:amounts?\s+)?(?:(?:which|that)\s+(?:are|is)\s+)?(?:reflected\s+"
        r"|shown\s+|presented\s+|stated\s+)?"
        r"in (thousands|millions|billions)",
        note,
        re.IGNORECASE,
    )
    if share is not None:
        money = None if share.start() <= match.start() <= share.end() else first
        return UnitNote(money, _SCALES[share[1].lower()])
    if re.search(
        r"except (?:for )?(?:number of )?shares?\b(?!\s*(?:data|amounts?|figures?))\s*(?:,|and\b)",
        note,
        re.IGNORECASE,
    ):
        return UnitNote(first, 0)
    return UnitNote(first, first)


def is_per_share(label: str) -> bool:
    """True if a label names an amount per share or unit."""
    return _PER_SHARE.search(label) is not None


def is_share_count(label: str) -> bool:
    """True if a label names a number of shares or units."""
    if _FLOW.search(label):
        return False
    if re.search(r"(?<!of )\bshares$", label, re.IGNORECASE):
        return True
    return _SHARES.search(label) is not None and re.search(r"\bvalue\b", label, re.IGNORECASE) is None


def is_percent_head(text: str) -> bool:
    """True if a heading or column name says that what follows is in percent."""
    return _PERCENT_COLUMN.search(text) is not None


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
    """True if some figure of the row carries a currency sign that holds for the whole row."""
    money_column: bool
    """True if some figure of the column carries a currency sign."""
    percent_section: bool
    """True where the row's group or column is in percent, marked only at its first rows."""
    share_section: bool
    """True in an earnings-per-share table between a row of shares and the next amount."""
    currency: str
    """ISO code of the table's money."""
    price_section: bool = False
    """True on rows that continue an amount per share."""
    whole_amounts: bool = False
    """True where the table prints its amounts without decimals."""
    amounts_only: bool = False
    """True in statements that hold amounts of money: shares need to be named as a count."""
    money_table: bool = True
    """False where the unit note names something other than money ('square feet in thousands')."""
    by_column: bool = False
    """True where some columns hold shares and others amounts: the column alone decides."""


def unit_of(cell: Cell, where: Context) -> tuple[str, int] | None:
    """Unit and scale of a figure; None where it cannot be told with certainty."""
    if cell.suffix:
        return _marked(cell.suffix)
    money = bool(cell.currency) or where.money_row
    if not money and (where.percent_section or is_percent_head(where.column)):
        return "percent", 0
    named = "" if where.by_column else _named(where)
    decimals = "." in cell.value or cell.kind == "nil"
    per_share = is_per_share(where.column) or (is_per_share(named) and not _SHARES_FOR.search(named))
    if per_share and (decimals or ((cell.currency or where.money_column) and is_per_share(where.column))):
        return f"{cell.currency or where.currency or 'USD'}/share", 0
    shares = is_share_count(where.column) or (where.share_section and not where.by_column)
    counted = is_share_count(named) and not (where.money_column and where.column)
    if where.amounts_only:
        counted = (
            counted
            and re.match(r"(?:number of )?(?:\w+ ){0,2}shares\b", where.label, re.IGNORECASE) is not None
        )
    shares = shares or counted
    if shares and not money:
        scale = _column_scale(where, where.note.shares)
        return None if scale is None else ("shares", scale)
    if per_share and not money:
        return None
    if not money and not where.by_column and _PERCENT_ROW.search(where.label):
        return ("percent", 0) if "." in cell.value or cell.kind == "nil" else None
    if where.price_section and decimals:
        return f"{where.currency or 'USD'}/share", 0
    if where.whole_amounts and "." in cell.value and not money and (where.note.money or 0) >= 3:
        return None
    if _COUNT.search(where.column) or (_COUNT.search(where.label) and not money and not _is_sold(where)):
        by_column = not where.money_table and _COUNT.search(where.column) is not None
        counts = where.note.money is None or by_column
        return ("", 0) if counts and not where.column_note and not decimals else None
    return _money(where, cell.currency)


def _is_sold(where: Context) -> bool:
    """True where a row is called by what is counted elsewhere but its heading and column say money: the net
    sales of 'Physical stores'."""
    if not where.money_column or not where.path or re.match(r"number of\b", where.label, re.IGNORECASE):
        return False
    return _AMOUNTS.search(where.path[-1]) is not None


def _marked(suffix: str) -> tuple[str, int] | None:
    """Unit of a figure that carries its own mark; points and multiples are differences or ratios, not
    stated."""
    if suffix == "%":
        return "percent", 0
    if suffix in ("bps", "basis points"):
        return "basis points", 0
    for word in ("year", "month", "day"):
        if suffix.startswith(word):
            return f"{word}s", 0
    return None


def _named(where: Context) -> str:
    """The label without what stands in brackets, with its heading where it alone ('Basic') says nothing of
    its unit."""
    label = re.sub(r"\([^()]*\)", " ", where.label)
    if is_per_share(label) or is_share_count(label) or not where.path:
        return label
    return f"{where.path[-1]} {label}"


def _column_scale(where: Context, default: int | None) -> int | None:
    own = _SCALE_WORD.search(where.column_note)
    return _SCALES[own[1].lower()] if own else default


def _money(where: Context, currency: str) -> tuple[str, int] | None:
    scale = _column_scale(where, where.note.money)
    if scale is None or _NO_AMOUNT.search(where.column) or not (currency or where.money_table):
        return None
    return currency or where.currency or "USD", scale
