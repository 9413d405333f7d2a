"""BM25 over the chunks, by bm25s, kept in plain arrays and JSON."""

from __future__ import annotations

import json
import math
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson
from numpy.typing import NDArray

# fmt: off
STOP_WORDS: Final = frozenset([
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but",
    "by", "can", "could", "did", "do", "does", "doing", "for", "from", "get", "had", "has", "have",
    "having", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just",
    "me", "more", "most", "my", "of", "on", "or", "our", "out", "over", "please", "s", "she", "should",
    "so", "some", "such", "t", "than", "that", "the", "their", "them", "then", "there", "these", "they",
    "this", "those", "to", "too", "was", "we", "were", "what", "when", "where", "which", "while", "who",
    "whom", "why", "will", "with", "would", "you", "your",
])
# fmt: on
"""Function words; 'no', 'not', 'up', 'down', 'before', 'after' and the like carry meaning here and stay."""

_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|\d+(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|[^\W_]+(?:&[^\W_]+)*")
_POSSESSIVE = re.compile(r"['\u2019]s\b")
_IDS = "ids.json"
K1, B = 1.2, 0.75
"""Of BM25: how soon more of a term says no more, and how much a long text's terms count for less."""


def tokenize(text: str) -> list[str]:
    """Terms in order: lower case, no stop words, plurals and possessives cut, '81,797' as '81797'."""
    folded = _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text).lower())
    return [_term(word) for word in _WORD.findall(folded) if word not in STOP_WORDS]


def load_bm25s() -> Any:
    """The library, without JAX: where that is installed, for training, bm25s would load it for every question, though
    nothing here is computed by it."""
    if not {"jax", "bm25s"} & sys.modules.keys():
        sys.modules["jax"] = None  # type: ignore[assignment]  # an import of it fails
        try:
            import bm25s
        finally:
            sys.modules.pop("jax", None)
    import bm25s

    return bm25s


def idf(texts: int, holders: int) -> float:
    """Lucene's, above 0."""
    return math.log1p((texts - holders + 0.5) / (holders + 0.5))


def _term(word: str) -> str:
    """Plurals cut after Harman's S-stemmer (1991), so that names and tickers survive."""
    if word[0].isdigit():
        return word.replace(",", "")
    if word.endswith("."):
        return word.replace(".", "")
    if len(word) < 4 or not word.endswith("s") or word.endswith(("us", "ss", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "xes", "ches", "shes", "zes")) else word[:-1]


@dataclass(frozen=True, slots=True)
class _Columns:
    """What bm25s has computed: for each term the texts that hold it, and what it adds to their scores."""

    numbers: Mapping[str, int]
    """Term -> number."""
    data: NDArray[np.float32]
    texts: NDArray[np.int32]
    starts: NDArray[np.int32]
    """(terms + 1,) where the entries of each term begin in `data` and `texts`."""

    def of(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Texts that hold a term, each once, and what it adds to each."""
        own = slice(self.starts[number], self.starts[number + 1])
        return self.texts[own], self.data[own]


_NOTHING = _Columns({}, np.zeros(0, np.float32), np.zeros(0, np.int32), np.zeros(1, np.int32))


class KeywordIndex:
    """BM25 (Lucene's variant, K1, B) over texts that are known by their ids. Made by bm25s; searching needs nothing of
    it but its arrays."""

    def __init__(self, ids: tuple[str, ...], columns: _Columns = _NOTHING, engine: Any = None) -> None:
        """`engine`: bm25s' index, to be saved."""
        self.ids = ids
        self._columns, self._engine = columns, engine

    @classmethod
    def build(cls, ids: Sequence[str], texts: Sequence[str]) -> KeywordIndex:
        """Index `texts[i]` as `ids[i]`; the same input gives the same bytes on `save`."""
        tokens = [tokenize(text) for text in texts]
        vocabulary = {word: number for number, word in enumerate(sorted(set().union(*tokens)))}
        if not vocabulary:
            return cls(tuple(ids))
        engine = load_bm25s().BM25(method="lucene", k1=K1, b=B)
        numbers = [[vocabulary[word] for word in words] for words in tokens]
        engine.index((numbers, vocabulary), create_empty_token=False, show_progress=False)
        columns = _Columns(vocabulary, *(engine.scores[part] for part in ("data", "indices", "indptr")))
        return cls(tuple(ids), columns, engine)

    def save(self, folder: Path) -> None:
        """Write what `build` made into `folder`, which is made: ids, and bm25s' arrays and vocabulary; no pickle.
        ValueError for what `load` read."""
        if self._engine is None and self._columns.numbers:
            raise ValueError("only what was built can be saved")
        folder.mkdir(parents=True, exist_ok=True)
        document = {"ids": self.ids, "empty": self._engine is None}
        (folder / _IDS).write_text(json.dumps(document), encoding="utf-8")
        if self._engine is not None:
            self._engine.save(folder, show_progress=False, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> KeywordIndex:
        """Read what `save` wrote; OSError or ValueError when it is missing or damaged."""
        document = orjson.loads((folder / _IDS).read_bytes())
        ids = tuple(document["ids"])
        if document["empty"]:
            return cls(ids)
        data, texts, starts = (
            np.asarray(np.load(folder / f"{part}.csc.index.npy", mmap_mode="r", allow_pickle=False))
            for part in ("data", "indices", "indptr")
        )
        texts_indexed = orjson.loads((folder / "params.index.json").read_bytes())["num_docs"]
        if texts_indexed != len(ids):
            raise ValueError(f"{folder} holds {texts_indexed} texts for {len(ids)} ids")
        vocabulary = orjson.loads((folder / "vocab.index.json").read_bytes())
        return cls(ids, _Columns(vocabulary, data, texts, starts))

    def scores(self, query: str, allowed: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
        """(len(ids),) BM25 scores, 0 or more; 0 too where `allowed` is False."""
        found = np.zeros(len(self.ids), dtype=np.float32)
        for number in self._numbers(query):
            holders, added = self._columns.of(number)
            found[holders] += added
        return found if allowed is None else np.where(allowed, found, np.float32(0))

    def scores_among(self, query: str, positions: NDArray[np.int64]) -> NDArray[np.float32]:
        """(len(positions),) BM25 scores with the idf that terms have among these texts alone: a word that all of them
        hold says nothing of one. `positions` rise."""
        total = np.zeros(len(self.ids), dtype=np.float32)
        counted = np.zeros(len(self.ids), dtype=bool)
        counted[positions] = True
        for number in self._numbers(query):
            holders, added = self._columns.of(number)
            among = int(counted[holders].sum())
            weight = idf(len(positions), among) / idf(len(self.ids), len(holders))
            total[holders] += added * np.float32(weight)
        return total[positions]

    def coverage(self, query: str, positions: NDArray[np.int64]) -> NDArray[np.float32]:
        """(len(positions),) share of the query's terms that each text holds, weighted by their idf, 0 to 1.

        A term that no text holds weighs most of all: it is what the texts know nothing of.
        """
        held = np.zeros(len(self.ids), dtype=np.float32)
        words = dict.fromkeys(tokenize(query))
        if not self._columns.numbers or not words:
            return held[positions]
        total = 0.0
        for word in words:
            number = self._columns.numbers.get(word)
            holders = _NOTHING.texts if number is None else self._columns.of(number)[0]
            weight = idf(len(self.ids), len(holders))
            held[holders] += weight
            total += weight
        return held[positions] / np.float32(total)

    def _numbers(self, query: str) -> list[int]:
        known = self._columns.numbers
        return [known[word] for word in dict.fromkeys(tokenize(query)) if word in known]
