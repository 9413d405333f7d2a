"""A judge's endpoint that answers with anything but a verdict."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from evals.attacks import endpoint_forms as forms
from evals.attacks.judge import judge_faults

pytestmark = pytest.mark.skipif(
    find_spec("ragas") is None, reason="the extra `judge` has an environment of its own: make test-judged"
)


@pytest.mark.parametrize("step", ["statements", "verdicts"])
def test_a_fault_of_the_judge_is_no_score_and_is_asked_for_again(step: str, tmp_path: Path) -> None:
    assert judge_faults(step, {**forms.PLAIN, **forms.DEEP}, tmp_path) == []
