"""The user's own filters (--company, --year, --quarter; the same fields in Studio), as a scope."""

from __future__ import annotations

from collections.abc import Sequence

from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.period_labels import filter_of, fiscal_or_calendar, is_covered
from tools.scope import Scope

NAMED = 12
"""Companies named in a line."""


class UnknownCompanyError(ValueError):
    """A company filter that names no indexed company."""


class UncoveredPeriodError(ValueError):
    """A year or quarter that nothing of the index is of."""


def scope_from_filters(catalog: Catalog, company: str | None, year: int | None, quarter: int | None) -> Scope:
    """Resolve filters against the index.

    A year and quarter are the company's fiscal ones where a document has that label, else the calendar
    ones of the period's last day. Raises UnknownCompanyError or UncoveredPeriodError, naming what there is.
    """
    companies: tuple[str, ...] = ()
    if company is not None and company.strip():
        key = catalog.find(company.strip())
        if key is None:
            raise UnknownCompanyError(_unknown(company, catalog))
        companies = (key,)
    if year is None and quarter is None:
        return Scope(companies=companies)
    period = fiscal_or_calendar(catalog, companies, year, quarter)
    if not is_covered(period, catalog, companies):
        raise UncoveredPeriodError(_uncovered(year, quarter, catalog, companies))
    return Scope(companies, (period,))


def _unknown(company: str, catalog: Catalog) -> str:
    names = sorted(f"{known.name} ({known.key})" for known in catalog.companies.values())
    listed = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    near = " or ".join(f"{catalog.name(key)} ({key})" for key in catalog.nearest(company))
    meant = f" Did you mean {near}?" if near else ""
    return f"No company '{company}' in the index.{meant} Indexed: {listed or 'none'}."


def _uncovered(year: int | None, quarter: int | None, catalog: Catalog, companies: Sequence[str]) -> str:
    wished = " ".join([*([f"Q{quarter}"] if quarter else []), *([str(year)] if year else [])])
    ends = sorted({end for key in companies or catalog.companies for end in catalog.ends(key)})
    what = f"of {catalog.name(companies[0]).removesuffix('.')}" if companies else "in the index"
    there = f" What is indexed ends between {ends[0]} and {ends[-1]}." if ends else ""
    return f"No document and no figure {what} is of {wished}.{there}"


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
