"""An open index as the steps see it, and the shelf that opens it; `agent` supplies both."""

from __future__ import annotations

from collections.abc import Container, Sequence
from datetime import date
from typing import NamedTuple, Protocol

from graphs.contracts import PlannedCalculation
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.breakdown import Dimension
from tools.model.types import ModelError
from tools.scope import Scope
from tools.store.errors import StoreError

SEARCH_FAILURES = (OSError, RuntimeError, StoreError, ModelError)
"""What a search may raise: a damaged index, a full disk, an embedding endpoint that is down."""


class Place(NamedTuple):
    """Where something stands in its file."""

    page: int
    """1-based."""
    name: str
    """How the place is called where that says more than the page's number: "Sheet 'Revenue', B7"; else ''."""


class Index(Protocol):
    """One generation of an index, open for reading."""

    @property
    def number(self) -> int:
        """The generation's number."""
        ...

    @property
    def catalog(self) -> Catalog:
        """Companies and periods that are indexed."""
        ...

    @property
    def graph(self) -> KnowledgeGraph:
        """The knowledge graph, for what lies around an answer; questions go through `kg_search`."""
        ...

    @property
    def known_names(self) -> Container[str]:
        """Folded names of the knowledge graph's entities."""
        ...

    @property
    def notice(self) -> str:
        """Why nothing can be found ('No index at ...'); '' for a usable index."""
        ...

    def place_of(self, item: Evidence, quote: str) -> Place:
        """Where `quote`, taken from a chunk that may span pages, begins."""
        ...

    def kg_search(
        self, question: str, scope: Scope, k: int, depth: int, months: int | None
    ) -> list[Evidence]: ...

    def vector_search(
        self, question: str, scope: Scope, k: int, dense_weight: float, spoken: bool = False
    ) -> list[Evidence]:
        """`spoken`: rank calls by who answers; see `tools.vector.vector_search.vector_search`."""
        ...

    def passages_about(self, question: str, scope: Scope, k: int) -> list[Evidence]:
        """See `tools.vector.passages_about.passages_about`."""
        ...

    def ontology_search(
        self, question: str, scope: Scope, k: int, dense_weight: float, concept_weight: float
    ) -> list[Evidence]:
        """See `tools.ontology.ontology_search.ontology_search`; as `vector_search` without an ontology."""
        ...

    def concepts_of(self, question: str) -> tuple[str, ...]:
        """Labels of the concepts that a question leads to and documents name; () without an ontology."""
        ...

    def tables(self, question: str, scope: Scope, k: int, *, whole: bool = False) -> list[Evidence]:
        """Printed tables that `question` is about, the nearest rows of long ones unless `whole`; see
        `tools.knowledge.search.table_search.tables_about`."""
        ...

    def figures_of(self, chunks: Sequence[str], scope: Scope) -> list[Evidence]:
        """See `tools.knowledge.search.kg_search.figures_of`."""
        ...

    def with_doubts(
        self, question: str, scope: Scope, months: int | None, found: Sequence[Evidence]
    ) -> list[Evidence]:
        """See `tools.knowledge.search.nearest_figures`. ModelFileError on missing or altered files."""
        ...

    def profile_lines(self, kind: str, question: str, scope: Scope) -> list[Evidence]:
        """See `tools.knowledge.search.profile.profile_lines`."""
        ...

    def nearest_figures(self, question: str, scope: Scope, months: int | None, k: int) -> list[Evidence]:
        """See `tools.knowledge.search.nearest_figures`. ModelFileError on missing or altered files."""
        ...

    def continued(self, found: Sequence[Evidence], most: int) -> list[Evidence]:
        """`found` with the first `most` passages of prose followed by what their section says next, unless that was
        found, too: a lead is read with its list."""
        ...

    def calculate(self, planned: PlannedCalculation, within: Scope) -> tuple[list[Evidence], tuple[str, ...]]:
        """See `tools.calculate.compute.compute`; of companies and figures of `within` alone."""
        ...

    def part_names(self, company: str, metric: str, by: Dimension, ends: Sequence[date]) -> tuple[str, ...]:
        """See `tools.knowledge.search.breakdown.part_names`."""
        ...


class Shelf(Protocol):
    """Opens indexes: the newest at the start of a question, the same one until its end."""

    def current(self) -> Index:
        """The generation in use now. Raises the store's errors when there is none."""
        ...

    def get(self, number: int) -> Index:
        """The generation a question started with."""
        ...
