"""tools.ranking.integer_cross_encoder: the file's own scores, and what a change of its weights does to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime
import pytest
from numpy.typing import NDArray

from tools.integer_bert import multiplies_signed_exactly
from tools.onnx_file import read_graph
from tools.ranking.cross_encoder import CrossEncoder, model_file
from tools.ranking.integer_cross_encoder import (
    CLASSIFIER,
    OUTPUT,
    CrossEncoderFile,
    integer_graph,
)

QUESTION = "How much did the maker of pumps pay its shareholders in 2021?"
TEXTS = (
    "Dividends of $12 million were paid to holders of common stock in fiscal 2021.",
    "The maker of pumps opened a plant in Ohio in 2021.",
    "Pumps.",
)
LAYER = "bert.encoder.layer.11.output.dense"


def session(graph: bytes) -> Any:
    return onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])


def own_scores() -> list[float]:
    whole = session(model_file())
    pairs = [CrossEncoder().encoded(QUESTION, text) for text in TEXTS]
    fed = [{**pair, "attention_mask": np.ones_like(pair["input_ids"])} for pair in pairs]
    return [float(whole.run(None, pair)[0][0][0]) for pair in fed]


def test_the_graph_gives_the_scores_of_the_file() -> None:
    assert np.allclose(CrossEncoder(learnt={}).scores(QUESTION, TEXTS), own_scores(), atol=0.5)


@pytest.mark.skipif(
    not multiplies_signed_exactly(),
    reason="this processor needs unsigned weights: signed ones are not used here",
)
def test_processors_that_need_unsigned_weights_give_the_same_numbers() -> None:
    pair = CrossEncoder().encoded(QUESTION, TEXTS[0])
    signed, unsigned = (
        session(integer_graph(model_file(), {}, kind)).run([OUTPUT], pair)[0] for kind in (True, False)
    )
    assert signed.tobytes() == unsigned.tobytes()


def test_a_learnt_bias_moves_every_score_by_itself() -> None:
    plain, moved = CrossEncoder(learnt={}), CrossEncoder(learnt={f"{CLASSIFIER}.bias": np.array([2.0])})
    assert np.allclose(moved.scores(QUESTION, TEXTS), [2 + each for each in plain.scores(QUESTION, TEXTS)])


def test_a_change_of_low_rank_is_added_to_the_weights() -> None:
    nodes, constants = read_graph(model_file())
    before, _ = CrossEncoderFile(nodes, constants, {}).floats(LAYER)
    left: NDArray[np.float32] = np.ones((len(before), 1), np.float32)
    right: NDArray[np.float32] = np.full((1, before.shape[1]), 0.25, np.float32)
    after, _ = CrossEncoderFile(nodes, constants, {f"{LAYER}.a": left, f"{LAYER}.b": right}).floats(LAYER)
    assert np.allclose(after - before, 0.25, atol=1e-6)


@pytest.mark.parametrize("text", ["", "\ud800 half", "word " * 5_000])
def test_any_text_can_be_encoded(text: str) -> None:
    assert CrossEncoder().encoded(text, text)["input_ids"].shape[0] == 1
