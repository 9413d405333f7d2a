"""What of the knowledge graph is drawn: facts, the things that they are about, and concepts that stand beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agent.display.entity_report import MAX_SOURCES, fact_words
from agent.display.printable import shown
from agent.pictures.places import places
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.fusion import Fused, alike, fused
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.types import Entity
from tools.ontology.annotated import AnnotatedConcepts
from tools.ontology.types import NARROWER
from tools.scope import Scope

MAX_FACTS = 20_000
"""Facts of one picture: as many edges as a browser draws fluently."""
FEW, ROOM_OF_FEW, ROOM_OF_MANY = 400, 60.0, 26.0
"""So many nodes stand as far apart as their names need, in pixels at full size; of more the shape is seen first."""
TYPES = ("company", "person", "product", "location", "event", "regulation", "metric", "period", "value")
"""Of entities, in the order in which they stand around what they belong to."""

CLOSED = TYPES.index("period")
"""From here on, what two things share does not relate them."""


@dataclass
class Picture:
    """Nodes, edges and facts as the page reads them; everything that refers to one is its position."""

    title: str
    nodes: list[dict[str, Any]] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)
    centres: list[int] = field(default_factory=list)
    """Nodes that were asked for."""
    hidden: int = 0
    """Facts beyond MAX_FACTS."""
    figures: int = 0
    """Figures, equal ones once as facts are, that a picture of the whole leaves to those of one line item."""
    concepts: int = 0
    """Nodes that are concepts which documents name; what these are kinds of comes on top."""


def picture(
    graph: KnowledgeGraph,
    concepts: AnnotatedConcepts | None,
    entities: Sequence[Entity],
    scope: Scope,
    depth: int,
) -> Picture:
    """The facts within `depth` steps of these entities, the nearest first; without any all relations of the graph but
    figures. Relations of named things go before those of line items where there are more than MAX_FACTS."""
    starts = [graph.entity_positions[entity.key] for entity in entities]
    rows = list(_near(graph, starts, depth, scope) if starts else _all(graph, scope, figures=False))
    found = fused(graph, rows)
    if not starts:
        found.sort(key=lambda each: ("metric" in _types(each), -len(each.sources)))
    made = Picture(_title(entities), hidden=max(0, len(found) - MAX_FACTS))
    if not starts:
        made.figures = len(alike(graph, _all(graph, scope, figures=True)))
    drawn = _Drawn(graph, made, {graph.tables.rows[row][r.ID]: graph.tables.rows[row] for row in rows})
    made.centres = [drawn.entity(position) for position in starts]
    for each in found[:MAX_FACTS]:
        drawn.add(each, concepts)
    _arrange(made, _filers(graph, drawn) if not starts else made.centres)
    if concepts is not None:
        _add_concepts(made, concepts)
    return made


def _title(entities: Sequence[Entity]) -> str:
    first, more = entities[0].name if entities else "The knowledge graph", len(entities) - 1
    return shown(first if more < 1 else f"{first} and {more} more")


def _near(graph: KnowledgeGraph, starts: Sequence[int], depth: int, scope: Scope) -> Iterable[int]:
    return (row for _, step in zip(range(depth), graph.steps(starts, scope), strict=False) for row in step)


def _all(graph: KnowledgeGraph, scope: Scope, *, figures: bool) -> Iterable[int]:
    """All figures, or all else."""
    rows = enumerate(graph.tables.rows)
    return (at for at, row in rows if (row[r.VALUE] is not None) == figures and graph.admits(at, scope))


def _types(found: Fused) -> tuple[str, str]:
    return found.fact.head_type, found.fact.tail_type


def _filers(graph: KnowledgeGraph, drawn: _Drawn) -> list[int]:
    """Nodes of the companies whose documents are read."""
    keys = dict.fromkeys(f"company:{document.company_key}" for document in graph.tables.documents)
    positions = (graph.entity_positions.get(key) for key in keys)
    return [drawn.nodes[str(at)] for at in positions if str(at) in drawn.nodes]


class _Drawn:
    """A picture in the making."""

    def __init__(self, graph: KnowledgeGraph, made: Picture, rows: Mapping[str, r.Row]) -> None:
        """`rows`: by id."""
        self.graph, self.made, self.rows = graph, made, rows
        self.nodes: dict[str, int] = {}
        self.edges: dict[tuple[int, int, str], int] = {}

    def entity(self, position: int) -> int:
        """The node of an entity."""
        entity = self.graph.entities[position]
        also = sorted({alias for alias, _ in entity.aliases} - {entity.name})
        return self._node(str(position), entity.name, entity.type, [shown(alias) for alias in also])

    def add(self, found: Fused, concepts: AnnotatedConcepts | None) -> None:
        """A fact and what it is about. A figure is a node of its own: equal numbers are not one thing."""
        fact = found.fact
        head = self.entity(self.rows[fact.id][r.HEAD_ENTITY])
        if fact.value is None:
            tail = self.entity(self.rows[fact.id][r.TAIL_ENTITY])
        else:
            tail = self._node(fact.id, f"{fact.tail}, {fact.period.describe()}", "value", [])
        edge = self.edges.setdefault((head, tail, fact.relation), len(self.made.edges))
        if edge == len(self.made.edges):
            self.made.edges.append({"from": head, "to": tail, "name": shown(fact.relation), "facts": []})
        self.made.edges[edge]["facts"].append(len(self.made.facts))
        self.made.facts.append(_fact_record(found, concepts))

    def _node(self, key: str, name: str, kind: str, also: list[str]) -> int:
        if key not in self.nodes:
            self.nodes[key] = len(self.made.nodes)
            self.made.nodes.append({"name": shown(name), "type": kind, "also": also})
        return self.nodes[key]


def _fact_record(found: Fused, concepts: AnnotatedConcepts | None) -> dict[str, Any]:
    """A fact in words, when it holds, where it stands, and the concepts (by their place in the ontology) of the chunks
    that it stands in."""
    period = found.fact.period
    year = period.fiscal_year or (period.end.year if period.end else None)
    mentioned = concepts.mentions if concepts else {}
    named = {mention.concept for t in found.sources for mention in mentioned.get(t.chunk_id, ())}
    at = dict.fromkeys((t.document, t.page, t.quote, t.company) for t in found.sources)
    return {
        "words": shown(fact_words(found.fact, "— {} →")),
        "year": year,
        "quarter": period.fiscal_quarter,
        "companies": sorted({shown(t.company) for t in found.sources}),
        "places": [
            {"document": shown(document), "page": page, "quote": shown(quote)}
            for document, page, quote, _ in list(at)[:MAX_SOURCES]
        ],
        "more": max(0, len(at) - MAX_SOURCES),
        "concepts": sorted(named),
    }


def _arrange(made: Picture, roots: Sequence[int]) -> None:
    """Give nodes their places; those of a type stand together."""
    rank = [TYPES.index(node["type"]) for node in made.nodes]
    closed = {edge["to"]: (edge["from"], edge["to"]) for edge in made.edges if rank[edge["to"]] >= CLOSED}
    links = [(edge["from"], edge["to"]) for edge in made.edges if edge["to"] not in closed]
    links += closed.values()  # each by one: what shares a number or a role does not belong together
    links.sort(key=lambda link: sorted((rank[link[0]], rank[link[1]]), reverse=True))
    found = places(len(made.nodes), links, roots, _room(made)).round().tolist()
    for node, (x, y) in zip(made.nodes, found, strict=True):
        node["x"], node["y"] = x, y


def _add_concepts(made: Picture, concepts: AnnotatedConcepts) -> None:
    """Concepts that stand beside the facts, and what they are kinds of, to the right of everything else."""
    named = sorted({concept for fact in made.facts for concept in fact["concepts"]})
    at = {concept: len(made.nodes) + rank for rank, concept in enumerate(named)}
    waiting, kinds = list(named), list[tuple[int, int]]()
    while waiting:
        concept = waiting.pop()
        for relation, target in concepts.links.neighbours(concept):
            if relation == NARROWER and target != concept:
                if target not in at:
                    at[target] = len(made.nodes) + len(at)
                    waiting.append(target)
                kinds.append((at[concept], at[target]))
    for fact in made.facts:
        fact["concepts"] = [at[concept] for concept in fact["concepts"]]
    _add_layer(made, at, set(named), concepts, kinds)
    made.concepts = len(named)


def _add_layer(
    made: Picture,
    at: dict[int, int],
    named: set[int],
    concepts: AnnotatedConcepts,
    kinds: Sequence[tuple[int, int]],
) -> None:
    base = len(made.nodes)
    narrower = {one for one, _ in kinds}
    tops = [node - base for node in at.values() if node not in narrower]
    own = places(len(at), ((one - base, other - base) for one, other in kinds), tops, _room(made))
    if len(own):
        right = max((node["x"] for node in made.nodes), default=0.0)
        own[:, 0] += right - own[:, 0].min() + 4 * ROOM_OF_FEW
        own[:, 1] -= np.mean(own[:, 1])
    for (concept, _), (x, y) in zip(at.items(), own.round().tolist(), strict=True):
        told = concepts.concepts[concept]
        also = [shown(word) for word in (*told.synonyms, *told.abbreviations)]
        made.nodes.append(
            {"name": shown(told.label), "type": "concept", "also": also, "definition": shown(told.definition),
             "named": concept in named, "x": x, "y": y}
        )  # fmt: skip
    made.edges += [
        {"from": one, "to": other, "name": NARROWER, "facts": []} for one, other in dict.fromkeys(kinds)
    ]


def _room(made: Picture) -> float:
    return ROOM_OF_FEW if len(made.nodes) <= FEW else ROOM_OF_MANY
