"""Who held which role when, by the documents that say so."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.types import Entity, Triplet
from tools.periods import Period
from tools.scope import Scope

if TYPE_CHECKING:
    from tools.knowledge.graph.knowledge_graph import KnowledgeGraph

HOLDS_ROLE, WORKS_FOR = "holds role", "works for"


@dataclass(frozen=True, slots=True)
class RoleHeld:
    """A role that a person held, and the documents that say so, the oldest first."""

    person: str
    role: str
    company: str
    """Whose documents say so, or the firm that they give."""
    sources: tuple[Triplet, ...]

    @property
    def when(self) -> str:
        """From the first to the last document: 'fiscal Q2 2021 to fiscal Q3 2022'."""
        first, last = self.sources[0].period.describe(), self.sources[-1].period.describe()
        return first if first == last else f"{first} to {last}"


def role_history(graph: KnowledgeGraph, entity: Entity, scope: Scope) -> list[RoleHeld]:
    """The roles of a person, or of a company's own people, within the scope, by date; none for other entities."""
    position = graph.entity_positions[entity.key]
    if entity.type == "person":
        rows = [row for row in graph.edges_of.get(position, ()) if _relation(graph, row) == HOLDS_ROLE]
    elif entity.type == "company":
        own = graph.rows_of_company.get(entity.key.partition(":")[2], ())
        others = {
            graph.tables.rows[row][r.HEAD_ENTITY]
            for row in own
            if _relation(graph, row) == WORKS_FOR and graph.tables.rows[row][r.TAIL_ENTITY] != position
        }
        rows = [
            row
            for row in own
            if _relation(graph, row) == HOLDS_ROLE and graph.tables.rows[row][r.HEAD_ENTITY] not in others
        ]
    else:
        return []
    held: dict[tuple[int, str, str], list[Triplet]] = defaultdict(list)
    for row in rows:
        if (
            graph.admits(row, scope)
            and graph.tables.entities[graph.tables.rows[row][r.HEAD_ENTITY]].type == "person"
        ):
            triplet = graph.triplet(row)
            firm = _firm(graph, row) or triplet.company
            held[graph.tables.rows[row][r.HEAD_ENTITY], fold_name(triplet.tail), firm].append(triplet)
    found = [
        RoleHeld(graph.tables.entities[person].name, said[0].tail, firm, tuple(sorted(said, key=_order)))
        for (person, _, firm), said in held.items()
    ]
    return sorted(found, key=lambda each: (_order(each.sources[0]), each.person, each.role))


def _relation(graph: KnowledgeGraph, row: int) -> str:
    return graph.tables.contexts[graph.tables.rows[row][r.CONTEXT]][0]


def _firm(graph: KnowledgeGraph, row: int) -> str:
    """For whom the person of a row works by the list of the same document; '' where none says."""
    head, document = (graph.tables.rows[row][field] for field in (r.HEAD_ENTITY, r.DOCUMENT))
    for other in graph.edges_of.get(head, ()):
        fields = graph.tables.rows[other]
        if (fields[r.HEAD_ENTITY], fields[r.DOCUMENT]) == (head, document) and _relation(
            graph, other
        ) == WORKS_FOR:
            return graph.tables.entities[fields[r.TAIL_ENTITY]].name
    return ""


def _order(triplet: Triplet) -> tuple[str, int, int, str, int]:
    """By the date of the document; quarters without one by their label."""
    period = triplet.period
    return (
        last_day(period),
        period.fiscal_year or 0,
        period.fiscal_quarter or 0,
        triplet.document,
        triplet.page,
    )


def last_day(period: Period) -> str:
    """Of a document's period, as in ISO 8601; a quarter's or year's without a date by its label, nearly."""
    year, quarter = period.fiscal_year or 0, period.fiscal_quarter or 4
    return period.end.isoformat() if period.end else f"{year:04}-{3 * quarter:02}-28"
