"""Weights of the reader of sums between those that were, and what was learnt on from them."""

from __future__ import annotations

import numpy as np

from evals.learn_sums import between
from tools.calculate.questions import Weights


def weights(change: float, head: float, moves: float) -> Weights:
    one = np.full((2, 2), 1.0, np.float32)
    return Weights({"layer.a": change * one}, {"use": (head * one, head * one)}, ("margin",), moves * one)


def test_a_share_of_the_way_is_taken_in_all_but_how_roles_follow_one_another() -> None:
    found = between(weights(1, 2, 3), weights(5, 10, 7), 0.25)
    told = [*found.change.values(), *found.heads["use"], found.moves]
    assert [float(each[0, 0]) for each in told] == [2, 4, 4, 7]
    assert found.measures == ("margin",)
