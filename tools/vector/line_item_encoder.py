"""Which printed line people mean by their words: bge-small-en-v1.5 with a learnt change of low rank puts a phrase near
the lines that it may refer to ('money tied up in stock', 'Merchandise inventories').

`python -m evals.learn_line_items` writes the change, `data/line_items.npz`; `evals.learn_fit` writes another.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tools.bge_small import MODEL_SHA256, OUTPUT, session
from tools.integer_bert import INPUT
from tools.model_files import ModelFileError
from tools.vector.embeddings import LocalEmbeddings, tokenizer
from tools.vector.line_vectors import NONE_STORED, LineVectors

WEIGHTS = Path(__file__).parent / "data" / "line_items.npz"
MAX_CHARS, MAX_PIECES = 300, 62
"""What is read of a text."""
KEPT_VECTORS = 60_000
"""Texts whose vectors are remembered, 1.5 KB each: lines of a company are compared with one question after another."""
THREADS = 2
"""Texts that are read at once, each on one thread: a vector depends on its text alone."""
Vectors = NDArray[np.float32]
STATEMENTS = {
    "income": "income statement",
    "balance": "balance sheet",
    "cash_flow": "cash flows",
    "equity": "equity",
    "comprehensive": "comprehensive income",
    "segment": "segments",
}
"""What tables are called for the model; others have no name."""


def row_text(label: str, path: Sequence[str], statement: str) -> str:
    """A printed line as the model reads it: statement, headings, label."""
    return ": ".join(filter(None, (STATEMENTS.get(statement, ""), *path, label)))


def pieces_of(text: str) -> list[int]:
    """Word pieces with the marks at both ends. ModelFileError on missing or altered files."""
    ids = tokenizer().encode(text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")).ids
    return [*ids[: MAX_PIECES + 1], ids[-1]]


class LineItemEncoder:
    """Texts to unit vectors. `learnt`: another change than the one that comes with the program, as
    `tools.integer_bert.BertFile` takes it."""

    def __init__(self, learnt: Mapping[str, Any] | None = None) -> None:
        self._given = learnt
        self._kept: dict[str, Vectors] = {}
        self._stored = NONE_STORED

    @cached_property
    def id(self) -> str:
        """Names the model and what it learnt: vectors of two are never compared. ModelFileError as `vectors`."""
        change = learnt() if self._given is None else self._given
        total = hashlib.sha256(MODEL_SHA256.encode())
        for name in sorted(change):
            total.update(name.encode() + np.asarray(change[name], np.float32).tobytes())
        return total.hexdigest()[:16]

    def recall(self, stored: LineVectors | None) -> None:
        """Have vectors at hand that were stored with an index, in place of others; None, and those of another encoder,
        are of no use."""
        self._stored = stored or NONE_STORED

    def stored(self, lines: Iterable[str]) -> LineVectors:
        """Lines with their vectors, to be stored. ModelFileError as `vectors`."""
        places = {line: place for place, line in enumerate(sorted(set(lines)))}
        return LineVectors(self.id, places, self.vectors(list(places)).astype(np.float16))

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), 384) float32 of length 1, rounded to 16 bits, some 9 ms for each neither stored nor
        remembered. ModelFileError on missing, altered or damaged files."""
        stored, kept = self._stored, self._kept
        places = stored.places if stored.encoder == self.id else {}
        new = [text for text in dict.fromkeys(texts) if text not in kept and text not in places]
        if new:
            model = self._session  # loaded once, before threads ask for it
            with ThreadPoolExecutor(THREADS) as readers:
                read = dict(zip(new, readers.map(partial(_unit, model), new), strict=True))
            if len(kept) + len(read) > KEPT_VECTORS:
                kept = {text: kept[text] for text in texts if text in kept}
            # as a whole: another thread may be reading the one before
            self._kept = kept = kept | read
        found = [kept[text] if text not in places else stored.matrix[places[text]] for text in texts]
        return np.array(found, np.float32).reshape(len(texts), LocalEmbeddings.dimension)

    @cached_property
    def _session(self) -> Any:
        return _learnt_session() if self._given is None else session(self._given)


def _unit(model: Any, text: str) -> Vectors:
    """The mean of a text's states, of length 1."""
    states: Vectors = model.run([OUTPUT], {INPUT: np.asarray([pieces_of(text)], np.int64)})[0][0]
    mean: Vectors = states.mean(axis=0)
    unit = mean / max(float(np.linalg.norm(mean)), 1e-9)
    return unit.astype(np.float16).astype(np.float32)  # as it is stored


@cache
def _learnt_session() -> Any:
    """The model as it reads, once in a process."""
    return session(learnt())


def save(change: Mapping[str, Any]) -> None:
    """Writes what was learnt. OSError if it cannot."""
    stored: Any = {name: np.asarray(each, np.float16) for name, each in change.items()}
    np.savez_compressed(WEIGHTS, **stored)


@cache
def learnt() -> Mapping[str, Any]:
    """The change that comes with the program. Raises ModelFileError where the file is missing or damaged."""
    try:
        with np.load(BytesIO(WEIGHTS.read_bytes()), allow_pickle=False) as stored:
            return {name: stored[name].astype(np.float32) for name in stored.files}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error) as error:
        raise ModelFileError(
            f"{WEIGHTS.name} is damaged ({error}): install the program again, or run python -m evals.learn_line_items"
        ) from error
