"""What `evals.learn_line_items` learns from, step by step: rows of invented filings with their phrases, and questions
about documents with lines that they do not mean."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import cycle, islice
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from evals.asked_lines import AskedLine
from evals.learning import Matrix
from evals.records import DATA
from tools.knowledge.lexicon.word_forms import words_of
from tools.vector import line_item_encoder as encoder

PHRASES = DATA / "line_items.jsonl"
ROWS_A_STEP = 40
ASKED_A_STEP, LINES_A_STEP = 16, 48
"""Questions of one document, and lines of it."""
ALIKE = 8
"""Of the lines that are most like one in words, and of those that a question is nearest to, one is told from the right
one in each step."""


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


def a_round(
    own: Sequence[Row],
    asked: Sequence[AskedLine],
    lines: Mapping[str, Sequence[str]],
    nearest: Mapping[AskedLine, Sequence[str]],
    draw: random.Random,
) -> list[Batch]:
    """Every row and question once, in an order that is drawn."""
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
