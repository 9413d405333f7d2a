"""The user's own filters (--company, --year, --quarter, --type, --document; the same fields in Studio), as a scope."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.period_labels import filter_of, fiscal_or_calendar, is_covered
from tools.documents.types import Document
from tools.periods import PeriodFilter
from tools.scope import Scope

NAMED = 12
"""Companies, or documents, named in a line."""


class UnknownCompanyError(ValueError):
    """A company filter that names no indexed company."""


class UncoveredPeriodError(ValueError):
    """A year or quarter that nothing of the index is of."""


class UnknownDocumentError(ValueError):
    """A type or a document that the index does not have, or that the other filters leave out."""


def scope_from_filters(
    catalog: Catalog,
    company: str | None,
    year: int | None,
    quarter: int | None,
    doc_type: str | None = None,
    document: str | None = None,
) -> Scope:
    """Resolve filters against the index.

    A year and quarter are the company's fiscal ones where a document has that label, else the calendar
    ones of the period's last day. A document is given by its path, its file name, or its id's first digits; its
    company is the scope's. Raises UnknownCompanyError, UnknownDocumentError or UncoveredPeriodError, naming what there
    is.
    """
    companies: tuple[str, ...] = ()
    if company is not None and company.strip():
        key = catalog.find(company.strip())
        if key is None:
            raise UnknownCompanyError(_unknown(company, catalog))
        companies = (key,)
    doc_types = (_type_meant(doc_type.strip(), catalog, companies),) if doc_type and doc_type.strip() else ()
    documents: tuple[str, ...] = ()
    if document is not None and document.strip():
        found = _document_meant(document.strip(), catalog, companies, doc_types)
        companies, documents = (found.company_key,), (found.id,)
    periods: tuple[PeriodFilter, ...] = ()
    if year is not None or quarter is not None:
        periods = (fiscal_or_calendar(catalog, companies, year, quarter),)
        if not is_covered(periods[0], catalog, companies):
            raise UncoveredPeriodError(_uncovered(year, quarter, catalog, companies))
    scope = Scope(companies, periods, doc_types, documents)
    if year is not None and (doc_types or documents):
        held = [each for each in _documents(catalog, companies) if scope.holds(each.doc_type, each.id)]
        if all((last_year(each) or year) < year for each in held):
            raise UncoveredPeriodError(
                f"Every document that the other filters leave is of a time before {year}."
            )
    return scope


def limits_in_words(
    catalog: Catalog, scope: Scope, year: int | None, quarter: int | None, company: str | None
) -> str:
    """Filters as a reader knows them: 'Apple Inc., Q2 2023, 10-Q, 10Q-Q2-2023.pdf'; `scope` is what they resolved to.
    A company that only a document brought with it is not named."""
    named = {each.id: each.name for each in _documents(catalog, scope.companies)}
    period = " ".join([*([f"Q{quarter}"] if quarter else []), *([str(year)] if year else [])])
    return ", ".join(
        [
            *map(catalog.name, scope.companies if company and company.strip() else ()),
            *([period] if period else []),
            *scope.doc_types,
            *(named.get(each, each) for each in scope.documents),
        ]
    )


def last_year(document: Document) -> int | None:
    """The later one of a document's fiscal year and that of its period's last day: it tells nothing of later ones."""
    own = (document.fiscal_year, document.period_end.year if document.period_end else None)
    return max(filter(None, own), default=None)


def _type_meant(given: str, catalog: Catalog, companies: Sequence[str]) -> str:
    """The type that is written so, whatever its case and signs ('10k' is 10-K), if there is a document of it."""
    held = {_folded(kind): kind for each in _documents(catalog, companies) for kind in (each.doc_type,)}
    if (found := held.get(_folded(given))) is not None:
        return found
    whose = f"of {catalog.name(companies[0]).removesuffix('.')}" if companies else "in the index"
    near = [held[each] for each in get_close_matches(_folded(given), held)]
    raise UnknownDocumentError(
        f"No document {whose} is of the type '{given}'.{_meant(near)} There are: {', '.join(sorted(held.values()))}."
    )


def _document_meant(
    given: str, catalog: Catalog, companies: Sequence[str], doc_types: Sequence[str]
) -> Document:
    """The one document that is called so and is of these companies and types, () for all."""
    called = catalog.called(given)
    fitting = [
        each
        for each in called
        if (not companies or each.company_key in companies) and (not doc_types or each.doc_type in doc_types)
    ]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        paths = sorted(f"{each.path} ({each.id[:8]})" for each in fitting)
        listed = "; ".join(paths[:NAMED])
        listed += f" and {len(fitting) - NAMED} more" if len(fitting) > NAMED else ""
        raise UnknownDocumentError(f"'{given}' means several documents: {listed}. Give an id or a path.")
    if called:
        one = called[0]
        raise UnknownDocumentError(
            f"'{one.path}' is a document of {one.company} of the type {one.doc_type}: the other filters leave it out."
        )
    names = {
        name.casefold(): name for each in _documents(catalog, companies) for name in (each.name, each.path)
    }
    near = [names[each] for each in get_close_matches(given.casefold(), names)]
    raise UnknownDocumentError(
        f"No document '{given}' in the index.{_meant(near)} 'hybridrag documents' lists what there is."
    )


def _documents(catalog: Catalog, companies: Sequence[str]) -> list[Document]:
    return [each for key in companies or catalog.companies for each in catalog.documents_of(key)]


def _folded(kind: str) -> str:
    return re.sub(r"\W", "", kind).casefold()


def _meant(near: Sequence[str]) -> str:
    return f" Did you mean {' or '.join(dict.fromkeys(near))}?" if near else ""


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
        documents=user_scope.documents,
    )
