"""The measure of routes."""

from __future__ import annotations

import pytest

from evals.routes import macro_f1


def test_macro_f1_counts_every_kind_alike() -> None:
    pairs = [("extractive", "extractive")] * 8 + [("abstractive", "uncertain"), ("uncertain", "uncertain")]
    # F1: extractive 1, abstractive 0, uncertain 2/3.
    assert macro_f1(pairs) == pytest.approx((1 + 0 + 2 / 3) / 3)
