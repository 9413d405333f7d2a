"""Learn what lines of filings and calls answer: a change of low rank to the upper half of the cross-encoder.

Changes of rank `RANK` (`evals.low_rank`) are learnt for each product in the upper layers; pooler and classifier are
learnt whole. The loss is listwise (the share of a question's softmax that falls on lines that answer) and pointwise
(does this line answer at all?), so that a logit says something by itself, too. The lower layers stay: what leaves them
is computed once. `evals.learn_fit` calls this; it needs the extra `recommend` (JAX, Optax).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from evals.learning import Matrix
from evals.low_rank import HIDDEN, Layers, filled_up, optimizer, session_below, written
from tools.integer_bert import INPUT, TYPES
from tools.onnx_file import read_graph
from tools.ranking.cross_encoder import CrossEncoder, model_file
from tools.ranking.integer_cross_encoder import CLASSIFIER, POOLER, CrossEncoderFile

FROM_LAYER = 6
"""The first layer that is learnt."""
RANK = 8
LINES, MAX_RIGHT, HARD = 8, 2, 15
"""Lines of a question in one step; of these right ones at most; wrong ones that count as hard, the first ones given."""
ROUNDS, RATE, DECAY, QUESTIONS_A_STEP = 2, 1e-3, 0.05, 4
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
    session = session_below(CrossEncoderFile(*read_graph(model_file()), {}), FROM_LAYER, (INPUT, TYPES))
    scorer = CrossEncoder(learnt={})
    for each in asked:
        fed = [scorer.encoded(each.question, line) for line in each.lines]
        yield States([session.run([HIDDEN], pair)[0][0].astype(np.float16) for pair in fed], each.answers)


class _Learner:
    def __init__(self, file: CrossEncoderFile, seed: int) -> None:
        import jax
        import jax.numpy as jnp

        self._random = random.Random(seed)
        self._key = jax.random.PRNGKey(seed)
        self._layers = Layers(file, FROM_LAYER, RANK)
        self._given = self._layers.start(np.random.default_rng(seed))
        self._start = {}
        for name in (POOLER, CLASSIFIER):
            for part, values in zip(("weight", "bias"), file.floats(name), strict=True):
                self._given[f"{name}.{part}"] = self._start[f"{name}.{part}"] = jnp.asarray(values)

    def learnt(self, known: Sequence[States]) -> dict[str, Matrix]:
        """The change after `ROUNDS` rounds."""
        import jax
        import optax

        descent = optimizer(RATE, DECAY, max(2, ROUNDS * len(known) // QUESTIONS_A_STEP))
        given, slopes, state = self._given, [], descent.init(self._given)

        def moved(given: Any, state: Any, slopes: Any) -> tuple[Any, Any]:
            mean = jax.tree.map(lambda *each: sum(each) / len(each), *slopes)
            updates, state = descent.update(mean, state, given)
            return optax.apply_updates(given, updates), state

        slope_of, move = jax.jit(jax.grad(partial(_loss, self._layers))), jax.jit(moved)
        for _ in range(ROUNDS):
            for each in self._random.sample(known, len(known)):
                self._key, key = jax.random.split(self._key)
                slopes.append(slope_of(given, self._layers.fixed, *self._batch(each), key))
                if len(slopes) == QUESTIONS_A_STEP:
                    given, state = move(given, state, slopes)
                    slopes = []
        return written(given, self._start)

    def _batch(self, states: States) -> tuple[Matrix, Matrix, Matrix]:
        """Hidden states (lines, n, width), which places are filled (lines, n), and which lines answer (lines,)."""
        chosen = self._chosen(states)
        rows, filled = filled_up([states.hidden[k] for k in chosen], MULTIPLE)
        return rows, filled, np.array([states.answers[k] for k in chosen], np.float32)

    def _chosen(self, states: States) -> list[int]:
        """Right lines, and wrong ones: two hard ones to an easy one; again and again where there are too few."""
        right = [k for k, answers in enumerate(states.answers) if answers]
        wrong = [k for k, answers in enumerate(states.answers) if not answers]
        chosen = self._random.sample(right, min(MAX_RIGHT, len(right)))
        room = LINES - len(chosen)
        chosen += self._random.sample(wrong[:HARD], min(len(wrong[:HARD]), room * 2 // 3))
        chosen += self._random.sample(wrong[HARD:], min(len(wrong[HARD:]), LINES - len(chosen)))
        return [*chosen, *self._random.choices(wrong or right, k=LINES - len(chosen))]


def _loss(layers: Layers, given: Any, fixed: Any, rows: Any, filled: Any, answers: Any, key: Any) -> Any:
    import jax
    import jax.numpy as jnp
    import optax

    first = layers.encoded(given, fixed, rows, filled, key)[:, 0]
    pooled = jnp.tanh(first @ given[f"{POOLER}.weight"] + given[f"{POOLER}.bias"])
    scores = (pooled @ given[f"{CLASSIFIER}.weight"] + given[f"{CLASSIFIER}.bias"])[:, 0]
    of_right = jax.nn.logsumexp(jnp.where(answers > 0, scores, -1e9))
    listwise = jnp.where(answers.sum() > 0, jax.nn.logsumexp(scores) - of_right, 0.0)
    return listwise + optax.sigmoid_binary_cross_entropy(scores, answers).mean()
