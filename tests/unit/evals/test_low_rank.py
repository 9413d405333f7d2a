"""evals.low_rank: changes as they are written, read again and averaged."""

from __future__ import annotations

import numpy as np
import pytest

from evals.low_rank import averaged, unwritten, written

DRAW = np.random.default_rng(0)
ONE, OTHER = (
    {"w.a": DRAW.normal(size=(4, rank)), "w.b": DRAW.normal(size=(rank, 3)), "bias": DRAW.normal(size=3)}
    for rank in (2, 5)
)


def test_what_was_written_is_learnt_on_from_where_it_stood() -> None:
    again = unwritten(written(ONE, {}))
    assert all(np.allclose(again[name], ONE[name], atol=1e-2) for name in ONE)


@pytest.mark.parametrize("share", [0.4, 0.5])
def test_an_average_is_that_of_what_the_changes_do_whatever_their_ranks(share: float) -> None:
    both = averaged(ONE, OTHER, share=share)
    wanted = share * ONE["w.a"] @ ONE["w.b"] + (1 - share) * OTHER["w.a"] @ OTHER["w.b"]
    assert np.allclose(both["w.a"].astype(float) @ both["w.b"].astype(float), wanted, atol=2e-2)
    assert np.allclose(both["bias"], share * ONE["bias"] + (1 - share) * OTHER["bias"], atol=1e-2)
