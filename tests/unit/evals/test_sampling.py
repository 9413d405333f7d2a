"""Drawing questions."""

from __future__ import annotations

from collections import Counter

import pytest

from evals.datasets.types import Item
from evals.sampling import draw

ITEMS = [
    Item(id=f"q{n}", question="Why?", kind="table" if n % 4 == 0 else "text" if n % 4 < 3 else "both")
    for n in range(100)
]


def ids(limit: int | None, seed: int = 0) -> list[str]:
    return [item.id for item in draw(ITEMS, limit, seed)]


def test_no_limit_or_a_large_one_takes_all_in_order() -> None:
    assert ids(None) == ids(100) == ids(1000) == [item.id for item in ITEMS]


def test_a_seed_draws_the_same_questions_each_time_and_another_seed_others() -> None:
    assert ids(20, 1) == ids(20, 1)
    assert ids(20, 1) != ids(20, 2)


def test_what_is_drawn_is_in_the_order_of_the_set() -> None:
    order = [item.id for item in ITEMS]
    assert ids(20) == sorted(ids(20), key=order.index)


def test_each_kind_has_its_share() -> None:
    kinds = Counter(item.kind for item in draw(ITEMS, 20, 5))
    assert kinds == {"table": 5, "text": 10, "both": 5}


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 49, 99])
def test_exactly_as_many_are_drawn_as_asked_for(limit: int) -> None:
    assert len(set(ids(limit))) == limit


def test_the_order_of_the_file_does_not_matter() -> None:
    assert {item.id for item in draw(ITEMS[::-1], 20, 1)} == set(ids(20, 1))
