"""The embedded triplet extractor: participant lists, signatures, covers, tables and prose, without a model endpoint."""

from __future__ import annotations

from tools.documents.types import ParsedDocument
from tools.knowledge.extract.auditors import auditor_triplets
from tools.knowledge.extract.business import business_triplets
from tools.knowledge.extract.cover_facts import cover_triplets
from tools.knowledge.extract.participants import people_triplets
from tools.knowledge.extract.printed_figures import printed_triplets
from tools.knowledge.extract.prose_relations import prose_triplets
from tools.knowledge.extract.risk_headings import risk_triplets
from tools.knowledge.extract.signatures import signature_triplets
from tools.knowledge.extract.work_forces import work_force_triplets
from tools.knowledge.types import Triplet


class LocalExtractor:
    """A `TripletExtractor` that needs no network; deterministic for the same input.

    `prose=False` leaves spaCy unloaded and reads participants, signatures, covers and what `printed_figures` reads.
    """

    def __init__(self, *, prose: bool = True) -> None:
        self._prose = prose

    def extract(self, parsed: ParsedDocument) -> list[Triplet]:
        """Triplets of one document: participants, signatures, covers, printed figures, then prose; each once."""
        triplets = [
            *people_triplets(parsed),
            *signature_triplets(parsed),
            *cover_triplets(parsed),
            *auditor_triplets(parsed),
            *work_force_triplets(parsed),
            *risk_triplets(parsed),
            *printed_triplets(parsed),
        ]
        if self._prose:
            triplets += [*business_triplets(parsed), *prose_triplets(parsed)]
        return list({triplet.id: triplet for triplet in triplets}.values())
