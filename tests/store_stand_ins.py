"""An embedder and an extractor small enough to see through; reading processes import them by name."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Sequence

import numpy as np

from tools.documents.types import ParsedDocument
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import Triplet
from tools.model_files import ModelFileError
from tools.vector.embeddings import Vectors


class HashEmbedder:
    """A vector that depends on the text alone."""

    dimension = 16

    def __init__(self, name: str = "hash") -> None:
        self.id = f"{name}-16"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        seed = int.from_bytes(hashlib.sha256(f"{self.id}{text}".encode()).digest()[:8], "big")
        vector = np.random.default_rng(seed).normal(size=self.dimension)
        unit: Vectors = (vector / np.linalg.norm(vector)).astype(np.float32)
        return unit


class MissingModel(HashEmbedder):
    """An embedder whose files are not there."""

    def embed_query(self, text: str) -> Vectors:
        raise ModelFileError("The model is missing. Run: pip install it")


HOLD = "HYBRID_TEST_HOLD"
"""Environment variable: the name of a file in which a reading process waits until it is killed."""


class TitleExtractor:
    """One triplet a document; fails on documents that ask for it, and waits in the one that `HOLD` names."""

    def extract(self, parsed: ParsedDocument) -> Sequence[Triplet]:
        while parsed.document.name == os.environ.get(HOLD):
            time.sleep(0.1)
        text = "".join(page.text for page in parsed.pages)
        if "KILL ME" in text:
            os.kill(os.getpid(), 9)
        if "CONFUSE ME" in text:
            raise RuntimeError("no rule for this sentence")
        if "RUN AWAY" in text:
            re.match("(a+)+$", "a" * 60 + "b")  # within C code, where no signal handler of Python's runs
        if "EAT MEMORY" in text:
            bytearray(64 << 30)
        document = parsed.document
        tail = document.title or document.name
        return [
            make_triplet(
                document, (document.company, "company"), "published", (tail, "event"), page=1, quote=tail
            )
        ]
