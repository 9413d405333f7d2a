from __future__ import annotations

import sys

import pytest

from evals.reading_costs import PATTERNS, measured

WORST = ("one word", "5% ", "— ", "A.", "Note 1\\n", "Inc. ")
"""Each took minutes, or the square of its size, in another pass."""


@pytest.mark.skipif(sys.platform == "win32", reason="the system limits no processor time there")
def test_no_pass_of_reading_costs_the_square_of_a_hostile_text() -> None:
    found = measured(WORST, "plain", seconds=15, sizes=(50_000,))  # of processor time, a third is used
    assert [one["pattern"] for one in found] == list(WORST)


def test_the_patterns_have_the_size_that_is_asked_for() -> None:
    assert len(PATTERNS) >= 20
    for name, text in PATTERNS.items():
        assert 8_000 <= len(text(10_000)) <= 25_000, name
