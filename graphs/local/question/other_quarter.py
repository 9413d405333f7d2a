"""The other quarter that a label may mean: 'Q3 2023' is read as the fiscal one, and may be meant by the calendar or by
the name of a report's file."""

from __future__ import annotations

from graphs.local.question.company_periods import CompanyPeriods
from graphs.local.question.period_phrases import find_asks
from tools.documents.metadata.catalog import Catalog
from tools.periods import PeriodFilter
from tools.scope import Scope


def other_quarters(question: str, scope: Scope, catalog: Catalog) -> tuple[PeriodFilter, ...]:
    """Periods of the one company's reports that the question's one label of quarter and year fits, too, and that
    `scope` does not admit; () where there are none, or where the question says fiscal or calendar."""
    asks = [ask for ask in find_asks(question) if ask.kind == "quarter" and ask.year is not None]
    if len(asks) != 1 or len(scope.companies) != 1 or asks[0].basis is not None or not scope.periods:
        return ()
    (company,), (ask,) = scope.companies, asks
    view = CompanyPeriods(catalog, company)
    meant = {*view.on_calendar(ask), *catalog.filed_as(company, ask.year or 0, ask.quarter or 0)}
    others = [period for period in catalog.document_periods(company) if period in meant]
    return tuple(
        view.as_filter(period) for period in others if not any(each.admits(period) for each in scope.periods)
    )
