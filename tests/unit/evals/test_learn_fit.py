"""evals.learn_fit: what nearness of printed lines adds to weights that are there."""

from __future__ import annotations

import numpy as np

from evals.found_lines import Example
from evals.learn_fit import KINDS, NEARNESS, learn_lines, learn_nearness
from evals.natural import Natural
from tools.ranking.fit import Weights
from tools.ranking.line_features import Line

ASKED = Natural(id="q", kind="fact", question="Freight?")
GIVEN = {"words": 1.0}


def example(right: float, wrong: float) -> Example:
    """A question with two figures; that of the first nearness answers."""
    lines = tuple(Line(f"line {near}", "fact", nearness=near) for near in (right, wrong))
    return Example(ASKED, "Freight?", np.ones(3), lines, ((0.0, 0.0),) * 2, (True, False), (0.0, 0.0))


def test_what_nearness_adds_is_learnt_and_what_is_there_stays() -> None:
    weights = Weights({kind: [0.0] * 3 for kind in KINDS}, GIVEN, GIVEN, {}, {}, [])
    near = [example(0.8, 0.3), example(0.7, 0.2)]
    learnt = learn_nearness(near, near, weights)
    for found in (learnt.lines, learnt.guess):
        assert found["words"] == 1.0 and found["nearness"] > 0 > found["less near"]
        assert all(NEARNESS in name for name in found.keys() - GIVEN.keys())


def test_what_the_given_weights_tell_already_is_not_learnt_again() -> None:
    kinds = np.zeros((3, len(KINDS)))
    alone = learn_lines([example(0.8, 0.3)], kinds, {}, NEARNESS)
    beside = learn_lines([example(0.8, 0.3)], kinds, {"nearness": 20.0}, NEARNESS)
    assert abs(beside.get("nearness", 0.0)) < alone["nearness"]
