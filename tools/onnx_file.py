"""ONNX models read and written as the protocol-buffer messages that they are: what rebuilding a graph takes, no more.

Field numbers are those of onnx.proto (ONNX IR version 10).
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_DTYPES = {1: "<f4", 2: "<u1", 3: "<i1", 6: "<i4", 7: "<i8", 9: "?"}
"""Element types of tensors, by their number."""
FLOAT, INT64 = 1, 7
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_RAW, _FLOATS, _INT32S, _INT64S = 9, 4, 5, 7
"""Fields of a tensor that hold its elements, of which it has one."""
_IR_VERSION, _OPSET, _CONTRIB_OPSET = 9, 18, 1
CONTRIB = "com.microsoft"
"""Domain of the operators that onnxruntime adds."""


@dataclass(frozen=True, slots=True)
class Node:
    """An operator of a graph."""

    operator: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def read_graph(model: bytes) -> tuple[list[Node], dict[str, Array]]:
    """Nodes in order, and constants by name. ValueError or KeyError for what is not such a file."""
    graph = _message(_message(memoryview(model))[7][0])
    nodes = []
    for node in map(_message, graph[1]):
        names = [tuple(bytes(each).decode() for each in node[number]) for number in (4, 1, 2)]
        nodes.append(Node(names[0][0], names[1], names[2]))
    return nodes, dict(map(_tensor, graph[5]))


def _message(data: memoryview) -> defaultdict[int, list[Any]]:
    """Values by field number: integers, or views of what is longer."""
    found: defaultdict[int, list[Any]] = defaultdict(list)
    at = 0
    while at < len(data):
        key, at = _varint_at(data, at)
        if key & 7 == _VARINT:
            value, at = _varint_at(data, at)
            found[key >> 3].append(value)
            continue
        length = {_FIXED64: 8, _FIXED32: 4}.get(key & 7)
        if length is None:
            length, at = _varint_at(data, at)
        found[key >> 3].append(data[at : at + length])
        at += length
    return found


def _varint_at(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data):
            raise ValueError("the file ends within a number")
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if not data[at - 1] & 128:
            return value, at


def _tensor(data: memoryview) -> tuple[str, Array]:
    """Name and elements, which stand as bytes, as floats, or as integers of any size."""
    fields = _message(data)
    dtype = np.dtype(_DTYPES[fields[2][0]])
    if fields[_RAW]:
        array = np.frombuffer(fields[_RAW][0], dtype=dtype)
    elif fields[_FLOATS]:
        array = np.frombuffer(b"".join(map(bytes, fields[_FLOATS])), dtype="<f4").astype(dtype)
    else:
        array = np.array([n for each in fields[_INT32S] + fields[_INT64S] for n in _integers(each)], dtype)
    return bytes(fields[8][0]).decode(), array.reshape(fields[1])


def _integers(value: Any) -> list[int]:
    """One integer, or a view of several in a row."""
    if isinstance(value, int):
        return [value]
    found, at = [], 0
    while at < len(value):
        number, at = _varint_at(value, at)
        found.append(number - (1 << 64) if number >> 63 else number)
    return found


class GraphWriter:
    """A graph, node by node; what a method returns is the name of its result."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []

    def constant(self, array: Array) -> str:
        """A constant."""
        name = f"constant{len(self._constants)}"
        kind = next(number for number, dtype in _DTYPES.items() if np.dtype(dtype) == array.dtype)
        dims = [(1, size) for size in array.shape]
        self._constants.append(
            _encoded([*dims, (2, kind), (8, name), (9, np.ascontiguousarray(array).tobytes())])
        )
        return name

    def node(self, operator: str, *inputs: str, **attributes: float) -> str:
        """The result of a standard operator."""
        return self._add(operator, inputs, 1, "", attributes)[0]

    def contrib(self, operator: str, *inputs: str, **attributes: float) -> str:
        """The result of an operator of onnxruntime's own."""
        return self._add(operator, inputs, 1, CONTRIB, attributes)[0]

    def split(self, whole: str, parts: int, axis: int) -> list[str]:
        """The equal parts of a tensor."""
        return self._add("Split", (whole,), parts, "", {"axis": axis, "num_outputs": parts})

    def model(self, inputs: Mapping[str, int], result: str, output: str) -> bytes:
        """The file: `inputs` by name with their element types, each (1, n); `result` under the name `output`."""
        self._nodes.append(_encoded([(1, result), (2, output), (4, "Identity")]))
        graph: list[tuple[int, Any]] = [(1, node) for node in self._nodes]
        graph += [(5, tensor) for tensor in self._constants]
        graph += [(11, _value(name, kind, (1, "n"))) for name, kind in inputs.items()]
        graph += [(2, "graph"), (12, _value(output, FLOAT, None))]
        opsets = [(8, _encoded([(1, CONTRIB), (2, _CONTRIB_OPSET)])), (8, _encoded([(1, ""), (2, _OPSET)]))]
        return _encoded([(1, _IR_VERSION), (7, _encoded(graph)), *opsets])

    def _add(
        self, operator: str, inputs: Sequence[str], outputs: int, domain: str, attributes: Mapping[str, float]
    ) -> list[str]:
        names = [f"node{len(self._nodes)}.{number}" for number in range(outputs)]
        fields: list[tuple[int, Any]] = [(1, name) for name in inputs] + [(2, name) for name in names]
        fields += [(4, operator), (7, domain)]
        fields += [(5, _attribute(name, value)) for name, value in attributes.items()]
        self._nodes.append(_encoded(fields))
        return names


def _attribute(name: str, value: float) -> bytes:
    if isinstance(value, float):
        return _encoded([(1, name), (2, value), (20, 1)])
    return _encoded([(1, name), (3, value), (20, 2)])


def _value(name: str, kind: int, shape: Sequence[int | str] | None) -> bytes:
    """A ValueInfoProto."""
    tensor: list[tuple[int, Any]] = [(1, kind)]
    if shape is not None:
        dims = [(1, _encoded([(1 if isinstance(size, int) else 2, size)])) for size in shape]
        tensor.append((2, _encoded(dims)))
    return _encoded([(1, name), (2, _encoded([(1, _encoded(tensor))]))])


def _encoded(fields: Iterable[tuple[int, Any]]) -> bytes:
    """A message: integers as varints, floats in 32 bits, text and bytes with their length."""
    parts: list[bytes] = []
    for number, value in fields:
        if isinstance(value, float):
            parts += [_varint(number << 3 | _FIXED32), struct.pack("<f", value)]
        elif isinstance(value, int):
            parts += [_varint(number << 3 | _VARINT), _varint(value)]
        else:
            data = value.encode() if isinstance(value, str) else value
            parts += [_varint(number << 3 | _BYTES), _varint(len(data)), data]
    return b"".join(parts)


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    digits = bytearray()
    while value > 127:
        digits.append(value & 127 | 128)
        value >>= 7
    return bytes([*digits, value])
