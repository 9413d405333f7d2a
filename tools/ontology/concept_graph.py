"""Concepts and their relations as a graph, walked both ways from where a question starts."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import networkx as nx

from tools.ontology import types
from tools.ontology.types import Concept, Link, name_of_iri

WEIGHTS = {
    types.SAME: 0.95,
    types.BROADER: 0.8,
    types.HAS_INSTANCE: 0.7,
    types.NARROWER: 0.4,
    types.INSTANCE: 0.4,
}
"""What is left of a concept's weight one step on; what falls under a concept answers for it, what it falls under says
less."""
RELATED = 0.35
"""Likewise of all other relations, properties among them, and in both directions."""
MIN_WEIGHT = 0.2
MAX_VISITED = 400
"""Concepts that one walk comes to."""
_BACK = {types.NARROWER: types.BROADER, types.INSTANCE: types.HAS_INSTANCE}


@dataclass(frozen=True, slots=True)
class Reached:
    """A concept that a walk came to."""

    concept: int
    weight: float
    """Product of the weights of its steps, 1 at the start."""
    steps: tuple[str, ...]
    """From the start to here, in words: labels and relations by turns."""


class ConceptGraph:
    """Concepts by their place, and the links between them."""

    def __init__(self, concepts: Sequence[Concept], links: Sequence[Link]) -> None:
        self.concepts = concepts
        self.place = {concept.iri: at for at, concept in enumerate(concepts)}
        self._links = links
        self._walked: dict[int, list[Reached]] = {}

    @cached_property
    def graph(self) -> nx.MultiDiGraph:
        """Nodes: places of concepts; edges: links, with their `relation`."""
        graph = nx.MultiDiGraph()
        graph.add_nodes_from(range(len(self.concepts)))
        graph.add_edges_from(
            (self.place[link.source], self.place[link.target], {"relation": link.relation})
            for link in self._links
            if link.source in self.place and link.target in self.place
        )
        return graph

    def around(self, start: int) -> list[Reached]:
        """The concepts within reach of one, itself first, by falling weight; of several ways the one that leaves most.
        Cycles end, since a concept is reached once."""
        if start not in self._walked:
            self._walked[start] = self._walk(start)
        return self._walked[start]

    def _walk(self, start: int) -> list[Reached]:
        waiting: list[tuple[float, int, int, str]] = [(-1.0, start, start, "")]
        """Weight, concept, the one it was come to from, and how."""
        reached: dict[int, Reached] = {}
        while waiting and len(reached) < MAX_VISITED:
            negative, at, before, relation = heapq.heappop(waiting)
            if at in reached:
                continue
            way = (*reached[before].steps, self.in_words(relation)) if relation else ()
            reached[at] = Reached(at, -negative, (*way, self.concepts[at].label))
            for relation, target in self.neighbours(at):
                weight = -negative * WEIGHTS.get(relation, RELATED)
                if weight >= MIN_WEIGHT and target not in reached:
                    heapq.heappush(waiting, (-weight, target, at, relation))
        return list(reached.values())

    def neighbours(self, at: int) -> Iterator[tuple[str, int]]:
        """(relation, concept) of each link of a concept, read from it in either direction."""
        for _, target, relation in self.graph.out_edges(at, data="relation"):
            yield relation, target
        for source, _, relation in self.graph.in_edges(at, data="relation"):
            yield _BACK.get(relation, relation), source

    def in_words(self, relation: str) -> str:
        """A relation as it is shown: a property by its label."""
        if relation in self.place:
            return self.concepts[self.place[relation]].label
        return name_of_iri(relation) if ":" in relation else relation
