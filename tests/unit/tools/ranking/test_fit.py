"""tools.ranking.fit: lines in the order of a learned score, and the probability that those shown answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tools.ranking.fit import (
    MAX_SCORED,
    MAX_SHOWN,
    Scored,
    Weights,
    judge,
    kinds_wanted,
    learnt,
    shown_of,
    softmax,
    standing_of,
)
from tools.ranking.line_features import Line

WEIGHTS = Weights(
    {"fact": [2.0, 0.0], "reason": [-2.0, 0.0]},
    {"place": 1.0},
    {"logit": 1.0},
    {"": -1.0, "logit": 1.0},
    {"": -9.0},
    [0.0, 0.0],
)
VECTOR = np.array([1.0], np.float32)


class ByLength:
    """Scores a text by its length."""

    def __init__(self) -> None:
        self.read = 0

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        self.read += len(texts)
        return [float(len(text)) for text in texts]


def words(text: str) -> list[str]:
    return text.split()


def test_lines_come_in_the_order_of_their_scores_with_shares_that_add_up() -> None:
    lines = [Line("aa", "fact"), Line("aaaa", "fact"), Line("a", "fact")]
    judged = judge("?", VECTOR, lines, ByLength(), words, WEIGHTS)
    assert [each.position for each in judged.lines] == [1, 0, 2]
    assert sum(each.share for each in judged.lines) == pytest.approx(1)
    assert 0 < judged.chance < 1


def test_a_better_best_line_is_likelier_to_answer() -> None:
    chances = [
        judge("?", VECTOR, [Line("a" * n, "fact")], ByLength(), words, WEIGHTS).chance for n in (1, 10)
    ]
    assert chances[0] < chances[1]


def test_of_many_lines_only_the_likeliest_are_read() -> None:
    scorer = ByLength()
    lines = [Line(f"line {n}", "fact", place=n) for n in range(3 * MAX_SCORED)]
    judged = judge("line", VECTOR, lines, scorer, words, WEIGHTS)
    assert scorer.read == MAX_SCORED == len(judged.lines)
    assert {each.position for each in judged.lines} == set(range(MAX_SCORED))


def test_without_a_scorer_the_first_guess_stands() -> None:
    lines = [Line("a", "fact", place=3), Line("aaaa", "fact", place=9), Line("b", "fact", place=0)]
    judged = judge("?", VECTOR, lines, None, words, WEIGHTS)
    assert [each.position for each in judged.lines] == [2, 0, 1] and judged.chance < 0.01


def test_without_lines_nothing_answers() -> None:
    judged = judge("?", VECTOR, [], ByLength(), words, WEIGHTS)
    assert judged.lines == () and judged.chance == 0.0
    assert standing_of([], judged.wanted) == {"": 1.0}


def scored(share: float, *, may_be_shown: bool = True) -> Scored:
    return Scored(Line(f"line of {share}", "fact", may_be_shown=may_be_shown), 0, 0.0, share, 0.0, {})


def test_the_best_line_is_shown_with_those_that_come_near_it() -> None:
    lines = [scored(0.5), scored(0.3), scored(0.1)]
    assert shown_of(lines, {"fact": 1.0}) == lines[:2]
    assert len(shown_of([scored(0.2)] * 5, {"fact": 1.0})) == MAX_SHOWN


def test_for_a_reason_more_lines_are_shown_than_for_a_figure() -> None:
    lines = [scored(0.5), scored(0.15), scored(0.05)]
    assert shown_of(lines, {"fact": 1.0}) == lines[:1]
    assert shown_of(lines, {"reason": 0.9, "fact": 0.1}) == lines[:2]


def test_the_reply_stands_in_the_place_of_an_analysts_question_that_is_the_best_line() -> None:
    lines = [
        Line("No.", "sentence", passage=1),
        Line("Will you build it yourselves or partner?", "sentence", quotable=False, asked=True, passage=1),
        Line("We did for two years.", "sentence", passage=1),
        Line("It broke things.", "sentence", passage=1),
        Line("We partner with farms elsewhere.", "sentence", passage=2),
    ]
    judged = judge("?", VECTOR, lines, ByLength(), words, WEIGHTS)
    assert [each.position for each in judged.lines] == [2, 3, 4, 0]
    assert judged.lines[0].logit == max(len(line.shown) for line in lines)
    alone = judge("?", VECTOR, lines[:2], ByLength(), words, WEIGHTS)
    assert [each.position for each in alone.lines] == [1, 0]


def test_a_sentence_that_says_the_same_is_not_shown_again() -> None:
    lines = [Line(f"Demand for sensors was {word} in Europe.", "sentence") for word in ("strong", "robust")]
    shown = shown_of([Scored(line, 0, 0.0, 0.5, 0.0, {}) for line in lines], {})
    assert [each.line for each in shown] == lines[:1]


def test_what_may_not_be_shown_does_not_count_as_the_best() -> None:
    lines = [scored(0.6, may_be_shown=False), scored(0.1), scored(0.09)]
    assert shown_of(lines, {}) == lines[1:]


def test_shares_of_large_scores_do_not_overflow() -> None:
    assert softmax([1e4, 0.0]) == [1.0, 0.0] and softmax([]) == []


def test_the_weights_that_come_with_the_program_can_be_read() -> None:
    weights = learnt()
    wanted = kinds_wanted(np.zeros(384, np.float32), weights)
    assert sum(wanted.values()) == pytest.approx(1) and weights.lines["logit"] > 0 and weights.chance


def test_no_more_lines_are_read_than_is_said() -> None:
    reader = ByLength()
    judge("?", VECTOR, [Line("a" * n, "fact", place=n) for n in range(1, 9)], reader, words, WEIGHTS, most=3)
    assert reader.read == 3
