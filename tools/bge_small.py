"""bge-small-en-v1.5 (BAAI, MIT) on this machine, without a download at run time: a text's pieces as states that say
what each means where it stands. Twelve layers; it reads what all-MiniLM-L6-v2's tokenizer gives, both have BERT's
vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.integer_bert import on_one_thread, states_graph
from tools.onnx_file import Array, read_graph
from tools.quantized_bert import QuantizedBertFile, file_of

OUTPUT = "last_hidden_state"
MODEL_SHA256 = "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743"


def model_file() -> bytes:
    """The model as it comes. ModelFileError on a missing or altered file."""
    return file_of("bge_small_en/model.onnx", MODEL_SHA256)


def weights(learnt: Mapping[str, Array]) -> QuantizedBertFile:
    """The weights of the file with a change of them, as `tools.integer_bert.BertFile` takes it. ModelFileError on a
    missing or altered file."""
    return QuantizedBertFile(*read_graph(model_file()), learnt)


def session(learnt: Mapping[str, Array]) -> Any:
    """Runs the model with a change of its weights, on one thread: `input_ids` (1, n) int64 -> `last_hidden_state`
    (1, n, 384) float32. ModelFileError on a missing or altered file."""
    return on_one_thread(states_graph(weights(learnt), OUTPUT))
