"""Learn what lines of filings and calls answer: a change of low rank to the upper half of the cross-encoder.

Low-rank adaptation (Hu et al. 2021): to the weights W of each product in the upper layers A B is added, rank `RANK`;
pooler and classifier are learnt whole. The loss is listwise (the share of a question's softmax that falls on lines that
answer) and pointwise (does this line answer at all?), so that a logit says something by itself, too. The lower layers
stay: what leaves them is computed once. `evals.learn_fit` calls this; it needs the extra `learn` (JAX, Optax).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evals.learning import Matrix
from tools.integer_bert import EPSILON, HEADS, INPUT, PRODUCTS, TYPES, Encoder, multiplies_signed_exactly
from tools.onnx_file import INT64, GraphWriter, read_graph
from tools.ranking.cross_encoder import CrossEncoder, model_file
from tools.ranking.integer_cross_encoder import (
    CLASSIFIER,
    LAYERS,
    POOLER,
    CrossEncoderFile,
)

FROM_LAYER = 6
"""The first layer that is learnt."""
RANK, SCALE = 8, 2.0
LINES, MAX_RIGHT, HARD = 8, 2, 15
"""Lines of a question in one step; of these right ones at most; wrong ones that count as hard, the first ones given."""
ROUNDS, RATE, DECAY, DROPPED, QUESTIONS_A_STEP = 2, 1e-3, 0.05, 0.1, 4
MULTIPLE = 16
"""Lengths are filled up to a multiple of this: each length is compiled once."""


class Asked(NamedTuple):
    """A question with lines, the likeliest by a first guess first, and which of them answer."""

    question: str
    lines: Sequence[str]
    answers: Sequence[bool]


class States(NamedTuple):
    """What the lower layers make of a question's lines."""

    hidden: list[Matrix]
    """(n, width) float16 for each line."""
    answers: Sequence[bool]


def learn_change(known: Sequence[States], seed: int = 0) -> dict[str, Matrix]:
    """What is added to the weights, by name, as `tools.ranking.integer_cross_encoder` takes it. Takes about a second a
    question on two cores. ModelFileError on missing or altered files."""
    file = CrossEncoderFile(*read_graph(model_file()), {})
    return _Learner(file, seed).learnt([states for states in known if states.hidden])


def lower_states(asked: Iterable[Asked]) -> Iterator[States]:
    """For each question the states of its lines after the lower layers; some 50 KB a line. ModelFileError
    on missing or altered files."""
    import onnxruntime

    file = CrossEncoderFile(*read_graph(model_file()), {})
    graph = GraphWriter()
    encoder = Encoder(graph, multiplies_signed_exactly())
    hidden = encoder.encoded(file.embeddings(), [file.layer(number) for number in range(FROM_LAYER)])
    model = graph.model({INPUT: INT64, TYPES: INT64}, hidden, "hidden")
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    scorer = CrossEncoder(learnt={})
    for each in asked:
        fed = [scorer.encoded(each.question, line) for line in each.lines]
        yield States([session.run(["hidden"], pair)[0][0].astype(np.float16) for pair in fed], each.answers)


def averaged(one: Mapping[str, Matrix], other: Mapping[str, Matrix]) -> dict[str, Matrix]:
    """Two changes as one of both ranks, half of each (Wortsman et al. 2022, Model soups: averages of weights hold up
    better on what is new)."""
    written: dict[str, Matrix] = {}
    for name, first in one.items():
        parts = first.astype(np.float32), other[name].astype(np.float32)
        whole: Matrix = (parts[0] + parts[1]) / 2
        if name.endswith(".a"):
            whole = np.concatenate(parts, axis=1)
        elif name.endswith(".b"):
            whole = np.concatenate(parts) / 2
        written[name] = whole.astype(np.float16)
    return written


class _Learner:
    def __init__(self, file: CrossEncoderFile, seed: int) -> None:
        import jax
        import jax.numpy as jnp

        self._random = random.Random(seed)
        self._key = jax.random.PRNGKey(seed)
        draw = np.random.default_rng(seed)
        self._names = [
            f"bert.encoder.layer.{n}.{part}" for n in range(FROM_LAYER, LAYERS) for part in PRODUCTS
        ]
        self._fixed: dict[str, Any] = {}
        self._given: dict[str, Any] = {}
        for name in self._names:
            weights, bias = file.floats(name)
            self._fixed[name] = jnp.asarray(weights), jnp.asarray(bias)
            start = draw.normal(0, 1 / np.sqrt(len(weights)), (len(weights), RANK)).astype(np.float32)
            self._given[f"{name}.a"] = jnp.asarray(start)
            self._given[f"{name}.b"] = jnp.zeros((RANK, weights.shape[1]), jnp.float32)
        for number in range(FROM_LAYER, LAYERS):
            layer = file.layer(number)
            self._fixed[f"norms.{number}"] = [jnp.asarray(x) for norm in layer.norms for x in norm]
        self._start = {}
        for name in (POOLER, CLASSIFIER):
            for part, values in zip(("weight", "bias"), file.floats(name), strict=True):
                self._given[f"{name}.{part}"] = self._start[f"{name}.{part}"] = jnp.asarray(values)

    def learnt(self, known: Sequence[States]) -> dict[str, Matrix]:
        """The change after `ROUNDS` rounds."""
        import jax
        import optax

        steps = max(2, ROUNDS * len(known) // QUESTIONS_A_STEP)
        rates = optax.warmup_cosine_decay_schedule(0.0, RATE, steps // 10, steps)
        optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(rates, weight_decay=DECAY))
        given, slopes, state = self._given, [], optimizer.init(self._given)

        def moved(given: Any, state: Any, slopes: Any) -> tuple[Any, Any]:
            mean = jax.tree.map(lambda *each: sum(each) / len(each), *slopes)
            updates, state = optimizer.update(mean, state, given)
            return optax.apply_updates(given, updates), state

        slope_of, move = jax.jit(jax.grad(_loss)), jax.jit(moved)
        for _ in range(ROUNDS):
            for each in self._random.sample(known, len(known)):
                self._key, key = jax.random.split(self._key)
                slopes.append(slope_of(given, self._fixed, *self._batch(each), key))
                if len(slopes) == QUESTIONS_A_STEP:
                    given, state = move(given, state, slopes)
                    slopes = []
        return self._written(given)

    def _batch(self, states: States) -> tuple[Matrix, Matrix, Matrix]:
        """Hidden states (lines, n, width), which places are filled (lines, n), and which lines answer (lines,)."""
        chosen = self._chosen(states)
        length = -(-max(len(states.hidden[k]) for k in chosen) // MULTIPLE) * MULTIPLE
        given = np.zeros((len(chosen), length, states.hidden[0].shape[1]), np.float32)
        filled = np.zeros((len(chosen), length), np.float32)
        for row, k in enumerate(chosen):
            given[row, : len(states.hidden[k])] = states.hidden[k]
            filled[row, : len(states.hidden[k])] = 1
        return given, filled, np.array([states.answers[k] for k in chosen], np.float32)

    def _chosen(self, states: States) -> list[int]:
        """Right lines, and wrong ones: two hard ones to an easy one; again and again where there are too few."""
        right = [k for k, answers in enumerate(states.answers) if answers]
        wrong = [k for k, answers in enumerate(states.answers) if not answers]
        chosen = self._random.sample(right, min(MAX_RIGHT, len(right)))
        room = LINES - len(chosen)
        chosen += self._random.sample(wrong[:HARD], min(len(wrong[:HARD]), room * 2 // 3))
        chosen += self._random.sample(wrong[HARD:], min(len(wrong[HARD:]), LINES - len(chosen)))
        return [*chosen, *self._random.choices(wrong or right, k=LINES - len(chosen))]

    def _written(self, given: Mapping[str, Any]) -> dict[str, Matrix]:
        written: dict[str, Matrix] = {}
        for name, values in given.items():
            change = np.asarray(values) - np.asarray(self._start.get(name, 0.0))
            written[name] = (change * (SCALE if name.endswith(".b") else 1)).astype(np.float16)
        return written


def _loss(given: Any, fixed: Any, rows: Any, filled: Any, answers: Any, key: Any) -> Any:
    import jax
    import jax.numpy as jnp
    import optax

    scores = _scores(given, fixed, rows, filled, key)
    of_right = jax.nn.logsumexp(jnp.where(answers > 0, scores, -1e9))
    listwise = jnp.where(answers.sum() > 0, jax.nn.logsumexp(scores) - of_right, 0.0)
    return listwise + optax.sigmoid_binary_cross_entropy(scores, answers).mean()


def _scores(given: Any, fixed: Any, rows: Any, filled: Any, key: Any) -> Any:
    """The upper layers as the model has them, with A B beside each product; a part of A's columns is dropped."""
    import jax
    import jax.numpy as jnp

    lines, length, width = rows.shape
    hidden = rows.reshape(lines * length, width)  # flat: products of three axes are slow on processors
    unseen = jnp.where(filled[:, None, None, :] > 0, 0.0, -1e9)

    def product(values: Any, name: str, number: int) -> Any:
        weights, bias = fixed[name]
        kept = jax.random.bernoulli(jax.random.fold_in(key, number), 1 - DROPPED, (1, RANK)) / (1 - DROPPED)
        return values @ weights + bias + SCALE * ((values @ given[f"{name}.a"]) * kept) @ given[f"{name}.b"]

    for layer in range(FROM_LAYER, LAYERS):
        names = [(f"bert.encoder.layer.{layer}.{part}", layer * 8 + k) for k, part in enumerate(PRODUCTS)]
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
    pooled = jnp.tanh(
        hidden.reshape(lines, length, width)[:, 0] @ given[f"{POOLER}.weight"] + given[f"{POOLER}.bias"]
    )
    return (pooled @ given[f"{CLASSIFIER}.weight"] + given[f"{CLASSIFIER}.bias"])[:, 0]


def _normal(values: Any, weight: Any, bias: Any) -> Any:
    import jax

    mean = values.mean(-1, keepdims=True)
    spread = ((values - mean) ** 2).mean(-1, keepdims=True)
    return (values - mean) * jax.lax.rsqrt(spread + EPSILON) * weight + bias
