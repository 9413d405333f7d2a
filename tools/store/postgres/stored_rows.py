"""Rows of chunks as the database keeps and sends them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from tools.vector.embeddings import Vectors
from tools.vector.index_record import Row

STORED = (
    "SELECT c.number, c.id, c.document_id, c.folded, c.exact, e.embedding "
    "FROM hybridrag.chunks c JOIN hybridrag.embeddings e USING (number)"
)
"""Needs a filter by `c`, and to be asked for in binary: see `stored_row`."""


@dataclass(frozen=True, slots=True)
class GenerationKey:
    """Which generation is meant: its number comes again where the schema is dropped and filled anew."""

    number: int
    published: datetime


@dataclass(frozen=True, slots=True)
class IndexParts:
    """What is kept of a generation's index beside its tables, as `publishing` writes it."""

    duplicates: int
    counts: dict[str, int]
    """Document id -> its chunks in the index, of those that have any."""
    files: dict[str, str]
    """SHA-256 of the folder's keyword files, which its digest covers."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A row with what only the tables know of it."""

    row: Row
    number: int
    vector: Vectors


def stored_row(row: Any) -> Stored:
    """A row of `STORED`."""
    number, chunk, document, folded, exact, vector = row
    return Stored(Row(chunk, document, folded, exact), number, vector_of(vector))


def vector_of(data: bytes) -> Vectors:
    """A vector as pgvector sends it: its length and an unused number, two bytes each, then its float32."""
    return np.frombuffer(data, ">f4", offset=4).astype(np.float32)


def as_text(vector: Vectors) -> str:
    """A vector as pgvector reads it; nine digits give back the same float32."""
    return f"[{','.join(f'{value:.9g}' for value in vector.tolist())}]"
