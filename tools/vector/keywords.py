"""BM25 over the chunks, by bm25s, kept in plain arrays and JSON."""

from __future__ import annotations

import json
import math
import re
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
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


class KeywordIndex:
    """BM25 (Lucene's variant, K1, B) over texts that are known by their ids."""

    def __init__(self, ids: tuple[str, ...], engine: Any) -> None:
        self.ids = ids
        self._engine = engine

    @classmethod
    def build(cls, ids: Sequence[str], texts: Sequence[str]) -> KeywordIndex:
        """Index `texts[i]` as `ids[i]`; the same input gives the same bytes on `save`."""
        tokens = [tokenize(text) for text in texts]
        vocabulary = {word: number for number, word in enumerate(sorted(set().union(*tokens)))}
        if not vocabulary:
            return cls(tuple(ids), None)
        engine = load_bm25s().BM25(method="lucene", k1=K1, b=B)
        numbers = [[vocabulary[word] for word in words] for words in tokens]
        engine.index((numbers, vocabulary), create_empty_token=False, show_progress=False)
        return cls(tuple(ids), engine)

    def save(self, folder: Path) -> None:
        """Write the index into `folder`, which is made: ids, and bm25s' arrays and vocabulary; no pickle."""
        folder.mkdir(parents=True, exist_ok=True)
        document = {"ids": self.ids, "empty": self._engine is None}
        (folder / _IDS).write_text(json.dumps(document), encoding="utf-8")
        if self._engine is not None:
            self._engine.save(folder, show_progress=False, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> KeywordIndex:
        """Read what `save` wrote; OSError or ValueError when it is missing or damaged."""
        document = json.loads((folder / _IDS).read_text(encoding="utf-8"))
        if document["empty"]:
            return cls(tuple(document["ids"]), None)
        engine = load_bm25s().BM25.load(folder, show_progress=False, allow_pickle=False, mmap=True)
        engine.scores |= {part: np.asarray(engine.scores[part]) for part in ("data", "indices", "indptr")}
        if engine.scores["num_docs"] != len(document["ids"]):
            raise ValueError(
                f"{folder} holds {engine.scores['num_docs']} texts for {len(document['ids'])} ids"
            )
        return cls(tuple(document["ids"]), engine)

    def scores(self, query: str, allowed: NDArray[np.bool_] | None = None) -> NDArray[np.float32]:
        """(len(ids),) BM25 scores, 0 or more; 0 too where `allowed` is False."""
        numbers = self._numbers(query)
        if not numbers:
            return np.zeros(len(self.ids), dtype=np.float32)
        found: NDArray[np.float32] = self._engine.get_scores_from_ids(numbers)
        return found if allowed is None else np.where(allowed, found, np.float32(0))

    def scores_among(self, query: str, positions: NDArray[np.int64]) -> NDArray[np.float32]:
        """(len(positions),) BM25 scores with the idf that terms have among these texts alone: a word that all of them
        hold says nothing of one. `positions` rise."""
        total = np.zeros(len(self.ids), dtype=np.float32)
        counted = np.zeros(len(self.ids), dtype=bool)
        counted[positions] = True
        for number in self._numbers(query):
            start, end = self._engine.scores["indptr"][number : number + 2]
            holders = self._engine.scores["indices"][start:end]
            among = int(counted[holders].sum())
            weight = idf(len(positions), among) / idf(len(self.ids), len(holders))
            total[holders] += self._engine.scores["data"][start:end] * np.float32(weight)
        return total[positions]

    def coverage(self, query: str, positions: NDArray[np.int64]) -> NDArray[np.float32]:
        """(len(positions),) share of the query's terms that each text holds, weighted by their idf, 0 to 1.

        A term that no text holds weighs most of all: it is what the texts know nothing of.
        """
        held = np.zeros(len(self.ids), dtype=np.float32)
        words = dict.fromkeys(tokenize(query))
        if self._engine is None or not words:
            return held[positions]
        starts, texts = self._engine.scores["indptr"], self._engine.scores["indices"]
        total = 0.0
        for word in words:
            number = self._engine.vocab_dict.get(word)
            holders = texts[:0] if number is None else texts[starts[number] : starts[number + 1]]
            weight = idf(len(self.ids), len(holders))
            held[holders] += weight
            total += weight
        return held[positions] / np.float32(total)

    def _numbers(self, query: str) -> list[int]:
        if self._engine is None:
            return []
        known: dict[str, int] = self._engine.vocab_dict
        return [known[word] for word in dict.fromkeys(tokenize(query)) if word in known]
