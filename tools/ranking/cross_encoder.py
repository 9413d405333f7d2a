"""How well a text answers a question, read together: ms-marco-MiniLM-L-12-v2 on this machine, without a download
at run time, and what it learnt about lines of filings and calls.

`python -m evals.learn_fit` writes what was learnt, `data/cross_encoder.npz`.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache, partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from tools.integer_bert import INPUT, TYPES, on_one_thread
from tools.model_files import ModelFileError
from tools.onnx_file import Array
from tools.quantized_bert import file_of
from tools.ranking.integer_cross_encoder import OUTPUT, integer_graph

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MODEL_SHA256 = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"
TOKENIZER_SHA256 = "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448"
LEARNT = Path(__file__).parent / "data" / "cross_encoder.npz"
MAX_PIECES = 112
"""Word pieces of question and text together: a long sentence with what stands before it."""
MAX_QUESTION_CHARS, MAX_TEXT_CHARS = 400, 900
"""What is read of each: bounds the tokenizer's work on hostile text."""
KEPT_SCORES = 1024
"""Pairs whose scores are remembered."""


class CrossEncoder:
    """A question and a text to one number, by onnxruntime, `threads` pairs at a time.

    A pair is run by itself, on one thread: the model's 8-bit products depend on batch mates, and threads that share
    so little work wait for each other. `learnt`: a change of the weights as
    `tools.ranking.integer_cross_encoder` takes it; None: the one that comes with the program.
    """

    def __init__(self, threads: int = 1, learnt: Mapping[str, Array] | None = None) -> None:
        self._threads = threads
        self._learnt = learnt
        self._kept = lru_cache(maxsize=KEPT_SCORES)(self._score)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """A logit for each text, higher where it answers better; about -11 to 11. ModelFileError on missing or
        altered files. What was scored lately is remembered: a wider search finds much of it again."""
        if not texts:
            return []
        first = self._kept(question, texts[0])  # loads the model, once
        with ThreadPoolExecutor(self._threads) as readers:
            return [first, *readers.map(partial(self._kept, question), texts[1:])]

    def _score(self, question: str, text: str) -> float:
        return float(self._session.run([OUTPUT], self.encoded(question, text))[0][0][0])

    def encoded(self, question: str, text: str) -> dict[str, Array]:
        """What the model is given of a pair: at most `MAX_PIECES` word pieces, by name (1, n) int64."""
        pair = self._tokenizer.encode(_sound(question[:MAX_QUESTION_CHARS]), _sound(text[:MAX_TEXT_CHARS]))
        given = {INPUT: pair.ids, TYPES: pair.type_ids}
        return {name: np.asarray([ids], dtype=np.int64) for name, ids in given.items()}

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return _tokenizer(TOKENIZER_SHA256)

    @cached_property
    def _session(self) -> Any:
        if self._learnt is None:
            return _learnt_session(MODEL_SHA256)
        return _session(self._learnt)


@lru_cache(maxsize=1)
def _tokenizer(sha256: str) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer: Tokenizer = Tokenizer.from_str(_file("tokenizer.json", sha256).decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_PIECES, strategy="only_second")
    return tokenizer


@lru_cache(maxsize=1)
def _learnt_session(sha256: str) -> Any:
    """The model as it answers, once in a process; `sha256`: of its file, whose change is noticed."""
    return _session(learnt())


def _session(change: Mapping[str, Array]) -> Any:
    return on_one_thread(integer_graph(model_file(), change))


def model_file() -> bytes:
    """The cross-encoder as it comes. ModelFileError on a missing or altered file."""
    return _file("model.onnx", MODEL_SHA256)


@lru_cache(maxsize=1)
def learnt() -> dict[str, Array]:
    """The change of its weights that comes with the program. ModelFileError on a missing or damaged file."""
    try:
        with np.load(BytesIO(LEARNT.read_bytes()), allow_pickle=False) as stored:
            return {name: stored[name].astype(np.float32) for name in stored.files}
    except (OSError, ValueError, EOFError, BadZipFile, zlib.error) as error:
        raise ModelFileError(
            f"Cannot read {LEARNT}: {error}. Run: pip install --force-reinstall hybridrag"
        ) from error


def _file(name: str, sha256: str) -> bytes:
    return file_of(f"reranker_en/{name}", sha256)


def _sound(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
