"""evals.learn_line_items: what it learns from is well formed, and is learnt filing by filing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from evals.learn_line_items import ROUNDS, ROWS_A_STEP, Row, _batches, filings, rows, told
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
    batches = [*_batches(ROWS, random.Random(0))]
    for batch in batches:
        assert len(batch) == ROWS_A_STEP == len({id(row) for row, _ in batch})
        assert len({row.company for row, _ in batch}) == 1
        assert all(phrase in row.phrases for row, phrase in batch)
    seen = {(row.company, row.text) for row, _ in (pair for batch in batches for pair in batch)}
    assert len(batches) % ROUNDS == 0 and seen >= {(row.company, row.text) for row in ROWS[:200]}


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
