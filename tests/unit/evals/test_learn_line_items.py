"""evals.learn_line_items: what it learns from is well formed, and is learnt filing by filing."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from evals.asked_lines import AskedLine
from evals.learn_line_items import found, told
from evals.line_item_batches import (
    ASKED_A_STEP,
    LINES_A_STEP,
    ROWS_A_STEP,
    Row,
    _of_phrases,
    _of_questions,
    filings,
    nearest_wrong,
    rows,
)
from tools.vector.line_item_encoder import LineItemEncoder

ROWS = rows()


def test_what_was_written_down_is_well_formed() -> None:
    assert len(ROWS) > 2_500 and len({row.author for row in ROWS}) >= 4
    for own in filings(ROWS).values():
        phrases = [phrase.lower() for row in own for phrase in row.phrases]
        assert len(own) > ROWS_A_STEP and len(set(phrases)) == len(phrases)
        assert len({row.author for row in own}) == 1
        assert all(row.label.strip() and all(row.phrases) for row in own)


def test_a_step_has_rows_of_one_filing_each_once_with_a_phrase_of_its_own() -> None:
    seen = set[str]()
    draw = random.Random(0)
    of = defaultdict[tuple[str, str], set[str]](set)
    for row in ROWS:
        for phrase in row.phrases:
            of[row.text, phrase].add(row.company)
    for batch in (batch for _ in range(6) for batch in _of_phrases(ROWS, draw)):
        assert len(batch.words) == len(batch.lines) == ROWS_A_STEP and not batch.also.any()
        seen |= {*batch.lines}
        assert set.intersection(*(of[pair] for pair in zip(batch.lines, batch.words, strict=True)))
    assert seen >= {row.text for row in ROWS[:200]}


def test_a_step_of_questions_has_other_lines_of_their_document_that_none_of_them_means() -> None:
    lines = {"one": ["cash", "debt", *(f"line {n}" for n in range(90))]}
    asked = [
        AskedLine("money", "X", "one", ("cash",)),
        AskedLine("cash in hand", "X", "one", ("cash",)),
        AskedLine("owed", "X", "one", ("debt",)),
    ]
    nearest = {each: ["line 7"] for each in asked}
    (batch,) = _of_questions(asked, lines, nearest, random.Random(0))
    assert "line 7" in batch.lines[ASKED_A_STEP:]
    assert len(batch.words) == ASKED_A_STEP and len(batch.lines) == LINES_A_STEP
    meant = {"money": "cash", "cash in hand": "cash", "owed": "debt"}
    assert [meant[word] for word in batch.words] == list(batch.lines[:ASKED_A_STEP])
    assert not {"cash", "debt"} & {*batch.lines[ASKED_A_STEP:]}
    for at, word in enumerate(batch.words):
        again = [k for k, line in enumerate(batch.lines) if line == meant[word] and k != at]
        assert list(np.flatnonzero(batch.also[at])) == again


class Crossed:
    """Puts every phrase on the first row of its filing."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array(
            [(1, 0) if text in ("cash", "first", "second") else (0, 1) for text in texts], np.float32
        )


def test_phrases_are_told_by_their_nearest_row_and_taken_where_it_is_ahead() -> None:
    each = {"author": "one", "company": "x", "heading": "", "statement": "note", "unit": "USD"}
    own = [
        Row.model_validate({**each, "label": "cash", "phrases": ("first",)}),
        Row.model_validate({**each, "label": "debt", "phrases": ("second",)}),
    ]
    assert told(own, cast(LineItemEncoder, Crossed())) == (2, 1, 2, 1)


def test_lines_that_a_question_is_nearest_to_and_does_not_mean_are_found() -> None:
    lines = {"one": ["else", "first", "second"]}
    asked = AskedLine("cash", "X", "one", ("first",))
    nearest = nearest_wrong([asked], lines, cast(LineItemEncoder, Crossed()))
    assert nearest == {asked: ["second", "else"]}


def test_questions_are_told_by_the_place_of_their_line() -> None:
    lines = {"one": ["first", "else"]}
    asked = [AskedLine("cash", "X", "one", ("first",)), AskedLine("cash", "X", "one", ("else",))]
    said = found(asked, lines, cast(LineItemEncoder, Crossed()))
    assert said == (
        "2 questions: 1 among the 1 nearest, 2 among the 5 nearest, 2 among the 20 nearest; 2 taken, 1 of them right"
    )
