"""Scope: the one filter that both tools obey."""

from __future__ import annotations

from dataclasses import dataclass

from tools.periods import Period, PeriodFilter


@dataclass(frozen=True, slots=True)
class Scope:
    """Companies, periods and document types; an empty tuple does not restrict."""

    companies: tuple[str, ...] = ()
    """Company keys (`Document.company_key`)."""
    periods: tuple[PeriodFilter, ...] = ()
    """A record is admitted if any one of these admits its period."""
    doc_types: tuple[str, ...] = ()
    """Of `tools.documents.types.DocType`."""

    def admits(self, company_key: str, period: Period, doc_type: str) -> bool:
        """True if a record of this company, period and document type may enter the context.

        A chunk is judged by its document's period; a fact (and every edge) by its own.
        """
        return (
            (not self.companies or company_key in self.companies)
            and (not self.doc_types or doc_type in self.doc_types)
            and (not self.periods or any(p.admits(period) for p in self.periods))
        )
