"""Unit and scale of a figure: from its own marks, its row, its column and the table's unit note."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.documents.tables.table_parts import Row
from tools.documents.tables.unit_notes import SCALE_WORD, currency_of, scale_of

_OF_STOCK = r"(?:stock |share )?(?:shares|rsus|psus|units|options|securities|warrants)"
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
_NUMBER_OF_RIGHTS = re.compile(
    r"\bnumber of (?:stock |share )?(?:options|securities|warrants)\b", re.IGNORECASE
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
    rf"\b(?:useful li(?:fe|ves)|average life|years|number of (?!{_OF_STOCK}))\b|\bterm$",
    re.IGNORECASE,
)
_COUNT = re.compile(rf"\b(?:employees|headcount|stores)\b|(?:\bnumber|#) of \b(?!{_OF_STOCK})", re.IGNORECASE)
_NUMBERS = re.compile(r"\b(?:counts?|numbers?)\b", re.IGNORECASE)

_SHARES_IN = re.compile(
    r"(?P<beside>\b(?:amounts|dollars|figures)\s+and\s+)?\bshares?,?\s+(?:amounts?,?\s+)?(?:(?:which|that)\s+(?:are|is)\s+)?"
    r"(?:reflected\s+|shown\s+|presented\s+|stated\s+)?in (?P<scale>thousands|millions|billions)",
    re.IGNORECASE,
)
_SHARES_EXCEPTED = re.compile(
    r"except (?:for )?(?:number of )?shares?\b(?!\s*(?:data|amounts?|figures?))\s*(?:,|and\b|\)|$)",
    re.IGNORECASE,
)
_NO_NOUNS = frozenset(
    """amounts figures expressed presented stated shown tables table are is dollars dollar usd u s us and or all data
    shares share except per otherwise noted indicated reflected which in""".split()  # noqa: SIM905
)
"""Words before 'in thousands' that name nothing that is counted."""

_COUNT_WORDS = frozenset(("number", "numbers", "of", "count", "counts", "data", "the"))
_NO_COUNTS = frozenset(
    """share shares percentage percentages percent ratio ratios rate rates value year
    years day days""".split()  # noqa: SIM905
)
"""What a unit note excepts that is no number of things."""

_BRACKETED = re.compile(r"\((?:in )?(?:(years?|months?|days?)|yrs?\.?|(%|percent))\)", re.IGNORECASE)

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


_COUNTED = re.compile(r"((?:[a-z]+ )?[a-z]+) in (?:thousands|millions|billions)", re.IGNORECASE)
_BESIDE_MONEY = re.compile(
    r"\b(?:dollars?|amounts?|\$)(?: amounts?)?,? and (?:[a-z]+ ){1,4}in ", re.IGNORECASE
)


def unit_in_brackets(text: str) -> str:
    """The measure of time, or percent, that a name gives in brackets as its unit: 'years' of 'Useful life (in years)';
    '' without one."""
    match = next(reversed(list(_BRACKETED.finditer(text))), None)
    if match is None:
        return ""
    if match[2]:
        return "percent"
    return f"{(match[1] or 'year').lower().rstrip('s')}s"


def _beside_money(note: str) -> str:
    """'square feet' of 'dollar amounts and square feet in millions'; '' where nothing stands so."""
    match = _BESIDE_MONEY.search(note)
    counted = _COUNTED.search(note) if match else None
    return "" if match is None or counted is None or {*counted[1].split()} & _NO_NOUNS else counted[1].lower()


def counted_noun(note: str) -> str:
    """What a unit note says is counted: 'gallons' of 'gallons in millions'; '' where that is money, shares or
    nothing."""
    match = None if _beside_money(note) else _COUNTED.search(note)
    words = match[1].lower().split() if match else []
    if match is None or currency_of(match[1]) or {*words} & _NO_NOUNS or AMOUNTS.search(match[1]):
        return ""
    return " ".join(words)


def counted_nouns(note: str) -> dict[str, int]:
    """Nouns, by their stems, that a unit note says are counted, with the scale of their numbers: what it excepts
    ('except unit counts') is in full, what it has amounts of ('except revenue per membership') or names beside money
    ('dollar amounts and square feet in millions') is in the note's scale."""
    beside, excepted = _beside_money(note), re.search(r"\bexcept(?: for)?\b(.*)", note, re.IGNORECASE)
    nouns = {" ".join(map(stem, beside.split())): scale_of(note) or 0} if beside else dict[str, int]()
    if excepted is None:
        return nouns
    for phrase in re.split(r",|\band\b", excepted[1].lower()):
        per = re.search(r"\bper (\w+)", phrase)
        words = re.findall(r"[a-z]+", per[1] if per else phrase)
        if {*words} & _NO_COUNTS:
            continue
        counts = (
            per is not None or {"number", "numbers", "count", "counts"} & {*words} or _COUNT.search(phrase)
        )
        noun = " ".join(stem(word) for word in words if word not in _COUNT_WORDS)
        if counts and noun:
            nouns[noun] = (scale_of(note) or 0) if per else 0
    return nouns


def stem(word: str) -> str:
    """A noun without the ending of its plural."""
    return re.sub(r"(?<=\w\w)(?:ies|y|s)$", "", word)


def read_note(note: str) -> UnitNote:
    """Scales of a unit note such as 'in millions, except number of shares, which are reflected in
    thousands'."""
    match = SCALE_WORD.search(note)
    if match is None:
        return UnitNote(None, None)
    first = scale_of(note)
    share = _SHARES_IN.search(note)
    if share is not None:
        alone = share["beside"] is None and share.start() <= match.start() <= share.end()
        return UnitNote(None if alone else first, scale_of(share["scale"]))
    if _SHARES_EXCEPTED.search(note):
        return UnitNote(first, 0)
    return UnitNote(first, first)


def excepts_share_data(note: str) -> bool:
    """True if a note excepts 'share data' or the like: numbers of shares or only amounts per share."""
    return re.search(r"except (?:for )?shares? (?:data|amounts?|figures?)", note, re.IGNORECASE) is not None


def is_per_share(label: str) -> bool:
    """True if a label names an amount per share or unit."""
    return _PER_SHARE.search(label) is not None


def is_share_count(label: str) -> bool:
    """True if a label names a number of shares or units."""
    if _NUMBER_OF_RIGHTS.search(label):
        return True
    if _FLOW.search(label):
        return False
    if re.search(r"(?<!of )\bshares$", label, re.IGNORECASE):
        return True
    return _SHARES.search(label) is not None and re.search(r"\bvalue\b", label, re.IGNORECASE) is None


def is_percent_head(text: str) -> bool:
    """True if a heading or column name says that what follows is in percent."""
    return _PERCENT_COLUMN.search(text) is not None


def is_percent_row(label: str) -> bool:
    """True if a label says that its row is in percent."""
    return _PERCENT_ROW.search(label) is not None


def names_no_amount(column: str) -> bool:
    """True if the words over a column name a time or a number, no amount."""
    return _NO_AMOUNT.search(column) is not None


def says_numbers(text: str) -> bool:
    """True if an introduction says that its table holds numbers of something."""
    return _NUMBERS.search(text) is not None


def counts_things(row: Row | None, column: str, money_column: bool) -> bool:
    """True where the column or the row counts employees, stores and the like."""
    if _COUNT.search(column):
        return True
    return row is not None and _COUNT.search(row.label) is not None and not _is_sold(row, money_column)


def _is_sold(row: Row, money_column: bool) -> bool:
    """True where a row is called by what is counted elsewhere but its heading and column say money: the net
    sales of 'Physical stores'."""
    if not money_column or not row.path or re.match(r"number of\b", row.label, re.IGNORECASE):
        return False
    return AMOUNTS.search(row.path[-1]) is not None


def marked_unit(suffix: str) -> tuple[str, int] | None:
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
