"""What a document says of its whole company, whatever else it reports: what people ask of any company."""

from __future__ import annotations

from collections.abc import Iterator

from tools.documents.types import ParsedDocument
from tools.knowledge.extract.auditors import auditor_triplets
from tools.knowledge.extract.business import business_triplets
from tools.knowledge.extract.cover_facts import cover_triplets
from tools.knowledge.extract.risk_headings import risk_triplets
from tools.knowledge.extract.signatures import signature_triplets
from tools.knowledge.extract.work_forces import work_force_triplets
from tools.knowledge.types import Triplet


def company_triplets(parsed: ParsedDocument, *, prose: bool = True) -> Iterator[Triplet]:
    """Officers by their signatures, the cover, auditors, how many work there, risks, and with `prose` (spaCy is loaded)
    what its business is."""
    yield from signature_triplets(parsed)
    yield from cover_triplets(parsed)
    yield from auditor_triplets(parsed)
    yield from work_force_triplets(parsed)
    yield from risk_triplets(parsed)
    if prose:
        yield from business_triplets(parsed)
