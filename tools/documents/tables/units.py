"""Unit and scale of a figure: from its own marks, its row, its column and the table's unit note."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.documents.tables.cells import Cell
from tools.documents.tables.unit_notes import SCALE_WORD, currency_of, scale_of

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
_SHARES_FIRST = re.compile(r"(?:number of )?(?:\w+ ){0,2}shares\b", re.IGNORECASE)
"""A label that opens with the shares it counts."""
_COUNT = re.compile(r"\b(?:employees|headcount|stores|number of (?!shares|rsus|psus|units))\b", re.IGNORECASE)

_NO_NOUNS = frozenset(
    """amounts figures expressed presented stated shown tables table are is dollars dollar usd u s us and or all data
    shares share except per otherwise noted indicated reflected which in""".split()  # noqa: SIM905
)
"""Words before 'in thousands' that name nothing that is counted."""

AMOUNTS = re.compile(r"\b(?:sales|revenues?|income|earnings|expenses?|costs?|profit|loss)\b", re.IGNORECASE)
"""Headings of amounts of money."""


@dataclass(frozen=True, slots=True)
class UnitNote:
    """What a table's unit note says: powers of ten for money and for shares; None where it says nothing."""

    money: int | None
    shares: int | None


def scale_in_brackets(text: str) -> str:
    """The bracket of a label that states a scale: '(000's)', '(in thousands)'; '' without one."""
    return next((m[0] for m in re.finditer(r"\([^()]*\)", text) if SCALE_WORD.search(m[0])), "")


def counted_noun(note: str) -> str:
    """What a unit note says is counted: 'gallons' of 'gallons in millions'; '' where that is money, shares or
    nothing."""
    match = re.search(r"((?:[a-z]+ )?[a-z]+) in (?:thousands|millions|billions)", note, re.IGNORECASE)
    words = match[1].lower().split() if match else []
    return "" if match is None or currency_of(match[1]) or {*words} & _NO_NOUNS else " ".join(words)


def read_note(note: str) -> UnitNote:
    """Scales of a unit note such as 'in millions, except number of shares, which are reflected in
    thousands'."""
    match = SCALE_WORD.search(note)
    if match is None:
        return UnitNote(None, None)
    first = scale_of(note)
    share = re.search(
        r"\bshares?,?\s+(?:amounts?\s+)?(?:(?:which|that)\s+(?:are|is)\s+)?(?:reflected\s+"
        r"|shown\s+|presented\s+|stated\s+)?"
        r"in (thousands|millions|billions)",
        note,
        re.IGNORECASE,
    )
    if share is not None:
        money = None if share.start() <= match.start() <= share.end() else first
        return UnitNote(money, scale_of(share[1]))
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
    noun: str = ""
    """What the unit note counts where that is no money: 'square feet', 'gallons'."""
    by_column: bool = False
    """True where some columns hold shares and others amounts: the column alone decides."""


def unit_of(cell: Cell, where: Context) -> tuple[str, int] | None:
    """Unit and scale of a figure; None where it is not certain."""
    if cell.suffix:
        return _marked(cell.suffix)
    money = bool(cell.currency) or where.money_row
    if not money and (where.percent_section or is_percent_head(where.column)):
        return "percent", 0
    named = _named(where)
    decimals = "." in cell.value or cell.kind == "nil"
    per_share = is_per_share(where.column) or (is_per_share(named) and not _SHARES_FOR.search(named))
    if per_share and (decimals or _is_priced(cell, where)):
        return _per_share(where, cell.currency)
    if money:
        return _amount(where, cell.currency, decimals, money)
    if _counts_shares(where, named):
        return _shares(where)
    if per_share:
        return None
    if not where.by_column and _PERCENT_ROW.search(where.label):
        return ("percent", 0) if decimals else None
    if _is_unlike_its_table(cell, where):
        return None
    return _amount(where, "", decimals, money)


def _amount(where: Context, currency: str, decimals: bool, money: bool) -> tuple[str, int] | None:
    """Unit and scale of what is left: an amount per share that goes on, a bare number, money."""
    if where.price_section and decimals:
        return _per_share(where, "")
    if _counts_things(where, money):
        return _count(where, decimals)
    return _money(where, currency)


def _per_share(where: Context, currency: str) -> tuple[str, int]:
    return f"{currency or where.currency or 'USD'}/share", 0


def _shares(where: Context) -> tuple[str, int] | None:
    scale = _column_scale(where, where.note.shares)
    return None if scale is None else ("shares", scale)


def _is_priced(cell: Cell, where: Context) -> bool:
    """True for money in a column of amounts per share: it may be printed without decimals."""
    return bool(cell.currency or where.money_column) and is_per_share(where.column)


def _counts_shares(where: Context, named: str) -> bool:
    """True where the column, the section or the row says that its figures are numbers of shares."""
    if is_share_count(where.column) or (where.share_section and not where.by_column):
        return True
    if not is_share_count(named) or (where.money_column and where.column):
        return False
    return not where.amounts_only or _SHARES_FIRST.match(where.label) is not None


def _is_unlike_its_table(cell: Cell, where: Context) -> bool:
    """True for a figure with decimals in a table that prints its amounts, in thousands or more, without."""
    in_thousands = where.whole_amounts and (where.note.money or 0) >= 3
    return in_thousands and "." in cell.value and not where.price_section


def _counts_things(where: Context, money: bool) -> bool:
    """True where the column or the row counts employees, stores and the like."""
    if _COUNT.search(where.column):
        return True
    return not money and _COUNT.search(where.label) is not None and not _is_sold(where)


def _count(where: Context, decimals: bool) -> tuple[str, int] | None:
    """A bare number, where no scale of the table or the column may apply to it."""
    scaled = where.note.money is not None and (where.money_table or not _COUNT.search(where.column))
    return None if scaled or where.column_note or decimals else ("", 0)


def _is_sold(where: Context) -> bool:
    """True where a row is called by what is counted elsewhere but its heading and column say money: the net
    sales of 'Physical stores'."""
    if not where.money_column or not where.path or re.match(r"number of\b", where.label, re.IGNORECASE):
        return False
    return AMOUNTS.search(where.path[-1]) is not None


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
    its unit; '' where the column alone decides."""
    if where.by_column:
        return ""
    label = re.sub(r"\([^()]*\)", " ", where.label)
    if is_per_share(label) or is_share_count(label) or not where.path:
        return label
    return f"{where.path[-1]} {label}"


def _column_scale(where: Context, default: int | None) -> int | None:
    own = scale_of(where.column_note)
    return default if own is None else own


def _money(where: Context, currency: str) -> tuple[str, int] | None:
    scale = _column_scale(where, where.note.money)
    if scale is None or _NO_AMOUNT.search(where.column):
        return None
    if where.noun and not currency:
        named = " ".join((where.column, *where.path, where.label)).lower()
        return (where.noun, scale) if not where.column or where.noun.split()[-1] in named else None
    if not (currency or where.money_table):
        return "", scale
    return currency or where.currency or "USD", scale
