"""How near sentences are to a question in meaning: the second, dearer look at the few that words chose."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from tools.vector.embeddings import Embedder

CHARS = 280
"""Characters of a sentence that are read: the time of a sentence grows with its length."""
KEPT = 4096
"""Vectors kept, by text; about 6 MB."""


class Nearness:
    """Cosines of sentences with a question, by the index's own embedding model.

    `embedder` is called at the first question, so that making one loads nothing. Vectors are kept by their
    text. Safe to use from several threads.
    """

    def __init__(self, embedder: Callable[[], Embedder]) -> None:
        self._embedder = embedder
        self._kept: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def of(self, question: str, sentences: Sequence[str]) -> list[float]:
        """The cosine of each sentence with the question, -1 to 1. Raises what the embedder raises."""
        if not sentences:
            return []
        asked, *others = self._vectors([question, *sentences])
        return [float(asked @ vector) for vector in others]

    def _vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        texts = [_cut(text) for text in texts]
        with self._lock:
            known = {text: self._kept[text] for text in texts if text in self._kept}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            known |= dict(zip(missing, self._embedder().embed(missing), strict=True))
        with self._lock:
            for text in texts:
                self._kept[text] = known[text]
                self._kept.move_to_end(text)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return [known[text] for text in texts]


def _cut(text: str) -> str:
    return text if len(text) <= CHARS else text[:CHARS].rsplit(" ", 1)[0]
