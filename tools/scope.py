"""Scope: the one filter that both tools obey."""

from __future__ import annotations

from dataclasses import dataclass

from tools.periods import Period, PeriodFilter


@dataclass(frozen=True, slots=True)
class Scope:
    """Companies, periods, document types and documents; an empty tuple does not restrict."""

    companies: tuple[str, ...] = ()
    """Company keys (`Document.company_key`)."""
    periods: tuple[PeriodFilter, ...] = ()
    """A record is admitted if any one of these admits its period."""
    doc_types: tuple[str, ...] = ()
    """Of `tools.documents.types.DocType`."""
    documents: tuple[str, ...] = ()
    """`Document.id`."""

    def admits(self, company_key: str, period: Period, doc_type: str, document_id: str) -> bool:
        """True if a record of this company, period, document type and document may enter the context.

        A chunk is judged by its document's period; a fact (and every edge) by its own.
        """
        return (
            (not self.companies or company_key in self.companies)
            and self.holds(doc_type, document_id)
            and (not self.periods or any(p.admits(period) for p in self.periods))
        )

    def holds(self, doc_type: str, document_id: str) -> bool:
        """True if a document of this type and id may be read."""
        return (not self.doc_types or doc_type in self.doc_types) and (
            not self.documents or document_id in self.documents
        )
