"""The embedded triplet extractor: participants, what any company says of itself, tables and prose, without a model
endpoint."""

from __future__ import annotations

from tools.documents.types import ParsedDocument
from tools.knowledge.extract.participants import people_triplets
from tools.knowledge.extract.printed_figures import printed_triplets
from tools.knowledge.extract.prose_relations import prose_triplets
from tools.knowledge.extract.whole_company import company_triplets
from tools.knowledge.types import Triplet


class LocalExtractor:
    """A `TripletExtractor` that needs no network; deterministic for the same input.

    `prose=False` leaves spaCy unloaded and reads participants, what `whole_company` reads without it, and what
    `printed_figures` reads.
    """

    def __init__(self, *, prose: bool = True) -> None:
        self._prose = prose

    def extract(self, parsed: ParsedDocument) -> list[Triplet]:
        """Triplets of one document: participants, the whole company, printed figures, then prose; each
        once."""
        triplets = [
            *people_triplets(parsed),
            *company_triplets(parsed, prose=self._prose),
            *printed_triplets(parsed),
        ]
        if self._prose:
            triplets += prose_triplets(parsed)
        return list({triplet.id: triplet for triplet in triplets}.values())
