"""Whose a product is: the company whose name it carries, else the one whose documents call it theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.name_joins import filer_names
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.types import Entity, Triplet
from tools.scope import Scope

if TYPE_CHECKING:
    from tools.knowledge.graph.knowledge_graph import KnowledgeGraph

OWNS = "has"
"""The relation of 'our Vela' and 'Orla's Vela'."""


def maker(graph: KnowledgeGraph, entity: Entity, scope: Scope) -> tuple[str, tuple[Triplet, ...]]:
    """(company, the facts that say so) of a product, within the scope; ('', ()) for other entities, and where several
    companies call it theirs or none does."""
    if entity.type != "product":
        return "", ()
    rows = [row for row in graph.edges_of[graph.entity_positions[entity.key]] if graph.admits(row, scope)]
    owned: dict[str, list[int]] = {}
    for row in rows:
        fields = graph.tables.rows[row]
        own = f"company:{graph.tables.documents[fields[r.DOCUMENT]].company_key}"
        owner = graph.tables.entities[fields[r.HEAD_ENTITY]].key
        if owner == own and graph.tables.contexts[fields[r.CONTEXT]][0] == OWNS:
            owned.setdefault(owner, []).append(row)
    first, _, rest = fold_name(entity.name).partition(" ")
    named = filer_names(graph.tables.documents).get(first) if rest else None
    key = f"company:{named}" if named else next(iter(owned), "") if len(owned) == 1 else ""
    if key not in graph.entity_positions:
        return "", ()
    said = owned.get(key) or rows[:1]
    return graph.entities[graph.entity_positions[key]].name, tuple(map(graph.triplet, said))
