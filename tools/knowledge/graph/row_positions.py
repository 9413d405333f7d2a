"""Positions of triplets by company and by entity, and of entities by key, told from what a graph keeps in order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tools.documents.types import Document
from tools.knowledge.graph.lookups import DOCUMENT, HEAD_ENTITY, TAIL_ENTITY, Columns
from tools.knowledge.types import Entity


class RowsOfCompany(Mapping[str, list[int]]):
    """Company key -> positions of the triplets its documents hold, ascending."""

    def __init__(self, columns: Columns, documents: Sequence[Document]) -> None:
        """`columns`: their documents ascend."""
        self._bounds = np.searchsorted(columns[DOCUMENT], np.arange(len(documents) + 1))
        self._documents: dict[str, list[int]] = {}
        for number, document in enumerate(documents):
            self._documents.setdefault(document.company_key, []).append(number)
        self._known: dict[str, list[int]] = {}

    def __getitem__(self, key: str) -> list[int]:
        if key not in self._known:
            self._known[key] = [row for number in self._documents[key] for row in self.of_document(number)]
        return self._known[key]

    def of_document(self, number: int) -> range:
        """Of the document at a position."""
        return range(int(self._bounds[number]), int(self._bounds[number + 1]))

    def documents_of(self, key: str) -> Sequence[int]:
        """Positions of a company's documents; none for an unknown key."""
        return self._documents.get(key, ())

    def __contains__(self, key: object) -> bool:
        return key in self._documents

    def __iter__(self) -> Iterator[str]:
        return iter(self._documents)

    def __len__(self) -> int:
        return len(self._documents)


class RowsOfEntity(Mapping[int, list[int]]):
    """Entity position -> positions of the triplets it is head or tail of, ascending."""

    def __init__(self, columns: Columns, entities: int) -> None:
        """`entities`: how many there are."""
        self._columns, self._entities = columns, entities

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows by entity, and where each entity's begin."""
        heads, tails = (self._columns[end].astype(np.int64) for end in (HEAD_ENTITY, TAIL_ENTITY))
        rows = np.arange(len(heads), dtype=np.int64)
        apart = heads != tails
        size = max(1, len(rows))
        keys = np.concatenate([heads * size + rows, tails[apart] * size + rows[apart]])
        keys.sort()
        return keys % size, np.searchsorted(keys, np.arange(self._entities + 1) * size)

    def __getitem__(self, entity: int) -> list[int]:
        rows, starts = self._sorted
        if not 0 <= entity < self._entities:
            raise KeyError(entity)
        found: list[int] = rows[starts[entity] : starts[entity + 1]].tolist()
        return found

    def number(self, entity: int) -> int:
        """How many there are."""
        starts = self._sorted[1]
        return int(starts[entity + 1] - starts[entity])

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._entities))

    def __len__(self) -> int:
        return self._entities


class PositionOfKey(Mapping[str, int]):
    """Entity key -> position."""

    def __init__(self, entities: Sequence[Entity]) -> None:
        """`entities`: sorted by key."""
        self._entities = entities

    def __getitem__(self, key: str) -> int:
        at = bisect_left(self._entities, key, key=lambda entity: entity.key)
        if at == len(self._entities) or self._entities[at].key != key:
            raise KeyError(key)
        return at

    def __iter__(self) -> Iterator[str]:
        return (entity.key for entity in self._entities)

    def __len__(self) -> int:
        return len(self._entities)
