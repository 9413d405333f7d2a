"""BM25 over postings that are fetched when they are needed, rare terms first; scores as `tools.vector.keywords`.

The postings of a term in a document are one value, so that a filter by documents reads no other's. Of a question's
terms those that many chunks hold are fetched only for chunks that can still be among the best (MaxScore: Turtle and
Flood 1995): what is read is bounded by the rare terms, not by the size of the index.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.vector.keywords import K1, B, idf

Entries = NDArray[np.uint32]
"""(n, 3): number of a chunk, how often it holds the term, how many terms it has."""
NUMBER, COUNT, TOKENS = range(3)
MAX_KEY_BYTES = 100
"""Longest term that is its own key: an index of PostgreSQL holds no long ones."""
ROUNDING = 1e-5
"""Relative error of a sum of float32 scores, generously."""
POSTINGS_AT_ONCE = 10_000
"""Fewer take no longer to fetch than the question for them."""
NONE: Entries = np.zeros((0, 3), dtype=np.uint32)


@dataclass(frozen=True, slots=True)
class Postings:
    """Those of one term in several documents, one after another."""

    term: str
    entries: Entries
    documents: Sequence[str]
    """Ids."""
    holders: Sequence[int]
    """How many entries each has."""


Fetch = Callable[[Sequence[str], Sequence[str] | None], list[Postings]]
"""The postings of terms in documents, of all for None: one for each term that any of them holds."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BM25 needs to know of all chunks of a generation."""

    chunks: int
    tokens: int
    """Terms of all of them together."""
    holders: Mapping[str, int]
    """Term -> chunks that hold it; terms without any may be missing."""

    def weight(self, term: str) -> float:
        """The term's idf."""
        return idf(self.chunks, self.holders.get(term, 0))

    def scores(self, term: str, entries: Entries) -> NDArray[np.float32]:
        """(n,) what the term adds to each chunk's score, operation by operation as bm25s, so that both round alike."""
        counts = entries[:, COUNT].astype(np.float64)
        lengths = B * entries[:, TOKENS] / (self.tokens / self.chunks)
        shares = counts / (K1 * ((1 - B) + lengths) + counts)
        holders = self.holders.get(term, 0)
        weight = math.log(1 + (self.chunks - holders + 0.5) / (holders + 0.5))
        return (np.float32(weight) * shares).astype(np.float32)


def key_of(term: str) -> str:
    """By what a term is found."""
    data = term.encode()
    return term if len(data) <= MAX_KEY_BYTES else hashlib.sha256(data).hexdigest()


def encoded(entries: Iterable[tuple[int, int, int]]) -> bytes:
    """Entries as they are stored: little-endian, 12 bytes each."""
    return np.array(list(entries), dtype="<u4").tobytes()


def decoded(data: bytes) -> Entries:
    """The inverse of `encoded`. ValueError."""
    return np.frombuffer(data, dtype="<u4").reshape(-1, 3)


def merged(postings: Iterable[Postings]) -> dict[str, Entries]:
    """Term -> its entries, by number."""
    return {each.term: each.entries[np.argsort(each.entries[:, NUMBER], kind="stable")] for each in postings}


def added_up(
    terms: Sequence[str], entries: Mapping[str, Entries], numbers: NDArray[np.uint32], known: Statistics
) -> tuple[NDArray[np.float32], dict[str, NDArray[np.bool_]]]:
    """(n,) scores of the chunks with these rising numbers, and for each term which of them hold it. `entries`: all that
    these chunks have of the terms."""
    total = np.zeros(len(numbers), dtype=np.float32)
    held = {}
    for term in terms:
        own = entries.get(term, NONE)
        places = np.searchsorted(own[:, NUMBER], numbers)
        holds = places < len(own)
        holds[holds] = own[places[holds], NUMBER] == numbers[holds]
        if holds.any():
            total[holds] += known.scores(term, own[places[holds]])
        held[term] = holds
    return total, held


def best(
    terms: Sequence[str],
    known: Statistics,
    documents: Sequence[str] | None,
    pool: int,
    fetch: Fetch,
    at_once: int = POSTINGS_AT_ONCE,
) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
    """Rising numbers of the `pool` best chunks by these terms within `documents`, with those that are as good as the
    last of them, and their scores, all above 0. `at_once`: postings up to which several terms are fetched together."""
    held = [term for term in terms if known.holders.get(term, 0) > 0]
    rare_first = sorted(held, key=lambda term: -known.weight(term))
    postings, entries = list[Postings](), dict[str, Entries]()
    numbers, scores = np.zeros(0, np.uint32), np.zeros(0, np.float32)
    rest = sum(known.weight(term) for term in held)
    while rare_first and rest > _least(scores, pool):
        together = np.cumsum([known.holders[term] for term in rare_first]) <= at_once
        batch = rare_first[: max(1, int(together.sum()))]
        rare_first = rare_first[len(batch) :]
        rest -= sum(known.weight(term) for term in batch)  # a term adds less than its weight
        postings += (fetched := fetch(batch, documents))
        entries |= merged(fetched)
        numbers, scores = _with_terms(numbers, scores, (each.term for each in fetched), entries, known)
    numbers = numbers[scores + max(0.0, rest) >= _least(scores, pool)]
    if rare_first:
        entries |= merged(fetch(rare_first, _documents_with(numbers, postings)))
    scores, _ = added_up(held, entries, numbers, known)  # until here they were summed up in another order
    kept = scores >= _least(scores, pool)
    return numbers[kept], scores[kept]


def covered(
    terms: Sequence[str], held: Mapping[str, NDArray[np.bool_]], count: int, known: Statistics
) -> NDArray[np.float32]:
    """(count,) see `ChunkIndex.coverage`; `held`: for each term which of these chunks hold it."""
    total, share = 0.0, np.zeros(count, dtype=np.float32)
    for term in terms:
        share[held[term]] += known.weight(term)
        total += known.weight(term)
    return share / np.float32(total) if terms else share


def _least(scores: NDArray[np.float32], pool: int) -> float:
    """The least score of the `pool` best, or a little less: what rounding may make of it."""
    if len(scores) < pool:
        return 0.0
    return float(np.partition(scores, -pool)[-pool]) * (1 - ROUNDING)


def _documents_with(numbers: NDArray[np.uint32], postings: Iterable[Postings]) -> list[str]:
    """The documents whose postings name one of these chunks."""
    found: set[str] = set()
    for each in postings:
        named = np.isin(each.entries[:, NUMBER], numbers)
        of = np.repeat(np.arange(len(each.documents)), each.holders)
        found.update(each.documents[at] for at in np.flatnonzero(np.bincount(of[named])).tolist())
    return sorted(found)


def _with_terms(
    numbers: NDArray[np.uint32],
    scores: NDArray[np.float32],
    terms: Iterable[str],
    entries: Mapping[str, Entries],
    known: Statistics,
) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
    """Chunks with their scores by some terms, and by these, too."""
    own = {term: entries[term] for term in terms}
    together = _each_once(np.concatenate([numbers, *(each[:, NUMBER] for each in own.values())]))
    total: NDArray[np.float32] = np.zeros(len(together), np.float32)
    total[np.searchsorted(together, numbers)] = scores
    for term, each in own.items():
        total[np.searchsorted(together, each[:, NUMBER])] += known.scores(term, each)
    return together, total


def _each_once(numbers: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Rising, without repetitions: several times as fast as `np.unique`, which hashes them."""
    rising = np.sort(numbers)
    return rising[np.concatenate([[True], rising[1:] != rising[:-1]])] if len(rising) else rising
