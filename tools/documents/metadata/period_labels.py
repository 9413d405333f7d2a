"""Labels of periods as a catalogue prints them and a caller writes them: 'FY2022', 'Q2 FY2023', '2023-07-01'."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from tools.documents.metadata.catalog import Catalog
from tools.documents.types import Document
from tools.periods import PeriodFilter

_YEAR = r"(?:FY\s*|fiscal\s+(?:year\s+)?)?(?P<year>(?:19|20)\d\d)"
_LABEL = re.compile(rf"(?:Q(?P<before>[1-4])\s+)?{_YEAR}(?:\s+Q(?P<after>[1-4]))?$", re.IGNORECASE)


def label_of(document: Document) -> str:
    """'Q2 FY2023 to 2023-07-01'; '' where nothing is known."""
    quarter = f"Q{document.fiscal_quarter} " if document.fiscal_quarter else ""
    label = f"{quarter}FY{document.fiscal_year}" if document.fiscal_year else ""
    return " to ".join(filter(None, (label, document.period_end.isoformat() if document.period_end else "")))


def filter_of(label: str, catalog: Catalog, companies: Iterable[str]) -> PeriodFilter | None:
    """What a label means to these companies, () to all; None for what is no label."""
    text = label.strip()
    try:
        return PeriodFilter(end=date.fromisoformat(text))
    except ValueError:
        found = _LABEL.match(text)
    if found is None:
        return None
    quarter = found["before"] or found["after"]
    return fiscal_or_calendar(catalog, companies, int(found["year"]), int(quarter) if quarter else None)


def fiscal_or_calendar(
    catalog: Catalog, companies: Iterable[str], year: int | None, quarter: int | None
) -> PeriodFilter:
    """The companies' fiscal year and quarter where a document of theirs has that label, else the calendar ones of a
    period's last day; of no companies, those of all."""
    fiscal = PeriodFilter(fiscal_year=year, fiscal_quarter=quarter)
    keys = tuple(companies) or tuple(catalog.companies)
    labelled = any(fiscal.admits(period) for key in keys for period in catalog.document_periods(key))
    return fiscal if labelled else PeriodFilter(calendar_year=year, calendar_quarter=quarter)


def is_covered(wished: PeriodFilter, catalog: Catalog, companies: Iterable[str]) -> bool:
    """Whether a document or figure of one of the companies, () for all, is of such a period."""
    return any(
        wished.admits(period)
        for key in tuple(companies) or tuple(catalog.companies)
        for period in (*catalog.document_periods(key), *catalog.fact_periods(key))
    )
