"""Intervals of means and of paired differences."""

from __future__ import annotations

import numpy as np
import pytest

from tools.bootstrap import interval, paired


def test_an_interval_holds_its_mean_and_narrows_with_more_questions() -> None:
    few, many = [0.0, 1.0] * 10, [0.0, 1.0] * 1000
    low, high = interval(few)
    assert low < 0.5 < high
    narrow_low, narrow_high = interval(many)
    assert narrow_high - narrow_low < (high - low) / 3


def test_an_interval_agrees_with_the_normal_approximation_on_many_values() -> None:
    values = np.random.default_rng(7).normal(3.0, 2.0, 4000)
    low, high = interval(values.tolist())
    error = float(values.std() / np.sqrt(4000))
    assert low == pytest.approx(values.mean() - 1.96 * error, abs=0.3 * error)
    assert high == pytest.approx(values.mean() + 1.96 * error, abs=0.3 * error)


def test_the_same_seed_gives_the_same_interval_and_another_seed_nearly_the_same() -> None:
    values = [i % 7 / 7 for i in range(300)]
    assert interval(values) == interval(values)
    assert interval(values, seed=1) != interval(values)
    assert interval(values, seed=1) == pytest.approx(interval(values), abs=0.01)


def test_one_value_and_equal_values_are_their_own_interval() -> None:
    assert interval([0.25]) == (0.25, 0.25)
    assert interval([1.0] * 40) == (1.0, 1.0)


@pytest.mark.parametrize("values", [[], [1.0, float("nan")], [float("inf")]])
def test_nothing_and_what_is_not_finite_have_no_interval(values: list[float]) -> None:
    with pytest.raises(ValueError):
        interval(values)


def test_pairing_finds_a_small_steady_gain_that_the_spread_of_questions_hides() -> None:
    a = [i / 50 for i in range(50)]
    b = [value + (0.02 if i % 5 else 0.01) for i, value in enumerate(a)]
    found = paired(a, b)
    assert found.difference == pytest.approx(0.018)
    assert found.certain and found.low > 0
    assert interval(a)[1] > interval(b)[0]


def test_wins_losses_and_ties_add_up_and_rounding_is_a_tie() -> None:
    found = paired([0.3, 0.5, 0.5, 1.0], [0.1 + 0.2, 1.0, 0.0, 1.0])
    assert (found.up, found.down, found.ties, found.count) == (1, 1, 2, 4)
    assert not found.certain


def test_values_of_different_number_cannot_be_paired() -> None:
    with pytest.raises(ValueError, match="1 and 2"):
        paired([1.0], [1.0, 2.0])
