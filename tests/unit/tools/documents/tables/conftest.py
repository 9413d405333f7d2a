"""A reader for small printed tables, as fixtures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from tools.documents.tables import find_tables
from tools.documents.types import Document, Page, Table

Reader = Callable[..., list[Table]]


@pytest.fixture
def filing() -> Document:
    """A third-quarter report of a made-up company, period end July 1, 2023."""
    return Document(
        id="0" * 16,
        name="bexley.pdf",
        path="bexley.pdf",
        title="Bexley Corp. 10-Q",
        company="Bexley Corp.",
        company_key="BEX",
        ticker="BEX",
        aliases=("Bexley",),
        doc_type="10-Q",
        fiscal_year=2023,
        fiscal_quarter=3,
        period_end=date(2023, 7, 1),
        pages=1,
    )


@pytest.fixture
def read(filing: Document) -> Reader:
    """Tables of pages given as layout text; `period_end` and the fiscal quarter can be changed."""

    def reader(*layouts: str, **changes: object) -> list[Table]:
        pages = [Page(number, "", layout.strip("\n")) for number, layout in enumerate(layouts, start=1)]
        return find_tables(pages, replace(filing, **changes))  # type: ignore[arg-type]

    return reader
