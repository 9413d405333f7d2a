"""Evidence of one invented company, for tests that judge what is said of it."""

from __future__ import annotations

from datetime import date

from tools.evidence import Evidence, Fact
from tools.periods import Period

NOW = Period(fiscal_year=2024, fiscal_quarter=2, end=date(2024, 3, 30), months=3)


def piece(rank: int, text: str, fact: Fact | None = None) -> Evidence:
    """A fact if `fact` is given, else prose of the document's own period."""
    return Evidence(
        rank=rank,
        source="graph" if fact else "vector",
        text=text,
        document="orla.pdf",
        document_id="d",
        page=rank,
        score=1.0,
        item_id=str(rank),
        kind="fact" if fact else "prose",
        company_key="ORLA",
        company="Orla Inc.",
        doc_type="10-Q",
        period=fact.period if fact else NOW,
        fact=fact,
    )
