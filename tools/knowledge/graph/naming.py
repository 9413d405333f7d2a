"""The user's words for what the graph holds: two names of a command as a decision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from tools.knowledge.graph.decisions import Decision, DecisionLineError, Named, read_decisions, read_name
from tools.knowledge.graph.mentions import NAMED, fold
from tools.knowledge.graph.resolution import fold_company
from tools.knowledge.types import Entity, EntityType

if TYPE_CHECKING:
    from tools.knowledge.graph.knowledge_graph import KnowledgeGraph


class NamingError(ValueError):
    """Two names that no decision can be about, and why."""


def decision_on(graph: KnowledgeGraph, one: str, other: str, kind: str | None, *, same: bool) -> Decision:
    """The decision that two names, 'John Kim [PLD]' say, are one entity or are not. `kind`: their type, where both are
    names of several. NamingError where the graph has no two such names."""
    first, second = read_name(one), read_name(other)
    kinds = [_kinds(graph, named) for named in (first, second)]
    for named, known in zip((first, second), kinds, strict=True):
        if not known:
            raise NamingError(f"No entity of the graph is called '{named}'.")
    shared = sorted(kinds[0] & kinds[1] & ({kind} if kind else NAMED))
    if not shared:
        told = " and ".join(
            f"'{named}' is a {' and a '.join(sorted(known))}"
            for named, known in zip((first, second), kinds, strict=True)
        )
        raise NamingError(f"Only names of one type are one entity or two: {told}.")
    if len(shared) > 1:
        raise NamingError(f"Both names are of several types; say which with --type: {', '.join(shared)}.")
    filers = {f"company:{document.company_key}" for document in graph.documents.values()}
    owners = [_keys(graph, named).get(shared[0], set()) & filers for named in (first, second)]
    if same and all(owners) and not owners[0] & owners[1]:
        raise NamingError(
            f"'{first}' and '{second}' are two companies whose documents are read. Documents of one company are told "
            "by a flag: hybridrag index PATH --ticker TICKER"
        )
    decision = Decision(same, cast("EntityType", shared[0]), first, second)
    try:
        if read_decisions(str(decision).encode()) == [decision]:
            return decision
    except DecisionLineError as error:
        raise NamingError(f"That can't be decided: {error.why}.") from error
    raise NamingError(f"A name with '=', brackets or a line break in it can't be written down: {decision}")


def unkept(graph: KnowledgeGraph, decisions: Iterable[Decision]) -> Iterator[tuple[Decision, str]]:
    """Decisions that the graph does not show, and why: no document has a name, other lines say the opposite, or two
    companies' documents would become one's."""
    for each in decisions:
        one, other = (_keys(graph, named).get(each.kind, set()) for named in (each.one, each.other))
        if not one or not other:
            yield each, "no document has both names"
        elif each.same != bool(one & other):
            yield each, "another line, or the companies' own documents, say the opposite"


def _kinds(graph: KnowledgeGraph, named: Named) -> set[str]:
    """Types of the entities that have a name, in the documents of its company."""
    return set(_keys(graph, named))


def _keys(graph: KnowledgeGraph, named: Named) -> dict[str, set[str]]:
    """Type -> keys of the entities that have a name, in the documents of its company."""
    documents = graph.documents
    companies = {
        document.company_key
        for document in documents.values()
        if fold_company(named.company)
        in {fold_company(each) for each in (document.company, document.company_key, document.ticker or "")}
    }

    def has(entity: Entity) -> bool:
        folded = fold(named.name, entity.type)
        return any(
            fold(alias, entity.type) == folded
            and (not named.company or documents[document].company_key in companies)
            for alias, document in entity.aliases
        )

    found: dict[str, set[str]] = defaultdict(set)
    for entity in graph.entities:
        if entity.type in NAMED and has(entity):
            found[entity.type].add(entity.key)
    return dict(found)
