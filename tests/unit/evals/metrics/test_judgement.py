"""The yes/no judgement of an answer."""

from __future__ import annotations

import pytest

from evals.datasets.types import Item
from evals.metrics.judgement import JUDGEMENT, said
from evals.rows import Row


def judged(expected: str | None, answer: str, status: str = "answered") -> float | None:
    row = Row.model_validate(
        {"pipeline": "agent", "id": "q", "question": "Q?", "status": status, "answer": answer}
    )
    return JUDGEMENT.score(Item(id="q", question="Q?", answer=expected), row).value


@pytest.mark.parametrize(
    ("answer", "judgement"),
    [
        ("Yes, Tarn Inc. did well [1].", True),
        ("No. Revenue fell [2].", False),
        ("**Yes**: both rose [1].", True),
        ("Tarn Inc. did not do well in the quarter [1].", False),
        ("Tarn Inc. has performed well [1].", True),
        ("Revenue rose by 4 % [1].", None),
        ("Nothing is known of it.", None),
        ("", None),
    ],
)
def test_the_judgement_is_read_from_the_first_word_or_the_wording(
    answer: str, judgement: bool | None
) -> None:
    assert said(answer) is judgement


def test_the_right_judgement_is_1_the_wrong_one_or_none_is_0() -> None:
    assert judged("yes", "Yes, it did [1].") == 1
    assert judged("no", "Yes, it did [1].") == 0
    assert judged("no", "Revenue fell [1].") == 0
    assert judged("no", "No document says so.", "abstained") == 0
    assert judged("yes", "", "failed") == 0


def test_other_questions_have_no_judgement() -> None:
    assert judged("Yes, and it rose by 4 %.", "Yes.") is None
    assert judged(None, "Yes.") is None
