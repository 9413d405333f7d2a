"""tools.recommend.histories: who did what, in what order."""

from __future__ import annotations

from tools.recommend.histories import histories_of
from tools.recommend.types import Event


def test_events_of_one_time_keep_the_order_they_came_in() -> None:
    events = [
        Event("b", 5.0, "x"), Event("a", 2.0, "y"), Event("b", 1.0, "z"), Event("b", 1.0, "y"), Event("b", 1.0, "z"),
    ]  # fmt: skip
    found = histories_of(events)
    assert found.users == ("b", "a")
    past = found.past(0)
    assert [found.items[each] for each in past.items] == ["z", "y", "z", "x"]
    assert past.times.tolist() == [1.0, 1.0, 1.0, 5.0]
    assert len(found.past(0, without_last=2)) == 2
    assert len(found.past(1, without_last=2)) == 0


def test_no_events_are_no_histories() -> None:
    found = histories_of([])
    assert found.users == found.items == () and found.starts.tolist() == [0]
