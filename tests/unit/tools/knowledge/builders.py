"""Small parsed documents for the tests of this room."""

from __future__ import annotations

from datetime import date
from typing import Any

from tools.documents.types import Chunk, Document, Page, ParsedDocument, Participant, Table, TableFact
from tools.periods import Period

END = date(2023, 7, 1)
LAST_YEAR = date(2022, 6, 25)
QUARTER = Period(END, 3, 2023, 3)
NINE_MONTHS = Period(END, 9, 2023, 3)
BALANCE = Period(END, 0, 2023, 3)
QUARTER_LAST_YEAR = Period(LAST_YEAR, 3, 2022, 3)


def document(
    key: str = "ACME", *, number: int = 1, doc_type: str = "10-Q", end: date | None = END, **fields: Any
) -> Document:
    names = {"ACME": "Acme Inc.", "BOLT": "Bolt Corporation"}
    name = names.get(key, key)
    values: dict[str, Any] = {
        "id": f"{key.lower():0<12}{number:04d}",
        "name": f"{key}-{number}.pdf",
        "path": f"{key}-{number}.pdf",
        "title": name,
        "company": name,
        "company_key": key,
        "ticker": key,
        "aliases": (name.split()[0], key),
        "doc_type": doc_type,
        "fiscal_year": 2023,
        "fiscal_quarter": 3,
        "period_end": end,
        "pages": 20,
    }
    return Document(**{**values, **fields})


def figure(
    metric: str,
    value: str,
    period: Period = QUARTER,
    path: tuple[str, ...] = (),
    unit: str = "USD",
    scale: int = 6,
) -> TableFact:
    return TableFact(metric, path, period, value, unit, scale, value, page=4, row=0, column=0)


def table(statement: str, *facts: TableFact, title: str = "Statement") -> Table:
    return Table(title, statement, "", 4, 0, 1, "", (), facts)


def parsed(
    doc: Document, *tables: Table, people: tuple[Participant, ...] = (), chunks: tuple[Chunk, ...] = ()
) -> ParsedDocument:
    pages = tuple(Page(number, " ".join(c.text for c in chunks if number in c.pages)) for number in (1, 2))
    return ParsedDocument(doc, pages, tables, chunks, people)


def prose(doc: Document, text: str, *, speaker: str = "", kind: Any = "prose", page: int = 1) -> Chunk:
    return Chunk(f"chunk{abs(hash(text)) % 10**8}", doc.id, text, text, (page,), "", kind, speaker)


def filing(key: str = "ACME", **fields: Any) -> ParsedDocument:
    """A 10-Q with the statements that the search tests ask about."""
    income = table(
        "income",
        figure("Products", "60584", path=("Net sales",)),
        figure("Services", "21213", path=("Net sales",)),
        figure("Total net sales", "81797", path=("Net sales",)),
        figure("Total net sales", "82959", QUARTER_LAST_YEAR, ("Net sales",)),
        figure("Total net sales", "293787", NINE_MONTHS, ("Net sales",)),
        figure("Products", "39136", path=("Cost of sales",)),
        figure("Total cost of sales", "45384", path=("Cost of sales",)),
        figure("Research and development", "7442", path=("Operating expenses",)),
        figure("Operating income (loss)", "-22998"),
        figure("Net income", "19881"),
        figure("Net income", "74039", NINE_MONTHS),
        figure("Basic", "1.27", path=("Earnings per share",), unit="USD/share", scale=0),
        figure("Diluted", "1.26", path=("Earnings per share",), unit="USD/share", scale=0),
        figure(
            "Diluted",
            "15775021",
            path=("Shares used in computing earnings per share",),
            unit="shares",
            scale=3,
        ),
        title="STATEMENTS OF OPERATIONS",
    )
    balance = table(
        "balance",
        figure("Inventories", "7351", BALANCE, ("Current assets",)),
        figure("Total current assets", "122659", BALANCE, ("Current assets",)),
        figure("Total assets", "335038", BALANCE),
        title="BALANCE SHEETS",
    )
    flows = table(
        "cash_flow",
        figure("Inventories", "-2570", NINE_MONTHS, ("Changes in operating assets and liabilities",)),
        title="STATEMENTS OF CASH FLOWS",
    )
    segments = table(
        "segment",
        figure("Net sales", "4821", path=("Japan",)),
        figure("Operating income", "2409", path=("Japan",)),
        title="Segments",
    )
    category = table("segment", figure("iPhone", "39669"), title="Net sales by category")
    return parsed(document(key, **fields), income, balance, flows, segments, category)
