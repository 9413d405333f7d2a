"""tools.vector.ranking: two scores on one scale."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tools.vector.ranking import (
    best_above_zero,
    best_first,
    diversify,
    mix,
    nearest_rows,
    normalise,
    without_twins,
)


def scores(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def test_the_best_score_becomes_one_and_the_least_possible_nothing() -> None:
    assert normalise(scores(0.5, -1.0, -0.25), -1.0).tolist() == [1.0, 0.0, 0.5]


def test_scores_at_their_least_stay_at_nothing() -> None:
    assert normalise(scores(0, 0), 0.0).tolist() == [0, 0]
    assert normalise(scores(), 0.0).size == 0


@given(
    st.lists(st.tuples(st.floats(-1, 1, width=32), st.floats(0, 50, width=32)), min_size=1, max_size=30),
    st.floats(0, 1),
)
def test_a_mixed_score_lies_between_nothing_and_one(pairs: list[tuple[float, float]], weight: float) -> None:
    mixed = mix(scores(*(dense for dense, _ in pairs)), scores(*(word for _, word in pairs)), weight)
    assert float(mixed.min()) >= 0
    assert float(mixed.max()) <= 1 + 1e-5


def test_all_the_weight_on_one_side_ranks_as_that_side() -> None:
    dense, keyword = scores(0.1, 0.9, 0.5), scores(9, 1, 5)
    assert best_first(mix(dense, keyword, 1.0), ["a", "b", "c"]) == [1, 2, 0]
    assert best_first(mix(dense, keyword, 0.0), ["a", "b", "c"]) == [0, 2, 1]


def test_words_decide_between_chunks_of_equal_meaning() -> None:
    assert best_first(mix(scores(0.5, 0.5), scores(0, 4)), ["a", "b"]) == [1, 0]


def test_ties_go_by_id_whatever_the_order_of_candidates() -> None:
    assert best_first(scores(0.5, 0.5, 0.7), ["z", "a", "m"]) == [2, 1, 0]


def test_of_twins_the_better_stays() -> None:
    assert without_twins([2, 0, 1], ["x", "y", "x"]) == [2, 1]


@pytest.mark.parametrize(("diversity", "expected"), [(0.0, [0, 1]), (0.5, [0, 2])])
def test_variety_skips_what_says_the_same_again(diversity: float, expected: list[int]) -> None:
    vectors = np.array([[1, 0], [0.999, 0.045], [0, 1]], dtype=np.float32)
    assert diversify([0, 1, 2], scores(1.0, 0.95, 0.8), vectors, 2, diversity) == expected


def test_variety_returns_all_there_is_when_asked_for_more() -> None:
    assert sorted(diversify([0, 1], scores(1, 0.5), np.eye(2, dtype=np.float32), 9, 0.3)) == [0, 1]


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), max_size=12), st.integers(1, 5))
def test_the_best_above_zero_are_those_of_a_whole_ranking(values: list[float], most: int) -> None:
    ranked = sorted((at for at, value in enumerate(values) if value > 0), key=lambda at: (-values[at], at))
    assert best_above_zero(scores(*values), most) == ranked[:most]


@pytest.mark.parametrize("wide", [0.0, 2.0], ids=["all are compared", "those in scope are gathered"])
def test_the_nearest_rows_are_the_first_of_all_that_are_allowed(wide: float) -> None:
    random = np.random.default_rng(3)
    rows = random.integers(-2, 3, (60, 4)).astype(np.float32)  # many are equally near
    query = np.array([1, 2, 0, -1], np.float32)
    for allowed in (np.ones(60, bool), random.random(60) < 0.4, np.zeros(60, bool)):
        inside = np.flatnonzero(allowed).tolist()
        expected = sorted(inside, key=lambda at: (-float(rows[at] @ query), at))
        for limit in (1, 7, 100):
            assert nearest_rows(rows, query, limit, allowed, wide) == expected[:limit]
