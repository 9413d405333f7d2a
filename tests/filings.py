"""A catalog of invented filings, for tests of questions and of turns of a conversation."""

from __future__ import annotations

from datetime import date

from tools.documents.metadata.catalog import Catalog
from tools.documents.types import DocType, Document
from tools.periods import Period


def filing(company: str, end: date | None, year: int, quarter: int, doc_type: DocType = "10-Q") -> Document:
    """A document of `company`, whose key is the first four letters of its name."""
    ticker = company[:4].upper()
    return Document(
        id=f"{ticker}{doc_type}{end}",
        name=f"{ticker}-{end}.pdf",
        path=f"{ticker}-{end}.pdf",
        title=company,
        company=company,
        company_key=ticker,
        ticker=ticker,
        aliases=(),
        doc_type=doc_type,
        fiscal_year=year,
        fiscal_quarter=quarter,
        period_end=end,
        pages=1,
    )


FILINGS = [
    filing("Orla Devices, Inc.", date(2023, 7, 1), 2023, 3),
    filing("Orla Devices, Inc.", date(2023, 4, 1), 2023, 2),
    filing("Orla Devices, Inc.", date(2022, 12, 31), 2023, 1),
    filing("Orla Devices, Inc.", date(2022, 7, 2), 2022, 3),
    filing("Tilbrook Stores, Inc.", date(2023, 6, 30), 2023, 2),
    filing("Tilbrook Stores, Inc.", date(2023, 9, 30), 2023, 3),
]
"""Orla's fiscal year ends in September, Tilbrook's in December."""
CATALOG = Catalog(FILINGS)

WITH_CALL = Catalog(
    [*FILINGS, filing("Kestrel Energy, Inc.", None, 2021, 2, "call")],
    {
        "ORLA": {
            Period(date(2023, 7, 1), 9, 2023, 3),
            Period(date(2022, 9, 24), 0, 2022, 4),
            Period(date(2021, 6, 26), 3, 2021, 3),
            Period(date(2021, 7, 24), 1, 2021, 3),
        }
    },
)
"""With a call that states no date, and with periods that only Orla's tables have: nine months, a balance, a quarter,
and a month of share purchases."""
