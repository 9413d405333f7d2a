"""tools.onnx_file: what is written is read again, and runs."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest

from tools.onnx_file import FLOAT, INT64, GraphWriter, Node, read_graph


def scaled() -> bytes:
    """n whole numbers, each times 0.5, 300 or -2."""
    graph = GraphWriter()
    factors = graph.constant(np.array([[0.5], [300.0], [-2.0]], np.float32))
    numbers = graph.node("Cast", "numbers", to=FLOAT)
    first, _, last = graph.split(graph.node("Mul", factors, numbers), 3, axis=0)
    return graph.model(
        {"numbers": INT64}, graph.node("LeakyRelu", graph.node("Add", first, last), alpha=0.25), "out"
    )


def test_a_graph_that_was_written_runs() -> None:
    session = onnxruntime.InferenceSession(scaled(), providers=["CPUExecutionProvider"])
    (result,) = session.run(["out"], {"numbers": np.array([[2, -4, 1000]], np.int64)})
    assert result.tolist() == [[-0.75, 6.0, -375.0]]


def test_nodes_and_constants_are_read_as_they_were_written() -> None:
    nodes, constants = read_graph(scaled())
    assert [node.operator for node in nodes] == ["Cast", "Mul", "Split", "Add", "LeakyRelu", "Identity"]
    assert nodes[1] == Node("Mul", ("constant0", "node0.0"), ("node1.0",))
    assert len(nodes[2].outputs) == 3
    assert constants["constant0"].tolist() == [[0.5], [300.0], [-2.0]]


@pytest.mark.parametrize("kind", [np.float32, np.uint8, np.int8, np.int64])
def test_a_constant_keeps_its_type_and_shape(kind: type[np.generic]) -> None:
    array = np.arange(6, dtype=kind).reshape(2, 3)
    graph = GraphWriter()
    name = graph.constant(array)
    _, constants = read_graph(graph.model({"in": INT64}, "in", "out"))
    assert constants[name].dtype == array.dtype
    assert constants[name].tolist() == array.tolist()


def test_a_file_that_ends_in_the_middle_is_refused() -> None:
    with pytest.raises(ValueError, match="ends within"):
        read_graph(b"\x3a\x96\x01\x0a\x80")
