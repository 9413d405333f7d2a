"""Events joined with those that are there: nothing twice, in the order of their times, and forgotten whole."""

from __future__ import annotations

import numpy as np

from tools.recommend.gathering import NO_HISTORIES, Gathered, of_items, users_of_items, without_user
from tools.recommend.types import Histories

Rows = list[tuple[str, float, str]]


def joined(rows: Rows, before: Histories = NO_HISTORIES) -> Histories:
    gathered = Gathered()
    for row in rows:
        gathered.add(*row)
    return gathered.joined(before)


def rows_of(histories: Histories) -> Rows:
    return [
        (name, float(when), histories.items[item])
        for user, name in enumerate(histories.users)
        for item, when in zip(histories.past(user).items, histories.past(user).times, strict=True)
    ]


ROWS: Rows = [("ann", 3, "b"), ("bob", 1, "a"), ("ann", 1, "a"), ("ann", 3, "c"), ("bob", 9, "a")]
SORTED: Rows = [("ann", 1, "a"), ("ann", 3, "b"), ("ann", 3, "c"), ("bob", 1, "a"), ("bob", 9, "a")]


def test_events_lie_by_user_and_time_and_equal_times_as_they_came() -> None:
    assert rows_of(joined(ROWS)) == SORTED


def test_the_same_events_again_add_nothing_and_new_ones_find_their_place() -> None:
    first = joined(ROWS)
    again = joined([*ROWS, *ROWS], first)
    assert rows_of(again) == SORTED and again.items == first.items
    assert rows_of(joined([("ann", 2, "d")], first))[1] == ("ann", 2, "d")


def test_the_past_is_all_but_the_last_events() -> None:
    ann = joined(ROWS)
    assert [len(ann.past(0, without_last=count)) for count in (0, 2, 4)] == [3, 1, 0]
    assert ann.owners.tolist() == [0, 0, 0, 1, 1]


def test_nothing_joined_with_nothing_is_nothing() -> None:
    assert rows_of(joined([])) == [] and joined([]).starts.tolist() == [0]


def test_a_forgotten_user_leaves_neither_events_nor_items_of_their_own() -> None:
    left = without_user(joined(ROWS), "ann")
    assert (left.users, left.items, rows_of(left)) == (("bob",), ("a",), [("bob", 1, "a"), ("bob", 9, "a")])
    assert rows_of(without_user(left, "bob")) == []
    assert rows_of(without_user(joined(ROWS), "bob")) == SORTED[:3]


def test_users_of_an_item_are_counted_once_each() -> None:
    assert users_of_items(joined(ROWS)).tolist() == [1, 2, 1]
    assert users_of_items(NO_HISTORIES).tolist() == []


def test_joining_is_as_joining_all_at_once(seed: int = 7) -> None:
    draw = np.random.default_rng(seed)
    rows: Rows = [
        (f"u{draw.integers(9)}", float(draw.integers(5)), f"i{draw.integers(6)}") for _ in range(300)
    ]
    parts = joined(rows[200:], joined(rows[90:200], joined(rows[:90])))
    assert rows_of(parts) == rows_of(joined(rows))


def test_events_of_some_items_take_the_places_of_these() -> None:
    some = of_items(joined(ROWS), ("c", "a", "not done"))
    assert rows_of(some) == [("ann", 1, "a"), ("ann", 3, "c"), ("bob", 1, "a"), ("bob", 9, "a")]
    assert some.ids.tolist() == [1, 0, 1, 1]
    assert rows_of(of_items(joined(ROWS), ("none",))) == []
