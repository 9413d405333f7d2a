"""Shares outstanding: from the label of a balance sheet's common stock, and from the cover of a filing; dividends
per share from the label of what was declared.

Balance sheets print the counts inside a label ('Common stock ... 10,757 and 10,828 shares issued; 10,242 and
10,313 shares outstanding'), in the order of their columns; covers print one count of a later day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from tools.documents.tables.column_dates import find_full_dates
from tools.documents.tables.units import read_note
from tools.documents.types import Document, ParsedDocument, Table, TableFact
from tools.knowledge.extract.period_pairs import LONG_DATE
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import Triplet
from tools.periods import Period
from tools.quantities import render_quantity
from tools.values import find_quantities

COVER_PAGES = 2
OUTSTANDING, ISSUED, BOTH = "Shares outstanding", "Shares issued", "Shares issued and outstanding"
MAX_SHARES = Decimal(10) ** 12
"""No company has as many shares: a larger count has the wrong scale."""
_NUMBER = r"(\d{1,3}(?:,\d{3})+|\d{3,})"
_TWO = rf"{_NUMBER}\s*and\s*{_NUMBER}"
_COMMON = re.compile(r"(?:common (?:stock|shares)|ordinary shares)\b(?!.*\bclass\b)", re.IGNORECASE)
_LABELS = (
    (BOTH, re.compile(rf"(?<!\d,){_TWO}\s+(?:shares\s+)?issued and outstanding", re.IGNORECASE)),
    (BOTH, re.compile(rf"{_NUMBER} issued and outstanding \({_NUMBER} issued and outstanding as of", re.IGNORECASE)),
    (ISSUED, re.compile(rf"{_TWO}\s+(?:shares\s+)?issued(?!\s+(?:and|or)\b)", re.IGNORECASE)),
    (OUTSTANDING, re.compile(rf"{_TWO}\s+(?:shares\s+)?outstanding", re.IGNORECASE)),
    (OUTSTANDING, re.compile(rf"\boutstanding\s+{_TWO}(?![\d,])", re.IGNORECASE)),
)  # fmt: skip
_DIVIDEND = re.compile(
    r"(?P<name>(?:cash )?dividends (?:declared|declared and paid|paid))\s*"
    r"\(\$\s?(?P<value>\d*\.\d+) per (?:common )?share\)",
    re.IGNORECASE,
)
_ON_DATE = rf"(?P<date>{LONG_DATE})"
_SHARE_COUNT = r"(?P<count>\d{1,3}(?:,\d{3}){2,}|\d[\d,.]*\s+(?:million|billion))"
_PAR = r"(?:,\s+(?:par value\s+)?\$[\d.]+\s+(?:par value(?:\s+per share)?|per share))?,?"
_STOCK_CLASS = rf"(?:common stock|ordinary shares){_PAR}"
_OWNER = r"(?:the registrant['\u2019]s )?"
_COVERS = (
    re.compile(
        rf"(?<![\d,.]){_SHARE_COUNT}\s+shares of {_STOCK_CLASS}\s+(?:(?:were|was|are)\s+)?(?:issued and )?"
        rf"outstanding\s+as of\s+{_ON_DATE}"
    ),
    re.compile(
        rf"As of {_ON_DATE},\s+(?:the (?:registrant|company)|there were|we)\s+(?:had\s+)?(?:outstanding\s+)?"
        rf"{_SHARE_COUNT}\s+shares of common stock(?:\s+outstanding)?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"number of (?:outstanding )?shares of {_OWNER}{_STOCK_CLASS}\s+outstanding (?:as of|at) {_ON_DATE},?"
        rf"\s+(?:was|were)\s+{_SHARE_COUNT}"
    ),
    re.compile(
        rf"\bClass Outstanding (?:as of|at) {_ON_DATE} Common Stock, \$[\d.]+ par value per share {_SHARE_COUNT} shares"
    ),
)  # fmt: skip
"""How covers print the count; a second class of shares would make it ambiguous and is left out."""


def share_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`Shares outstanding --was--> value` for the days of the balance sheet, and for the day on the cover;
    dividends per share for the period of their row."""
    for table in parsed.tables:
        if table.statement == "balance":
            yield from _label_triplets(parsed.document, table)
        yield from _dividend_triplets(parsed.document, table)
    yield from _cover_triplets(parsed)


def _label_triplets(document: Document, table: Table) -> Iterator[Triplet]:
    rows: dict[int, list[TableFact]] = {}
    for fact in table.facts:
        if _COMMON.match(fact.metric):
            rows.setdefault(fact.row, []).append(fact)
    for facts in rows.values() if len(rows) == 1 else ():
        yield from _row_triplets(document, table, sorted(facts, key=lambda fact: fact.column))


def _dividend_triplets(document: Document, table: Table) -> Iterator[Triplet]:
    """`Cash dividends declared per share --was--> value` from 'Cash dividends declared ($0.13 per share)'."""
    rows: dict[int, list[TableFact]] = {}
    for fact in table.facts:
        rows.setdefault(fact.row, []).append(fact)
    for facts in rows.values():
        fact = facts[0]
        match = _DIVIDEND.fullmatch(fact.metric)
        if match is None or len({one.period for one in facts}) != 1 or not fact.period.months:
            continue
        yield make_triplet(
            document,
            (f"{match['name']} per share", "metric"),
            "was",
            (render_quantity(match["value"], "USD/share", 0, match["value"]), "value"),
            page=fact.page,
            quote=_table_line(table, fact),
            period=fact.period,
            value=match["value"],
            unit="USD/share",
            printed=f"${match['value']}",
            statement=table.statement,
            title=table.title,
        )


def _row_triplets(document: Document, table: Table, facts: Sequence[TableFact]) -> Iterator[Triplet]:
    scale = read_note(table.note).shares
    if len(facts) != 2 or facts[0].period == facts[1].period or scale is None:
        return
    if any(day != facts[1].period.end for day, _, _ in find_full_dates(facts[1].metric)):
        return
    for name, pattern in _LABELS:
        match = pattern.search(facts[0].metric)
        if match is None:
            continue
        for fact, printed in zip(facts, match.groups(), strict=True):
            value = printed.replace(",", "")
            if Decimal(value).scaleb(scale) < MAX_SHARES:
                quote = f"{fact.metric}: {fact.printed}" if not table.lines else _table_line(table, fact)
                yield _shares(document, name, value, scale, printed, fact.period, fact.page, quote)


def _table_line(table: Table, fact: TableFact) -> str:
    line = table.lines[fact.row] if fact.row < len(table.lines) else ""
    return line if fact.metric in line else fact.metric


def _cover_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    for page in parsed.pages[:COVER_PAGES]:
        text = " ".join(page.text.split())
        if re.search(r"\bClass [AB]\b", text):
            continue
        found = [match for pattern in _COVERS for match in pattern.finditer(text)]
        if len(found) != 1:
            continue
        match = found[0]
        days, counts = find_full_dates(match["date"]), find_quantities(match["count"])
        if len(days) != 1 or len(counts) != 1:
            continue
        period = Period(days[0][0], 0)  # a day after the quarter: it belongs to none
        count = counts[0]
        yield _shares(
            parsed.document, OUTSTANDING, format(count.value, "f"), count.scale, match["count"], period,
            page.number, match.group(),
        )  # fmt: skip


def _shares(
    document: Document, name: str, value: str, scale: int, printed: str, period: Period, page: int, quote: str
) -> Triplet:
    return make_triplet(
        document,
        (name, "metric"),
        "was",
        (render_quantity(value, "shares", scale, printed), "value"),
        page=page,
        quote=quote,
        period=period,
        value=value,
        unit="shares",
        scale=scale,
        printed=printed,
        statement="cover" if period.fiscal_year is None else "balance",
    )
