"""ms-marco-MiniLM-L-12-v2 as a graph of integer products, made from the weights of its file and what was learnt on
top of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tools.integer_bert import (
    INPUT,
    TYPES,
    BertFile,
    Embeddings,
    Encoder,
    multiplies_signed_exactly,
)
from tools.onnx_file import INT64, Array, GraphWriter, read_graph

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


class CrossEncoderFile(BertFile):
    """The weights of the file, with what was learnt."""

    layers = 12
    layer_root = "bert.encoder.layer."

    def embeddings(self) -> Embeddings:
        """Words stay 8-bit integers, the few places and types become floats."""
        root = "bert.embeddings."
        name = f"{root}word_embeddings.weight"
        places, types = (
            self._table(f"{root}{part}_embeddings.weight") for part in ("position", "token_type")
        )
        scale = self._constants[f"{name}_scale"].reshape(1, 1)
        zero = float(self._constants[f"{name}_zero_point"])
        norm = self._norm(f"{root}LayerNorm")
        return Embeddings(self._constants[f"{name}_quantized"], scale, zero, places, types, norm)

    def weights_of(self, name: str) -> str:
        """The name of a product's weights, found by its bias: bias + float(input x weights) x scales."""
        cast = self._maker[self._maker[self._product_of(name)].inputs[0]]
        return self._maker[cast.inputs[0]].inputs[1].removesuffix("_quantized")

    def _in_file(self, name: str) -> tuple[Array, Array]:
        return self._table(self.weights_of(name)), self._constants[f"{name}.bias"]

    def _table(self, name: str) -> Array:
        whole = self._constants[f"{name}_quantized"].astype(np.float32)
        table: Array = (whole - np.float32(self._constants[f"{name}_zero_point"])) * self._constants[
            f"{name}_scale"
        ]
        return table
