from __future__ import annotations

from pathlib import Path

import pytest

from evals.kills import run_kills


@pytest.mark.timeout(280)
def test_twenty_kills_at_random_moments_cost_only_the_work_in_hand(tmp_path: Path) -> None:
    tally = run_kills(tmp_path, kills=20, seed=20, rerun_every=7)
    assert tally.kills == {"group": 10, "parent": 10}
    assert tally.reruns >= 3
