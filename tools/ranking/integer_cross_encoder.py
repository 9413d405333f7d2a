"""ms-marco-MiniLM-L-12-v2 as a graph of integer products, made from the weights of its file and what was learnt on
top of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tools.integer_bert import (
    INPUT,
    NORMS,
    PRODUCTS,
    TYPES,
    Embeddings,
    Encoder,
    Layer,
    Linear,
    Norm,
    multiplies_signed_exactly,
    rounded,
)
from tools.onnx_file import INT64, Array, GraphWriter, Node, read_graph

LAYERS = 12
OUTPUT = "logit"
POOLER, CLASSIFIER = "bert.pooler.dense", "classifier"


def integer_graph(model: bytes, learnt: Mapping[str, Array], signed: bool | None = None) -> bytes:
    """The graph of `model`, the bytes of the cross-encoder's file: `input_ids` and `token_type_ids` (1, n) int64 ->
    `logit` (1, 1) float32.

    `learnt`: what is added to weights or biases, by name; a change of low rank to the weights X is two matrices, 'X.a'
    (in, r) and 'X.b' (r, out). `signed`: as for `tools.integer_bert.Encoder`; None: what is best here.
    """
    graph = GraphWriter()
    file = CrossEncoderFile(*read_graph(model), learnt)
    encoder = Encoder(graph, multiplies_signed_exactly() if signed is None else signed)
    hidden = encoder.encoded(file.embeddings(), [file.layer(number) for number in range(LAYERS)])
    first = graph.node("Gather", hidden, graph.constant(np.array(0, np.int64)), axis=1)
    pooled = graph.node("Tanh", _dense(graph, first, *file.floats(POOLER)))
    return graph.model({INPUT: INT64, TYPES: INT64}, _dense(graph, pooled, *file.floats(CLASSIFIER)), OUTPUT)


def _dense(graph: GraphWriter, rows: str, weights: Array, bias: Array) -> str:
    product = graph.node("MatMul", rows, graph.constant(weights))
    return graph.node("Add", product, graph.constant(bias))


class CrossEncoderFile:
    """The weights of the file, with what was learnt."""

    def __init__(self, nodes: list[Node], constants: dict[str, Array], learnt: Mapping[str, Array]) -> None:
        self._constants, self._learnt = constants, learnt
        self._maker = {name: node for node in nodes for name in node.outputs}
        self._adder = {name: node for node in nodes if node.operator == "Add" for name in node.inputs}

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

    def layer(self, number: int) -> Layer:
        """Its products and norms."""
        name = f"bert.encoder.layer.{number}."
        norms = [self._norm(f"{name}{part}") for part in NORMS]
        return Layer([self._linear(f"{name}{part}") for part in PRODUCTS], norms)

    def floats(self, name: str) -> tuple[Array, Array]:
        """Weights (in, out) and bias (out,) float32 of a product, with what was learnt."""
        weights = self._table(self.weights_of(name)) + self._learnt.get(f"{name}.weight", np.float32(0))
        if f"{name}.a" in self._learnt:
            weights = weights + self._learnt[f"{name}.a"] @ self._learnt[f"{name}.b"]
        bias = self._constants[f"{name}.bias"] + self._learnt.get(f"{name}.bias", np.float32(0))
        return weights.astype(np.float32), bias.astype(np.float32)

    def weights_of(self, name: str) -> str:
        """The name of a product's weights, found by its bias, which keeps its name in the file: bias + float(input x
        weights) x scales."""
        bias = f"{name}.bias"
        product = next(each for each in self._adder[bias].inputs if each != bias)
        cast = self._maker[self._maker[product].inputs[0]]
        return self._maker[cast.inputs[0]].inputs[1].removesuffix("_quantized")

    def _linear(self, name: str) -> Linear:
        weights, bias = self.floats(name)
        return rounded(weights, bias)

    def _norm(self, name: str) -> Norm:
        return Norm(self._constants[f"{name}.weight"], self._constants[f"{name}.bias"])

    def _table(self, name: str) -> Array:
        whole = self._constants[f"{name}_quantized"].astype(np.float32)
        table: Array = (whole - np.float32(self._constants[f"{name}_zero_point"])) * self._constants[
            f"{name}_scale"
        ]
        return table
