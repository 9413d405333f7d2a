"""Entity and triplet: nodes and edges of the knowledge graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from tools.documents.types import ParsedDocument
from tools.periods import Period

EntityType = Literal[
    "company", "metric", "person", "product", "location", "event", "regulation", "value", "period"
]


@dataclass(frozen=True, slots=True)
class Triplet:
    """(head, relation, tail) with provenance: the paper's ['h','type','r','o','type','metadata'] (Sarmah
    et al. 2024, 4.1).

    Table and spoken figures are `metric --was--> value`; `company --reports--> metric` ties the metric to its
    filer. Other relations are lower-case verbs or verb phrases (`holds role`, `works for`, `acquired`).
    """

    id: str
    """First 16 hex digits of a SHA-256 over all other fields."""
    head: str
    head_type: EntityType
    relation: str
    tail: str
    tail_type: EntityType
    document_id: str
    document: str
    """File name."""
    page: int
    chunk_id: str
    """Chunk in which it stands; '' when noise dropped it from the chunks."""
    company_key: str
    company: str
    doc_type: str
    period: Period
    """Of the fact itself; the document's period for relations that state none."""
    quote: str
    """The sentence or table line it was read from, for the reader."""
    value: str | None = None
    """Plain decimal for figures; see `tools.evidence.Fact` for this and the next fields."""
    unit: str = ""
    scale: int = 0
    printed: str = ""
    path: tuple[str, ...] = ()
    statement: str = "other"
    title: str = ""
    """Of the table it was read from; '' elsewhere."""
    concept: str = ""
    """Name of the tag's concept, where the filer tagged the figure: 'us-gaap:Assets'."""
    date: str = ""
    """When a relation came or is to come about, as written: 'in May 2024'."""
    amount: str = ""
    """For how much, as written: '$52 million'."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A node: its canonical name, type, aliases and the companies whose documents mention it."""

    key: str
    """Identity in the graph: type and folded name; persons and metrics-of-a-company also carry the company
    key."""
    name: str
    type: EntityType
    aliases: tuple[tuple[str, str], ...] = ()
    """(alias, document id it came from)."""


class TripletExtractor(Protocol):
    """document -> triplets (indexing)."""

    def extract(self, parsed: ParsedDocument) -> Sequence[Triplet]:
        """Triplets of one document, in document order, deterministic for the same input."""
        ...
