"""The user's own filters (--company, --year, --quarter; the same fields in Studio), as a scope."""

from __future__ import annotations

from tools.documents.metadata.catalog import Catalog
from tools.periods import PeriodFilter
from tools.scope import Scope


class UnknownCompanyError(ValueError):
    """A company filter that names no indexed company."""


def scope_from_filters(catalog: Catalog, company: str | None, year: int | None, quarter: int | None) -> Scope:
    """Resolve filters against the index.

    A year and quarter are the company's fiscal ones where a document has that label, else the calendar
    ones of the period's last day. Raises UnknownCompanyError, naming what there is.
    """
    companies: tuple[str, ...] = ()
    if company is not None and company.strip():
        key = catalog.find(company.strip())
        if key is None:
            names = sorted(f"{known.name} ({known.key})" for known in catalog.companies.values())
            listed = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
            raise UnknownCompanyError(f"No company '{company}' in the index. Indexed: {listed or 'none'}.")
        companies = (key,)
    if year is None and quarter is None:
        return Scope(companies=companies)
    fiscal = PeriodFilter(fiscal_year=year, fiscal_quarter=quarter)
    calendar = PeriodFilter(calendar_year=year, calendar_quarter=quarter)
    labelled = any(
        fiscal.admits(period)
        for key in companies or tuple(catalog.companies)
        for period in catalog.document_periods(key)
    )
    return Scope(companies=companies, periods=(fiscal if labelled else calendar,))
