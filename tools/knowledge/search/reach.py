"""How far a question reaches into the graph: personalised PageRank from the things it names, and paths between them.

Passages are nodes, too, as in HippoRAG 2 (Gutiérrez et al. 2025): what stands in one passage is near. The mass is
spread by the local push of Andersen, Chung and Lang (2006, "Local Graph Partitioning using PageRank Vectors"), whose
cost depends on the bounds below and not on the size of the graph: a hub is reached, and only pushed on from where its
mass is worth its many edges.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.scope import Scope

RESTART = 0.5
"""Probability of going back to what the question names, at each step; HippoRAG 2's."""
LEAST_MASS = 1e-4
"""Mass for each of its edges from which a node is pushed on."""
MAX_PUSHES = 3000
"""Nodes pushed on for one question."""
HUB_EDGES = 2000
"""Edges from which a node is no step of a path: what is related to everything relates nothing."""
MAX_PATH = 3
"""Triplets of a path."""
MAX_VISITED = 3000
"""Entities looked at for one path."""

Node = int | str
"""Entity position, or chunk id of a passage."""


def personalised_pagerank(
    graph: KnowledgeGraph, seeds: Mapping[int, float], scope: Scope
) -> dict[int, float]:
    """Mass of the entities that a walk from `seeds` (entity position -> weight, above 0) visits which goes back to them
    with probability `RESTART` at each step, over relations that `scope` admits and the passages they stand in. The
    least masses are left out; the sum is at most 1."""
    whole = sum(seeds.values())
    mass: defaultdict[Node, float] = defaultdict(float)
    waiting: defaultdict[Node, float] = defaultdict(float)
    for position, weight in seeds.items():
        waiting[position] = weight / whole
    queue = deque[Node](seeds)
    edges: dict[Node, int] = {}
    for _ in range(MAX_PUSHES):
        if not queue:
            break
        node = queue.popleft()
        left = waiting[node]
        if left < LEAST_MASS * _edges(graph, node, edges):
            continue
        waiting[node] = 0.0
        mass[node] += RESTART * left
        near = list(_neighbours(graph, node, scope))
        for each in near:
            before = waiting[each]
            waiting[each] = before + (1 - RESTART) * left / len(near)
            if before < LEAST_MASS * _edges(graph, each, edges) <= waiting[each]:
                queue.append(each)
    return {node: share for node, share in mass.items() if isinstance(node, int)}


def _rows(graph: KnowledgeGraph, node: Node) -> list[int]:
    if isinstance(node, int):
        return graph.edges_of.get(node, [])
    return graph.rows_of_chunk.get(node, [])


def _edges(graph: KnowledgeGraph, node: Node, known: dict[Node, int]) -> int:
    """How many rows a node has; looked up once."""
    if node not in known:
        known[node] = graph.edges_of.number(node) if isinstance(node, int) else len(_rows(graph, node))
    return known[node]


def _neighbours(graph: KnowledgeGraph, node: Node, scope: Scope) -> Iterator[Node]:
    """Entities that an admitted relation joins a node with, and its passages; a figure relates nothing."""
    for row in graph.admitted(_rows(graph, node), scope):
        if not graph.is_figure(row):
            fields = graph.tables.rows[row]
            yield from (end for end in (fields[r.HEAD_ENTITY], fields[r.TAIL_ENTITY]) if end != node)
            if isinstance(node, int) and fields[r.CHUNK]:
                yield fields[r.CHUNK]


def path_between(graph: KnowledgeGraph, start: int, end: int, scope: Scope) -> list[int]:
    """Rows of a shortest path of admitted relations from one entity to another, at most `MAX_PATH`, through no hub and
    among the `MAX_VISITED` entities nearest to one that is none; [] where there is none."""
    if not _is_no_hub(graph, start):
        return path_between(graph, end, start, scope)[::-1] if _is_no_hub(graph, end) else []
    came: dict[int, tuple[int, int]] = {start: (start, -1)}
    frontier = [start]
    for _ in range(MAX_PATH):
        reached: list[int] = []
        for node in frontier:
            if not _is_no_hub(graph, node) or len(came) > MAX_VISITED:
                continue
            for row in graph.admitted(graph.edges_of.get(node, ()), scope):
                fields = graph.tables.rows[row]
                other = fields[r.TAIL_ENTITY] if fields[r.HEAD_ENTITY] == node else fields[r.HEAD_ENTITY]
                if not graph.is_figure(row) and other not in came:
                    came[other] = node, row
                    reached.append(other)
                if other == end and end in came:
                    return _rows_to(end, came)
        frontier = reached
    return []


def _is_no_hub(graph: KnowledgeGraph, node: int) -> bool:
    return graph.edges_of.number(node) <= HUB_EDGES


def _rows_to(end: int, came: Mapping[int, tuple[int, int]]) -> list[int]:
    rows = []
    node, row = came[end]
    while row >= 0:
        rows.append(row)
        node, row = came[node]
    return rows[::-1]
