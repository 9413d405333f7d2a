"""What stands in for an index where there is none."""

from __future__ import annotations

from collections.abc import Container, Sequence
from datetime import date

from graphs.contracts import PlannedCalculation
from graphs.index import Place
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.breakdown import Dimension
from tools.scope import Scope


class MissingIndex:
    """Stands in where there is no index, for servers that load all the same: finds nothing, says why."""

    number = -1
    known_names: Container[str] = frozenset()

    def __init__(self, notice: str) -> None:
        self.notice = notice
        self.catalog = Catalog([], None)
        self.graph = KnowledgeGraph.build([], {})

    def place_of(self, item: Evidence, quote: str) -> Place:
        """The evidence's own page."""
        return Place(item.page, "")

    def kg_search(
        self, question: str, scope: Scope, k: int, depth: int, months: int | None
    ) -> list[Evidence]:
        """Nothing."""
        return []

    def vector_search(
        self, question: str, scope: Scope, k: int, dense_weight: float, spoken: bool = False
    ) -> list[Evidence]:
        """Nothing."""
        return []

    def passages_about(self, question: str, scope: Scope, k: int) -> list[Evidence]:
        """Nothing."""
        return []

    def ontology_search(
        self, question: str, scope: Scope, k: int, dense_weight: float, concept_weight: float
    ) -> list[Evidence]:
        """Nothing."""
        return []

    def concepts_of(self, question: str) -> tuple[str, ...]:
        """None."""
        return ()

    def tables(self, question: str, scope: Scope, k: int, *, whole: bool = False) -> list[Evidence]:
        """Nothing."""
        return []

    def figures_of(self, chunks: Sequence[str], scope: Scope) -> list[Evidence]:
        """Nothing."""
        return []

    def with_doubts(
        self, question: str, scope: Scope, months: int | None, found: Sequence[Evidence]
    ) -> list[Evidence]:
        """As they are."""
        return list(found)

    def profile_lines(self, kind: str, question: str, scope: Scope) -> list[Evidence]:
        """Nothing."""
        return []

    def nearest_figures(self, question: str, scope: Scope, months: int | None, k: int) -> list[Evidence]:
        """Nothing."""
        return []

    def continued(self, found: Sequence[Evidence], most: int) -> list[Evidence]:
        """As it is."""
        return list(found)

    def calculate(self, planned: PlannedCalculation, within: Scope) -> tuple[list[Evidence], tuple[str, ...]]:
        """Nothing."""
        return [], ()

    def part_names(self, company: str, metric: str, by: Dimension, ends: Sequence[date]) -> tuple[str, ...]:
        """Nothing."""
        return ()
