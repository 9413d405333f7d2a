"""The user's own filters (--company, --year, --quarter; the same fields in Studio), as a scope."""

from __future__ import annotations

from collections.abc import Sequence

from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.period_labels import filter_of, fiscal_or_calendar
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
    return Scope(companies, (fiscal_or_calendar(catalog, companies, year, quarter),))


def scope_of_call(
    catalog: Catalog,
    companies: Sequence[str],
    periods: Sequence[str],
    doc_types: Sequence[str],
    user_scope: Scope,
) -> Scope:
    """The filter of one planned call, within the user's: where both name companies, or periods, the user's hold
    unless the call's are among them. What is no label of a period does not restrict."""
    keys = tuple(key for key in companies if not user_scope.companies or key in user_scope.companies)
    filters = tuple(found for label in periods if (found := filter_of(label, catalog, companies)) is not None)
    own = user_scope.periods
    both = tuple(found for one in own for other in filters if (found := one.both(other)) is not None)
    kinds = tuple(kind for kind in doc_types if not user_scope.doc_types or kind in user_scope.doc_types)
    return Scope(
        companies=keys or user_scope.companies,
        periods=tuple(dict.fromkeys((both or own) if own else filters)),
        doc_types=kinds or user_scope.doc_types,
    )
