"""The part of the knowledge graph that an answer used, as nodes and edges to be drawn."""

from __future__ import annotations

from typing import Any

from agent.assistant import Assistant
from agent.display.printable import shown
from graphs.contracts import Answer
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.types import Triplet


def neighbourhood(assistant: Assistant, answer: Answer) -> dict[str, Any]:
    """`nodes` (id, name, type) and `edges` (from, to, name, document, page, rank of the evidence), those cited first;
    `owner` of an edge that says no more than whose line item it is.

    What was used and has left the index since is counted in `gone`. Raises what `Assistant.current` raises.
    """
    ranks = {item.item_id: item.rank for item in answer.evidence if item.source == "graph"}
    cited = {citation.marker for citation in answer.citations}
    index = assistant.current()
    found = _triplets(index.graph, set(ranks))
    nodes: dict[str, dict[str, str]] = {}
    edges: list[dict[str, Any]] = []
    owners: dict[tuple[str, str], dict[str, Any]] = {}
    for triplet in found:
        head, tail = _node(nodes, triplet, "head"), _node(nodes, triplet, "tail")
        rank, name = ranks[triplet.id], index.catalog.name(triplet.company_key)
        edges.append(
            {
                "from": head,
                "to": tail,
                "name": shown(triplet.relation),
                "document": shown(triplet.document),
                "page": triplet.page,
                "rank": rank,
                "cited": rank in cited,
                "owner": False,
                "company": "" if triplet.value is None else shown(name),
            }
        )
        if triplet.value is not None:
            owner = _named(nodes, "company", name, name.casefold())
            owners.setdefault(
                (owner, head), {**edges[-1], "from": owner, "to": head, "name": "reports", "owner": True}
            )
    edges = sorted([*edges, *owners.values()], key=lambda edge: not edge["cited"])
    wanted = {item.item_id for item in answer.evidence if item.kind in ("fact", "relation")}
    return {"nodes": list(nodes.values()), "edges": edges, "gone": len(wanted - {t.id for t in found})}


def _triplets(graph: KnowledgeGraph, ids: set[str]) -> list[Triplet]:
    return [graph.triplet(at) for at, row in enumerate(graph.tables.rows) if row[r.ID] in ids]


def _node(nodes: dict[str, dict[str, str]], triplet: Triplet, end: str) -> str:
    """The id of a triplet's head or tail among `nodes`. A figure is a node with its period, a line item one of its
    company: equal numbers of two rows are not one thing."""
    name = triplet.head if end == "head" else triplet.tail
    kind = triplet.head_type if end == "head" else triplet.tail_type
    if triplet.value is not None and end == "tail":
        return _named(nodes, kind, f"{name}\n{triplet.period.describe()}", triplet.id)
    own = (
        f"{triplet.company_key}:{' > '.join((*triplet.path, name))}" if kind == "metric" else name.casefold()
    )
    label = " > ".join((*triplet.path, name)) if kind == "metric" else name
    return _named(nodes, kind, label, own)


def _named(nodes: dict[str, dict[str, str]], kind: str, name: str, own: str) -> str:
    key = f"{kind}:{own}"
    nodes.setdefault(key, {"id": key, "name": shown(name), "type": kind})
    return key
