"""BM25 over postings that are fetched when they are needed, rare terms first; scores as `tools.vector.keywords`.

The postings of a term in a document are one value, so that a filter by documents reads no other's. Of a question's
terms those that many chunks hold are fetched only for chunks that can still be among the best (MaxScore: Turtle and
Flood 1995): what is read is bounded by the rare terms, not by the size of the index.
"""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

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
POSTINGS_AT_ONCE = 200_000
"""So many are fetched together: it takes no longer than to find out which of the commoner terms' are needed, and what
is fetched of all documents is kept."""
HELD_BYTES = 1_000
"""Of one term's postings, besides their content."""
KEPT_BYTES = 64 << 20
"""Of postings that a reader keeps."""


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


@dataclass(frozen=True, slots=True)
class Postings:
    """Those of one term in several documents, by the number of the chunk."""

    term: str
    numbers: NDArray[np.uint32]
    """Of chunks, rising."""
    scores: NDArray[np.float32]
    """What the term adds to each chunk's score."""
    documents: Sequence[str]
    """Ids."""
    of: NDArray[np.int32]
    """Position of each chunk's document."""

    @classmethod
    def read(
        cls, term: str, data: bytes, documents: Sequence[str], holders: Sequence[int], known: Statistics
    ) -> Postings:
        """From what is stored, one document's after another's; `holders`: how many entries each has. ValueError."""
        entries = decoded(data)
        if sum(holders) != len(entries):
            raise ValueError(f"those of '{term}' are not as many as was written")
        order = np.argsort(entries[:, NUMBER], kind="stable")
        of = np.repeat(np.arange(len(documents), dtype=np.int32), holders)[order]
        return cls(term, entries[order, NUMBER], known.scores(term, entries[order]), documents, of)

    def within(self, documents: Collection[str]) -> Postings:
        """Those in some documents."""
        wanted = np.array([each in documents for each in self.documents], dtype=bool)
        if wanted.all():
            return self
        kept = wanted[self.of]
        return Postings(self.term, self.numbers[kept], self.scores[kept], self.documents, self.of[kept])

    def places(self, numbers: NDArray[np.uint32]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Which chunks with these rising numbers hold the term, and where these stand."""
        places = np.searchsorted(self.numbers, numbers)
        holds = places < len(self.numbers)
        holds[holds] = self.numbers[places[holds]] == numbers[holds]
        return holds, places[holds]

    @property
    def bytes(self) -> int:
        """About what they take in memory: arrays, places of ids, and what holds them."""
        arrays = self.numbers.nbytes + self.scores.nbytes + self.of.nbytes
        return arrays + 8 * len(self.documents) + HELD_BYTES


class KeptPostings:
    """The postings of a generation's terms in all documents that were asked for last: questions share their commonest
    words, of which there is most to fetch. Threads may share them."""

    def __init__(self, most: int = KEPT_BYTES) -> None:
        """`most`: bytes of all of them together."""
        self._most, self._bytes = most, 0
        self._held: OrderedDict[str, Postings] = OrderedDict()
        self._lock = Lock()

    def get(self, term: str) -> Postings | None:
        """Those of a term, if they are kept."""
        with self._lock:
            if term in self._held:
                self._held.move_to_end(term)
            return self._held.get(term)

    def keep(self, postings: Iterable[Postings]) -> None:
        """Keep these, and let go of those that were asked for longest ago."""
        with self._lock:
            for each in (each for each in postings if each.bytes <= self._most):
                self._drop(each.term)
                self._held[each.term] = each
                self._bytes += each.bytes
            while self._bytes > self._most:
                self._drop(next(iter(self._held)))

    def _drop(self, term: str) -> None:
        if term in self._held:
            self._bytes -= self._held.pop(term).bytes


Fetch = Callable[[Sequence[str], Sequence[str] | None], list[Postings]]
"""The postings of terms in documents, of all for None: one for each term that any of them holds."""


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


def added_up(
    terms: Sequence[str], postings: Iterable[Postings], numbers: NDArray[np.uint32]
) -> tuple[NDArray[np.float32], dict[str, NDArray[np.bool_]]]:
    """(n,) scores of the chunks with these rising numbers, and for each term which of them hold it. `postings`: all
    that these chunks have of the terms."""
    total = np.zeros(len(numbers), dtype=np.float32)
    by_term = {each.term: each for each in postings}
    held = {}
    for term in terms:
        if (own := by_term.get(term)) is None:
            held[term] = np.zeros(len(numbers), dtype=np.bool_)
        else:
            held[term], places = own.places(numbers)
            total[held[term]] += own.scores[places]
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
    postings = list[Postings]()
    totals = np.zeros(0, np.float32)
    rest = sum(known.weight(term) for term in held)
    while rare_first and rest > _least(totals, pool):
        together = np.cumsum([known.holders[term] for term in rare_first]) <= at_once
        batch = rare_first[: max(1, int(together.sum()))]
        rare_first = rare_first[len(batch) :]
        rest -= sum(known.weight(term) for term in batch)  # a term adds less than its weight
        fetched = [each for each in fetch(batch, documents) if len(each.numbers)]
        postings += fetched
        end = max((int(each.numbers[-1]) + 1 for each in fetched), default=0)
        totals = np.concatenate([totals, np.zeros(max(0, end - len(totals)), np.float32)])
        for each in fetched:
            totals[each.numbers] += each.scores
    hopeful = (totals > 0) & (totals + max(0.0, rest) >= _least(totals, pool))
    numbers = np.flatnonzero(hopeful).astype(np.uint32)
    if rare_first:
        postings += fetch(rare_first, _documents_with(numbers, postings))
    scores, _ = added_up(held, postings, numbers)  # until here they were summed up in another order
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
    """The least score of the `pool` best above 0, or a little less: what rounding may make of it; 0 if there are
    fewer."""
    found = scores[scores > 0]
    if len(found) < pool:
        return 0.0
    return float(np.partition(found, -pool)[-pool]) * (1 - ROUNDING)


def _documents_with(numbers: NDArray[np.uint32], postings: Iterable[Postings]) -> list[str]:
    """The documents whose postings name one of these chunks."""
    found: set[str] = set()
    for each in postings:
        _, places = each.places(numbers)
        found.update(each.documents[at] for at in np.flatnonzero(np.bincount(each.of[places])).tolist())
    return sorted(found)
