"""Whether what pages print answers a question that may ask for something to be computed."""

from __future__ import annotations

import pytest

from tools.calculate.printed_answers import MIN_OF_SUM, answers, features

SHARE = "What part of Orla's 2023 sales came from freight?"


@pytest.mark.parametrize(
    ("answer", "of_sum", "does"),
    [
        ("Orla: “79% of our parcels went through 162 depots.” [1]", 0.9, False),
        ("Orla: “In 2023 freight was 12% of all sales, the part that came from vans 3%.” [1]", 0.3, True),
        ("Orla: “79% of our parcels went through 162 depots.” [1]", MIN_OF_SUM / 2, True),
    ],
)
def test_what_says_little_of_a_question_for_a_sum_does_not_answer(
    answer: str, of_sum: float, does: bool
) -> None:
    assert answers(SHARE, answer, of_sum, uncomputed=False) is does


def test_what_is_told_of_question_and_answer_is_bounded() -> None:
    for of_sum in (0.0, 1.0):
        found = features("", "", of_sum, uncomputed=False)
        assert all(abs(value) <= 1 for value in found.values())
