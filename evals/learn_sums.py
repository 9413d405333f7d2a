"""Learn what a question asks to be computed: the weights of `tools.calculate.questions`.

Run as `python -m evals.learn_sums [--on [SHARE] | --try AUTHOR,... | --held]`. Learnt from sums.jsonl, questions that
people labelled, and from what people ask of documents without anything to compute (the tuning halves of
evals/data/natural, figures that pages print, and calls). --on learns on from the program's weights, and takes a share
of the way to what it learns. --try learns without the questions of some authors and tells theirs, in place of writing
the weights; --held learns nothing, and tells sums_held.jsonl.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from evals.labelled_sums import HELD, PLAIN, Labelled, Names, labelled, plain, roles_of
from evals.learning import Matrix
from evals.low_rank import DROPPED, HIDDEN, Layers, filled_up, optimizer, session_below, unwritten, written
from tools.bge_small import weights
from tools.calculate import questions as q
from tools.integer_bert import INPUT, BertFile

UNKNOWN = -1
FROM_LAYER, RANK = 4, 16
WIDTH = 384
RATE, DECAY, QUESTIONS_A_STEP = 1.5e-3, 0.01, 16
ROUNDS = 5
RATE_ON, ROUNDS_ON = 8e-4, 3
"""Of learning on from weights that are there."""
HEAD_WEIGHTS = 1.0, 0.5, 0.7, 0.4, 0.7, 1.5
"""What operation, use, measure, way, kind and roles count in the loss."""
MULTIPLE = 8


class Seen(NamedTuple):
    """A question as it is learnt from."""

    states: Matrix
    """(n, width) before the layers that are learnt."""
    roles: Matrix
    """(n,) of each piece; `UNKNOWN` for the marks, and where nobody labelled words."""
    heads: tuple[int, int, int, int, int]
    """Operation, use, measure, way and kind; `UNKNOWN` where there is none."""


def learn(rows: Sequence[Labelled], seed: int = 0, start: q.Weights | None = None) -> q.Weights:
    """The weights that these questions give, in each round either as they are or with the company's name hidden;
    `start`: from which to learn on, 30 minutes on two cores. ModelFileError on missing or altered files, ValueError for
    measures that `start` does not know."""
    measures = start.measures if start else tuple(sorted({each.measure for each in rows if each.measure}))
    file = weights({})
    session = session_below(file, FROM_LAYER, [INPUT])
    names = Names(labelled())
    seen = [
        [_seen(each, own, measures, session) for own in dict.fromkeys(((), tuple(names.of(each))))]
        for each in rows
    ]
    sizes = (len(q.OPERATIONS), len(q.USES), len(measures), len(q.WAYS), len(q.KINDS), len(q.ROLES))
    learner = _Learner(file, sizes, seed)
    if start:
        learner.start_from(start)
    rounds, rate = (ROUNDS_ON, RATE_ON) if start else (ROUNDS, RATE)
    given = learner.learnt(seen, rounds, rate)
    heads = {name: (given.pop(f"{name}.w"), given.pop(f"{name}.b_")) for name in q.HEADS}
    return q.Weights(
        written(given, {}), heads, measures, _moves([each for each in rows if each.author != PLAIN])
    )


def _seen(each: Labelled, names: Sequence[str], measures: Sequence[str], session: Any) -> Seen:
    pieces = q.pieces_of(each.question, names)
    (states,) = session.run([HIDDEN], {INPUT: np.asarray([pieces.ids], np.int64)})[0]
    roles = [*roles_of(each), UNKNOWN]
    of_pieces = [UNKNOWN if each.author == PLAIN else roles[word] for word in pieces.words]
    measure = measures.index(each.measure) if each.measure else UNKNOWN
    way = UNKNOWN if each.less is None else int(each.less)
    kind = q.KINDS.index(each.kind) if each.kind in q.KINDS else UNKNOWN
    heads = q.OPERATIONS.index(each.operation), q.USES.index(each.use), measure, way, kind
    return Seen(states.astype(np.float16), np.array(of_pieces), heads)


def _moves(rows: Sequence[Labelled]) -> Matrix:
    """Log-probabilities of one role after another."""
    moves = np.full((len(q.ROLES) + 1, len(q.ROLES)), 0.5)
    for each in rows:
        roles = roles_of(each)
        for before, role in zip([len(q.ROLES), *roles], roles, strict=False):
            moves[before, role] += 1
    logs: Matrix = np.log(moves / moves.sum(1, keepdims=True))
    return logs


class _Learner:
    def __init__(self, file: BertFile, sizes: Sequence[int], seed: int) -> None:
        import jax
        import jax.numpy as jnp

        self._random = random.Random(seed)
        self._key = jax.random.PRNGKey(seed)
        self._layers = Layers(file, FROM_LAYER, RANK)
        draw = np.random.default_rng(seed)
        self._given = self._layers.start(draw)
        for name, size in zip(q.HEADS, sizes, strict=True):
            width = WIDTH if name == "role" else 2 * WIDTH
            self._given[f"{name}.w"] = jnp.asarray(draw.normal(0, 0.02, (width, size)).astype(np.float32))
            self._given[f"{name}.b_"] = jnp.zeros(size, jnp.float32)

    def start_from(self, weights: q.Weights) -> None:
        """Takes change and heads of these."""
        heads = {
            f"{name}.{part}": each
            for name, pair in weights.heads.items()
            for part, each in zip(("w", "b_"), pair, strict=True)
        }
        self._given = unwritten(weights.change) | heads

    def learnt(self, seen: Sequence[Sequence[Seen]], rounds: int, rate: float) -> dict[str, Matrix]:
        """Change and heads after so many rounds."""
        import jax
        import optax

        steps = rounds * (len(seen) // QUESTIONS_A_STEP)
        descent = optimizer(rate, DECAY, steps)

        def stepped(given: Any, state: Any, fixed: Any, batch: Any, key: Any) -> tuple[Any, Any]:
            slope = jax.grad(partial(_loss, self._layers))(given, fixed, batch, key)
            updates, state = descent.update(slope, state, given)
            return optax.apply_updates(given, updates), state

        step, given, state, done = jax.jit(stepped), self._given, descent.init(self._given), 0
        for _ in range(rounds):
            for batch in self._batches(seen):
                self._key, key = jax.random.split(self._key)
                given, state = step(given, state, self._layers.fixed, _filled(batch), key)
                done += 1
                if done % 50 == 0:
                    print(f"step {done} of {steps}", file=sys.stderr, flush=True)
        return {name: np.asarray(each) for name, each in given.items()}

    def _batches(self, seen: Sequence[Sequence[Seen]]) -> Iterator[list[Seen]]:
        """Each question once, in one of the ways in which it is seen, those of like lengths together."""
        order = [self._random.choice(ways) for ways in self._random.sample(seen, len(seen))]
        order.sort(key=lambda each: -(-len(each.states) // MULTIPLE))
        starts = list(range(0, len(order) - QUESTIONS_A_STEP + 1, QUESTIONS_A_STEP))
        for start in self._random.sample(starts, len(starts)):
            yield order[start : start + QUESTIONS_A_STEP]


def _filled(batch: Sequence[Seen]) -> tuple[Matrix, ...]:
    """States, filled places and roles (lines, n), operation, use, measure, way and kind (lines, 5)."""
    rows, filled = filled_up([each.states for each in batch], MULTIPLE)
    roles = np.full(filled.shape, UNKNOWN)
    for row, each in enumerate(batch):
        roles[row, : len(each.roles)] = each.roles
    return rows, filled, roles, np.array([each.heads for each in batch])


def _loss(layers: Layers, given: Any, fixed: Any, batch: Any, key: Any) -> Any:
    """Cross-entropies of the heads, by their weights."""
    import jax
    import jax.numpy as jnp
    import optax

    rows, filled, roles, heads = batch
    states = layers.encoded(given, fixed, rows, filled, key)
    mean = (states * filled[:, :, None]).sum(1) / filled.sum(1)[:, None]
    whole = jnp.concatenate([states[:, 0], mean], -1)
    first, second = jax.random.split(jax.random.fold_in(key, 1 << 20))
    whole = whole * jax.random.bernoulli(first, 1 - DROPPED, whole.shape) / (1 - DROPPED)
    states = states * jax.random.bernoulli(second, 1 - DROPPED, states.shape) / (1 - DROPPED)
    labels = [*(heads[:, k] for k in range(len(q.HEADS) - 1)), roles]
    total = jnp.zeros(())
    for name, right, counts in zip(q.HEADS, labels, HEAD_WEIGHTS, strict=True):
        scores = (states if name == "role" else whole) @ given[f"{name}.w"] + given[f"{name}.b_"]
        known = right != UNKNOWN
        off = optax.softmax_cross_entropy_with_integer_labels(scores, jnp.maximum(right, 0))
        total += counts * (off * known).sum() / jnp.maximum(known.sum(), 1)
    return total


def told(rows: Sequence[Labelled], weights: q.Weights) -> dict[str, tuple[int, int]]:
    """How many are read right: (right, all) for operation, use, measure, way, spans, and all of it."""
    found: dict[str, list[bool]] = {}
    reader, names = q.SumReader(weights), Names(labelled())
    for each in rows:
        read = reader.read(each.question, names.of(each))
        right = {"operation": read.operation == each.operation, "use": read.use == each.use}
        right["kind"] = (read.of_prose > 0.5) == (each.kind in q.PROSE)
        if each.measure:
            right["measure"] = read.measures[0] == each.measure
        if each.less is not None:
            right["way"] = read.less == each.less
        for role, span in (("a", each.a), ("b", each.b), ("set", each.set), ("of", each.of)):
            if span and each.operation != "none":
                right[role] = getattr(read, "set_words" if role == "set" else role) == span
        if each.more:
            right["more"] = read.more == each.more
        for name, holds in (*right.items(), ("all", all(right.values()))):
            found.setdefault(name, []).append(holds)
    return {name: (sum(holds), len(holds)) for name, holds in found.items()}


def between(one: q.Weights, other: q.Weights, share: float) -> q.Weights:
    """Weights on the way from one to another that was learnt on from it, `share` of the other (Wortsman et al. 2022,
    WiSE-FT: what was known before is kept)."""

    def mixed(own: Matrix, others: Matrix) -> Matrix:
        return (1 - share) * own + share * others

    change = {name: mixed(each, other.change[name]) for name, each in one.change.items()}
    heads = {
        name: (mixed(pair[0], other.heads[name][0]), mixed(pair[1], other.heads[name][1]))
        for name, pair in one.heads.items()
    }
    return q.Weights(change, heads, other.measures, other.moves)


def main() -> int:
    """Learn, or try what is learnt on some authors' questions."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_sums", description=__doc__)
    parser.add_argument(
        "--try", dest="authors", default="", help="authors whose questions are told, by commas"
    )
    parser.add_argument(
        "--on",
        type=float,
        nargs="?",
        const=1.0,
        metavar="SHARE",
        help="learn on from the program's weights, in three rounds, and take SHARE of the way to what is learnt",
    )
    parser.add_argument("--held", action="store_true", help="tell sums_held.jsonl with the program's weights")
    args = parser.parse_args()
    if args.held:
        print(json.dumps(told(labelled(HELD), q.learnt())))
        return 0
    left_out = set(filter(None, args.authors.split(",")))
    if args.on and left_out:
        parser.error("the program's weights have seen all authors: --on or --try")
    rows = labelled()
    seen = [each for each in rows if each.author not in left_out] + plain()
    weights = learn(seen, start=q.learnt() if args.on else None)
    weights = between(q.learnt(), weights, args.on) if args.on else weights
    for author in sorted(left_out):
        print(author, json.dumps(told([each for each in rows if each.author == author], weights)))
    if not left_out:
        q.save(weights)
    return 0


if __name__ == "__main__":
    sys.exit(main())
