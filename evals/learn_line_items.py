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
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from heapq import nlargest
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from evals.asked_lines import AskedLine, gather
from evals.learning import Matrix
from evals.low_rank import HIDDEN, Layers, averaged, filled_up, optimizer, session_below, written
from evals.records import DATA
from tools import bge_small
from tools.calculate.meant_lines import MIN_NEARNESS, MIN_SHARE, share_of
from tools.integer_bert import INPUT
from tools.knowledge.lexicon.word_forms import words_of
from tools.vector import line_item_encoder as encoder

PHRASES = DATA / "line_items.jsonl"
FROM_LAYER, RANK = 4, 16
ROUNDS, RATE, DECAY = 2, 1e-3, 0.01
ROWS_A_STEP = 40
ASKED_A_STEP, LINES_A_STEP = 16, 48
"""Questions of one document, and lines of it."""
ALIKE = 8
"""Of the lines that are most like one in words, and of those that a question is nearest to, one is told from the right
one in each step."""
SHARPNESS = 20.0
"""What cosines are multiplied by in the softmax."""
MULTIPLE = 16


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


class Batch(NamedTuple):
    """Lines, and words each of which means the line in its place."""

    words: tuple[str, ...]
    lines: tuple[str, ...]
    """Of those behind the words' own none is meant."""
    also: Matrix
    """(words, lines) lines in other places that a word means, too, or that are given twice."""


def learn(
    own: Sequence[Row], asked: Sequence[AskedLine], lines: Mapping[str, Sequence[str]], seed: int = 0
) -> dict[str, Matrix]:
    """The change of the weights that these rows, and questions about documents of these lines, give; some
    hour on two cores. ModelFileError on missing or altered files."""
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
    every = _a_round(own, asked, lines, nearest, draw)
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
            nearest = nearest_wrong(asked, lines, encoder.LineItemEncoder(_floats(written(given, {}))))
            every = _a_round(own, asked, lines, nearest, draw)
    return written(given, {})


def nearest_wrong(
    asked: Sequence[AskedLine], lines: Mapping[str, Sequence[str]], reader: encoder.LineItemEncoder
) -> dict[AskedLine, list[str]]:
    """For each question the `ALIKE` lines of its document that are nearest to it and not meant."""
    found: dict[AskedLine, list[str]] = {}
    for document in {each.document for each in asked}:
        every = lines[document]
        own = [each for each in asked if each.document == document]
        near = reader.vectors([each.words for each in own]) @ reader.vectors(every).T
        for each, row in zip(own, near, strict=True):
            order = (every[at] for at in np.argsort(-row, kind="stable"))
            found[each] = list(islice((line for line in order if line not in each.right), ALIKE))
    return found


def _a_round(
    own: Sequence[Row],
    asked: Sequence[AskedLine],
    lines: Mapping[str, Sequence[str]],
    nearest: Mapping[AskedLine, Sequence[str]],
    draw: random.Random,
) -> list[Batch]:
    batches = [*_of_phrases(own, draw), *_of_questions(asked, lines, nearest, draw)]
    return draw.sample(batches, len(batches))


def _of_phrases(own: Sequence[Row], draw: random.Random) -> Iterator[Batch]:
    """Rows of one filing, each with one of its phrases."""
    for each in filings(own).values():
        order = draw.sample(each, len(each))
        for start in range(0, len(order) - ROWS_A_STEP // 2, ROWS_A_STEP):
            part = (order[start:] + order)[:ROWS_A_STEP]
            phrases = tuple(draw.choice(row.phrases) for row in part)
            yield Batch(phrases, tuple(row.text for row in part), np.zeros((ROWS_A_STEP, ROWS_A_STEP), bool))


def _of_questions(
    asked: Sequence[AskedLine],
    lines: Mapping[str, Sequence[str]],
    nearest: Mapping[AskedLine, Sequence[str]],
    draw: random.Random,
) -> Iterator[Batch]:
    """Questions about one document, with lines of it that none of them means; `nearest`: as `nearest_wrong` has it."""
    documents: dict[str, list[AskedLine]] = defaultdict(list)
    for each in asked:
        documents[each.document].append(each)
    for document, order in documents.items():
        order = draw.sample(order, len(order))
        rivals = _Rivals(lines[document])
        for start in range(0, len(order), ASKED_A_STEP):
            part = list(islice(cycle((*order[start:], *order[:start])), ASKED_A_STEP))
            meant = {line for each in part for line in each.right}
            right = [draw.choice(each.right) for each in part]
            near = [line for each in part for line in draw.sample(nearest[each], min(1, len(nearest[each])))]
            near += [each for line in right for each in rivals.of(line, draw)]
            rest = [line for line in lines[document] if line not in meant]
            others = dict.fromkeys(line for line in near if line not in meant)
            drawn = [*others, *draw.sample(rest, min(len(rest), LINES_A_STEP))]
            given = list(islice(cycle((*right, *drawn)), LINES_A_STEP))
            also = [
                [line in each.right and at != place for place, line in enumerate(given)]
                for at, each in enumerate(part)
            ]
            yield Batch(tuple(each.words for each in part), tuple(given), np.array(also))


class _Rivals:
    """Lines of one document that are like one another in words."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._words = {line: words_of(line) for line in lines}

    def of(self, line: str, draw: random.Random) -> list[str]:
        """One of the `ALIKE` lines that share most words with another; [] where there is none."""
        own = self._words[line]
        shared = {
            each: len(own & words) / len(own | words)
            for each, words in self._words.items()
            if each != line and own & words
        }
        return draw.sample(nlargest(ALIKE, shared, key=shared.__getitem__), 1) if shared else []


def _loss(layers: Layers, given: Any, fixed: Any, batch: Any, key: Any) -> Any:
    """Cross-entropy of each word's own line among the lines, and of each line's own word."""
    import jax.numpy as jnp
    import optax

    both, also = batch
    units = []
    for rows, filled in both:
        states = layers.encoded(given, fixed, rows, filled, key)
        mean = (states * filled[:, :, None]).sum(1) / filled.sum(1)[:, None]
        units.append(mean / jnp.linalg.norm(mean, axis=1, keepdims=True))
    lines, words = units
    scores = jnp.where(also, -1e9, SHARPNESS * words @ lines.T)
    right = jnp.arange(len(words))
    ways = (scores, scores[:, : len(words)].T)
    return sum(optax.softmax_cross_entropy_with_integer_labels(each, right).mean() for each in ways)


def _floats(change: Mapping[str, Matrix]) -> dict[str, Matrix]:
    """As an encoder takes them."""
    return {name: each.astype(np.float32) for name, each in change.items()}


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
    readers = {"before": encoder.LineItemEncoder({}), "learnt": encoder.LineItemEncoder(_floats(change))}
    for name, reader in readers.items():
        for author in sorted(authors):
            print(author, name, told([row for row in own if row.author == author], reader))
        if companies:
            print(name, found([each for each in asked if each.company in companies], lines, reader))
    return 0


if __name__ == "__main__":
    sys.exit(main())
