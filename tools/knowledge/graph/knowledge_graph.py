"""The knowledge graph: entities and triplets with provenance, as a NetworkX MultiDiGraph and as fast
indexes."""

from __future__ import annotations

import gc
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.documents.types import Document
from tools.knowledge.graph import lookups
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.decisions import Decision
from tools.knowledge.graph.lines_on_disk import Damaged
from tools.knowledge.graph.lookups import Columns, Positions, Saved
from tools.knowledge.graph.merge_lines import MergeLine, merge_lines, save_merges
from tools.knowledge.graph.resolution import fold_company, fold_name
from tools.knowledge.graph.row_positions import PositionOfKey, RowsOfCompany, RowsOfEntity
from tools.knowledge.types import Entity, EntityType, Triplet
from tools.private_files import make_folder, open_private
from tools.scope import Scope

if TYPE_CHECKING:
    import networkx as nx

GRAPH_FILE = "graph.jsonl"
_CLOSED: frozenset[EntityType] = frozenset({"value", "period"})
"""Types a walk does not pass through: two metrics that share a number are not related."""


@dataclass(frozen=True, slots=True)
class GraphStats:
    """Counts of a graph."""

    documents: int
    nodes: int
    triplets: int
    nodes_by_type: dict[str, int]
    triplets_by_relation: dict[str, int]
    triplets_by_type: dict[str, int]
    """By head and tail type, e.g. 'metric -> value'."""
    triplets_by_document: dict[str, int]
    """Document name -> triplets, zeros included."""
    without_triplets: tuple[str, ...]
    """Names of documents that yielded none."""


class KnowledgeGraph:
    """Entities and triplets of one generation; immutable. Made by `build` or `load`."""

    def __init__(
        self, tables: r.Tables, merges: Sequence[MergeLine] = (), saved: Saved | None = None
    ) -> None:
        """`saved`: what lies beside the tables on the disk; None where it is to be told from them."""
        self.tables = tables
        self._merges = merges
        self._saved = saved

    @classmethod
    def build(
        cls,
        triplets: Iterable[Triplet],
        documents: Mapping[str, Document],
        decisions: Sequence[Decision] = (),
    ) -> KnowledgeGraph:
        """A graph of these triplets; `documents` by id, `decisions` of the user on names. The same triplets in any
        order give the same graph."""
        tables, resolver = r.build_tables(triplets, documents, decisions)
        return cls(tables, merge_lines(resolver, documents))

    def save(self, folder: Path) -> None:
        """Writes `graph.jsonl`, by what its lines are found, and the list of its merges into `folder`, which is made if
        it is missing. OSError if it cannot."""
        make_folder(folder)
        lines = r.dump_tables(self.tables)
        with open_private(folder / GRAPH_FILE, "wb") as file:
            file.write(lines)
        lookups.save(folder, self.tables, lines)
        save_merges(folder, self._merges)

    @classmethod
    def load(cls, folder: Path, damaged: Damaged = r.GraphFormatError) -> KnowledgeGraph:
        """The graph that `save` wrote, read as it is asked for; one that an earlier version saved is loaded whole.
        FileNotFoundError without one, GraphFormatError if it is damaged, `damaged` for a line that is found so later.
        """
        try:
            saved = Saved(folder, damaged)
        except FileNotFoundError:
            return cls._whole((folder / GRAPH_FILE).read_bytes())
        return cls(lookups.opened(folder / GRAPH_FILE, saved), saved=saved)

    @classmethod
    def _whole(cls, data: bytes) -> KnowledgeGraph:
        collecting = gc.isenabled()
        gc.disable()  # a pass of the collector over half a million new lists costs more than reading them
        try:
            return cls(r.load_tables(data))
        finally:
            if collecting:
                gc.enable()

    def digest(self) -> str:
        """SHA-256 of the canonical bytes; equal for equal content."""
        return hashlib.sha256(r.dump_tables(self.tables)).hexdigest()

    def __len__(self) -> int:
        return len(self.tables.rows)

    @property
    def documents(self) -> dict[str, Document]:
        """Documents by id."""
        return {document.id: document for document in self.tables.documents}

    @property
    def entities(self) -> Sequence[Entity]:
        """All nodes, by key."""
        return self.tables.entities

    def triplet(self, row: int) -> Triplet:
        """The triplet at a position of the canonical order."""
        return r.make_row_triplet(self.tables, self.tables.rows[row])

    def triplets(self) -> list[Triplet]:
        """All triplets, in canonical order."""
        return [r.make_row_triplet(self.tables, row) for row in self.tables.rows]

    @cached_property
    def columns(self) -> Columns:
        """Of all triplets, in canonical order: see `tools.knowledge.graph.lookups`."""
        return lookups.columns_of(self.tables) if self._saved is None else self._saved.columns

    @cached_property
    def _keys(self) -> tuple[memoryview, memoryview, memoryview]:
        """(document, period, figure) of each triplet: one number of a view is had sooner than one of an array."""
        kinds = (lookups.DOCUMENT, lookups.PERIOD, lookups.FIGURE)
        documents, periods, figures = (np.ascontiguousarray(self.columns[kind]).data for kind in kinds)
        return documents, periods, figures

    @cached_property
    def rows_of_company(self) -> RowsOfCompany:
        """Company key -> positions of the triplets its documents hold."""
        return RowsOfCompany(self.columns, self.tables.documents)

    @cached_property
    def companies(self) -> Sequence[str]:
        """Keys of the companies with documents, in order."""
        return lookups.companies_of(self.tables)

    @cached_property
    def edges_of(self) -> RowsOfEntity:
        """Entity position -> positions of the triplets it is head or tail of."""
        return RowsOfEntity(self.columns, len(self.tables.entities))

    def _lookup(self, table: Callable[[r.Tables], Positions]) -> Positions:
        return table(self.tables) if self._saved is None else self._saved.lookup(table)

    @cached_property
    def rows_of_chunk(self) -> Positions:
        """See `lookups.chunks`."""
        return self._lookup(lookups.chunks)

    @cached_property
    def rows_of_id(self) -> Positions:
        """See `lookups.ids`."""
        return self._lookup(lookups.ids)

    @cached_property
    def names(self) -> Positions:
        """See `lookups.names`."""
        return self._lookup(lookups.names)

    @cached_property
    def surnames(self) -> Positions:
        """See `lookups.surnames`."""
        return self._lookup(lookups.surnames)

    @cached_property
    def line_items(self) -> Positions:
        """See `lookups.line_items`."""
        return self._lookup(lookups.line_items)

    @cached_property
    def label_words(self) -> Positions:
        """See `lookups.label_words`."""
        return self._lookup(lookups.label_words)

    @cached_property
    def label_metrics(self) -> Positions:
        """See `lookups.label_metrics`."""
        return self._lookup(lookups.label_metrics)

    @cached_property
    def entity_positions(self) -> Mapping[str, int]:
        """Entity key -> position."""
        return PositionOfKey(self.tables.entities)

    @cached_property
    def network(self) -> nx.MultiDiGraph[str]:
        """The graph itself: nodes by entity key with `entity`, edges by triplet id with `triplet`."""
        import networkx as nx

        network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        for entity in self.tables.entities:
            network.add_node(entity.key, entity=entity)
        for row in self.tables.rows:
            head, tail = self.tables.entities[row[r.HEAD_ENTITY]], self.tables.entities[row[r.TAIL_ENTITY]]
            network.add_edge(head.key, tail.key, key=row[r.ID], triplet=r.make_row_triplet(self.tables, row))
        return network

    def admits(self, row: int, scope: Scope) -> bool:
        """True if the triplet at this position may be seen within `scope`."""
        documents, periods, _ = self._keys
        document, period = self.tables.documents[documents[row]], self.tables.periods[periods[row]]
        return scope.admits(document.company_key, period, document.doc_type, document.id)

    def admitted(self, rows: Iterable[int], scope: Scope) -> Iterator[int]:
        """Those rows that `scope` admits, in their order; documents and periods are looked at once each."""
        seen: dict[tuple[int, int], bool] = {}
        documents, periods, _ = self._keys
        for row in rows:
            key = documents[row], periods[row]
            allowed = seen.get(key)
            if allowed is None:
                allowed = seen[key] = self.admits(row, scope)
            if allowed:
                yield row

    def is_figure(self, row: int) -> bool:
        """Whether the triplet at this position states a figure."""
        return bool(self._keys[2][row])

    def may_answer(self, row: int) -> bool:
        """False for a figure whose unit or period is not known: it is kept, and only shown."""
        return r.row_may_answer(self.tables, self.tables.rows[row])

    def find_entity(self, name: str, scope: Scope | None = None, *, best: bool = False) -> list[Entity]:
        """Entities of this name or alias, then such whose name holds all its words (`best`: only where there are none
        of the first); only those that an admitted triplet touches. A metric is found by its canonical name."""
        scope = scope or Scope()
        from tools.knowledge.lexicon.metric_names import canonical_metric

        exact = set(self.names.get(fold_company(name), ())) | set(self.names.get(fold_name(name), ()))
        words = set(fold_name(name).split())
        metric = canonical_metric(name)
        near: set[int] = set()
        for position, entity in enumerate(self.tables.entities):
            if entity.type == "metric" and entity.key.split(":", 2)[2] == metric:
                exact.add(position)
            elif words and entity.type not in _CLOSED and words <= set(fold_name(entity.name).split()):
                near.add(position)
        order = [*sorted(exact), *sorted(near - exact)]
        touched = [p for p in order if any(self.admits(row, scope) for row in self.edges_of[p])]
        if best:
            touched = [p for p in touched if p in exact] or touched
        return [self.tables.entities[p] for p in touched]

    def neighbourhood(self, entity: str, depth: int = 1, scope: Scope | None = None) -> list[Triplet]:
        """Triplets within `depth` steps of the entity key, in canonical order; every edge and every node on the way
        is one that `scope` admits. Empty for an unknown key."""
        start = self.entity_positions.get(entity)
        return (
            []
            if start is None
            else [self.triplet(row) for row in self.walk([start], depth, scope or Scope())]
        )

    def walk(self, starts: Iterable[int], depth: int, scope: Scope) -> list[int]:
        """Positions of the admitted triplets within `depth` steps of these entity positions, ascending."""
        return sorted(
            row for _, step in zip(range(depth), self.steps(starts, scope), strict=False) for row in step
        )

    def steps(self, starts: Iterable[int], scope: Scope) -> Iterator[list[int]]:
        """Positions of the admitted triplets that each further step from these entity positions adds, ascending, until
        one adds none."""
        seen_rows: set[int] = set()
        frontier = set(starts)
        seen = set(frontier)
        while frontier:
            edges = (row for position in frontier for row in self.edges_of.get(position, ()))
            step = {row for row in edges if row not in seen_rows and self.admits(row, scope)}
            seen_rows |= step
            ends = (r.HEAD_ENTITY, r.TAIL_ENTITY)
            reached = {self.tables.rows[row][end] for row in step for end in ends}
            frontier = {p for p in reached - seen if self.tables.entities[p].type not in _CLOSED}
            seen |= frontier
            yield sorted(step)

    def stats(self) -> GraphStats:
        """Counts by type, relation and document."""
        contexts = self.tables.contexts
        relations, pairs, per_document = Counter[str](), Counter[str](), Counter[int]()
        for number, count in _counted(self.columns[lookups.CONTEXT]):
            relation, head_type, tail_type, *_ = contexts[number]
            relations[relation] += count
            pairs[f"{head_type} -> {tail_type}"] += count
        per_document.update(dict(_counted(self.columns[lookups.DOCUMENT])))
        by_document = {d.name: per_document[index] for index, d in enumerate(self.tables.documents)}
        return GraphStats(
            documents=len(self.tables.documents),
            nodes=len(self.tables.entities),
            triplets=len(self.tables.rows),
            nodes_by_type=dict(Counter(str(entity.type) for entity in self.tables.entities).most_common()),
            triplets_by_relation=dict(relations.most_common()),
            triplets_by_type=dict(pairs.most_common()),
            triplets_by_document=dict(sorted(by_document.items())),
            without_triplets=tuple(sorted(name for name, count in by_document.items() if not count)),
        )


def _counted(numbers: NDArray[np.int32]) -> list[tuple[int, int]]:
    """(number, how often it is there), the one that comes first first."""
    found, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    order = np.argsort(first)
    return list(zip(found[order].tolist(), counts[order].tolist(), strict=True))
