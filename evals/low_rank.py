"""Low-rank adaptation (Hu et al. 2021) of a BERT encoder: to the weights W of each product of some layers A B is added.

What is learnt are flat dictionaries of JAX arrays: 'NAME.a' (in, r) and 'NAME.b' (r, out) for each product, and
whatever else a learner puts beside them. Needs the extra `recommend` (JAX, Optax).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evals.learning import Matrix
from tools.integer_bert import EPSILON, HEADS, BertFile, states_graph

SCALE, DROPPED = 2.0, 0.1
HIDDEN = "hidden"


class Layers:
    """The layers of a file from `first` on, with changes of rank `rank`."""

    def __init__(self, file: BertFile, first: int, rank: int) -> None:
        import jax.numpy as jnp

        self.numbers, self._rank = range(first, file.layers), rank
        self._names = {number: file.names(number) for number in self.numbers}
        self.fixed: dict[str, Any] = {}
        """Weights and biases of the file, which stay."""
        for number in self.numbers:
            for name in self._names[number]:
                weights, bias = file.floats(name)
                self.fixed[name] = jnp.asarray(weights), jnp.asarray(bias)
            norms = file.layer(number).norms
            self.fixed[f"norms.{number}"] = [jnp.asarray(x) for norm in norms for x in norm]

    def start(self, draw: np.random.Generator) -> dict[str, Any]:
        """Changes that change nothing yet."""
        import jax.numpy as jnp

        given: dict[str, Any] = {}
        for name in (name for names in self._names.values() for name in names):
            weights, _ = self.fixed[name]
            start = draw.normal(0, 1 / np.sqrt(len(weights)), (len(weights), self._rank)).astype(np.float32)
            given[f"{name}.a"] = jnp.asarray(start)
            given[f"{name}.b"] = jnp.zeros((self._rank, weights.shape[1]), jnp.float32)
        return given

    def encoded(self, given: Any, fixed: Any, rows: Any, filled: Any, key: Any = None) -> Any:
        """States (lines, n, width) after these layers of states before them; `filled` (lines, n): which places are,
        `key`: a part of A's columns is dropped by it; None: none is."""
        import jax
        import jax.numpy as jnp

        lines, length, width = rows.shape
        hidden = rows.reshape(lines * length, width)  # flat: products of three axes are slow on processors
        unseen = jnp.where(filled[:, None, None, :] > 0, 0.0, -1e9)

        def product(values: Any, name: str, number: int) -> Any:
            weights, bias = fixed[name]
            narrow = values @ given[f"{name}.a"]
            if key is not None:
                own = jax.random.fold_in(key, number)
                narrow = narrow * jax.random.bernoulli(own, 1 - DROPPED, (1, self._rank)) / (1 - DROPPED)
            return values @ weights + bias + SCALE * narrow @ given[f"{name}.b"]

        for layer in self.numbers:
            names = [(name, layer * 8 + k) for k, name in enumerate(self._names[layer])]
            first, first_bias, second, second_bias = fixed[f"norms.{layer}"]
            query, key_, value = (
                product(hidden, *name).reshape(lines, length, HEADS, -1).transpose(0, 2, 1, 3)
                for name in names[:3]
            )
            near = jax.nn.softmax(query @ key_.transpose(0, 1, 3, 2) / np.sqrt(query.shape[-1]) + unseen, -1)
            heard = (near @ value).transpose(0, 2, 1, 3).reshape(lines * length, width)
            hidden = _normal(hidden + product(heard, *names[3]), first, first_bias)
            inner = jax.nn.gelu(product(hidden, *names[4]), approximate=False)
            hidden = _normal(hidden + product(inner, *names[5]), second, second_bias)
        return hidden.reshape(lines, length, width)


def _normal(values: Any, weight: Any, bias: Any) -> Any:
    import jax

    mean = values.mean(-1, keepdims=True)
    spread = ((values - mean) ** 2).mean(-1, keepdims=True)
    return (values - mean) * jax.lax.rsqrt(spread + EPSILON) * weight + bias


def session_below(file: BertFile, first: int, inputs: Sequence[str]) -> Any:
    """Runs the layers before `first`, which stay as they are: `inputs` (1, n) -> `HIDDEN` (1, n, width)."""
    import onnxruntime

    graph = states_graph(file, HIDDEN, inputs=inputs, layers=first)
    return onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])


def filled_up(states: Sequence[Matrix], multiple: int) -> tuple[Matrix, Matrix]:
    """States (n, width) of several lines as one (lines, longest, width) float32, and which places are filled (lines,
    longest); lengths are filled up to a multiple, as each length is compiled once."""
    length = -(-max(map(len, states)) // multiple) * multiple
    rows = np.zeros((len(states), length, states[0].shape[1]), np.float32)
    filled = np.zeros((len(states), length), np.float32)
    for row, each in enumerate(states):
        rows[row, : len(each)] = each
        filled[row, : len(each)] = 1
    return rows, filled


def optimizer(rate: float, decay: float, steps: int) -> Any:
    """AdamW with a warm start and a rate that falls along a cosine."""
    import optax

    rates = optax.warmup_cosine_decay_schedule(0.0, rate, steps // 10, steps)
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(rates, weight_decay=decay))


def written(given: Mapping[str, Any], start: Mapping[str, Any]) -> dict[str, Matrix]:
    """What is added to the weights, float16, as `tools.integer_bert.BertFile` takes it. `start`: what was not 0."""
    out: dict[str, Matrix] = {}
    for name, values in given.items():
        change = np.asarray(values) - np.asarray(start.get(name, 0.0))
        out[name] = (change * (SCALE if name.endswith(".b") else 1)).astype(np.float16)
    return out


def floats(change: Mapping[str, Matrix]) -> dict[str, Matrix]:
    """A change that was written, float32, as an encoder takes it."""
    return {name: each.astype(np.float32) for name, each in change.items()}


def unwritten(change: Mapping[str, Matrix]) -> dict[str, Matrix]:
    """What a change was written from."""
    return {name: each / (SCALE if name.endswith(".b") else 1) for name, each in change.items()}


def averaged(
    one: Mapping[str, Matrix], other: Mapping[str, Matrix], *, share: float = 0.5
) -> dict[str, Matrix]:
    """Two changes as one of both ranks, `share` of the first (Wortsman et al. 2022, Model soups: averages of weights
    hold up better on what is new)."""
    written: dict[str, Matrix] = {}
    for name, first in one.items():
        parts = first.astype(np.float32), other[name].astype(np.float32)
        own, others = share * parts[0], (1 - share) * parts[1]
        whole: Matrix
        if name.endswith(".a"):
            whole = np.concatenate(parts, axis=1)
        elif name.endswith(".b"):
            whole = np.concatenate((own, others))
        else:
            whole = own + others
        written[name] = whole.astype(np.float16)
    return written
