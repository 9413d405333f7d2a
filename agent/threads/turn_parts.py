"""What a turn is asked with, and what it yields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from graphs.contracts import Answer, Clarification
from graphs.steps.filters import scope_from_filters

if TYPE_CHECKING:
    from tools.documents.metadata.catalog import Catalog
    from tools.scope import Scope


@dataclass(frozen=True, slots=True)
class Filters:
    """Pinned filters: strict, for every question until they are changed."""

    company: str | None = None
    year: int | None = None
    quarter: int | None = None
    doc_type: str | None = None
    document: str | None = None

    def scope(self, catalog: Catalog) -> Scope:
        """Against the index; see `scope_from_filters` for errors."""
        return scope_from_filters(
            catalog, self.company, self.year, self.quarter, self.doc_type, self.document
        )


@dataclass(frozen=True, slots=True)
class Step:
    """A step has ended."""

    name: str
    fields: dict[str, Any]
    """Its visible update; the draft is not among it."""


PROGRESS = ("lookups", "evidence")
"""Of what steps do, what a chat says of its progress besides what it shows of an answer."""

Event: TypeAlias = Step | Clarification | Answer
"""What a turn yields: steps, and at the end its answer or the question it asks back."""
