"""Learn which printed line people mean by their words: the weights of `tools.vector.line_item_encoder`.

Run as `python -m evals.learn_line_items [--try AUTHOR,...]`. Learnt from line_items.jsonl: rows of invented filings,
each with phrases in which people refer to it, contrastively: of the rows of one filing the phrase's own is nearest
(InfoNCE, van den Oord et al. 2018, with the filing's other rows as negatives). --try learns without some authors'
filings and says how often the nearest row is the right one there, and is taken, in place of writing the weights.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from evals.learning import Matrix
from evals.low_rank import HIDDEN, Layers, filled_up, optimizer, session_below, written
from evals.records import DATA
from tools.calculate.meant_lines import MIN_LEAD, MIN_NEARNESS
from tools.integer_bert import INPUT
from tools.onnx_file import read_graph
from tools.vector import line_item_encoder as encoder
from tools.vector.embeddings import model_file
from tools.vector.integer_minilm import MiniLmFile

PHRASES = DATA / "line_items.jsonl"
FROM_LAYER, RANK = 1, 16
ROUNDS, RATE, DECAY = 6, 1e-3, 0.01
ROWS_A_STEP = 40
SHARPNESS = 20.0
"""What cosines are multiplied by in the softmax."""
MULTIPLE = 8


class Row(BaseModel):
    """A printed row of an invented filing, and what people call it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    author: str
    company: str
    label: str
    heading: str
    statement: str
    unit: str
    phrases: tuple[str, ...]

    @property
    def text(self) -> str:
        """As the encoder reads it."""
        return encoder.row_text(self.label, (self.heading,) if self.heading else (), self.statement)


def rows() -> list[Row]:
    """All rows that were written down."""
    return [Row.model_validate_json(line) for line in PHRASES.read_text(encoding="utf-8").splitlines()]


def filings(own: Sequence[Row]) -> dict[str, list[Row]]:
    """Company -> its rows."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in own:
        found[row.company].append(row)
    return dict(found)


def learn(own: Sequence[Row], seed: int = 0) -> dict[str, Matrix]:
    """The change of the weights that these rows give. ModelFileError on missing or altered files."""
    import jax
    import optax

    file = MiniLmFile(*read_graph(model_file()), {})
    session = session_below(file, FROM_LAYER, [INPUT])

    def below(text: str) -> Matrix:
        states: Matrix = session.run([HIDDEN], {INPUT: np.asarray([encoder.pieces_of(text)], np.int64)})[0][0]
        return states.astype(np.float16)

    seen = {text: below(text) for row in own for text in (row.text, *row.phrases)}
    layers = Layers(file, FROM_LAYER, RANK)
    given = layers.start(np.random.default_rng(seed))
    draw, key = random.Random(seed), jax.random.PRNGKey(seed)
    every = list(_batches(own, draw))
    descent = optimizer(RATE, DECAY, len(every))

    def stepped(given: Any, state: Any, fixed: Any, batch: Any, key: Any) -> tuple[Any, Any]:
        slope = jax.grad(partial(_loss, layers))(given, fixed, batch, key)
        updates, state = descent.update(slope, state, given)
        return optax.apply_updates(given, updates), state

    step, state = jax.jit(stepped), descent.init(given)
    for done, batch in enumerate(every, start=1):
        key, own_key = jax.random.split(key)
        states = [seen[row.text] for row, _ in batch] + [seen[phrase] for _, phrase in batch]
        given, state = step(given, state, layers.fixed, filled_up(states, MULTIPLE), own_key)
        if done % 50 == 0:
            print(f"step {done} of {len(every)}", file=sys.stderr, flush=True)
    return written(given, {})


def _batches(own: Sequence[Row], draw: random.Random) -> Iterator[list[tuple[Row, str]]]:
    """Rows of one filing, each with one of its phrases, of every filing in turn."""
    for _ in range(ROUNDS):
        batches = []
        for each in filings(own).values():
            order = draw.sample(each, len(each))
            for start in range(0, len(order) - ROWS_A_STEP // 2, ROWS_A_STEP):
                part = (order[start:] + order)[:ROWS_A_STEP]
                batches.append([(row, draw.choice(row.phrases)) for row in part])
        yield from draw.sample(batches, len(batches))


def _loss(layers: Layers, given: Any, fixed: Any, batch: Any, key: Any) -> Any:
    """Cross-entropy of each phrase's own row among the rows, and of each row's own phrase."""
    import jax.numpy as jnp
    import optax

    rows, filled = batch
    states = layers.encoded(given, fixed, rows, filled, key)
    mean = (states * filled[:, :, None]).sum(1) / filled.sum(1)[:, None]
    mean = mean / jnp.linalg.norm(mean, axis=1, keepdims=True)
    many = len(mean) // 2
    scores = SHARPNESS * mean[many:] @ mean[:many].T
    right = jnp.arange(many)
    ways = (scores, scores.T)
    return sum(optax.softmax_cross_entropy_with_integer_labels(each, right).mean() for each in ways)


class Told(NamedTuple):
    """How phrases of filings are told."""

    every: int
    right: int
    """Whose nearest row of their filing is their own."""
    taken: int
    """Whose nearest row is near and ahead enough to be taken, see `tools.calculate.meant_lines`."""
    taken_right: int


def told(own: Sequence[Row], reader: encoder.LineItemEncoder) -> Told:
    """Of all phrases of some filings."""
    found: list[tuple[bool, bool]] = []
    for each in filings(own).values():
        vectors = reader.vectors([row.text for row in each])
        for at, row in enumerate(each):
            for nears in reader.vectors(row.phrases) @ vectors.T:
                second, first = np.sort(nears)[-2:]
                sure = first >= MIN_NEARNESS and first - second >= MIN_LEAD
                found.append((int(nears.argmax()) == at, bool(sure)))
    taken = [right for right, sure in found if sure]
    return Told(len(found), sum(right for right, _ in found), len(taken), sum(taken))


def main() -> int:
    """Learn, or try what is learnt on some authors' rows."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_line_items", description=__doc__)
    parser.add_argument("--try", dest="authors", default="", help="authors whose rows are told, by commas")
    left_out = set(filter(None, parser.parse_args().authors.split(",")))
    own = rows()
    change = learn([row for row in own if row.author not in left_out])
    if not left_out:
        encoder.save(change)
        return 0
    for author in sorted(left_out):
        theirs = [row for row in own if row.author == author]
        plain, learnt = (encoder.LineItemEncoder(each) for each in ({}, change))
        print(author, "before", told(theirs, plain), "learnt", told(theirs, learnt))
    return 0


if __name__ == "__main__":
    sys.exit(main())
