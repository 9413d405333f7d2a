"""ms-marco-MiniLM-L-12-v2 as a graph of integer products, made from the weights of its file and what was learnt on
top of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tools.integer_bert import INPUT, TYPES, Encoder, multiplies_signed_exactly
from tools.onnx_file import INT64, Array, GraphWriter, read_graph
from tools.quantized_bert import QuantizedBertFile

OUTPUT = "logit"
POOLER, CLASSIFIER = "bert.pooler.dense", "classifier"


def integer_graph(model: bytes, learnt: Mapping[str, Array], signed: bool | None = None) -> bytes:
    """The graph of `model`, the bytes of the cross-encoder's file: `input_ids` and `token_type_ids` (1, n) int64 ->
    `logit` (1, 1) float32.

    `learnt`: as `BertFile` takes it. `signed`: as for `tools.integer_bert.Encoder`; None: what is best here.
    """
    graph = GraphWriter()
    file = CrossEncoderFile(*read_graph(model), learnt)
    encoder = Encoder(graph, multiplies_signed_exactly() if signed is None else signed)
    hidden = encoder.encoded(file.embeddings(), [file.layer(number) for number in range(file.layers)])
    first = graph.node("Gather", hidden, graph.constant(np.array(0, np.int64)), axis=1)
    pooled = graph.node("Tanh", _dense(graph, first, *file.floats(POOLER)))
    return graph.model({INPUT: INT64, TYPES: INT64}, _dense(graph, pooled, *file.floats(CLASSIFIER)), OUTPUT)


def _dense(graph: GraphWriter, rows: str, weights: Array, bias: Array) -> str:
    product = graph.node("MatMul", rows, graph.constant(weights))
    return graph.node("Add", product, graph.constant(bias))


class CrossEncoderFile(QuantizedBertFile):
    """The weights of the file, with what was learnt."""

    root = "bert."
    has_types = True
