"""An entity as it is shown: its names, a line item's standard concept, roles by date, facts with all their sources."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from tools.knowledge.graph.fusion import Fused, fused
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.makers import maker
from tools.knowledge.graph.role_history import RoleHeld, role_history
from tools.knowledge.graph.standard_concepts import standard_concept
from tools.knowledge.types import Entity, Triplet
from tools.scope import Scope

MAX_SOURCES = 4
"""Places of a fact that a line names."""


@dataclass(frozen=True, slots=True)
class EntityReport:
    """What is shown of an entity."""

    entity: Entity
    concept: str
    """Of a line item: 'us-gaap:Assets'; '' where none is known."""
    maker: tuple[str, tuple[Triplet, ...]]
    """Of a product: the company, and what says so; ('', ()) where none is known."""
    roles: tuple[RoleHeld, ...]
    """By date."""
    facts: tuple[Fused, ...]
    hidden: int
    """Facts beyond the limit."""


def entity_report(graph: KnowledgeGraph, entity: Entity, scope: Scope, limit: int) -> EntityReport:
    """What the graph says of an entity within the scope, `limit` facts at most."""
    facts = fused(graph, graph.walk([graph.entity_positions[entity.key]], 1, scope))
    roles = role_history(graph, entity, scope)
    concept = standard_concept(graph, entity) if entity.type == "metric" else ""
    made = maker(graph, entity, scope)
    hidden = max(0, len(facts) - limit)
    return EntityReport(entity, concept, made, tuple(roles), tuple(facts[:limit]), hidden)


def entity_record(report: EntityReport) -> dict[str, Any]:
    """An entity, its roles and its facts, for --json."""
    return {
        "entity": asdict(report.entity),
        "concept": report.concept or None,
        "maker": report.maker[0] or None,
        "roles": [
            {"person": held.person, "role": held.role, "company": held.company, "when": held.when,
             "sources": _places(held.sources)}
            for held in report.roles
        ],
        "triplets": [
            {**asdict(each.fact), "period": each.fact.period.describe(), "sources": _places(each.sources)}
            for each in report.facts
        ],
    }  # fmt: skip


def _places(sources: Iterable[Triplet]) -> list[dict[str, Any]]:
    return [
        dict(place) for place in dict.fromkeys((("document", t.document), ("page", t.page)) for t in sources)
    ]


def entity_head(entity: Entity) -> str:
    """An entity, its type and its aliases."""
    aliases = sorted({alias for alias, _ in entity.aliases} - {entity.name})
    return f"{entity.name} ({entity.type})" + (f", also {', '.join(aliases)}" if aliases else "")


def fact_words(t: Triplet, arrow: str = "--{}-->") -> str:
    """A triplet, with the qualifiers and the period of a figure, or a relation's date and amount as written; `arrow`
    shows the relation at '{}'."""
    qualifiers = f" [{' > '.join(t.path)}]" if t.path else ""
    said = [t.period.describe()] if t.value is not None else [text for text in (t.date, t.amount) if text]
    return ", ".join([f"{t.head} {arrow.format(t.relation)} {t.tail}{qualifiers}", *said])


def fact_places(sources: Iterable[Triplet]) -> str:
    """Where a fact stands: '(Acme Inc.; a.pdf, p. 2; b.pdf, p. 7)'."""
    first, *rest = dict.fromkeys((t.company, f"{t.document}, p. {t.page}") for t in sources)
    shown = [f"{first[0]}; {first[1]}"]
    shown += [
        place if company == first[0] else f"{company}; {place}" for company, place in rest[: MAX_SOURCES - 1]
    ]
    more = len(rest) - MAX_SOURCES + 1
    return f"({'; '.join(shown)}{f'; and {more} more' if more > 0 else ''})"


def role_words(held: RoleHeld) -> str:
    """A role, who held it and when."""
    return f"{held.person}, {held.role}, {held.company}: {held.when}"


def detail_lines(report: EntityReport) -> list[tuple[str, str]]:
    """(words, where they stand) for each line below the head."""
    lines = [(f"standard concept: {report.concept}", "")] if report.concept else []
    lines += [(f"maker: {report.maker[0]}", fact_places(report.maker[1]))] if report.maker[0] else []
    lines += [(f"role: {role_words(held)}", fact_places(held.sources)) for held in report.roles]
    lines += [(fact_words(each.fact), fact_places(each.sources)) for each in report.facts]
    return [*lines, (f"... and {report.hidden:,} more (--limit)", "")] if report.hidden else lines


def entity_lines(report: EntityReport) -> list[str]:
    """An entity and its facts with where they stand."""
    return [
        entity_head(report.entity),
        *(f"  {words}  {place}".rstrip() for words, place in detail_lines(report)),
    ]
