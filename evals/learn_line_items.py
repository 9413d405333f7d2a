"""Learn which printed line people mean by their words: the weights of `tools.vector.line_item_encoder`.

Learnt from line_items.jsonl, rows of invented filings, each with phrases in which people refer to it, from
line_phrases.jsonl, phrases for lines of the documents indexed in HOME, and from questions of tuning halves about these,
contrastively: of the lines of one filing the words' own is nearest (InfoNCE, van den Oord et al. 2018, with other lines
of the filing as negatives, among them those that are most like it, and those that the words were nearest to at the
round's beginning, as Xiong et al. 2021 have it, ANCE). `evals.learn_fit` averages two such;
`python -m evals.learn_line_items --home HOME [--try AUTHOR,...] [--without TICKER,...] [--write | --beside SHARE]`
learns without some authors' filings, or some companies' questions, and says how often the nearest line is the right one
there; --write puts what was learnt in the place of the weights, --beside an average, SHARE of it what was learnt.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Collection, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evals.asked_lines import AskedLine, gather
from evals.learning import Matrix
from evals.line_item_batches import Row, a_round, filings, nearest_wrong, rows
from evals.low_rank import HIDDEN, Layers, averaged, filled_up, floats, optimizer, session_below, written
from tools import bge_small
from tools.calculate.meant_lines import MIN_NEARNESS, MIN_SHARE, share_of
from tools.integer_bert import INPUT
from tools.vector import line_item_encoder as encoder

FROM_LAYER, RANK = 4, 16
ROUNDS, RATE, DECAY = 2, 1e-3, 0.01
SHARPNESS = 20.0
"""What cosines are multiplied by in the softmax."""
MULTIPLE = 16


def learn(
    own: Sequence[Row], asked: Sequence[AskedLine], lines: Mapping[str, Sequence[str]], seed: int = 0
) -> dict[str, Matrix]:
    """The change of the weights that these rows, and questions about documents of these lines, give; an hour on
    two cores. ModelFileError on missing or altered files."""
    import jax
    import optax

    file = bge_small.weights({})
    session = session_below(file, FROM_LAYER, [INPUT])

    @cache
    def below(text: str) -> Matrix:
        states: Matrix = session.run([HIDDEN], {INPUT: np.asarray([encoder.pieces_of(text)], np.int64)})[0][0]
        return states.astype(np.float16)

    layers = Layers(file, FROM_LAYER, RANK)
    given = layers.start(np.random.default_rng(seed))
    draw, key = random.Random(seed), jax.random.PRNGKey(seed)
    nearest = nearest_wrong(asked, lines, encoder.LineItemEncoder({}))
    every = a_round(own, asked, lines, nearest, draw)
    descent = optimizer(RATE, DECAY, ROUNDS * len(every))

    def stepped(given: Any, state: Any, fixed: Any, batch: Any, key: Any) -> tuple[Any, Any]:
        slope = jax.grad(partial(_loss, layers))(given, fixed, batch, key)
        updates, state = descent.update(slope, state, given)
        return optax.apply_updates(given, updates), state

    step, state = jax.jit(stepped), descent.init(given)
    for number in range(1, ROUNDS + 1):
        for done, batch in enumerate(every, start=1):
            key, own_key = jax.random.split(key)
            both = [
                filled_up([below(text) for text in each], MULTIPLE) for each in (batch.lines, batch.words)
            ]
            given, state = step(given, state, layers.fixed, (both, batch.also), own_key)
            if done % 50 == 0:
                print(f"round {number}: step {done} of {len(every)}", file=sys.stderr, flush=True)
        if number < ROUNDS:
            nearest = nearest_wrong(asked, lines, encoder.LineItemEncoder(floats(written(given, {}))))
            every = a_round(own, asked, lines, nearest, draw)
    return written(given, {})


def _loss(layers: Layers, given: Any, fixed: Any, batch: Any, key: Any) -> Any:
    """Cross-entropy of each word's own line among the lines, and of each line's own word."""
    import jax.numpy as jnp
    import optax

    both, also = batch
    units = []
    for inputs, filled in both:
        states = layers.encoded(given, fixed, inputs, filled, key)
        mean = (states * filled[:, :, None]).sum(1) / filled.sum(1)[:, None]
        units.append(mean / jnp.linalg.norm(mean, axis=1, keepdims=True))
    lines, words = units
    scores = jnp.where(also, -1e9, SHARPNESS * words @ lines.T)
    right = jnp.arange(len(words))
    ways = (scores, scores[:, : len(words)].T)
    return sum(optax.softmax_cross_entropy_with_integer_labels(each, right).mean() for each in ways)


class Told(NamedTuple):
    """How phrases of filings are told."""

    every: int
    right: int
    """Whose nearest row of their filing is their own."""
    taken: int
    """Whose nearest row is near and alone enough to be taken, see `tools.calculate.meant_lines`."""
    taken_right: int


def told(own: Sequence[Row], reader: encoder.LineItemEncoder) -> Told:
    """Of all phrases of some filings."""
    found: list[tuple[bool, bool]] = []
    for each in filings(own).values():
        vectors = reader.vectors([row.text for row in each])
        for row in each:
            for nears in reader.vectors(row.phrases) @ vectors.T:
                found.append(
                    _nearest({other.text: near for other, near in zip(each, nears, strict=True)}, {row.text})
                )
    return _counted(found)


def _nearest(near: Mapping[str, float], right: Collection[str]) -> tuple[bool, bool]:
    """Whether the nearest of some lines is right, and whether it is near enough, and alone, to be taken."""
    best = max(near, key=near.__getitem__)
    own = right if best in right else {best}
    return best in right, near[best] >= MIN_NEARNESS and share_of(own, near) >= MIN_SHARE


def _counted(found: Sequence[tuple[bool, bool]]) -> Told:
    taken = [right for right, sure in found if sure]
    return Told(len(found), sum(right for right, _ in found), len(taken), sum(taken))


NEAREST = (1, 5, 20)


def found(
    asked: Sequence[AskedLine], lines: Mapping[str, Sequence[str]], reader: encoder.LineItemEncoder
) -> str:
    """For how many questions a right line is among the nearest ones of its document, and what is taken."""
    places, judged = list[int](), list[tuple[bool, bool]]()
    for each in asked:
        own = lines[each.document]
        near = reader.vectors(own) @ reader.vectors([each.words])[0]
        order = np.argsort(-near, kind="stable")
        places.append(next(place for place, at in enumerate(order) if own[at] in each.right))
        judged.append(_nearest(dict(zip(own, near.tolist(), strict=True)), each.right))
    counts = (f"{sum(place < most for place in places)} among the {most} nearest" for most in NEAREST)
    told = _counted(judged)
    return (
        f"{len(asked)} questions: {', '.join(counts)}; {told.taken} taken, {told.taken_right} of them right"
    )


def main() -> int:
    """Try what is learnt on some authors' rows and some companies' questions."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_line_items", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--try", dest="authors", default="", help="authors whose rows are told, by commas")
    parser.add_argument("--without", dest="companies", default="", help="companies whose questions are told")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--write", action="store_true", help="write the weights")
    either.add_argument(
        "--beside", type=float, help="write so much of them, the rest of those that are there"
    )
    args = parser.parse_args()
    if args.beside is not None and not 0 < args.beside < 1:
        parser.error("--beside takes a share between 0 and 1")
    authors, companies = (set(filter(None, each.split(","))) for each in (args.authors, args.companies))
    if not (authors | companies or args.write or args.beside):
        parser.error("whom to leave out? --try or --without, or --write what is learnt")
    own = rows()
    asked, lines = gather(args.home)
    change = learn(
        [row for row in own if row.author not in authors],
        [each for each in asked if each.company not in companies],
        lines,
    )
    if args.beside:
        change = averaged(change, encoder.learnt(), share=args.beside)
    if args.write or args.beside:
        encoder.save(change)
    readers = {"before": encoder.LineItemEncoder({}), "learnt": encoder.LineItemEncoder(floats(change))}
    for name, reader in readers.items():
        for author in sorted(authors):
            print(author, name, told([row for row in own if row.author == author], reader))
        if companies:
            print(name, found([each for each in asked if each.company in companies], lines, reader))
    return 0


if __name__ == "__main__":
    sys.exit(main())
